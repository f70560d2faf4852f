// The dealer's console: paints what may be done now and sends what was keyed. It knows no game; the offers come from the
// engine's expectation, and the engine checks what is sent.

import { drawCard } from "./cards.js";
import { correct } from "./correct.js";
import { button, byTestId, html, keep, setData, setText } from "./dom.js";
import { CardPad, confirm, filled, inDialog, padFor } from "./pads.js";
import { act, onChange, signIn, signOut } from "./session.js";
import { watch } from "./stream.js";
import { PHASES, money, words } from "./words.js";

let shown = null;
let signedIn = [];
let toastTimer = 0;
const inline = { pad: null, deck: "", offer: null };

let holder = "";
const stream = watch("/api/console/stream", {
  token: () => holder,
  onView(document) {
    show(document);
    live("live");
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
  const names = sessions.map(({ name, role }) => `${name} (${role})`);
  setText(byTestId("who"), names.length ? `${names.join(", ")} · sign out` : "Sign in");
  setData(document.body, "signed", String(sessions.length > 0));
});
byTestId("who").addEventListener("click", () => (signedIn.length ? signOut() : signIn()));
byTestId("alarms-button").addEventListener("click", () => byTestId("alarms").scrollIntoView());
document.addEventListener("keydown", shortcut);

function live(state) {
  setData(document.body, "live", state);
  byTestId("connection-banner").hidden = state === "live";
}

function show(console) {
  shown = console;
  const { view } = console;
  setData(document.body, "phase", console.phase);
  setText(byTestId("game"), view.game.title);
  setText(byTestId("table"), view.table);
  setText(byTestId("round"), `Round ${view.round}`);
  setText(byTestId("shoe"), view.shoe ? `Shoe ${view.shoe.number}, ${view.shoe.hands} hands` : "");
  setText(byTestId("banker"), bankButton(console.banker));
  setText(byTestId("jackpots"), (view.jackpots ?? []).map(({ title, cents }) => `${title}: ${money(cents)}`).join(" · "));
  setText(byTestId("phase"), (PHASES[console.phase] ?? console.phase) + (view.bets_close_in == null ? "" : `, ${view.bets_close_in} s`));
  setText(byTestId("prompt"), console.trouble ?? view.prompt);
  byTestId("test-banner").hidden = !view.test;
  byTestId("felt").hidden = view.felt.length === 0;
  setText(byTestId("felt"), view.felt.join(" · "));
  byTestId("held").hidden = !view.held;
  setText(byTestId("held"), view.held ? `Held: ${view.held.text}` : "");
  byTestId("outcome").hidden = !view.outcome_text;
  setText(byTestId("outcome"), view.outcome_text ? [view.outcome_text, ...view.marks.map(words)].join(" · ") : "");
  document.title = `${view.prompt} · ${view.table}`;

  const offers = console.offers.map((offer) => ({ group: "now", under: "", asks: [], clears: [], ...offer }));
  const now = offers.filter(({ group }) => group === "now");
  showInline(now.find(({ asks }) => asks.length === 1 && asks[0].kind === "card"), console.deck);
  showOffers(byTestId("now"), now.filter((offer) => offer !== inline.offer), true);
  showOffers(byTestId("floor"), offers.filter(({ group }) => group === "floor"));
  showOffers(byTestId("table-offers"), offers.filter(({ group }) => group === "table"));
  showWagers(console, offers);
  showHands(view.hands);
  showAlarms(console.alarms, offers);
  showPutIn(console);
  setData(document.body, "waits", console.waits_for_device ? "device" : "person");
  setData(document.body, "seq", String(console.seq));
}

// The bank button: whose hand it is, and his first or his second.
function bankButton(banker) {
  if (!banker) return "";
  const who = [banker.name, banker.firm].filter(Boolean).join(", ");
  const hand = banker.hand === 1 ? "first hand" : banker.hand === 2 ? "second hand" : `hand ${banker.hand}`;
  return `Bank: seat ${banker.place}${who ? ` (${who})` : ""}, ${hand}`;
}

// One button per offer, seats under their headings. The first nine of what comes next have number keys.
function showOffers(parent, offers, numbered = false) {
  const items = [];
  offers.forEach((offer, index) => {
    if (offer.under && offer.under !== offers[index - 1]?.under) items.push({ heading: offer.under });
    items.push({ offer, number: numbered && index < 9 ? index + 1 : 0 });
  });
  keep(parent, items, ({ heading, offer, number }) => {
    if (heading) return html("h3", {}, heading);
    // What a player decides is his: none of his choices is put forward.
    const next = offer.id === "close_bets" || (number === 1 && !(offer.under && offers.length > 1));
    const key = button(offer.label, `offer-${offer.id}`, () => take(offer));
    if (next) key.className = "primary";
    if (number) key.setAttribute("aria-keyshortcuts", String(number));
    return key;
  });
}

// A card is what is keyed most: its pad is always open, and a card is two taps.
function showInline(offer, deck) {
  const place = byTestId("inline-pad");
  place.hidden = !offer;
  inline.offer = offer ?? null;
  if (!offer) return;
  if (inline.deck !== deck.join()) {
    inline.deck = deck.join();
    inline.pad = new CardPad(deck, 1, 1, (cards) => cards[0]);
    inline.pad.onDone = async (card) => {
      inline.pad.clear();
      const { right, body, asks } = inline.offer;
      report(await act(right, { ...body, [asks[0].field]: card }));
    };
    place.replaceChildren(html("p", { class: "dim", "data-testid": "inline-label" }), inline.pad.node);
  }
  if (byTestId("inline-label").textContent !== offer.asks[0].label) inline.pad.clear();
  setText(byTestId("inline-label"), offer.asks[0].label);
}

async function take(offer) {
  const body = await filled(offer, shown.deck);
  if (body === undefined) return;
  if (offer.sure && !(await confirm(offer.label, offer.sure, offer.label))) return;
  report(await act(offer.right, body));
}

function report(answer) {
  if (answer === null) return;
  const toast = byTestId("toast");
  // What was done shows on the page; only a refusal needs words.
  setText(toast, answer.ok ? "" : answer.text);
  toast.hidden = answer.ok;
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
    if (head) return html("tr", {}, html("th", { scope: "col" }, "Seat"), ...cells.map((label) => html("th", { scope: "col" }, label)));
    return html("tr", {}, html("th", { scope: "row" }, seat), ...cells.map((cell) => html("td", {}, wagerCell(wager, seat, cell, open))));
  });
}

// A seat's own spot, then its back line: 3, 3.2, 3.3, 4.
function bySpot(one, other) {
  const [[seat, spot = 1], [otherSeat, otherSpot = 1]] = [one, other].map((place) => place.split(".").map(Number));
  return seat - otherSeat || spot - otherSpot;
}

function wagerCell(wager, seat, { rule, cents }, open) {
  const text = cents ? money(cents) : "–";
  if (!open) return text;
  const key = button(text, `wager-${seat}-${rule.value}`, async () => {
    const offer = shown.offers.find(({ id }) => id === "wager");
    if (!offer) return;
    const { min, max, step } = rule;
    const pad = padFor({ kind: "cents", min, max, step }, { deck: [], bounds: {} });
    const keyed = await inDialog(`Seat ${seat}`, rule.label, pad, { ok: "Place" });
    if (keyed) report(await act(offer.right, { kind: "wager", place: /^\d+$/.test(seat) ? Number(seat) : seat, wager: rule.value, cents: keyed.value }));
  });
  key.setAttribute("aria-label", `Seat ${seat}, ${rule.label}: ${text}`);
  return key;
}

function showHands(hands) {
  const parent = byTestId("hands");
  keep(parent, hands, ({ owner, title, cards, total, won, verdict, front }) =>
    html(
      "article",
      { class: `hand ${won ? "won" : ""} ${verdict === "folded" ? "out" : ""}`, "data-testid": `hand-${owner}`, "data-front": String(front ?? 0) },
      html("h3", {}, title, html("span", { class: "dim", "data-testid": `verdict-${owner}` }, verdict ? words(verdict) : ""), html("output", { "data-testid": `total-${owner}` }, total ?? "")),
      html("div", { class: "cards" }, ...cards.map((code) => drawCard(code))),
    ),
  );
}

// Each alarm with what to do about it, what clears it, and the buttons for that.
function showAlarms(alarms, offers) {
  const badge = byTestId("alarms-button");
  const fresh = alarms.filter(({ acknowledged_by }) => !acknowledged_by).length;
  badge.hidden = alarms.length === 0;
  setText(badge, `${fresh || alarms.length} alarm${(fresh || alarms.length) === 1 ? "" : "s"}${fresh ? "" : ", seen to"}`);
  byTestId("alarms").hidden = alarms.length === 0;
  const lines = alarms.map((alarm) => ({ ...alarm, ways: offers.filter(({ clears, body }) => clears.includes(alarm.name) || body.alarm === alarm.name) }));
  keep(byTestId("alarms").querySelector("ul"), lines, ({ name, text, to_do, ends, acknowledged_by, ways }) =>
    html(
      "li",
      { "data-testid": `alarm-${name}` },
      html("p", {}, text),
      html("p", { "data-testid": `to-do-${name}` }, to_do),
      html("p", { class: "dim" }, ends ? `It is cleared when ${ends}.` : "", acknowledged_by ? ` Seen to by ${acknowledged_by}.` : ""),
      html("div", { class: "offers" }, ...ways.map((offer) => alarmButton(name, offer))),
    ),
  );
}

function alarmButton(name, offer) {
  // "Clear: 9 of Ah have left the shoe": the line above has the rest.
  const label = offer.group === "alarms" ? offer.label.split(":")[0] : offer.label;
  return button(label, `way-${name}-${offer.id}`, () => take(offer));
}

function showPutIn(console) {
  byTestId("correct").hidden = console.put_in.length === 0;
  setText(byTestId("correct-round"), `round ${console.round}`);
  keep(byTestId("put-in"), console.put_in.map((input) => ({ ...input, round: console.round })).reverse(), (input) => {
    const key = button(input.label, `put-in-${input.index}`, async () => report(await correct(input, shown.deck)));
    key.append(html("span", { class: "dim" }, input.by));
    return html("li", {}, key);
  });
}

function shortcut(event) {
  if (document.querySelector("dialog[open]") || event.target.closest("input, .card-pad") || event.ctrlKey || event.altKey || event.metaKey) return;
  if (inline.offer) inline.pad.typed(event);
  else byTestId("now").querySelector(`[aria-keyshortcuts="${CSS.escape(event.key)}"]`)?.click();
}
