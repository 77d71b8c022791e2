// Judge a hand: keys put cards into the field, the answer comes back as they come in.
const form = document.getElementById("judge");
const field = document.getElementById("cards");
const ruleset = document.getElementById("ruleset");
const judged = document.getElementById("judged");
const brief = document.getElementById("brief");
let waiting;
let asked = 0;

document.querySelector(".keypad").hidden = false;
field.addEventListener("keydown", (key) => { if (key.key === "Enter") { key.preventDefault(); ask(); } });
form.addEventListener("submit", (submit) => { submit.preventDefault(); ask(); });
field.addEventListener("input", () => { count(); later(); });
form.addEventListener("change", () => { family(); ask(); });
form.addEventListener("click", (click) => {
  const button = click.target.closest("[data-face], [data-edit]");
  if (!button) return;
  const parts = field.value.trim().split(/\s+/).filter(Boolean);
  if (button.dataset.face) parts.push(button.dataset.face);
  else if (button.dataset.edit === "bar") parts.push("|");
  else if (button.dataset.edit === "undo") parts.pop();
  else parts.length = 0;
  field.value = parts.join(" ");
  count();
  later();
});

function family() {
  const chosen = form.dataset.family = ruleset.selectedOptions[0].dataset.family;
  for (const part of form.querySelectorAll("[data-for]")) part.hidden = part.dataset.for !== chosen;
  for (const keys of form.querySelectorAll("[data-keys]")) {
    keys.hidden = (keys.dataset.keys === "tiles") !== (chosen === "tile");
  }
}
function count() {
  const faces = field.value.toUpperCase().split(/[\s|]+/).filter(Boolean);
  for (const button of form.querySelectorAll("[data-face]")) {
    const copies = faces.filter((face) => face === button.dataset.face).length;
    button.querySelector(".count").textContent = copies || "";
  }
}
function later() {
  clearTimeout(waiting);
  waiting = setTimeout(ask, 150);
}
async function ask() {
  clearTimeout(waiting);
  const mine = ++asked;
  const query = new URLSearchParams(new FormData(form));
  let html = null;
  try {
    const answer = await fetch(`?${query}`, { headers: { "X-Fragment": "judged" } });
    if (answer.ok) html = await answer.text();
  } catch { /* no network */ }
  if (mine !== asked) return;
  // The answer to other cards would be taken for that of these.
  if (html === null) judged.replaceChildren(unanswered());
  else judged.innerHTML = html;
  inBrief();
  history.replaceState(null, "", `?${query}`);
}

function unanswered() {
  const said = document.createElement("p");
  said.className = "finding error";
  said.id = "wrong-cards";
  said.textContent = judged.dataset.unanswered;
  return said;
}

// On a phone the answer stands below the keys: its first line stays in sight, and leads to it.
function inBrief() {
  const said = judged.querySelector("h2") || judged.querySelector("#wrong-cards");
  brief.hidden = !said;
  if (said) brief.replaceChildren(...said.cloneNode(true).childNodes);
}

family();
count();
inBrief();
