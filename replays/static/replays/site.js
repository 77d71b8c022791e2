// Light or dark, two or four colours: kept in a cookie, so that a page comes in them at once.
// And a form is sent once.
const root = document.documentElement;
const asSystem = () => (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
const looks = {
  theme: () => {
    const next = (root.dataset.theme || asSystem()) === "dark" ? "light" : "dark";
    return next === asSystem() ? "" : next;
  },
  suits: () => (root.dataset.suits ? "" : "four"),
};

const YEAR = 31536000;
for (const button of document.querySelectorAll("[data-look]")) {
  button.parentElement.hidden = false;
  button.addEventListener("click", () => {
    const name = button.dataset.look;
    const next = looks[name]();
    if (next) root.dataset[name] = next;
    else delete root.dataset[name];
    document.cookie = `${name}=${next}; path=/; max-age=${next ? YEAR : 0}; samesite=lax`;
  });
}
// A second tap on a button sends nothing twice; what did not go through can be sent again.
const AGAIN = 3000;
document.addEventListener("submit", (submit) => {
  const form = submit.target;
  if (submit.defaultPrevented || form.method !== "post") return;
  if (form.dataset.sent) return submit.preventDefault();
  form.dataset.sent = "yes";
  setTimeout(() => delete form.dataset.sent, AGAIN);
});
// What is there to be copied is marked whole by one tap.
document.addEventListener("focusin", (focus) => {
  if (focus.target.matches("input[readonly]")) focus.target.select();
});
// What came of an action is said first, and whoever goes by keys goes on from there.
document.getElementById("said")?.focus({ preventScroll: true });
// A page that came back with something wrong begins there: its first field, or what is said.
if (!location.hash) {
  const wrong = document.querySelector("main [aria-invalid='true'], main .errorlist, main [role='alert']:not([hidden])");
  wrong?.scrollIntoView({ block: "center" });
  if (wrong?.matches("input, select, textarea")) wrong.focus({ preventScroll: true });
}
