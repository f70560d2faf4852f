// The player display: puts one view document on the page, in place.
//
// A view is the whole screen. Nothing is remembered from the one before, so a screen that missed some is right again
// with the next, and `data-seq` on the body, set last, tells when a view is completely shown.

import { drawCard } from "./cards.js";
import { byTestId, html, keep, setData, setText, svg } from "./dom.js";
import { Road } from "./roads.js";
import { watch } from "./stream.js";

const PHASES = {
  waiting: "Waiting",
  betting: "Bets open",
  dealing: "Dealing",
  settled: "Result",
  held: "On hold",
  closed: "Closed",
};
const SIDES = { player: "P", banker: "B", tie: "T" };
const COUNTS = [
  { key: "player", title: "Player", sign: "#bead-P" },
  { key: "banker", title: "Banker", sign: "#bead-B" },
  { key: "tie", title: "Tie", sign: "#bead-T" },
  { key: "dragon_7", title: "Dragon 7", sign: "#seal-dragon_7" },
  { key: "panda_8", title: "Panda 8", sign: "#seal-panda_8" },
  { key: "naturals", title: "Naturals", sign: "#seal-natural", share: false },
  { key: "hands", title: "Hands", sign: "#seal-hands", share: false },
];
const HEALTHY = ["ready", "online", "running", "ok"];
const DASH = "–";

const beadPlate = new Road(byTestId("bead-plate"), "bead");
const bigRoad = new Road(byTestId("big-road"), "ring");
let lastHeard = null;

watch("/api/stream", {
  onView(view) {
    show(view);
    lastHeard = new Date();
    setData(document.body, "live", "live");
    setText(byTestId("connection"), "Live");
    byTestId("connection-banner").hidden = true;
  },
  onStale() {
    setData(document.body, "live", lastHeard ? "stale" : "connecting");
    setText(byTestId("connection"), lastHeard ? "Not live" : "Connecting");
    setText(byTestId("lost-title"), lastHeard ? "Connection lost" : "No connection yet");
    setText(byTestId("last-heard"), lastHeard ? lastHeard.toLocaleTimeString() : "never");
    byTestId("connection-banner").hidden = false;
  },
});

function show(view) {
  setData(document.body, "phase", view.phase);
  setData(document.body, "shoe", view.shoe ? "yes" : "no");
  setText(byTestId("game"), view.game.title);
  setText(byTestId("site"), view.site);
  setText(byTestId("table"), view.table);
  setText(byTestId("limits"), view.limits ? `${money(view.limits.min_cents)} – ${money(view.limits.max_cents)}` : DASH);
  setText(byTestId("shoe"), view.shoe ? String(view.shoe.number) : DASH);
  setText(byTestId("round"), String(view.round));
  setText(byTestId("seq"), String(view.seq));
  setText(byTestId("cards-out"), view.shoe?.cards_out == null ? "" : `${view.shoe.cards_out} cards out of the shoe`);
  byTestId("test-banner").hidden = !view.test;
  document.title = `${view.table} · ${view.game.title}`;

  showHands(view);
  showCall(view);
  showTally(view.shoe, view.previous_shoe);
  showDevices(view.devices, view.broker_online);
  beadPlate.show(view.shoe ? view.shoe.bead.flat() : []);
  bigRoad.show(view.shoe?.big_road.cells ?? [], view.shoe?.big_road.leading_ties);

  setData(document.body, "seq", String(view.seq));
}

function showHands(view) {
  const hands = byTestId("hands");
  const shown = view.hands.length > 0 || !view.shoe ? view.hands : emptyHands();
  keep(hands, shown.map(({ owner, title }) => ({ owner, title })), newHand);
  const decided = shown.some((hand) => hand.won);
  shown.forEach((hand, index) => {
    const panel = hands.children[index];
    panel.classList.toggle("won", hand.won);
    panel.classList.toggle("lost-hand", decided && !hand.won);
    setData(panel, "won", String(hand.won));
    const total = panel.querySelector(".total");
    setText(total, hand.total ?? "");
    setData(total, "total", hand.total ?? "");
    keep(panel.querySelector(".cards"), hand.cards, (code) => html("div", { class: "dealt" }, drawCard(code)));
  });
}

function emptyHands() {
  const bare = { cards: [], total: null, won: false };
  return [
    { owner: "player", title: "Player", ...bare },
    { owner: "banker", title: "Banker", ...bare },
  ];
}

function newHand({ owner, title }) {
  const heading = html("h2");
  if (SIDES[owner]) heading.append(svg("svg", { class: `sign ${SIDES[owner]}` }, svg("use", { href: `#bead-${SIDES[owner]}` })));
  heading.append(title);
  const panel = html(
    "article",
    { class: `hand ${SIDES[owner] ?? "seat"}`, "data-testid": `hand-${owner}` },
    html("header", {}, heading, html("span", { class: "wins" }, "Wins"), html("output", { class: "total", "data-testid": `total-${owner}` })),
    html("div", { class: "spots" }, html("div", { class: "printed" }, html("i"), html("i"), html("i")), html("div", { class: "cards", "data-testid": `cards-${owner}` })),
  );
  return panel;
}

function showCall(view) {
  const { held, outcome } = view;
  // A void round has a sentence and no outcome.
  const result = view.outcome_text ?? (outcome ? words(outcome) : "");
  const call = byTestId("call");
  setData(call, "says", held ? "held" : result ? "outcome" : "prompt");
  setData(call, "outcome", outcome ?? "");
  setText(byTestId("phase"), PHASES[view.phase] ?? view.phase);
  setSaid("prompt", view.prompt);
  setSaid("held-text", held ? held.text : "");
  setSaid("outcome", result);
  byTestId("held").hidden = !held;
  setData(byTestId("held"), "code", held ? held.code : "");
  byTestId("outcome").hidden = !result || Boolean(held);
  keep(byTestId("marks"), result ? view.marks : [], (mark) =>
    html("li", { class: mark, "data-testid": "mark", "data-mark": mark }, words(mark)),
  );
}

// The band has one height whatever is said, so what is long is said smaller.
function setSaid(id, text) {
  const node = byTestId(id);
  setText(node, text);
  setData(node, "long", text.length > 56 ? "very" : text.length > 24 ? "yes" : "no");
}

function showTally(shoe, previous) {
  keep(byTestId("tally"), COUNTS, newTallyRow);
  for (const count of COUNTS) {
    setText(byTestId(`count-${count.key}`), countOf(shoe, count));
    setText(byTestId(`percent-${count.key}`), percentOf(shoe, count));
    setText(byTestId(`previous-count-${count.key}`), countOf(previous, count));
    setText(byTestId(`previous-percent-${count.key}`), percentOf(previous, count));
  }
  const [player, tie, banker] = byTestId("share").children;
  player.style.flexGrow = shoe?.player.count ?? 0;
  tie.style.flexGrow = shoe?.tie.count ?? 0;
  banker.style.flexGrow = shoe?.banker.count ?? 0;
}

function newTallyRow({ key, title, sign }) {
  const icon = svg("svg", { class: `sign ${SIDES[key] ?? ""}`, "aria-hidden": "true" }, svg("use", { href: sign }));
  const cell = (name, type) => html("td", { class: type, "data-testid": `${name}-${key}` });
  return html(
    "tr",
    {},
    html("th", { scope: "row" }, icon, title),
    cell("count", "count"),
    cell("percent", "percent"),
    cell("previous-count", "count before"),
    cell("previous-percent", "percent before"),
  );
}

function countOf(shoe, { key, share = true }) {
  if (!shoe) return DASH;
  return String(share ? shoe[key].count : shoe[key]);
}

function percentOf(shoe, { key, share = true }) {
  if (!share) return "";
  const percent = shoe?.[key].percent ?? null;
  return percent === null ? DASH : `${percent.toFixed(1)}%`;
}

function showDevices(devices, brokerOnline) {
  const broker = { id: "broker", kind: "broker", state: brokerOnline ? "online" : "offline", detail: "" };
  keep(byTestId("devices"), [...devices, broker], ({ id, state, detail }) =>
    html(
      "li",
      { class: HEALTHY.includes(state) ? "well" : "unwell", "data-testid": `device-${id}`, "data-state": state },
      html("b", {}, words(id)),
      ` ${words(state).toLowerCase()}${detail ? ` (${detail})` : ""}`,
    ),
  );
}

function money(cents) {
  const whole = cents % 100 === 0;
  return (cents / 100).toLocaleString("en-US", {
    style: "currency",
    currency: "USD",
    minimumFractionDigits: whole ? 0 : 2,
    maximumFractionDigits: whole ? 0 : 2,
  });
}

function words(code) {
  const text = code.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
