// The hand's viewer: every step is loaded once; stepping only chooses among fragments.
const root = document.getElementById("hand");
const slider = document.getElementById("slider");
const now = document.getElementById("now");
const say = document.getElementById("say");

for (const mark of document.querySelectorAll(".timeline a")) mark.style.left = `${mark.dataset.at}%`;

if (root) start(root);

async function start(hand) {
  const answer = await fetch(hand.dataset.steps, { headers: { Accept: "application/json" } });
  if (!answer.ok) return; // the links still work
  const { regions, steps } = await answer.json();
  const places = new Map([...hand.querySelectorAll("[data-region]")].map((el) => [el.dataset.region, el]));
  const rows = new Map([...hand.querySelectorAll(".events a")].map((el) => [Number(el.dataset.seq), el]));
  const at = new Map(steps.map((step, index) => [step.seq, index]));
  let index = Math.max(0, at.get(Number(hand.dataset.seq)) ?? 0);
  let drawn = {};

  const show = (next, { push = true } = {}) => {
    const to = Math.min(steps.length - 1, Math.max(0, next));
    const step = steps[to];
    for (const [region, number] of Object.entries(step.regions)) {
      if (drawn[region] === number) continue;
      places.get(region).innerHTML = regions[region][number];
    }
    drawn = step.regions;
    rows.get(steps[index].seq)?.removeAttribute("aria-current");
    index = to;
    const row = rows.get(step.seq);
    row?.setAttribute("aria-current", "step");
    if (row) {
      const list = row.closest("ol");
      const top = row.offsetTop - list.clientHeight / 2;
      if (list.scrollHeight > list.clientHeight) list.scrollTop = top;
    }
    now.textContent = step.seq;
    slider.value = to;
    slider.setAttribute("aria-valuetext", `${step.seq}: ${step.say}`);
    say.textContent = step.severity ? `${step.say}. ${step.severity}` : step.say;
    hand.dataset.seq = step.seq;
    if (push) history.replaceState(null, "", hand.dataset.address.replace("0", step.seq));
  };
  const finding = (way) => {
    for (let to = index + way; to >= 0 && to < steps.length; to += way) if (steps[to].severity) return to;
    return index;
  };
  const moves = {
    first: () => 0,
    back: () => index - 1,
    on: () => index + 1,
    last: () => steps.length - 1,
    "next-finding": () => finding(1),
  };
  const keys = {
    ArrowLeft: moves.back, ArrowRight: moves.on, Home: moves.first, End: moves.last,
    PageUp: () => index - 10, PageDown: () => index + 10, n: moves["next-finding"], p: () => finding(-1),
  };

  slider.hidden = false;
  slider.addEventListener("input", () => show(Number(slider.value)));
  hand.addEventListener("click", (click) => {
    if (click.metaKey || click.ctrlKey || click.shiftKey) return;
    const link = click.target.closest("[data-go], .events a, .timeline a");
    if (!link) return;
    click.preventDefault();
    if (link.dataset.go) show(moves[link.dataset.go]());
    else show(at.get(Number(link.dataset.seq ?? link.pathname.split("/").pop())) ?? index);
  });
  document.addEventListener("keydown", (key) => {
    if (key.ctrlKey || key.metaKey || key.altKey || key.shiftKey) return;
    if (key.target.closest("input:not([type=range]), textarea, select")) return;
    if (key.target === slider && key.key !== "n" && key.key !== "p") return;
    const move = keys[key.key];
    if (!move) return;
    key.preventDefault();
    show(move());
  });
  show(index, { push: false });
  hand.dataset.ready = "yes";
}
