// The chip rack: a chip that is touched stays in the hand, and goes onto each seat or wager that is touched next; or it is
// dragged there. Without a chip in the hand an amount is keyed.

import { button, html, keep } from "./dom.js";
import { t } from "./language.js";
import { money } from "./words.js";

const USUAL = [100, 500, 1000, 2500, 10000, 50000];
const MOVED_PX = 12;
const AFTER_DRAG_MS = 150;
let inHand = 0;
let draggedAt = -Infinity;

export function chipInHand() {
  return inHand;
}

// `worth`: of each chip of this table; `drop(element, cents, event)`: a chip was dragged onto something.
export function showRack(rack, isOpen, worth, drop) {
  rack.hidden = !isOpen;
  if (!isOpen) inHand = 0;
  keep(rack, [0, ...(worth.length ? worth : USUAL)].map((cents) => ({ cents, picked: cents === inHand })), ({ cents, picked }) => {
    const key = button(cents ? money(cents) : t("page-key-it"), `rack-${cents}`, () => {
      // The click that ends a drag picks nothing up.
      if (performance.now() - draggedAt < AFTER_DRAG_MS) return;
      inHand = cents;
      showRack(rack, true, worth, drop);
    });
    key.className = cents ? "chip" : "";
    key.setAttribute("aria-pressed", String(picked));
    if (cents) drags(key, cents, drop);
    return key;
  });
}

function drags(key, cents, drop) {
  key.addEventListener("pointerdown", (start) => {
    const ghost = html("span", { class: "ghost" }, money(cents));
    const move = (event) => {
      if (Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < MOVED_PX) return;
      if (!ghost.isConnected) document.body.append(ghost);
      ghost.style.translate = `${event.clientX}px ${event.clientY}px`;
    };
    const end = (event) => {
      key.removeEventListener("pointermove", move);
      key.removeEventListener("pointerup", end);
      key.removeEventListener("pointercancel", end);
      if (!ghost.isConnected) return;
      ghost.remove();
      draggedAt = performance.now();
      if (event.type === "pointerup") drop(document.elementFromPoint(event.clientX, event.clientY), cents, event);
    };
    key.setPointerCapture(start.pointerId);
    key.addEventListener("pointermove", move);
    key.addEventListener("pointerup", end);
    key.addEventListener("pointercancel", end);
  });
}
