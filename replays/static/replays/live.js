// The page of a hand that goes on follows it: at its last event it goes on by itself, elsewhere
// it says that there is more.
const PAUSE = 1000;
const here = location.pathname.match(/^\/hands\/([a-z0-9]+)/);
const slider = document.getElementById("slider");
let tag = "";

function atTheEnd() {
  return !slider || slider.value === slider.max;
}

function tell(said) {
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

async function follow() {
  let said = null;
  try {
    const headers = tag ? { "If-None-Match": tag } : {};
    const answer = await fetch(`/hands/${here[1]}/pulse`, { headers, cache: "no-store" });
    if (answer.status === 200) {
      said = await answer.json();
      const first = !tag;
      tag = answer.headers.get("ETag");
      if (first && !said.open) return;
      if (!first) {
        if (atTheEnd()) return location.replace(said.at + location.search);
        tell(said);
      }
    } else if (answer.status !== 304) return;
  } catch {
    // The line is down: try again.
  }
  if (!said || said.open) setTimeout(follow, PAUSE);
}

if (here) follow();
