// The hand's viewer: every step is loaded once; stepping only chooses among fragments.
const SPEEDS = [0.5, 1, 2, 4];
const PAUSE = 1000;

const root = document.getElementById("hand");
const slider = document.getElementById("slider");
const now = document.getElementById("now");
const say = document.getElementById("say");

for (const mark of document.querySelectorAll(".timeline a")) mark.style.left = `${mark.dataset.at}%`;

if (root) start(root);
follow(document.querySelector(".hand[data-pulse]"));

async function start(hand) {
  // How the hand is seen, as the address says it: from a seat, as recorded, without findings.
  const look = new URLSearchParams();
  for (const name of ["seat", "view", "findings"]) {
    const asked = new URLSearchParams(location.search).get(name);
    if (asked) look.set(name, asked);
  }
  const load = async (seat) => {
    const address = new URL(hand.dataset.steps, location);
    if (seat) address.searchParams.set("seat", seat);
    if (look.has("view")) address.searchParams.set("view", look.get("view"));
    const answer = await fetch(address, { headers: { Accept: "application/json" } });
    return answer.ok ? answer.json() : null;
  };
  let data = await load(look.get("seat"));
  if (!data) return; // the links still work
  const table = hand.querySelector(".table");
  const page = hand.closest(".hand-page");
  const help = document.getElementById("keys");
  const path = document.getElementById("path");
  const chooser = document.getElementById("card");
  const closePath = () => {
    if (path.contains(document.activeElement)) chooser.focus({ preventScroll: true });
    path.hidden = true;
    for (const card of hand.querySelectorAll(".followed")) card.classList.remove("followed");
  };
  const places = new Map([...hand.querySelectorAll("[data-region]")].map((el) => [el.dataset.region, el]));
  const seats = [...places.keys()].filter((name) => name.startsWith("seat-"));
  const rows = new Map([...hand.querySelectorAll(".events a")].map((el) => [Number(el.dataset.seq), el]));
  const at = new Map(data.steps.map((step, index) => [step.seq, index]));
  let index = Math.max(0, at.get(Number(hand.dataset.seq)) ?? 0);
  let drawn = [];
  // A card that is drawn stands once in the data, and elsewhere by its place there.
  const whole = (states, number) => {
    states[number] = states[number].replace(/<li (\d+)>/g, (_, place) => data.drawn[place]);
    return states[number];
  };

  const tell = (words) => { say.textContent = words; };
  const moment = (seq = data.steps[index].seq) => `${hand.dataset.address}${seq}${look.size ? `?${look}` : ""}`;
  const place = (region, html) => {
    const held = region.contains(document.activeElement);
    region.innerHTML = html;
    if (held) region.querySelector("[tabindex]")?.focus({ preventScroll: true });
  };
  const show = (next, { push = true } = {}) => {
    const to = Math.min(data.steps.length - 1, Math.max(0, next));
    const step = data.steps[to];
    // Read where the row stands before anything is written: the page is laid out once a step.
    const row = rows.get(step.seq);
    const list = row?.closest("ol");
    const top = list && list.scrollHeight > list.clientHeight ? row.offsetTop - list.clientHeight / 2 : null;
    step.regions.forEach((number, order) => {
      const name = data.names[order];
      if (drawn[order] !== number) place(places.get(name), whole(data.regions[name], number));
    });
    drawn = step.regions;
    rows.get(data.steps[index].seq)?.removeAttribute("aria-current");
    index = to;
    row?.setAttribute("aria-current", "step");
    if (top !== null) list.scrollTop = top;
    now.textContent = step.seq;
    slider.value = to;
    slider.setAttribute("aria-valuetext", `${step.seq}: ${step.say}`);
    tell(step.severity ? `${step.say}. ${step.severity_label}` : step.say);
    hand.dataset.seq = step.seq;
    for (const link of hand.querySelectorAll("[data-moment]")) link.href = link.dataset.moment.replace("SEQ", step.seq);
    for (const card of hand.querySelectorAll(".followed")) card.classList.remove("followed");
    if (push) history.replaceState(null, "", moment());
  };

  const finding = (way) => {
    for (let to = index + way; data.steps[to]; to += way) if (data.steps[to].severity) return to;
    return index;
  };
  // On: where the next turn begins. Back: where this one began, or the one before it.
  const turn = (turns) => {
    const { steps } = data;
    let goal = steps[index].turn + turns;
    if (turns < 0 && index > 0 && steps[index - 1].turn === steps[index].turn) goal += 1;
    if (turns > 0) {
      const to = steps.findIndex((step) => step.turn >= goal);
      return to < 0 ? steps.length - 1 : to;
    }
    return Math.max(0, steps.findIndex((step) => step.turn >= goal));
  };
  // A key is not where its button stands: what the button shows is said.
  const press = (name) => {
    const button = hand.querySelector(`[data-do="${name}"]`);
    button.click();
    if (["hide", "grouping", "notes"].includes(name)) tell(`${button.firstChild.textContent.trim()}: ${button.ariaPressed === "true" ? hand.dataset.on : hand.dataset.off}`);
    else if (name === "faster" || name === "slower") tell(document.getElementById("speed").textContent);
  };
  const mode = (name, button) => {
    const on = hand.classList.toggle(name);
    button?.setAttribute("aria-pressed", on);
    return on;
  };
  const viewAs = async (seat, button) => {
    const found = await load(seat);
    if (!found) return;
    data = found;
    if (seat) look.set("seat", seat);
    else look.delete("seat");
    at.clear();
    data.steps.forEach((step, to) => at.set(step.seq, to));
    index = at.get(Number(hand.dataset.seq)) ?? index;
    drawn = [];
    for (const each of hand.querySelectorAll('[data-do^="seat-"], [data-do="table"]')) {
      each.setAttribute("aria-pressed", each === button);
    }
    choose();
    closePath();
    show(index);
    tell(button.firstChild.textContent.trim());
  };
  const player = keepPlaying(hand, {
    step: () => {
      if (index >= data.steps.length - 1) return false;
      show(index + 1);
      return true;
    },
    again: () => { if (index >= data.steps.length - 1) show(0); },
  });

  const moves = {
    first: () => 0, back: () => index - 1, on: () => index + 1, last: () => data.steps.length - 1,
    "next-finding": () => finding(1), "last-finding": () => finding(-1),
    "turn-on": () => turn(1), "turn-back": () => turn(-1),
    "round-on": () => turn(seats.length), "round-back": () => turn(-seats.length),
    "ten-on": () => index + 10, "ten-back": () => index - 10,
  };
  const acts = {
    play: player.toggle, faster: player.faster, slower: player.slower,
    hide: (button) => mode("hides", button),
    grouping: (button) => button.setAttribute("aria-pressed", !hand.classList.toggle("without-best")),
    notes: (button) => mode("shows-notes", button),
    plain: (button) => {
      const on = page.classList.toggle("without-findings");
      button.setAttribute("aria-pressed", on);
      if (on) look.set("findings", "hidden");
      else look.delete("findings");
      show(index);
    },
    more: (button) => button.setAttribute("aria-expanded", button.parentElement.classList.toggle("open")),
    "close-path": () => closePath(),
    rotate: () => {
      const first = table.querySelector('[data-region^="seat-"]');
      const last = [...table.querySelectorAll('[data-region^="seat-"]')].pop();
      last.after(first);
    },
    table: (button) => viewAs("", button),
    copy: async () => {
      const address = new URL(moment(), location).href;
      const field = document.getElementById("moment");
      field.value = address;
      field.hidden = false;
      try {
        await navigator.clipboard.writeText(address);
        tell(hand.dataset.copied);
      } catch {
        field.focus();
      }
      field.select();
    },
  };
  // What a key opens lies among the tools that a phone has folded away.
  const unfold = () => {
    const more = hand.querySelector('[data-do="more"]');
    if (more.getAttribute("aria-expanded") === "false" && more.checkVisibility()) more.click();
  };
  const opens = {
    go: () => { unfold(); document.getElementById("at").focus(); },
    help: () => { unfold(); help.open = !help.open; if (help.open) help.querySelector("summary").focus(); },
  };
  for (const name of seats) acts[name] = (button) => viewAs(name.slice(5), button);

  const keys = {
    ArrowLeft: "back", ArrowRight: "on", k: "back", j: "on", Home: "first", 0: "first", End: "last", $: "last",
    PageUp: "ten-back", PageDown: "ten-on", n: "next-finding", p: "last-finding",
    "[": "round-back", "]": "round-on", " ": "play", "+": "faster", "-": "slower",
    h: "hide", f: "rotate", c: "notes", m: "grouping", g: "go", y: "copy", t: "table", "?": "help",
    x: "what-if", e: "pin", ArrowUp: "hand-before", ArrowDown: "hand-after",
  };
  const leave = () => {
    player.stop();
    hand.classList.remove("hides", "shows-notes", "without-best");
    for (const name of ["hide", "notes", "grouping"]) hand.querySelector(`[data-do="${name}"]`).setAttribute("aria-pressed", name === "grouping");
    help.open = false;
    document.getElementById("moment").hidden = true;
    closePath();
  };
  document.addEventListener("keydown", (key) => {
    if (key.ctrlKey || key.metaKey || key.altKey) return;
    if (key.target.closest("input:not([type=range], [readonly]), textarea, select")) {
      if (key.key === "Escape") key.target.blur();
      return;
    }
    if (key.target.closest("summary, button, a") && (key.key === " " || key.key === "Enter")) return;
    if (key.target === slider && key.key.startsWith("Arrow")) return;
    if (key.key === "Escape") return leave();
    let name = keys[key.key];
    if (key.shiftKey && (name === "on" || name === "back")) name = `turn-${name}`;
    else if (key.shiftKey && key.key.length > 1) return;
    if (/^[1-6]$/.test(key.key)) name = `seat-${key.key}`;
    if (!name) return;
    if (moves[name]) show(moves[name]());
    else if (opens[name]) opens[name]();
    else if (hand.querySelector(`[data-do="${name}"]`)) press(name);
    else return;
    key.preventDefault();
  });

  // A card says when it was dealt, drawn, discarded and melded.
  const follow = (face, card) => {
    const seqs = data.cards[face] ?? [];
    path.querySelector("strong").textContent = data.faces[face] ?? face;
    path.querySelector("ol").replaceChildren(...seqs.map((seq) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = moment(seq);
      link.dataset.seq = seq;
      link.textContent = `${seq}: ${data.steps[at.get(seq)]?.say ?? ""}`;
      item.append(link);
      return item;
    }));
    path.hidden = false;
    for (const each of hand.querySelectorAll(".followed")) each.classList.remove("followed");
    card?.classList.add("followed");
    tell([path.querySelector("strong").textContent, ...[...path.querySelectorAll("li")].map((item) => item.textContent)].join(". "));
  };
  // What can be followed is what this seat may see.
  const choose = () => {
    const [none] = chooser.options;
    chooser.replaceChildren(none, ...Object.keys(data.faces).map((face) => new Option(data.faces[face], face)));
  };
  choose();
  chooser.addEventListener("change", () => chooser.value && follow(chooser.value));

  for (const tool of hand.querySelectorAll("[hidden][data-needs-script]")) tool.hidden = false;
  for (const tool of hand.querySelectorAll("[data-go], [data-do]")) tool.title = tool.ariaLabel ?? tool.textContent.trim().replace(/\s+(\S+)$/, tool.querySelector("kbd") ? " ($1)" : " $1");
  slider.hidden = false;
  slider.addEventListener("input", () => show(Number(slider.value)));
  hand.addEventListener("click", (click) => {
    if (click.metaKey || click.ctrlKey || click.shiftKey) return;
    const tool = click.target.closest("[data-do]");
    if (tool && acts[tool.dataset.do]) {
      click.preventDefault();
      acts[tool.dataset.do](tool);
      return;
    }
    const card = click.target.closest(".table .cards [data-face]");
    if (card) follow(card.dataset.face, card);
    const link = click.target.closest("[data-go], .events a, .timeline a, #path a");
    // A tap spreads a hand that lies close together.
    if (!link) return click.target.closest(".seat")?.parentElement.classList.toggle("spread", card ? true : undefined);
    click.preventDefault();
    if (link.dataset.go) show(moves[link.dataset.go]());
    else show(at.get(Number(link.dataset.seq ?? link.pathname.split("/").pop())) ?? index);
  });
  document.getElementById("goto").addEventListener("submit", (submit) => {
    submit.preventDefault();
    const wanted = Number(document.getElementById("at").value);
    const to = data.steps.findIndex((step) => step.seq >= wanted);
    show(to < 0 ? data.steps.length - 1 : to);
    hand.querySelector('[data-go="on"]').focus({ preventScroll: true });
  });
  show(index, { push: false });
  hand.dataset.ready = "yes";
}

// Playing a hand by itself: a step every so often, at a speed that can be changed meanwhile.
function keepPlaying(hand, { step, again }) {
  const button = hand.querySelector('[data-do="play"]');
  const told = document.getElementById("speed");
  let speed = 1;
  let timer = 0;
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    button.setAttribute("aria-pressed", "false");
  };
  const begin = () => {
    clearInterval(timer);
    timer = setInterval(() => step() || stop(), 1000 / SPEEDS[speed]);
    button.setAttribute("aria-pressed", "true");
  };
  const change = (by) => {
    speed = Math.min(SPEEDS.length - 1, Math.max(0, speed + by));
    told.textContent = `${SPEEDS[speed]}×`;
    if (timer) begin();
  };
  return {
    stop,
    toggle: () => {
      if (timer) return stop();
      again();
      begin();
    },
    faster: () => change(1),
    slower: () => change(-1),
  };
}

// A hand that goes on is followed: at its last event the page goes on by itself, elsewhere, and
// where somebody is typing, it says that there is more.
async function follow(hand) {
  if (!hand) return;
  let said = null;
  try {
    const headers = { "If-None-Match": hand.dataset.tag };
    const answer = await fetch(hand.dataset.pulse, { headers, cache: "no-store" });
    if (answer.status === 200) {
      said = await answer.json();
      hand.dataset.tag = answer.headers.get("ETag");
      said.at += location.search;
      const typing = document.activeElement?.matches("input:not([type=range], [readonly]), select");
      if ((!slider || slider.value === slider.max) && !typing) return location.replace(said.at);
      goneOn(said);
    } else if (answer.status !== 304) return;
  } catch {
    // The line is down: try again.
  }
  if (!said || said.open) setTimeout(follow, PAUSE, hand);
}

function goneOn(said) {
  let line = document.getElementById("gone-on");
  if (!line) {
    line = document.createElement("p");
    line.id = "gone-on";
    line.className = "panel";
    line.setAttribute("role", "status");
    document.querySelector("main").prepend(line);
  }
  const link = document.createElement("a");
  link.href = said.at;
  link.textContent = said.says;
  line.replaceChildren(link);
}
