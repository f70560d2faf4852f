// One tile per table, changed in place; ages go on by themselves.

import { html, setData, setText } from "./dom.js";
import { fell, limits, money, shortSpan, words } from "./format.js";

// A shape for each level: nothing depends on colour alone.
const SIGNS = { stopped: "■", urgent: "▲", waiting: "◆", notice: "●", playing: "", closed: "" };

export function makeTile(name, open) {
  const part = (kind) => html("span", { class: kind });
  const parts = Object.fromEntries(
    ["sign", "name", "bells", "age", "game", "limits", "brief", "phase", "waits", "why", "dealer", "bank", "seats", "pace", "devices", "money"]
      .map((kind) => [kind, part(kind)]));
  // What a tile shows is its name for who does not see it; without the blanks its parts would be one word.
  const line = (kind, ...children) => html("span", { class: `line ${kind}` }, ...children.flatMap((child) => [child, " "]));
  parts.sign.setAttribute("aria-hidden", "true");
  const link = html("a", { href: `/table/${encodeURIComponent(name)}`, draggable: "false" },
    line("top", parts.sign, parts.name, parts.bells, parts.age),
    line("play", parts.game, parts.limits),
    line("now", parts.phase, parts.why, parts.waits),
    line("people", parts.dealer, parts.bank),
    line("work", parts.seats, parts.pace, parts.devices),
    line("drop", parts.money, parts.brief));
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(name);
  });
  const node = html("li", { "data-testid": `tile-${name}` }, link);
  return { node, link, parts, tile: null };
}

export function showTile(made, tile) {
  const { node, link, parts } = made;
  made.tile = tile;
  setData(node, "level", tile.attention.level);
  setData(node, "phase", tile.phase);
  setData(node, "seq", String(tile.seq));
  setData(node, "away", String(!tile.online || Boolean(tile.silent)));
  setData(node, "open", String(Boolean(tile.open)));
  setData(node, "why", String(Boolean(tile.attention.why)));
  setText(parts.sign, SIGNS[tile.attention.level]);
  setText(parts.name, tile.table);
  setText(parts.bells, bells(tile));
  setText(parts.game, tile.title);
  setText(parts.limits, limits(tile));
  setText(parts.brief, limits(tile).replace("$", ""));
  setText(parts.phase, phase(tile));
  setText(parts.why, tile.attention.why);
  setText(parts.bank, bank(tile));
  setText(parts.seats, tile.seats === 1 ? "1 seat" : `${tile.seats ?? 0} seats`);
  setText(parts.pace, tile.rounds_hour == null ? "" : `${tile.rounds_hour}/h`);
  setText(parts.devices, devices(tile));
  setText(parts.money, drop(tile));
  if (link.title !== tile.attention.why) link.title = tile.attention.why;
}

// What changes with time alone.
export function showAges(made, now) {
  const { parts, tile } = made;
  setText(parts.age, tile.last_at ? shortSpan(now - tile.last_at) : "");
  setText(parts.waits, tile.open && tile.waits_since ? shortSpan(now - tile.waits_since) : "");
  setText(parts.dealer, tile.dealer ? `${tile.dealer} ${shortSpan(now - tile.dealer_since)}` : tile.open ? "no dealer" : "");
}

function phase(tile) {
  if (!tile.online) return tile.open ? "Not connected" : "Closed, not connected";
  if (tile.silent) return "Does not answer";
  if (tile.held) return "Held";
  return tile.test ? `${words(tile.phase)} · test` : words(tile.phase);
}

// Alarms by severity, with the shapes of the levels.
function bells(tile) {
  const counts = [];
  if (tile.stop) counts.push(`■${tile.stop}`);
  if (tile.urgent) counts.push(`▲${tile.urgent}`);
  if (tile.warning) counts.push(`●${tile.warning}`);
  return counts.join(" ");
}

function bank(tile) {
  if (!tile.bank) return "";
  return `PD ${tile.bank}${tile.bank_hand ? ` h${tile.bank_hand}` : ""}`;
}

// Due against dropped, of the boxes that are in.
function drop(tile) {
  const due = tile.due ?? 0;
  const low = tile.low ?? 0;
  if (!tile.short && low === due && tile.high === due) return `✓ ${money(due)}`;
  return `due ${money(due)} · fell ${fell(low, tile.high, tile.pieces ?? 0)}${tile.short ? ` · ${money(tile.short)} short` : ""}`;
}

function devices(tile) {
  const all = tile.devices ?? 0;
  const away = tile.away?.length ?? 0;
  if (!all) return "";
  return away ? `${all - away}/${all} dev` : `${all} dev`;
}

// All tiles on the screen at once where it is large; else as wide as a thumb needs, and the page scrolls.
// Those that need somebody are twice as wide, where they are few.
export function fit(list, count, needing) {
  const spans = needing <= count / 6;
  const cells = count + (spans ? needing : 0);
  list.dataset.spans = String(spans);
  const width = list.clientWidth;
  const height = window.innerHeight - list.getBoundingClientRect().top - window.scrollY - 6;
  const style = list.style;
  if (window.innerWidth < 1600 || count < 1) {
    style.removeProperty("--columns");
    style.removeProperty("--height");
    style.removeProperty("--size");
    list.dataset.fits = "scrolls";
    list.dataset.dense = "false";
    return;
  }
  let best = { size: 0 };
  for (let columns = 4; columns <= 24; columns += 1) {
    const rows = Math.ceil(cells / columns);
    const tall = Math.floor(height / rows) - 4;
    const wide = width / columns - 4;
    const size = Math.min(tall / 7.9, wide / 10.6, 30);
    if (size > best.size) best = { size, columns, tall };
  }
  style.setProperty("--columns", String(best.columns));
  style.setProperty("--height", `${Math.min(best.tall, 8.6 * best.size)}px`);
  style.setProperty("--size", `${best.size.toFixed(2)}px`);
  list.dataset.fits = "all";
  list.dataset.dense = String(best.size < 15);
}
