// Light or dark, two or four colours: kept in this browser only.
const looks = { theme: ["", "light", "dark"], suits: ["", "four"] };
const root = document.documentElement;

for (const name of Object.keys(looks)) {
  const kept = localStorage.getItem(name);
  if (kept) root.dataset[name] = kept;
}
for (const button of document.querySelectorAll("[data-look]")) {
  button.parentElement.hidden = false;
  button.addEventListener("click", () => {
    const name = button.dataset.look;
    const choices = looks[name];
    const next = choices[(choices.indexOf(root.dataset[name] ?? "") + 1) % choices.length];
    if (next) root.dataset[name] = next;
    else delete root.dataset[name];
    localStorage.setItem(name, next);
  });
}
