// The dealer's console: paints what may be done now and sends what was keyed. It knows no game; the offers come from the
// engine's expectation, and the engine checks what is sent.

import { correct } from "./correct.js";
import { button, byTestId, html, keep, setData, setText } from "./dom.js";
import { chipInHand, showRack } from "./chips.js";
import { FormPad } from "./form.js";
import { CardPad, confirm, filled, inDialog, padFor, withFields } from "./pads.js";
import { showLanguages } from "./speaking.js";
import { onLanguage, said, spoken, t } from "./language.js";
import { showSeats } from "./seats.js";
import { watchForBadges } from "./badge.js";
import { checkSessions, onChange, secondsLeft, signIn, signInByBadge, signOut } from "./session.js";
import { change, settings } from "./settings.js";
import { showSettling } from "./settling.js";
import { isSending, refused, send } from "./slip.js";
import { watch } from "./stream.js";
import { money, phase, words } from "./words.js";

let shown = null;
let last = null;
let signedIn = [];
let toastTimer = 0;
// The pad that is always open where a card is to be keyed; cards keyed ahead of the table wait in `queue`.
const inline = { pad: null, made: "", offer: null, chosen: "", queue: [], sent: "" };

let holder = "";
const stream = watch("/api/console/stream", {
  token: () => holder,
  onView(document) {
    const was = globalThis.document.body.dataset.live;
    live("live");
    last = document;
    showLanguages(signedIn, document.view.languages[0]);
    show(spoken(document));
    if (was !== "live") checkSessions();
  },
  onStale: () => live("stale"),
});
onChange((sessions) => {
  const tokens = sessions.map(({ token }) => token);
  if (!tokens.includes(holder) && holder !== (tokens[0] ?? "")) {
    holder = tokens[0] ?? "";
    stream.reopen();
  }
  signedIn = sessions;
  showWho();
  setData(document.body, "signed", String(sessions.length > 0));
  if (last) showLanguages(sessions, last.view.languages[0]);
});
onLanguage(() => {
  showWho();
  if (last) show(spoken(last));
});
// How long the floor's rights still last is counted down.
setInterval(showWho, 1000);

function showWho() {
  const names = signedIn.map((session) => {
    const left = secondsLeft(session);
    return `${session.name} (${t(`page-role-${session.role}`)}${left === null ? "" : `, ${left} s`})`;
  });
  setText(byTestId("who"), names.length ? `${names.join(", ")} · ${t("page-sign-out")}` : t("page-sign-in"));
}
byTestId("who").addEventListener("click", () => (signedIn.length ? signOut() : signIn()));
byTestId("alarms-button").addEventListener("click", () => byTestId("alarms").scrollIntoView());
byTestId("hand").addEventListener("click", () => {
  change("hand", settings.hand === "right" ? "left" : "right");
  setData(document.body, "hand", settings.hand);
});
setData(document.body, "hand", settings.hand);
document.addEventListener("keydown", shortcut);
watchForBadges(async (badge) => {
  const came = await signInByBadge(badge);
  if (came) say(came.name ? t("page-signed-in", { name: came.name }) : said(came.text));
});

function live(state) {
  setData(document.body, "live", state);
  byTestId("connection-banner").hidden = state === "live";
  if (state !== "live") inline.queue = [];
}

function show(console) {
  shown = console;
  const { view } = console;
  setData(document.body, "phase", console.phase);
  setText(byTestId("game"), view.game.title);
  setText(byTestId("table"), view.table);
  setText(byTestId("round"), t("page-round-n", { round: String(view.round) }));
  setText(byTestId("shoe"), view.shoe ? t("page-shoe-n", { shoe: String(view.shoe.number), hands: view.shoe.hands }) : "");
  setText(byTestId("banker"), bankButton(console.banker));
  setText(byTestId("jackpots"), (view.jackpots ?? []).map(({ title, cents }) => `${title}: ${money(cents)}`).join(" · "));
  setText(byTestId("phase"), phase(console.phase) + (view.bets_close_in == null ? "" : `, ${view.bets_close_in} s`));
  const asks = console.trouble ?? view.prompt;
  setText(byTestId("prompt"), asks);
  setData(byTestId("prompt"), "long", String(asks.length > 60));
  byTestId("test-banner").hidden = !view.test;
  byTestId("felt").hidden = view.felt.length === 0;
  setText(byTestId("felt"), view.felt.join(" · "));
  byTestId("held").hidden = !view.held;
  byTestId("held-who").hidden = !view.held?.lifted_by;
  setText(byTestId("held-who"), view.held?.lifted_by ?? "");
  setText(byTestId("held"), view.held ? t("page-held", { text: view.held.text }) : "");
  byTestId("outcome").hidden = !view.outcome_text;
  setText(byTestId("outcome"), view.outcome_text ? [view.outcome_text, ...view.marks.map(words)].join(" · ") : "");
  document.title = `${view.prompt} · ${view.table}`;

  const offers = console.offers.map((offer) => ({ group: "now", under: "", asks: [], clears: [], ...offer }));
  const now = offers.filter(({ group }) => group === "now");
  showInline(now.filter(isKeyed), console.deck);
  showSlots(now, offers);
  showOffers(byTestId("floor"), offers.filter(({ group }) => group === "floor"));
  showOffers(byTestId("table-offers"), offers.filter(({ group }) => group === "table"));
  showWagers(console, offers);
  showSettling(console.pay_and_take);
  showAlarms(console.alarms, offers);
  showPutIn(console);
  setData(document.body, "waits", console.waits_for_device ? "device" : "person");
  setData(document.body, "seq", String(console.seq));
}

// The bank button: whose hand it is, and his first or his second.
function bankButton(banker) {
  if (!banker) return "";
  const who = [banker.name, banker.firm].filter(Boolean).join(", ");
  const hand = banker.hand < 3 ? t(`page-bank-hand-${banker.hand}`) : t("page-bank-hand", { hand: banker.hand });
  return t("page-bank-at", { place: `${banker.place}${who ? ` (${who})` : ""}`, hand });
}

// The four places that never move, and the rest beside them. Check and call are in the main place, where they are one
// seat's; a batch has a place of its own, so that it is never tapped for a single act.
const IN_MAIN = ["check", "call", "stand"];
const IN_FOLD = ["fold", "surrender"];

function showSlots(now, offers) {
  const left = now.filter((offer) => !isKeyed(offer) || (offer !== inline.offer && now.filter(isKeyed).length > 1));
  const take = (test) => {
    const index = left.findIndex(test);
    return index < 0 ? null : left.splice(index, 1)[0];
  };
  const seats = new Set(left.filter(({ under }) => under).map(({ under }) => under));
  const all = take(({ after }) => after?.length);
  const fold = seats.size === 1 ? take(({ body }) => IN_FOLD.includes(body.do)) : null;
  // Where a card may go out before the bets are closed, it closes them.
  let main = take(({ id }) => id === "card") ?? take(({ id }) => id === "close_bets");
  if (!main && seats.size === 1) main = take(({ body, asks }) => IN_MAIN.includes(body.do) && asks.length === 0);
  // Who banks next is a choice of the players too.
  if (!main && seats.size === 0) main = take(({ after, id }) => !after?.length && !id.startsWith("bank:"));
  const undo = offers.find(({ group }) => group === "undo") ?? null;
  // What a player decides is his: none of his choices is put forward.
  slot("slot-all", all, "");
  slot("slot-main", main, main?.under ? "" : "primary");
  slot("slot-fold", fold, "");
  slot("slot-undo", undo, "");
  showOffers(byTestId("now"), left, true);
}

const BESIDE_THE_PAD = ["f", "u", "Enter"];
const KEYS = { "slot-fold": "f", "slot-undo": "u", "slot-all": "a", "slot-main": "1 Enter" };

function slot(id, offer, kind) {
  keep(byTestId(id), [offer], (item) => {
    if (!item) return html("span", { class: "free" });
    const label = id === "slot-main" && item.under && !item.after?.length ? `${item.under}: ${item.label}` : item.label;
    const key = button(label, `offer-${item.id}`, (event) => take(item, event));
    key.className = `${kind} ${label.length > 34 ? "long" : ""}`.trim();
    key.setAttribute("aria-keyshortcuts", KEYS[id]);
    return key;
  });
}

// One button per offer, seats under their headings. The first eight beside the fixed places have number keys from 2.
function showOffers(parent, offers, numbered = false) {
  const items = [];
  offers.forEach((offer, index) => {
    if (offer.under && offer.under !== offers[index - 1]?.under) items.push({ heading: offer.under });
    items.push({ offer, number: numbered && index < 8 ? index + 2 : 0 });
  });
  keep(parent, items, ({ heading, offer, number }) => {
    if (heading) return html("h3", {}, heading);
    const key = button(offer.label, `offer-${offer.id}`, (event) => (isKeyed(offer) ? choose(offer) : take(offer, event)));
    if (number) key.setAttribute("aria-keyshortcuts", String(number));
    return key;
  });
}

// Cards that everybody sees are keyed on the open pad; what must not be shown is keyed in a dialog.
function isKeyed({ asks, group, body }) {
  if (group !== "now" || asks?.length !== 1) return false;
  const [ask] = asks;
  return ask.kind === "card" || (body.kind === "reveal" && !ask.sealed);
}

function choose(offer) {
  inline.chosen = offer.id;
  show(shown);
}

function showInline(offers, deck) {
  const place = byTestId("inline-pad");
  const offer = offers.find(({ id }) => id === inline.chosen) ?? offers[0] ?? null;
  place.hidden = !offer;
  const before = inline.offer;
  inline.offer = offer;
  setText(byTestId("inline-label"), offer ? offer.asks[0].label : "");
  if (!offer) {
    if (inline.queue.length) say(t("page-not-sent", { cards: inline.queue.map(named).join(", ") }));
    inline.queue = [];
    return;
  }
  const [ask] = offer.asks;
  const count = ask.kind === "card" ? 1 : ask.max;
  const made = `${deck.join()} ${count} ${ask.kind}`;
  if (inline.made !== made) {
    inline.made = made;
    inline.pad = new CardPad(deck, count, count, ask.kind === "card" ? (cards) => cards[0] : undefined);
    inline.pad.onDone = key;
    inline.pad.guard = (event) => {
      const why = refused(event);
      if (why) say(why);
      return !why;
    };
    place.replaceChildren(inline.pad.node);
  } else if (before?.id !== offer.id || before?.moment !== offer.moment) inline.pad.clear();
  if (inline.queue.length && offer.moment !== inline.sent) key(inline.queue.shift());
}

function named(card) {
  return [card].flat().join(" ");
}

// A card that is keyed before the table has taken the one before it waits for its turn.
async function key(cards) {
  const { offer } = inline;
  inline.pad.clear();
  if (isSending() || offer.moment === inline.sent) {
    inline.queue.push(cards);
    return;
  }
  inline.sent = offer.moment;
  const answer = await send(offer, { ...offer.body, [offer.asks[0].field]: cards });
  report(answer);
  if (!answer?.ok) {
    inline.sent = "";
    inline.queue = [];
  }
}

async function take(offer, event) {
  const why = refused(event);
  if (why) return say(why);
  if (offer.form) return inOneDialog(offer);
  const body = await filled(offer, shown.deck);
  if (body === undefined) return undefined;
  if (offer.sure && !(await confirm(offer.label, offer.sure, offer.label))) return undefined;
  const answer = await send(offer, body);
  // What belongs to the hand shows at its seat; a fee that is waived or a new shoe shows nowhere at once.
  if (answer?.ok && SAID_WHEN_DONE.includes(offer.group)) confirmDone(offer);
  return report(answer);
}

// What the table refuses stays in the dialog, to be put right there.
async function inOneDialog(offer) {
  const check = async (fields) => {
    const answer = await send(offer, withFields(offer.body, fields));
    return answer === null ? t("page-nobody-signed-in") : answer.ok ? "" : said(answer.text);
  };
  const keyed = await inDialog(offer.label, "", new FormPad(offer.asks), { ok: t("page-set"), needsOk: true, check });
  if (keyed) confirmDone(offer);
}

const SAID_WHEN_DONE = ["table", "floor", "alarms", "undo"];
let doneTimer = 0;

function confirmDone(offer) {
  const done = byTestId("done");
  setText(done, t("page-done", { what: `${offer.under && offer.group !== "floor" ? `${offer.under}, ` : ""}${offer.label}` }));
  done.hidden = false;
  clearTimeout(doneTimer);
  doneTimer = setTimeout(() => (done.hidden = true), 3000);
}

function report(answer) {
  if (answer === null) return;
  // What was done shows on the page; only a refusal needs words.
  say(answer.ok ? "" : said(answer.text));
}

function say(text) {
  const toast = byTestId("toast");
  setText(toast, text);
  toast.hidden = !text;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (toast.hidden = true), 8000);
}

function showWagers(console, offers) {
  const wager = offers.find(({ id }) => id === "wager");
  const section = byTestId("wagers");
  const others = offers.filter(({ group, id }) => group === "wagers" && id !== "wager");
  section.hidden = !wager && console.book.length === 0;
  showOffers(byTestId("wager-offers"), others);
  const places = wager ? wager.asks[0].picks : [];
  const rules = wager ? wager.asks[1].picks : [...new Set(console.book.flatMap(({ wagers }) => Object.keys(wagers)))].map((id) => ({ value: id, label: words(id) }));
  const seats = [...new Set([...places.map(({ value }) => String(value)), ...console.book.map(({ place }) => place)])].sort(bySpot);
  const placed = Object.fromEntries(console.book.map(({ place, wagers }) => [place, wagers]));
  const rows = [
    { head: true, cells: rules.map(({ label }) => label) },
    ...seats.map((seat) => ({ seat, open: Boolean(wager), cells: rules.map((rule) => ({ rule, cents: placed[seat]?.[rule.value] ?? 0 })) })),
  ];
  keep(byTestId("book"), rows, ({ head, seat, open, cells }) => {
    if (head) return html("tr", {}, html("th", { scope: "col" }, t("page-seat-column")), ...cells.map((label) => html("th", { scope: "col" }, label)));
    return html("tr", {}, html("th", { scope: "row" }, seat), ...cells.map((cell) => html("td", {}, wagerCell(wager, seat, cell, open))));
  });
  showRack(byTestId("rack"), Boolean(wager), console.rack, drop);
  // In a pot game the wagers before the first card are straddles and the like: none of them is a seat's bet.
  const first = Object.keys(console.chips).length ? undefined : rules.find(({ equals }) => !equals);
  showSeats(byTestId("arc"), console, wager && first ? (seat, event) => bet(String(seat), first, event) : null);
}

// A seat's own spot, then its back line: 3, 3.2, 3.3, 4.
function bySpot(one, other) {
  const [[seat, spot = 1], [otherSeat, otherSpot = 1]] = [one, other].map((place) => place.split(".").map(Number));
  return seat - otherSeat || spot - otherSpot;
}

function wagerCell(wager, seat, { rule, cents }, open) {
  const text = cents ? money(cents) : "–";
  if (!open) return text;
  const key = button(text, `wager-${seat}-${rule.value}`, (event) => bet(seat, rule, event));
  key.setAttribute("aria-label", t("page-wager-of", { seat, bet: rule.label, text }));
  Object.assign(key.dataset, { seat, wager: rule.value });
  return key;
}

// A chip that was dragged onto a seat, or onto one of its wagers.
function drop(target, cents, event) {
  const offer = shown.offers.find(({ id }) => id === "wager");
  const place = target?.closest("[data-seat]");
  if (!offer || !place) return;
  const rules = offer.asks[1].picks;
  const rule = rules.find(({ value }) => value === place.dataset.wager) ?? rules.find(({ equals }) => !equals);
  bet(place.dataset.seat, rule, event, cents);
}

// A wager of a seat: a chip more, or an amount that is keyed. A wager that must equal it is placed with it.
async function bet(seat, rule, event, dropped = 0) {
  const chip = dropped || chipInHand();
  const why = refused(event, { repeats: Boolean(chip) });
  if (why) return say(why);
  const offer = shown.offers.find(({ id }) => id === "wager");
  if (!offer) return undefined;
  let cents;
  if (chip) cents = (shown.book.find(({ place }) => place === seat)?.wagers[rule.value] ?? 0) + chip;
  else {
    const { min, max, step } = rule;
    const pad = padFor({ kind: "cents", min, max, step }, { deck: [], bounds: {} });
    const keyed = await inDialog(t("page-seat", { seat }), rule.label, pad, { ok: t("page-place") });
    if (!keyed) return undefined;
    cents = keyed.value;
  }
  const place = /^\d+$/.test(seat) ? Number(seat) : seat;
  const placed = (value) => ({ kind: "wager", place, wager: value, cents });
  const with_it = offer.asks[1].picks.filter(({ equals }) => equals === rule.value).map(({ value }) => placed(value));
  return report(await send({ ...offer, after: with_it }, placed(rule.value)));
}

// Each alarm with what to do about it, what clears it, and the buttons for that.
function showAlarms(alarms, offers) {
  const badge = byTestId("alarms-button");
  const fresh = alarms.filter(({ acknowledged_by }) => !acknowledged_by).length;
  badge.hidden = alarms.length === 0;
  setText(badge, t(fresh ? "page-alarm-count" : "page-alarm-count-seen", { alarms: fresh || alarms.length }));
  byTestId("alarms").hidden = alarms.length === 0;
  const lines = alarms.map((alarm) => ({ ...alarm, ways: offers.filter(({ clears, body }) => clears.includes(alarm.name) || body.alarm === alarm.name) }));
  keep(byTestId("alarms").querySelector("ul"), lines, ({ name, text, to_do, ends, acknowledged_by, ways }) =>
    html(
      "li",
      { "data-testid": `alarm-${name}` },
      html("p", {}, text),
      html("p", { "data-testid": `to-do-${name}` }, to_do),
      html("p", { class: "dim" }, ends ? t("page-cleared-when", { ends }) : "", acknowledged_by ? ` ${t("page-seen-to-by", { name: acknowledged_by })}` : ""),
      html("div", { class: "offers" }, ...ways.map((offer) => alarmButton(name, offer))),
    ),
  );
}

function alarmButton(name, offer) {
  // "Clear: 9 of Ah have left the shoe": the line above has the rest.
  const label = offer.group === "alarms" ? offer.label.split(/[:：]/)[0] : offer.label;
  return button(label, `way-${name}-${offer.id}`, (event) => take(offer, event));
}

function showPutIn(console) {
  byTestId("correct").hidden = console.put_in.length === 0;
  setText(byTestId("correct-round"), t("page-round-small", { round: String(console.round) }));
  keep(byTestId("put-in"), console.put_in.map((input) => ({ ...input, round: console.round })).reverse(), (input) => {
    const key = button(input.label, `put-in-${input.index}`, async () => report(await correct(input, shown.deck)));
    key.append(html("span", { class: "dim" }, whose(input.by)));
    return html("li", {}, key);
  });
}

// "dealer:sam", as the journal has it; devices and timers as they are.
function whose(by) {
  const [role, name] = by.split(":");
  return ["dealer", "floor", "technician"].includes(role) && name ? `${t(`page-role-${role}`)}:${name}` : by;
}

function shortcut(event) {
  if (document.querySelector("dialog[open]") || event.target.closest("input, .card-pad") || event.ctrlKey || event.altKey || event.metaKey) return;
  // Enter on a button presses that button.
  if (event.key === "Enter" && event.target.closest("button, a")) return;
  const key = document.querySelector(`.dock [aria-keyshortcuts~="${CSS.escape(event.key)}"]`);
  if (inline.offer && !(key && BESIDE_THE_PAD.includes(event.key))) inline.pad.typed(event);
  else if (key) {
    event.preventDefault();
    if (event.repeat) say(t("page-held-down"));
    else key.click();
  }
}
