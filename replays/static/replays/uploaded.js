// The page of an upload fills as hands are read and judged.
const place = document.getElementById("uploaded");
let wait = 250;

async function again() {
  if (!place.firstElementChild?.dataset.working) return;
  const answer = await fetch(place.dataset.again, { headers: { "X-Fragment": "uploaded" } });
  if (answer.ok) place.innerHTML = await answer.text();
  wait = Math.min(3000, wait * 1.5);
  setTimeout(again, wait);
}
setTimeout(again, wait);
