// The felt of a game whose hands are the seats' own: an arc of seats around the middle, as people sit. The house dealer
// is at the top and looks down the page, so the first seat, on his left, is at the right; the numbers go clockwise.

import { drawCard } from "./cards.js";
import { byTestId, html, keep, setData } from "./dom.js";
import { t } from "./language.js";
import { money, words } from "./words.js";

const MOST_IN_A_ROW = 8;

export function showSeating(seating) {
  const table = byTestId("seating");
  table.hidden = !seating;
  if (!seating) return;
  const bank = seating.seats.find((seat) => seat.is_player_dealer);
  const players = seating.seats.filter((seat) => seat !== bank);
  // Without cards in the middle the seats have its room.
  const isOpen = Boolean(bank || seating.community || players.length === 0);
  const beside = players.length < (isOpen ? 4 : 5) ? 0 : players.length < (isOpen ? 8 : 7) ? 1 : 2;
  const counted = seating.seats.flatMap((seat) => (seat.hands ?? []).flatMap((hand) => hand.counts ?? []));
  setData(table, "beside", String(beside));
  setData(table, "middle", isOpen ? "cards" : "pots");
  setData(table, "most", String(Math.min(10, players.length)));
  keep(byTestId("seats-right"), players.slice(0, beside), seatPanel);
  keep(byTestId("seats-bottom"), players.slice(beside, players.length - beside), seatPanel);
  keep(byTestId("seats-left"), players.slice(players.length - beside), seatPanel);
  keep(byTestId("bank"), bank ? [bank] : [], seatPanel);
  keep(byTestId("community"), communityOf(seating, counted), communityCard);
  keep(byTestId("pots"), seating.pots ?? [], pot);
  byTestId("community").hidden = !seating.community;
}

// Pay tables and collection, while no cards are out: in the middle, where the player-dealer's hand will be.
export function showPosted(tables) {
  const posted = byTestId("posted");
  posted.hidden = tables.length === 0;
  byTestId("bank").hidden = tables.length > 0;
  keep(posted, tables, ({ title, rows }) =>
    html("table", {}, html("caption", {}, title), html("tbody", {}, ...rows.map(([name, value]) => html("tr", {}, html("th", { scope: "row" }, words(name)), html("td", {}, value))))),
  );
  fit(posted);
}

const LARGEST = 26;
const SMALLEST = 8;

// The largest lettering with which everything is inside, in tenths of a rem.
function fit(posted) {
  for (let size = LARGEST; size >= SMALLEST; size -= 1) {
    posted.style.fontSize = `${size / 10}rem`;
    if (posted.scrollHeight <= posted.clientHeight && posted.scrollWidth <= posted.clientWidth) return;
  }
}

new ResizeObserver(() => fit(byTestId("posted"))).observe(byTestId("posted"));

function communityOf(seating, counted) {
  const cards = seating.community ?? [];
  const empty = Array.from({ length: Math.max(0, 5 - cards.length) }, () => undefined);
  return [...cards, ...empty].map((code) => ({ code, empty: code === undefined, counts: counted.includes(code) }));
}

function communityCard({ code, empty, counts }) {
  if (empty) return html("i", { class: "place" });
  return html("div", { class: counts ? "dealt counts" : "dealt" }, drawCard(code));
}

function pot({ title, cents, to }) {
  const name = to?.length ? t("page-pot-to", { pot: title, seats: to.join(", "), count: to.length }) : title;
  return html("li", { "data-testid": "pot" }, html("span", {}, name), html("b", {}, money(cents)));
}

function seatPanel(seat) {
  const { hands = [], bets = [], standing = "" } = seat;
  const classes = ["place-panel", standing && `is-${standing.replaceAll(" ", "-")}`, seat.acts && "acts", hands.length === 0 && bets.length === 0 && !standing && "empty"];
  const below = [...bets.map(bet), ...(seat.stack == null ? [] : [html("li", { class: "stack" }, t("page-stack", { money: money(seat.stack) }))])];
  // What is below the cards has as many lines as it needs, and is smaller where these are full.
  const letters = below.reduce((sum, item) => sum + item.textContent.length + 2, 0);
  const lines = letters === 0 ? 0 : letters < 30 ? 1 : letters < 70 ? 2 : 3;
  const pills = [
    seat.has_button ? html("span", { class: "button-chip", title: t("page-dealer-button") }, "D") : null,
    standing ? html("span", { class: "standing", "data-testid": `standing-${seat.seat}` }, words(standing)) : null,
    seat.net == null ? null : html("span", { class: seat.net > 0 ? "net won" : "net", "data-testid": `net-${seat.seat}` }, signed(seat.net)),
  ];
  const panel = html(
    "article",
    { class: classes.filter(Boolean).join(" "), "data-testid": `seat-${seat.seat}`, "data-acts": String(Boolean(seat.acts)) },
    html("header", {}, html("h2", {}, seat.title), ...pills.filter(Boolean)),
    handsOf(hands),
    ...(below.length ? [html("ul", { class: "bets" }, ...below)] : []),
  );
  setVariables(panel, { letters, lines });
  return panel;
}

// The page's policy allows no style in an attribute.
function setVariables(node, variables) {
  for (const [name, value] of Object.entries(variables)) node.style.setProperty(`--${name}`, value);
}

function signed(cents) {
  return cents > 0 ? `+${money(cents)}` : cents < 0 ? `−${money(-cents)}` : money(0);
}

function bet({ title, cents, net, behind }) {
  const amount = net == null ? money(cents) : signed(net);
  return html("li", { class: net > 0 ? "bet won" : "bet" }, html("span", {}, behind ? t("page-bet-behind", { bet: title }) : title), " ", html("b", {}, amount));
}

// Several hands of a seat (splits) share its panel; `--cols` and `--rows` let the cards be as large as fits.
function handsOf(hands) {
  const across = hands.length < 2 ? 1 : hands.length < 5 ? 2 : 3;
  const rows = hands.map(rowsOf);
  const cols = Math.max(1, ...rows.flat().map((row) => row.length));
  const down = Math.max(1, ...rows.map((some) => some.length)) * Math.max(1, Math.ceil(hands.length / across));
  const labels = hands.some((hand) => hand.total != null || hand.names?.length) ? Math.ceil(hands.length / across) : 0;
  const box = html("div", { class: "seat-hands" });
  const name = Math.max(12, ...hands.map((hand) => (hand.names ?? []).join(" · ").length + (hand.total ?? "").length));
  setVariables(box, { name, cols: cols * across + (across - 1), rows: down, labels, across });
  hands.forEach((hand, index) => box.append(handOf(hand, rows[index])));
  return box;
}

// A hand that was set in rows; any other is broken where it is too long for one.
function rowsOf(hand) {
  const { cards, rows = [] } = hand;
  if (rows.length) {
    let from = 0;
    return rows.map((length) => cards.slice(from, (from += length)));
  }
  const found = [];
  for (let from = 0; from < cards.length; from += MOST_IN_A_ROW) found.push(cards.slice(from, from + MOST_IN_A_ROW));
  return found.length ? found : [[]];
}

function handOf(hand, rows) {
  const counts = hand.counts ?? [];
  const card = (code) => html("div", { class: counts.length === 0 ? "dealt" : counts.includes(code) ? "dealt counts" : "dealt aside" }, drawCard(code));
  const names = (hand.names ?? []).join(" · ");
  const label = [
    hand.total == null ? null : html("output", { class: "hand-total" }, hand.total),
    names ? html("span", { class: "hand-name" }, names) : null,
  ].filter(Boolean);
  return html(
    "div",
    { class: "seat-hand", "data-testid": "seat-hand", "data-verdict": hand.verdict ?? "" },
    ...rows.map((row) => html("div", { class: "seat-row" }, ...row.map(card))),
    ...(label.length ? [html("p", { class: "hand-label" }, ...label)] : []),
  );
}
