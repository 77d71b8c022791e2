// Playing a hand by itself: a step every so often, at a speed that can be changed meanwhile.
const SPEEDS = [0.5, 1, 2, 4];

export function keepPlaying(hand, { step, again }) {
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
