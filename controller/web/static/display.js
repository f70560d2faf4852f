// The player display: puts one view document on the page, in place.
//
// A view is the whole screen. Nothing is remembered from the one before, so a screen that missed some is right again
// with the next, and `data-seq` on the body, set last, shows when a view is completely shown.

import { drawCard } from "./cards.js";
import { byTestId, html, keep, setData, setText, svg } from "./dom.js";
import { chosen, money, onLanguage, percent, said, speak, spoken, t, time } from "./language.js";
import { showHouse } from "./house.js";
import { Road, sealOf } from "./roads.js";
import { showPosted, showSeating } from "./seating.js";
import { watch } from "./stream.js";
import { phase, words } from "./words.js";

const SIDES = { player: "P", banker: "B", dealer: "B", tie: "T" };
const DASH = "–";

const beadPlate = new Road(byTestId("bead-plate"), "bead");
const bigRoad = new Road(byTestId("big-road"), "ring");
const derived = {
  big_eye_boy: new Road(byTestId("big-eye-boy"), "eye"),
  small_road: new Road(byTestId("small-road"), "small"),
  cockroach_pig: new Road(byTestId("cockroach-pig"), "pig"),
};
let lastUpdate = null;
let last = null;
let turn = 0;
let turns = "";

watch("/api/stream", {
  onView(view) {
    last = view;
    takeTurns(view);
    show(spoken(view));
    lastUpdate = new Date();
    setData(document.body, "live", "live");
    setText(byTestId("connection"), t("page-live"));
    byTestId("connection-banner").hidden = true;
  },
  onStale() {
    setData(document.body, "live", lastUpdate ? "stale" : "connecting");
    setText(byTestId("connection"), t(lastUpdate ? "page-not-live" : "page-connecting"));
    setText(byTestId("lost-title"), t(lastUpdate ? "page-connection-lost" : "page-no-connection"));
    setText(byTestId("last-update"), lastUpdate ? time(lastUpdate) : t("page-never"));
    byTestId("connection-banner").hidden = false;
  },
});
onLanguage(() => {
  if (last === null) return;
  show(spoken(last));
  const isLive = document.body.dataset.live === "live";
  setText(byTestId("connection"), t(isLive ? "page-live" : "page-not-live"));
});

// The house's languages, one after the other, on a screen for which nobody chose one.
function takeTurns({ languages, language_turn_s }) {
  const wanted = JSON.stringify([languages, language_turn_s]);
  if (chosen() || wanted === turns) return;
  turns = wanted;
  clearInterval(turn);
  let index = 0;
  speak(languages[index]);
  if (languages.length < 2) return;
  turn = setInterval(() => speak(languages[(index += 1) % languages.length]), language_turn_s * 1000);
}

function show(view) {
  setData(document.body, "phase", view.phase);
  // At a closed table there is only what is posted.
  const isClosed = view.phase === "closed" && view.posted.length > 0;
  setData(document.body, "shoe", view.shoe && !isClosed ? "yes" : "no");
  setText(byTestId("game"), view.game.title);
  setText(byTestId("site"), view.site);
  setText(byTestId("table"), view.table);
  setText(byTestId("limits"), view.limits ? `${money(view.limits.min_cents)} – ${money(view.limits.max_cents)}` : view.stakes ?? DASH);
  setText(byTestId("shoe"), view.shoe ? String(view.shoe.number) : DASH);
  byTestId("shoe").parentElement.hidden = Boolean(view.seating) && !view.shoe;
  byTestId("limits").parentElement.hidden = Boolean(view.seating) && !view.limits && !view.stakes;
  setText(byTestId("round"), String(view.round));
  showProgress(view.shoe);
  showJackpots(view.jackpots ?? []);
  byTestId("test-banner").hidden = !view.test;
  document.title = `${view.table} · ${view.game.title}`;

  byTestId("hands").hidden = Boolean(view.seating) || isClosed;
  if (!view.seating) showHands(view);
  showSeating(isClosed ? { seats: [] } : view.seating);
  showPosted(view.posted);
  showHouse(view);
  showCall(view);
  showTally(view.shoe, view.previous_shoe);
  const seals = (view.shoe?.side_bets ?? []).map(({ key }) => key);
  beadPlate.show(view.shoe ? view.shoe.bead.flat() : [], { seals });
  bigRoad.show(view.shoe?.big_road.cells ?? [], { leadingTies: view.shoe?.big_road.leading_ties, seals });
  for (const [name, road] of Object.entries(derived)) road.show(view.shoe?.[name].marks ?? []);
  showForecast(view.shoe?.ask ?? null, view.shoe?.bank_title);

  setData(document.body, "seq", String(view.seq));
}

function showJackpots(jackpots) {
  byTestId("jackpots").hidden = jackpots.length === 0;
  const shown = jackpots.map(({ title, cents }) => ({ title, amount: money(Math.max(0, cents)) }));
  keep(byTestId("jackpots"), shown, ({ title, amount }) => html("div", {}, html("dt", {}, title), html("dd", {}, amount)));
}

// How far the shoe is dealt, where it is known how many cards it held.
function showProgress(shoe) {
  byTestId("shoe-progress").hidden = shoe?.cards == null;
  if (shoe?.cards == null) return;
  const out = Math.min(shoe.cards_out ?? 0, shoe.cards);
  byTestId("shoe-bar").max = shoe.cards;
  byTestId("shoe-bar").value = out;
  setText(byTestId("cards-left"), shoe.cut_card ? t("page-cut-card-is-out") : t("page-cards-left", { left: shoe.cards - out, cards: shoe.cards }));
}

// The two hands of baccarat, which are nobody's own.
function showHands(view) {
  const hands = byTestId("hands");
  const shown = view.hands.length > 0 || !view.shoe ? view.hands : emptyHands(view.shoe.bank_title);
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

function emptyHands(bank) {
  const bare = { cards: [], total: null, won: false };
  return [
    { owner: "player", title: said("Player"), ...bare },
    { owner: bank.toLowerCase(), title: said(bank), ...bare },
  ];
}

function newHand({ owner, title }) {
  const heading = html("h2");
  heading.append(svg("svg", { class: `sign ${SIDES[owner]}` }, svg("use", { href: `#bead-${SIDES[owner]}` })), title);
  const panel = html(
    "article",
    { class: `hand ${SIDES[owner]}`, "data-testid": `hand-${owner}` },
    html("header", {}, heading, html("span", { class: "wins" }, t("page-wins")), html("output", { class: "total", "data-testid": `total-${owner}` })),
    html("div", { class: "spots" }, html("div", { class: "printed" }, html("i"), html("i"), html("i")), html("div", { class: "cards", "data-testid": `cards-${owner}` })),
  );
  return panel;
}

function showCall(view) {
  const { held, outcome } = view;
  // A void round has a sentence and no outcome.
  const result = view.outcome_text ?? (outcome ? words(outcome) : "");
  const call = byTestId("call");
  setData(call, "shows", held ? "held" : result ? "outcome" : "prompt");
  setData(call, "outcome", outcome === "dealer" ? "banker" : outcome ?? "");
  const closing = view.bets_close_in;
  byTestId("timer").hidden = closing == null;
  setText(byTestId("timer"), closing == null ? "" : String(closing));
  setData(byTestId("timer"), "soon", String(closing != null && closing <= 5));
  setText(byTestId("phase"), phase(view.phase));
  setCall("prompt", view.prompt);
  setCall("held-text", held ? held.text : "");
  setCall("outcome", result);
  byTestId("held").hidden = !held;
  setData(byTestId("held"), "code", held ? held.code : "");
  byTestId("outcome").hidden = !result || Boolean(held);
  keep(byTestId("marks"), result ? view.marks : [], (mark) =>
    html("li", { class: mark, "data-testid": "mark", "data-mark": mark }, words(mark)),
  );
}

// The band has one height whatever the text, so a long text is smaller.
function setCall(id, text) {
  const node = byTestId(id);
  setText(node, text);
  // A Chinese sign is as wide as two letters.
  const wide = text.length + (text.match(/\p{Script=Han}/gu) ?? []).length;
  setData(node, "long", wide > 40 ? "very" : wide > 22 ? "yes" : "no");
}

// What this game counts: who won, its own side bets, naturals, hands.
function countsOf(shoe) {
  const own = (shoe?.side_bets ?? []).map(({ key, title }) => ({ key, title, sign: sealOf(key) }));
  return [
    { key: "player", title: said("Player"), sign: "#bead-P" },
    { key: "banker", title: said(shoe?.bank_title ?? "Banker"), sign: "#bead-B" },
    { key: "tie", title: said("Tie"), sign: "#bead-T" },
    ...own,
    { key: "naturals", title: t("page-naturals"), sign: "#seal-natural", share: false },
    { key: "hands", title: t("page-hands"), sign: "#seal-hands", share: false },
  ];
}

function showTally(shoe, previous) {
  const counts = countsOf(shoe);
  keep(byTestId("tally"), counts, newTallyRow);
  for (const count of counts) {
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
  return String(share ? tallyOf(shoe, key)?.count ?? DASH : shoe[key]);
}

function percentOf(shoe, { key, share = true }) {
  if (!share) return "";
  const share_of = tallyOf(shoe, key)?.percent ?? null;
  return share_of === null ? DASH : percent(share_of);
}

function tallyOf(shoe, key) {
  return shoe?.[key] ?? shoe?.side_bets.find((tally) => tally.key === key);
}

// What the derived roads would get next: ring, dot and stroke as on the roads themselves.
function showForecast(ask, bank = "Banker") {
  byTestId("forecast").hidden = !ask;
  if (!ask) return;
  const rows = [
    { side: "B", title: said(bank), marks: ask.if_banker },
    { side: "P", title: said("Player"), marks: ask.if_player },
  ];
  keep(byTestId("forecast-rows"), rows, ({ side, title, marks }) => {
    const sign = (kind, colour) =>
      html("td", { "data-testid": `ask-${side}-${kind}`, "data-colour": colour ?? "" }, ...(colour ? [svg("svg", { class: "mark", role: "img", "aria-label": t(colour === "r" ? "page-red" : "page-blue") }, svg("use", { href: `#${kind}-${colour}` }))] : [DASH]));
    return html("tr", {}, html("th", { scope: "row" }, svg("svg", { class: `sign ${side}`, "aria-hidden": "true" }, svg("use", { href: `#bead-${side}` })), title), sign("eye", marks.big_eye_boy), sign("small", marks.small_road), sign("pig", marks.cockroach_pig));
  });
}
