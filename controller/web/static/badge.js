// A badge reader types like a keyboard, only faster than any hand. Where no field takes what it types, it must not deal a
// card: the whole burst is one badge, and signs its owner in. What a hand types goes on to the page a moment later.

import { settings } from "./settings.js";

const SHORTEST_BADGE = 6;
let burst = [];
let timer = 0;

// `take(code)`: a badge was held to the reader.
export function watchForBadges(take) {
  document.addEventListener("keydown", (event) => heard(event, take), true);
}

function heard(event, take) {
  if (!event.isTrusted || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, textarea")) return;
  const isEnd = event.key === "Enter";
  if (isEnd ? burst.length === 0 : event.key.length > 1 || event.key === " ") return;
  event.preventDefault();
  event.stopImmediatePropagation();
  clearTimeout(timer);
  if (isEnd && burst.length >= SHORTEST_BADGE) {
    const code = burst.map(({ key }) => key).join("");
    burst = [];
    take(code);
    return;
  }
  burst.push({ key: event.key, repeat: event.repeat, target: event.target });
  timer = setTimeout(goOn, settings.burst);
}

function goOn() {
  const keys = burst;
  burst = [];
  for (const { key, repeat, target } of keys) {
    const pressed = new KeyboardEvent("keydown", { key, repeat, bubbles: true, cancelable: true });
    const isTaken = !target.dispatchEvent(pressed);
    // Enter on a button presses it, which only a key of the browser's own does by itself.
    if (key === "Enter" && !isTaken) target.closest("button, a")?.click();
  }
}
