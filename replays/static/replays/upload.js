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

form.addEventListener("submit", (submit) => {
  submit.preventDefault();
  const send = new XMLHttpRequest();
  send.open("POST", form.action || location.href);
  send.upload.addEventListener("progress", (at) => {
    bar.hidden = false;
    if (at.lengthComputable) bar.value = (100 * at.loaded) / at.total;
  });
  send.addEventListener("load", () => {
    if (send.status < 400) location.assign(send.responseURL);
    else {
      // The page came back with what was wrong; the text typed is still in it.
      const page = new DOMParser().parseFromString(send.responseText, "text/html");
      const alert = page.querySelector("[role=alert]");
      form.querySelector("[role=alert]")?.remove();
      if (alert) form.prepend(document.adoptNode(alert));
      bar.hidden = true;
    }
  });
  send.addEventListener("error", () => form.submit());
  send.send(new FormData(form));
});
