// The table as it sits: an arc of fixed seats as the dealer sees it, seat 1 at his left; the cards of nobody and of the
// player-dealer before him. Bets, chips, hands, the button and who acts are at the seat.

import { drawCard } from "./cards.js";
import { button, html, keep } from "./dom.js";
import { t } from "./language.js";
import { money, words } from "./words.js";

// `tap(seat, event)`: somebody touched a seat; null where seats take nothing now.
export function showSeats(parent, console, tap) {
  const { view } = console;
  const numbers = new Set([...console.seats, ...view.hands.map(({ owner }) => seatOf(owner)), ...console.book.map(({ place }) => seatOf(place))]);
  if (console.player_dealer) numbers.add(console.player_dealer);
  if (console.button) numbers.add(console.button);
  numbers.delete(null);
  const seats = [...numbers].sort((one, other) => one - other);
  const middle = view.hands.filter(({ owner }) => seatOf(owner) === null);
  const acting = new Set(console.acting.map(seatOf));
  const items = seats.map((seat, index) => ({
    seat,
    place: placeOf(index, seats.length),
    banks: seat === console.player_dealer,
    button: seat === console.button,
    acts: acting.has(seat),
    out: !console.seats.includes(seat) && seat !== console.player_dealer,
    hands: view.hands.filter(({ owner }) => seatOf(owner) === seat),
    total: total(console.book, seat),
    chips: console.chips[seat] ?? null,
    taken: tap !== null,
  }));
  parent.style.setProperty("--seats", String(seats.length));
  keep(parent, [...items, { middle }], (item) => (item.middle ? drawMiddle(item.middle) : drawSeat(item, tap)));
}

function seatOf(owner) {
  const seat = Number(String(owner).split(/[./]/)[0]);
  return Number.isInteger(seat) ? seat : null;
}

// Where a seat is on the arc, in parts of its width and height: the middle ones are farthest from the dealer.
function placeOf(index, count) {
  const x = (index + 0.5) / count;
  return { x, y: (2 * x - 1) ** 2 };
}

function total(book, seat) {
  return book.filter(({ place }) => seatOf(place) === seat).reduce((sum, { wagers }) => sum + Object.values(wagers).reduce((one, other) => one + other, 0), 0);
}

function drawSeat(item, tap) {
  const { seat, place, chips } = item;
  const badges = [item.banks && ["bank", t("page-bank")], item.button && ["dealer-button", t("page-button")]].filter(Boolean);
  const classes = ["seat", item.acts && "acts", item.out && "empty"].filter(Boolean).join(" ");
  const head = html("h2", {}, t("page-seat", { seat }), ...badges.map(([name, text]) => html("span", { class: `badge ${name}` }, text)));
  const lines = [];
  if (item.total) lines.push(html("p", { class: "bet", "data-testid": `bet-${seat}` }, money(item.total)));
  if (chips?.bet) lines.push(html("p", { class: "bet", "data-testid": `bet-${seat}` }, money(chips.bet)));
  if (chips?.stack != null) lines.push(html("p", { class: "dim", "data-testid": `stack-${seat}` }, t("page-behind", { money: money(chips.stack) })));
  const node = html("section", { class: classes, "data-testid": `seat-${seat}-place`, "data-seat": String(seat), "aria-label": t("page-seat", { seat }) }, head, ...lines, ...item.hands.map(drawHand));
  node.style.setProperty("--x", String(place.x));
  node.style.setProperty("--y", String(place.y));
  if (item.taken && !item.out && !item.banks) {
    const key = button(item.total ? "+" : t("page-bet"), `bet-on-${seat}`, (event) => tap(seat, event));
    key.setAttribute("aria-label", t("page-bet-on", { seat }));
    node.append(key);
  }
  return node;
}

function drawMiddle(hands) {
  return html("section", { class: "middle", "data-testid": "middle" }, ...hands.map(drawHand));
}

function drawHand({ owner, title, cards, total: counted, won, verdict, front }) {
  return html(
    "article",
    { class: `hand ${won ? "won" : ""} ${verdict === "folded" ? "out" : ""}`, "data-testid": `hand-${owner}`, "data-front": String(front ?? 0) },
    html("h3", {}, html("span", { class: "title" }, title), html("span", { class: "dim", "data-testid": `verdict-${owner}` }, verdict ? words(verdict) : ""), html("output", { "data-testid": `total-${owner}` }, counted ?? "")),
    html("div", { class: "cards" }, ...cards.map((code) => drawCard(code))),
  );
}
