// The room: its alarms, the drop, the licence, posted collections and rules at a glance, its cards.

import { byTestId, html, keep, setText } from "./dom.js";
import { clock, date, limits, moment, words } from "./format.js";
import { ask, read } from "./session.js";
import { openUpdates } from "./updates.js";

const dialog = byTestId("room-dialog");

export function showRoomAlarms({ alarms }) {
  keep(byTestId("room-alarms"), alarms, (alarm) => {
    const made = html("button", { type: "button" }, "Acknowledge");
    made.addEventListener("click", () => ask("acknowledge", "/api/room-alarms", { id: alarm.id }));
    return html("li", { "data-testid": `room-alarm-${alarm.alarm}` },
      html("span", {}, `▲ ${clock(alarm.raised_at)} ${alarm.table ? `${alarm.table}: ` : ""}${alarm.text}`),
      alarm.acknowledged_by ? html("span", {}, `seen by ${alarm.acknowledged_by}`) : made);
  });
  byTestId("room-alarms").hidden = alarms.length === 0;
}

export function openRoom(room, tiles) {
  const wrong = html("p", { class: "wrong", role: "alert", "data-testid": "room-wrong" });
  show(room.site,
    section("Licence", html("p", {}, room.licensed == null ? `${room.open} tables are open. No number is set.` : `${room.open} of ${room.licensed} tables are open.`)),
    section("Drop", dropForm(room, wrong), wrong),
    section("Posted collections, limits and rules", glance(tiles)),
    section("Staff, configuration, software and certificates", html("div", { class: "stack" }, updates(), lookedUp("certificates", "Show the tables' certificates", "/api/certificates", CERTIFICATES, "No table has published one: the broker is used without certificates."))),
    section("Cards", lookedUp("decks", "Show packs and shoes", "/api/decks", DECKS)),
    section("Kept apart, in no figure", html("p", {}, room.apart ? `${room.apart} messages in the last day.` : "Nothing in the last day."), lookedUp("apart", "Show what was kept apart", "/api/apart", APART)));
}

function dropForm(room, wrong) {
  const times = room.drop_times.length ? `Drop times: ${room.drop_times.join(", ")}.` : "Boxes may be taken out at any time.";
  const send = async (body) => {
    const answer = await ask("drop", "/api/drop", body);
    if (answer?.ok) dialog.close();
    else if (answer) setText(wrong, answer.text);
  };
  if (room.drop) {
    const end = html("button", { type: "button", class: "primary", "data-testid": "drop-end" }, "End the drop");
    end.addEventListener("click", () => send({ do: "end" }));
    return html("div", { class: "stack" }, html("p", { "data-testid": "drop-running" }, `Begun at ${clock(room.drop.began_at)} by ${room.drop.by} and ${room.drop.second}. ${room.drop.reason}`), end);
  }
  const field = (name, label, attributes = {}) => html("label", {}, `${label} `, html("input", { name, "data-testid": `drop-${name}`, autocomplete: "off", ...attributes }));
  const form = html("form", {},
    html("p", {}, `${times} A drop is begun by two people: you, and`),
    field("name", "the other one's name or number", { autocapitalize: "none" }),
    field("pin", "and PIN", { type: "password", inputmode: "numeric" }),
    field("reason", "Reason, outside the drop times", { maxlength: "200" }),
    html("div", { class: "row" }, html("button", { type: "submit", class: "primary", "data-testid": "drop-begin" }, "Begin the drop")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { name, pin, reason } = Object.fromEntries(new FormData(form));
    send({ do: "begin", second: { name: name.trim(), pin }, reason });
  });
  return form;
}

// What is posted where, the same rules together: a table that differs is seen at once.
function glance(tiles) {
  const groups = new Map();
  for (const tile of tiles) {
    const key = [tile.title, tile.ruleset, tile.schedule ?? "", limits(tile), tile.digest, tile.readings].join("\n");
    groups.set(key, [...(groups.get(key) ?? []), tile]);
  }
  const rows = [...groups.values()].sort((one, other) => one[0].title.localeCompare(other[0].title));
  return html("div", { class: "scroll" }, html("table", { "data-testid": "glance" },
    html("thead", {}, html("tr", {}, ...["Game", "Collection", "Limits", "Readings", "Rules", "Tables"].map((title) => html("th", { scope: "col" }, title)))),
    html("tbody", {}, ...rows.map((group) => html("tr", {}, ...[group[0].title, group[0].schedule ? `${group[0].schedule} (${group[0].schedule_source})` : "none", limits(group[0]), group[0].readings, group[0].digest,
      group.map(({ table }) => table).sort((one, other) => one.localeCompare(other, "en", { numeric: true })).join(", ")].map((text) => html("td", {}, text)))))));
}

const DECKS = [
  ["Table", ({ table }) => table], ["Where", ({ where }) => words(where)], ["Number", ({ number }) => number], ["Back", ({ back }) => back],
  ["Cards", ({ cards }) => cards ?? ""], ["Out", ({ out }) => out || ""], ["Shuffled by", ({ device }) => device], ["", ({ unfit }) => unfit],
];
const CERTIFICATES = [
  ["Table", ({ table }) => table], ["Broker", ({ broker }) => broker], ["Good until", ({ expires_at }) => (expires_at == null ? "" : date(expires_at))],
  ["", ({ standing, text }) => ({ good: "", asks: "asks for the next one", wrong: `not believed: ${text}` }[standing])],
];
const APART = [
  ["Last", ({ last_at }) => moment(last_at)], ["Table", ({ table }) => table], ["What", ({ reason }) => words(reason)], ["Times", ({ times }) => times], ["", ({ text }) => text],
];

function updates() {
  const made = html("button", { type: "button", "data-testid": "updates" }, "Updates by a plan");
  made.addEventListener("click", openUpdates);
  return html("div", { class: "stack" }, made);
}

// A table of rows that are fetched when somebody asks for them.
function lookedUp(id, title, address, columns, none = "There are none.") {
  const place = html("div", { class: "scroll" });
  const look = html("button", { type: "button", "data-testid": `${id}-look` }, title);
  look.addEventListener("click", async () => {
    const response = await read("read", address).catch(() => null);
    if (!response) return;
    const found = await response.json();
    if (!response.ok) return place.replaceChildren(html("p", { class: "wrong" }, found.text));
    if (!found.length) return place.replaceChildren(html("p", {}, none));
    place.replaceChildren(html("table", { "data-testid": id },
      html("thead", {}, html("tr", {}, ...columns.map(([name]) => html("th", { scope: "col" }, name)))),
      html("tbody", {}, ...found.map((each) => html("tr", {}, ...columns.map(([, value]) => html("td", {}, String(value(each)))))))));
  });
  return html("div", { class: "stack" }, look, place);
}

function section(title, ...content) {
  return html("section", {}, html("h3", {}, title), ...content);
}

function show(title, ...content) {
  const heading = html("h2", { id: "room-title" });
  setText(heading, title);
  const close = html("button", { type: "button", "data-testid": "room-close" }, "Close");
  close.addEventListener("click", () => dialog.close());
  dialog.replaceChildren(html("div", { class: "head" }, heading, close), ...content);
  if (!dialog.open) dialog.showModal();
}
