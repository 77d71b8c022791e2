// Drag and drop into the file field, and progress while a file is sent.
const form = document.getElementById("upload");
const drop = document.getElementById("drop");
const files = document.getElementById("id_files");
const bar = document.getElementById("sending");

for (const kind of ["dragenter", "dragover"]) {
  drop.addEventListener(kind, (drag) => { drag.preventDefault(); drop.classList.add("over"); });
}
for (const kind of ["dragleave", "drop"]) {
  drop.addEventListener(kind, (drag) => { drag.preventDefault(); drop.classList.remove("over"); });
}
drop.addEventListener("drop", (drag) => { files.files = drag.dataTransfer.files; });

// Back from the answer, the form is ready again.
addEventListener("pageshow", () => { form.querySelector("button").disabled = false; bar.hidden = true; });
form.addEventListener("submit", (submit) => { submit.preventDefault(); send(); });

// Once at a time: a second tap on the button sends nothing twice.
function send(again = true) {
  const request = new XMLHttpRequest();
  const button = form.querySelector("button");
  button.disabled = true;
  request.open("POST", form.action || location.href);
  request.upload.addEventListener("progress", (at) => {
    bar.hidden = false;
    if (at.lengthComputable) bar.value = (100 * at.loaded) / at.total;
  });
  request.addEventListener("load", () => {
    const isIn = !request.responseURL.includes("/account/");
    if (request.status < 400 && isIn) return location.assign(request.responseURL);
    if (request.status === 403 && again) return renew();
    // The page came back with what was wrong; what was typed and chosen is still in this one.
    const page = new DOMParser().parseFromString(request.responseText, "text/html");
    tell(isIn ? page.querySelector("main [role=alert]") ?? said(page) : signedOut());
  });
  request.addEventListener("error", unanswered);
  request.send(new FormData(form));
}
// A server that ends a request by itself says why to a form; without a network nothing would be left.
async function unanswered() {
  try {
    await fetch(location.href, { method: "HEAD" });
    form.submit();
  } catch {
    tell(alarm(form.dataset.offline));
  }
}
// The form is older than the session, or nobody is signed in any more: a fresh page tells which.
async function renew() {
  try {
    const answer = await fetch(location.href);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("#upload [name=csrfmiddlewaretoken]");
    if (!fresh) return tell(signedOut());
    form.elements.csrfmiddlewaretoken.value = fresh.value;
  } catch { /* no network: sending says so */ }
  send(false);
}
function tell(what) {
  form.querySelector("[role=alert]")?.remove();
  form.prepend(what);
  form.querySelector("button").disabled = false;
  bar.hidden = true;
  what.scrollIntoView({ block: "nearest" });
}
function said(page) {
  const words = [...page.querySelectorAll("main h1, main p")].map((each) => each.textContent.trim());
  return alarm(words.slice(0, 2).join(". ") || document.title);
}
function signedOut() {
  const made = alarm(`${form.dataset.signedOut} `);
  const link = document.createElement("a");
  Object.assign(link, { href: form.dataset.signIn, target: "_blank", textContent: form.dataset.signInWords });
  made.firstElementChild.append(link);
  return made;
}
function alarm(words) {
  const made = document.createElement("div");
  const text = document.createElement("p");
  made.className = "finding error";
  made.setAttribute("role", "alert");
  text.textContent = words;
  made.append(text);
  return made;
}
