// One table: live view, alarms, drop, devices, last rounds step by step.

import { byTestId, html, keep, setText } from "./dom.js";
import { card, clock, fell, limits, moment, money, span, words } from "./format.js";
import { acknowledge, orderButtons } from "./orders.js";
import { read } from "./session.js";

const RENEW_MS = 700;
const dialog = byTestId("detail");
let shown = null;
let onClose = () => {};
let timer = 0;
let build = null;

dialog.addEventListener("close", () => {
  shown = null;
  clearTimeout(timer);
  onClose();
});

export function showDetail(name, closed) {
  onClose = closed;
  if (name === null) return dialog.open && dialog.close();
  if (shown === name) return undefined;
  shown = name;
  build = frame(name);
  if (!dialog.open) dialog.showModal();
  return load();
}

// The table has published something: look again, not more often than every so often.
export function tileChanged(tile) {
  if (tile.table !== shown || timer) return;
  timer = setTimeout(() => {
    timer = 0;
    load();
  }, RENEW_MS);
}

async function load() {
  const name = shown;
  if (name === null) return;
  const response = await read("read", `/api/tables/${encodeURIComponent(name)}`).catch(() => undefined);
  if (shown !== name) return;
  if (response === null) return dialog.close();
  if (response === undefined) return setText(build.wrong, "The page's server was not reached.");
  const found = await response.json();
  if (!response.ok) return setText(build.wrong, found.text);
  setText(build.wrong, "");
  fill(found);
}

function frame(name) {
  const part = (tag, id, attributes = {}) => html(tag, { "data-testid": `detail-${id}`, ...attributes });
  const parts = {
    wrong: part("p", "wrong", { class: "wrong", role: "alert" }),
    title: html("h2", { id: "detail-title" }, name),
    sub: part("p", "sub", { class: "dim" }),
    orders: part("div", "orders", { class: "offers" }),
    prompt: part("p", "prompt", { class: "prompt" }),
    facts: part("dl", "facts"), hands: part("div", "hands", { class: "hands" }),
    alarms: part("ul", "alarms", { class: "lines" }), boxes: part("ul", "boxes", { class: "lines" }),
    devices: part("ul", "devices", { class: "lines" }), rounds: part("ul", "rounds", { class: "lines" }),
    drops: part("ul", "drops", { class: "lines" }), past: part("ul", "past", { class: "lines" }),
  };
  const close = html("button", { type: "button", "data-testid": "detail-close", "aria-label": "Close" }, "Close");
  close.addEventListener("click", () => dialog.close());
  const section = (title, ...nodes) => html("section", {}, html("h3", {}, title), ...nodes);
  dialog.replaceChildren(
    html("div", { class: "head" }, html("div", {}, parts.title, parts.sub), close),
    parts.wrong, parts.orders,
    html("div", { class: "columns" },
      html("div", {}, section("Now", parts.prompt, parts.facts, parts.hands), section("Alarms", parts.alarms), section("Boxes", parts.boxes), section("Devices", parts.devices)),
      html("div", {}, section("Last rounds", parts.rounds), section("Drops", parts.drops), section("Alarms before", parts.past))));
  return parts;
}

function fill({ table, online, now, state, history }) {
  setText(build.sub, `${state.title} · ${state.ruleset}${online ? "" : " · NOT CONNECTED: last known"}${state.test ? " · test mode" : ""}`);
  keep(build.orders, [state.open], () => html("div", { class: "offers" }, ...orderButtons(table, state.open)));
  setText(build.prompt, state.held ? `Held: ${state.held.text}` : state.prompt);
  const facts = [
    ["State", `${state.open ? "open" : "closed"}, ${state.phase}${state.waits_since ? `, waits for ${span(now - state.waits_since)}` : ""}`],
    ["Limits", limits({ min_cents: state.limits.min_cents, max_cents: state.limits.max_cents })],
    ["Collection", state.schedule ? `${state.schedule.option} (${state.schedule.source})` : "none is posted"],
    ["Dealer", state.dealer ? `${state.dealer.name}, ${span(now - state.dealer.since)}` : "nobody"],
    ["Bank", state.banker ? `${state.banker.name || `seat ${state.banker.place}`}${state.banker.firm ? ` (${state.banker.firm})` : ""}, hand ${state.banker.hand}` : state.player_dealer == null ? "" : `seat ${state.player_dealer}`],
    ["Seats", [...state.seats].join(", ") || "nobody"],
    ["People", state.people.map(({ place, name, badge }) => `${place}: ${name || badge || "?"}`).join(", ")],
    ["Shoe", state.shoe ? `number ${state.shoe.number}, ${state.shoe.cards_out} cards out, ${state.shoe.rounds} rounds${state.shoe.unfit ? `; ${state.shoe.unfit}` : ""}` : ""],
    ["Round", `${state.round}`],
    ["Clock", state.clock === "synced" ? "" : state.clock],
    ["Rules", state.digest.slice(0, 16)],
  ].filter(([, value]) => value);
  keep(build.facts, facts, ([name, value]) => html("div", {}, html("dt", {}, name), html("dd", {}, value)));
  keep(build.hands, Object.entries(state.hands), ([owner, cards]) =>
    html("p", {}, html("strong", {}, `${words(owner)} `), cards.map(card).join(" ")));
  keep(build.alarms, rows(Object.entries(state.alarms), "Nothing is wrong."), (row) => line(row, ([name, alarm]) => alarmLine(table, name, alarm)));
  keep(build.boxes, rows(state.boxes, "No box."), (row) => line(row, (box) => [
    html("strong", {}, words(box.box)), ` ${box.is_in ? box.box_id || "no id" : "is out"} · due ${money(box.due)} · fell ${fell(box.low, box.high, box.pieces)}`,
    ...(box.short ? [html("em", {}, ` · ${money(box.short)} short: ${box.unexplained ?? ""}`)] : []),
    ...box.to_be_counted.map((each) => html("span", { class: "dim" }, ` · ${each.box_id} is to be counted`))]));
  keep(build.devices, rows(Object.entries(state.devices), "No device."), (row) => line(row, ([name, device]) => [
    html("strong", {}, name), ` ${words(device.state)} `, html("span", { class: "dim" }, [device.facts.model, device.facts.serial, device.facts.firmware].filter(Boolean).join(" · "))]));
  const away = history ? null : "The store is away.";
  keep(build.rounds, rows(history?.rounds ?? [], away ?? "No round yet."), (row) => roundLine(table, row));
  keep(build.drops, rows(history?.drops ?? [], away ?? "None."), (row) => line(row, (drop) => [
    `${clock(drop.at)} ${words(drop.box)} `, html("strong", {}, words(drop.kind)), ` due ${money(drop.due_cents)}, fell ${fell(drop.low_cents, drop.high_cents)} ${drop.text}`]));
  keep(build.past, rows(history?.alarms ?? [], away ?? "None."), (row) => line(row, (alarm) => [
    `${clock(alarm.at)} ${alarm.text} `, html("span", { class: "dim" }, `${alarm.acknowledged_by ? `seen by ${alarm.acknowledged_by}` : "seen by nobody"}${alarm.cleared_at ? `, over at ${clock(alarm.cleared_at)}` : ""}`)]));
}

const rows = (items, none) => (items.length ? items : [{ none }]);
const line = (row, make) => (row?.none !== undefined ? html("li", { class: "dim" }, row.none) : html("li", {}, ...make(row)));

function alarmLine(table, name, alarm) {
  const parts = [html("strong", { "data-severity": alarm.severity }, words(alarm.severity)), ` ${alarm.text} `, html("span", { class: "dim" }, `since ${moment(alarm.since)}`)];
  if (alarm.acknowledged_by) return [...parts, html("span", { class: "dim" }, `, seen by ${alarm.acknowledged_by}`)];
  const made = html("button", { type: "button", "data-testid": `acknowledge-${name}` }, "Acknowledge");
  made.addEventListener("click", () => acknowledge(table, name));
  return [...parts, made];
}

// A round opens to its steps, which are fetched when somebody looks.
function roundLine(table, row) {
  if (row.none !== undefined) return html("li", { class: "dim" }, row.none);
  const steps = html("ol", { class: "steps" });
  const end = row.void ? `void: ${row.void_reason}` : outcome(row.outcome);
  const made = html("details", { "data-testid": `round-${row.round}` },
    html("summary", {}, html("strong", {}, `${row.round}`), ` ${clock(row.at)} ${end} `,
      html("span", { class: "dim" }, `${money(row.wagered_cents)} wagered${row.corrections ? ", corrected" : ""}${row.dealer ? ` · ${row.dealer}` : ""}`)),
    steps);
  made.addEventListener("toggle", async () => {
    if (!made.open || steps.childElementCount) return;
    const response = await read("read", `/api/tables/${encodeURIComponent(table)}/rounds/${row.journal}/${row.round}`);
    if (!response?.ok) return;
    steps.replaceChildren(...(await response.json()).map((step) =>
      html("li", {}, html("span", { class: "dim" }, `${clock(step.at)} `), step.lines.join(" / "), ...(step.by ? [html("span", { class: "dim" }, ` ${step.by}`)] : []))));
  });
  return html("li", {}, made);
}

function outcome(text) {
  try {
    const value = JSON.parse(text);
    if (value && typeof value === "object") return Object.entries(value).map(([key, each]) => `${key}: ${words(each)}`).join(", ");
    return value == null ? "" : words(value);
  } catch {
    return words(text);
  }
}
