// The deal page: sums as they are typed; what is saved is kept here until the server has it.
// Where a deal is corrected there is only its form.

const page = document.getElementById("deal-page");
const waiting = document.getElementById("waiting");
const aside = document.getElementById("aside");
const place = `deal-page:${page?.dataset.table}`;
const kept = { queue: [], aside: null, draft: null, ...read() };
let sending = false;
let ended = false;

function read() {
  try { return JSON.parse(localStorage.getItem(place)) ?? {}; } catch { return {}; }
}
function keep() {
  try { localStorage.setItem(place, JSON.stringify(kept)); } catch { /* then only this page holds it */ }
}
const form = () => document.getElementById("deal");
const said = (name, number) => page.dataset[name].replace("#", number);

// --- the form ----------------------------------------------------------------------------------

function ready() {
  if (!form()) return;
  markTaps(form(), changed);
  form().addEventListener("submit", save);
  // The number pad's own key goes on to the next player without a tap.
  form().addEventListener("keydown", (press) => {
    if (press.key !== "Enter" || !press.target.matches('input[inputmode="numeric"]')) return;
    const fields = [...form().querySelectorAll('input[inputmode="numeric"]')].filter((each) => each.offsetParent);
    const next = fields[fields.indexOf(press.target) + 1];
    press.preventDefault();
    if (next) next.focus(); else form().requestSubmit();
  });
  sums();
}
function changed() {
  tellNothing();
  sums();
  kept.draft = isEmpty() ? null : { at: at(), fields: values() };
  keep();
}
function values() {
  const skip = new Set(["csrfmiddlewaretoken", "key", "match", "number"]);
  return [...new FormData(form())].filter(([name, value]) => !skip.has(name) && value !== "");
}
const isEmpty = () => values().length === 0;
const at = () => `${form().elements.match.value}/${form().elements.number.value}`;

function fill(fields) {
  for (const [name, value] of fields) {
    const found = form().querySelectorAll(`[name="${CSS.escape(name)}"]`);
    for (const field of found) {
      if (field.type === "radio" || field.type === "checkbox") field.checked = field.value === value || (field.type === "checkbox" && field.checked);
      else field.value = value;
    }
  }
}
function restore() {
  if (!form()) return;
  // What still waits here has been played: the page goes on behind it.
  for (const each of kept.queue) {
    const fields = new URLSearchParams(each.body);
    if (`${fields.get("match")}/${fields.get("number")}` !== at()) continue;
    clear(form());
    fill([...fields].filter(([name]) => !["key", "match", "number"].includes(name)));
    sums();
    goOn(form());
  }
  const taken = [...new URLSearchParams(location.search)];
  if (kept.draft?.at === at()) fill(kept.draft.fields);
  // What the show pad hands back goes over it.
  if (taken.length) {
    fill(taken);
    history.replaceState(null, "", location.pathname);
  }
  changed();
}
// Who was out and comes back starts again at the total that the rules give.
function base(own, row) {
  const back = own.querySelector(`[name="back"][value="${row.dataset.seat}"]`)?.checked;
  return Number(back && row.dataset.returns ? row.dataset.returns : row.dataset.total);
}
function sums() {
  const own = form();
  const winner = own.elements.winner?.value ?? "";
  const leastOut = Number(own.dataset.leastOut) || Infinity;
  const most = Number(own.dataset.most) || Infinity;
  let sum = 0;
  const outs = [];
  const rows = [...own.querySelectorAll("li[data-seat]")];
  for (const row of rows) {
    const { seat, name } = row.dataset;
    const field = own.elements[`p${seat}`];
    const plays = !row.classList.contains("away") || own.querySelector(`[name="back"][value="${seat}"]`)?.checked;
    row.classList.toggle("plays", Boolean(plays));
    const points = plays && seat !== winner ? Number(field.value) || 0 : 0;
    sum += points;
    row.dataset.points = points;
    const then = base(own, row) + points;
    const typed = seat !== winner && field.value !== "";
    const isOut = plays && then >= leastOut;
    if (isOut && own.dataset.kind === "pool") outs.push(`${name} ${said("out", own.dataset.limit)}`);
    const after = row.querySelector(".after");
    after.textContent = own.dataset.kind === "pool" && typed ? ` → ${then}` : "";
    after.classList.toggle("out", isOut);
    field.classList.toggle("much", points > most);
    field.title = points > most ? said("much", most) : "";
  }
  if (own.dataset.kind === "deals" && winner) {
    for (const row of rows) {
      const gain = row.dataset.seat === winner ? sum : -Number(row.dataset.points);
      row.querySelector(".after").textContent = ` → ${base(own, row) + gain}`;
    }
  }
  own.querySelector(".sum").textContent = `${page.dataset.sum} ${sum}`;
  own.querySelector(".outs").textContent = outs.join(", ");
}

// --- saving ------------------------------------------------------------------------------------

function save(submit) {
  submit.preventDefault();
  const own = form();
  const missing = firstMissing();
  if (missing) {
    tellMissing(missing);
    return;
  }
  const body = new FormData(own);
  body.delete("csrfmiddlewaretoken");
  kept.queue.push({ number: own.elements.number.value, body: new URLSearchParams(body).toString() });
  kept.draft = null;
  keep();
  goOn(own);
  window.scrollTo(0, 0);
  send();
}
// What is missing is said at its field, until something is typed.
function tellMissing(field) {
  const row = field.closest("li");
  const told = document.createElement("p");
  told.className = "problem";
  told.id = "wrong-here";
  told.setAttribute("role", "alert");
  told.textContent = `● ${field.name === "winner" ? page.dataset.tap : said("lacks", row.dataset.name)}`;
  tellNothing();
  row.querySelector(".deal-line").after(told);
  field.setAttribute("aria-describedby", told.id);
  field.setAttribute("aria-invalid", "true");
  row.classList.add("missing");
  field.focus();
}
function tellNothing() {
  document.getElementById("wrong-here")?.remove();
  for (const row of form().querySelectorAll(".missing")) row.classList.remove("missing");
  for (const field of form().querySelectorAll('[aria-describedby="wrong-here"]')) {
    field.removeAttribute("aria-describedby");
    field.removeAttribute("aria-invalid");
  }
}
function firstMissing() {
  const own = form();
  const winner = own.elements.winner?.value ?? "";
  if (winner === "") return own.querySelector('[name="winner"]');
  for (const row of own.querySelectorAll("li[data-seat].plays")) {
    const { seat } = row.dataset;
    const field = own.elements[`p${seat}`];
    if (seat !== winner && field.value === "" && !own.elements[`m${seat}`].value) return field;
  }
  return null;
}
// The next deal, before the server has answered: totals move, who is out or has left stays away.
function goOn(own) {
  const leastOut = Number(own.dataset.leastOut) || Infinity;
  for (const row of own.querySelectorAll("li[data-seat].plays")) {
    const { seat } = row.dataset;
    const winner = own.elements.winner.value;
    const all = [...own.querySelectorAll("li[data-seat].plays")].reduce((sum, each) => sum + Number(each.dataset.points), 0);
    const mine = Number(row.dataset.points);
    row.dataset.next = base(own, row) + (own.dataset.kind === "deals" ? (seat === winner ? all : -mine) : mine);
    row.dataset.gone = Number(row.dataset.next) >= leastOut || own.elements[`m${seat}`].value === "left" ? "yes" : "";
  }
  for (const row of own.querySelectorAll("li[data-seat]")) {
    if (row.dataset.next !== undefined) {
      row.dataset.total = row.dataset.next;
      row.querySelector(".total").textContent = row.dataset.next;
      row.classList.toggle("away", row.dataset.gone === "yes");
    }
    delete row.dataset.next;
  }
  const number = Number(own.elements.number.value) + 1;
  clear(own);
  own.elements.number.value = number;
  own.elements.key.value = newKey();
  const heading = own.querySelector("h1");
  heading.textContent = heading.textContent.replace(/\d+/, number);
  sums();
}
function clear(own) {
  for (const radio of own.querySelectorAll('input[type="radio"]')) radio.checked = radio.value === "" && radio.name !== "winner";
  for (const field of own.querySelectorAll('input[inputmode="numeric"], input[name^="shown"]')) field.value = "";
  for (const box of own.querySelectorAll('input[type="checkbox"]')) box.checked = false;
}
const newKey = () => [...crypto.getRandomValues(new Uint8Array(12))].map((each) => each.toString(16).padStart(2, "0")).join("");

async function send() {
  if (sending || kept.aside) return tell();
  sending = true;
  let html = null;
  try {
    while (kept.queue.length && !kept.aside) {
      const first = kept.queue[0];
      const answer = await fetch(`${page.dataset.base}deals`, {
        method: "POST",
        body: first.body,
        headers: { "Content-Type": "application/x-www-form-urlencoded", "X-Fragment": "deal", "X-CSRFToken": token() },
      });
      ended = answer.status === 404;
      // The browser has another form token by now: take it from a fresh page, then try again.
      if (answer.status === 403) await renew();
      if (!answer.ok) break;
      const told = await answer.json();
      html = told.html;
      kept.queue.shift();
      if (told.status !== "kept" && told.status !== "same") kept.aside = { body: first.body, say: told.say };
      else document.getElementById("kept").textContent = `✓ ${told.say}`;
      keep();
    }
  } catch { /* no network: it stays in the queue */ }
  sending = false;
  if (html !== null && kept.queue.length === 0) show(html);
  tell();
}
async function renew() {
  const answer = await fetch(page.dataset.base, { headers: { "X-Fragment": "deal" } });
  const fresh = /name="csrfmiddlewaretoken" value="(\w+)"/.exec(await answer.text());
  if (fresh) for (const field of page.querySelectorAll('[name="csrfmiddlewaretoken"]')) field.value = fresh[1];
}
const token = () => page.querySelector('[name="csrfmiddlewaretoken"]').value;

function show(html) {
  const { id: typing, selectionStart, selectionEnd } = document.activeElement ?? {};
  const typed = form() && !isEmpty() ? { at: at(), fields: values() } : null;
  const held = page.contains(document.activeElement);
  page.innerHTML = html;
  ready();
  if (typed && form() && typed.at === at()) {
    fill(typed.fields);
    changed();
    const field = document.getElementById(typing);
    field?.focus();
    // The next digit goes where the last one went, and takes the place of what was selected.
    if (selectionEnd !== undefined && selectionEnd !== null) field?.setSelectionRange(selectionStart, selectionEnd);
  } else if (typed && form()) {
    const number = typed.at.split("/")[1];
    kept.aside = { body: new URLSearchParams(typed.fields).toString(), say: said("meanwhile", number) };
    kept.draft = null;
    keep();
  }
  // Whoever goes by keys goes on from what was said, with who won next: not from the top.
  if (held && !page.contains(document.activeElement)) document.getElementById("kept").focus({ preventScroll: true });
}
function tell() {
  const count = kept.queue.length;
  waiting.hidden = count === 0;
  const words = waiting.dataset;
  waiting.firstElementChild.textContent = ended ? words.ended : count === 1 ? words.one : words.many.replace("#", count);
  aside.hidden = !kept.aside;
  if (!kept.aside) return;
  const text = document.createElement("p");
  text.textContent = kept.aside.say;
  aside.replaceChildren(text, button("drop", dropMine), button("next", enterAsNext));
}
function button(word, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = aside.dataset[word];
  made.addEventListener("click", act);
  return made;
}
function dropMine() {
  kept.aside = null;
  keep();
  refresh();
  send();
}
// What was put aside goes back into the form, to be looked at before it is saved again.
async function enterAsNext() {
  const fields = [...new URLSearchParams(kept.aside.body)].filter(([name]) => !["key", "match", "number"].includes(name));
  kept.aside = null;
  keep();
  await refresh();
  if (form()) {
    fill(fields);
    changed();
  }
  send();
}
async function refresh() {
  try {
    const answer = await fetch(page.dataset.base, { headers: { "X-Fragment": "deal" } });
    if (answer.ok) show(await answer.text());
  } catch { /* no network: the page stays as it is */ }
}
// Another phone may have entered or confirmed something: look now and then, never while typing.
function look() {
  const busy = kept.queue.length || kept.aside || document.hidden || sending || page.contains(document.activeElement);
  if (kept.queue.length) send();
  else if (!busy && (!form() || isEmpty())) refresh();
}

// --- marks -------------------------------------------------------------------------------------

// A tap on a mark fills in its points, a second tap takes it off.
function markTaps(form, changed) {
  form.classList.add("scripted");
  form.addEventListener("pointerdown", remember, true);
  form.addEventListener("keydown", remember, true);
  form.addEventListener("click", (click) => {
    const mark = click.target;
    if (!mark.matches?.('.chips input[type="radio"]')) return;
    const seat = mark.name.slice(1);
    const points = form.elements[`p${seat}`];
    if (before === mark) {
      // The list's own value, set to nothing, would leave the mark as it is.
      form.querySelector(`[name="${mark.name}"][value=""]`).checked = true;
      points.value = "";
    } else {
      points.value = mark.dataset.points ?? "";
    }
    before = null;
    changed();
  });
  form.addEventListener("input", (input) => {
    if (input.target.matches('input[inputmode="numeric"]')) input.target.value = input.target.value.replace(/\D/g, "");
    changed();
  });
  form.addEventListener("change", changed);
  let before = null;
  function remember(press) {
    const radio = press.target.closest?.("label")?.querySelector('input[type="radio"]') ?? press.target;
    before = radio.checked && radio.value ? radio : null;
  }
}

if (page) {
  ready();
  restore();
  tell();
  send();
  addEventListener("online", send);
  document.addEventListener("visibilitychange", look);
  setInterval(() => kept.queue.length && send(), 3000);
  setInterval(look, 12000);
  document.documentElement.dataset.dealReady = "yes";
} else if (form()) markTaps(form(), () => {});
