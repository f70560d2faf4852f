// The floor page: the stream of tiles, filters, and what opens from them.

import { showDetail, tileChanged } from "./detail.js";
import { byTestId, html, setData, setText } from "./dom.js";
import { openOrders } from "./orders.js";
import { openRoom, showRoomAlarms } from "./room.js";
import { onChange, signIn, signOut } from "./session.js";
import { openMarks } from "./since.js";
import { watch } from "./stream.js";
import { fit, makeTile, showAges, showTile } from "./tiles.js";

const NEEDS = ["stopped", "urgent", "waiting", "notice"];
const list = byTestId("tiles");
const made = new Map();
let order = [];
let room = { brokers: {}, sections: [], alarms: [] };
let offset = 0;
let sessions = [];
let isLive = false;
let counted = { shown: 0, needing: 0 };

const now = () => Date.now() + offset;

const stream = watch("/api/floor/stream", {
  token: () => sessions[0]?.token ?? "",
  onView: take,
  onStale: () => {
    isLive = false;
    showConnection();
    if (!made.size && !sessions.length) signInWhereNeeded();
  },
});

function take(news) {
  offset = news.now - Date.now();
  if (news.whole) {
    made.forEach(({ node }) => node.remove());
    made.clear();
    order = [];
  }
  for (const tile of news.tiles ?? []) {
    let one = made.get(tile.table);
    if (!one) {
      one = makeTile(tile.table, openTable);
      made.set(tile.table, one);
    }
    showTile(one, tile);
    showAges(one, now());
    tileChanged(tile);
  }
  if (news.order) {
    order = news.order;
    made.forEach(({ node }, name) => {
      if (order.includes(name)) return;
      node.remove();
      made.delete(name);
    });
  }
  if (news.room) room = news.room;
  if (news.order || news.tiles?.length) arrange();
  if (news.room) showRoom();
  isLive = true;
  showConnection();
  showCounts();
}

// Where the room does not show its tiles to everybody.
async function signInWhereNeeded() {
  const response = await fetch("/api/floor", { cache: "no-store" }).catch(() => null);
  if (response?.status === 401 && !document.querySelector("dialog[open]")) await signIn();
}

// Tiles in their order; what is in its place already is not touched.
function arrange() {
  const shown = order.map((name) => made.get(name)).filter((one) => one && isShown(one.tile));
  shown.forEach(({ node }, index) => {
    if (list.children[index] !== node) list.insertBefore(node, list.children[index] ?? null);
  });
  while (list.children.length > shown.length) list.lastElementChild.remove();
  const none = byTestId("none");
  none.hidden = shown.length > 0;
  setText(none, made.size ? "No table is like that." : "No table has published anything yet.");
  const needing = shown.filter(({ tile }) => tile.attention.why).length;
  if (counted.shown === shown.length && counted.needing === needing) return;
  counted = { shown: shown.length, needing };
  fitAgain();
}

function fitAgain() {
  fit(list, counted.shown, counted.needing);
}

function isShown(tile) {
  if (byTestId("needs-me").getAttribute("aria-pressed") === "true" && !NEEDS.includes(tile.attention.level)) return false;
  const section = byTestId("section").value;
  if (section && tile.section !== section) return false;
  const wanted = byTestId("find").value.trim().toLowerCase();
  return !wanted || [tile.table, tile.title, tile.dealer ?? ""].some((text) => text.toLowerCase().includes(wanted));
}

function showCounts() {
  const tiles = [...made.values()].map(({ tile }) => tile);
  const needing = tiles.filter((tile) => NEEDS.slice(0, 3).includes(tile.attention.level)).length;
  const unseen = tiles.reduce((sum, tile) => sum + (tile.unseen ?? 0), 0);
  const open = room.licensed == null ? `${room.open} of ${tiles.length} open` : `${room.open} open, licence ${room.licensed}`;
  setText(byTestId("counts"), `${open} · ${needing} need somebody · ${unseen} alarms unseen${room.apart ? ` · ${room.apart} messages kept apart` : ""}`);
}

function showRoom() {
  setText(byTestId("site"), room.site);
  document.title = `${room.site} · Cutcard floor`;
  const section = byTestId("section");
  const names = ["", ...room.sections];
  if ([...section.options].map((option) => option.value).join("\n") !== names.join("\n")) {
    const chosen = section.value;
    section.replaceChildren(...names.map((name) => html("option", { value: name }, name || "All sections")));
    section.value = names.includes(chosen) ? chosen : "";
  }
  section.hidden = room.sections.length === 0;
  showRoomAlarms(room);
}

// The page is live while the stream is, and while a broker brings news to the server.
function showConnection() {
  const away = Object.entries(room.brokers).filter(([, connected]) => !connected).map(([name]) => name);
  const allAway = away.length > 0 && away.length === Object.keys(room.brokers).length;
  let what = "";
  let text = "";
  if (!isLive) [what, text] = ["Connection lost", "What is shown here may be old."];
  else if (allAway) [what, text] = ["No broker", "The tables cannot be reached from here. What is shown may be old."];
  else if (room.store_since) [what, text] = ["The store is away", "Tiles are live; rounds an hour and history are not."];
  else if (room.alertmanagers_away?.length) [what, text] = ["Alerts reach nobody", `The Alertmanager ${room.alertmanagers_away.join(", ")} does not take them.`];
  else if (away.length) [what, text] = [`Broker ${away.join(", ")} is away`, "The other one delivers."];
  else if (room.certificates?.length) [what, text] = ["Renew a certificate", `Of the floor's, ${room.certificates.join("; ")}.`];
  byTestId("connection-banner").hidden = !what;
  setText(byTestId("lost-what"), what);
  setText(byTestId("lost-text"), text);
  const live = isLive && !allAway ? "live" : "stale";
  if (document.body.dataset.live !== live) {
    setData(document.body, "live", live);
    fitAgain();
  }
}

function openTable(name) {
  history.pushState({}, "", `/table/${encodeURIComponent(name)}`);
  showTable();
}

function showTable() {
  const [, place, name] = location.pathname.split("/");
  showDetail(place === "table" ? decodeURIComponent(name) : null, () => {
    if (location.pathname !== "/") history.pushState({}, "", "/");
  });
}

list.addEventListener("keydown", (event) => {
  const links = [...list.querySelectorAll("a")];
  const at = links.indexOf(document.activeElement);
  if (at < 0) return;
  const columns = getComputedStyle(list).gridTemplateColumns.split(" ").length;
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key];
  if (!step || !links[at + step]) return;
  event.preventDefault();
  links[at + step].focus();
});

byTestId("needs-me").addEventListener("click", ({ currentTarget }) => {
  currentTarget.setAttribute("aria-pressed", String(currentTarget.getAttribute("aria-pressed") !== "true"));
  arrange();
});
byTestId("section").addEventListener("change", arrange);
byTestId("find").addEventListener("input", arrange);
byTestId("orders").addEventListener("click", () => openOrders(room));
byTestId("marks").addEventListener("click", () => openMarks(made.size > 0 && [...made.values()].every(({ tile }) => tile.test)));
byTestId("room").addEventListener("click", () => openRoom(room, [...made.values()].map(({ tile }) => tile)));
byTestId("who").addEventListener("click", () => (sessions.length ? signOut() : signIn()));
onChange((present) => {
  const before = sessions[0]?.token;
  sessions = present;
  setText(byTestId("who"), sessions.length ? `${sessions[0].name} · sign out` : "Sign in");
  if (sessions[0]?.token !== before) stream.reopen();
});
addEventListener("resize", fitAgain);
addEventListener("popstate", showTable);
setInterval(() => made.forEach((one) => showAges(one, now())), 1000);
showTable();
