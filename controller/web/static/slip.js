// Sending what was touched: one slip at a time, all of its acts or none, and nothing by a second tap within a moment.
//
// A slip carries the moment of its offer: what the table waited for when the offer was shown. The table refuses it where it
// waits for something else. A tap on the place of the last one is refused here already, while the eye cannot have seen
// what is there now. How long that is belongs to the tablet (`quiet` in its settings, in milliseconds).

import { t } from "./language.js";
import { act, ask } from "./session.js";
import { settings } from "./settings.js";

const NEAR_PX = 40;

let last = { at: -Infinity, x: 0, y: 0, key: null };
let sending = false;

// Why a tap, or a key, does nothing now; null: it counts. `repeats`: it may come twice on purpose, as chips do.
export function refused(event, { repeats = false } = {}) {
  if (document.body.dataset.live !== "live") return t("page-out-of-date");
  const tap = where(event);
  const isSecond = event.repeat || (tap.at - last.at < settings.quiet && near(tap));
  if (isSecond && !repeats) return t("page-second-tap");
  last = tap;
  return null;
}

function where(event) {
  const at = performance.now();
  if (event instanceof KeyboardEvent) return { at, x: 0, y: 0, key: event.key };
  const box = (event.currentTarget ?? event.target).getBoundingClientRect();
  return { at, x: box.x + box.width / 2, y: box.y + box.height / 2, key: null };
}

function near({ x, y }) {
  return last.key === null && Math.hypot(x - last.x, y - last.y) < NEAR_PX;
}

export function isSending() {
  return sending;
}

// The answer of the table; null where nobody signed in for it.
export async function send(offer, body) {
  if (document.body.dataset.live !== "live") return { ok: false, text: t("page-out-of-date") };
  if (sending) return { ok: false, text: t("page-still-sending") };
  sending = true;
  try {
    if (body.kind === "amend") return await act(offer.right, body);
    const acts = [...(offer.before ?? []), body, ...(offer.after ?? [])];
    return await ask(offer.right, "/api/slips", { acts, moment: offer.moment ?? "" });
  } finally {
    sending = false;
  }
}
