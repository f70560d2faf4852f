// Correcting what was misread or miskeyed: choose what it should have been, see what that changes, then confirm.

import { button, html } from "./dom.js";
import { CardPad, confirm, filled, inDialog, padFor } from "./pads.js";
import { t } from "./language.js";
import { act } from "./session.js";

// The answer of the table, or null where it was given up.
export async function correct(input, deck) {
  const body = input.instead ? await otherwise(input) : await instead(input, deck);
  if (body === undefined) return null;
  const reason = await inDialog(t("page-correct"), t("page-why"), padFor({ kind: "text" }, { deck: [], bounds: {} }));
  if (!reason) return null;
  const amend = { kind: "amend", round: input.round, changes: [{ index: input.index, body }], reason: reason.value };
  const preview = await act("amend", { ...amend, preview: true });
  if (!preview?.ok) return preview;
  const sure = await confirm(t("page-this-changes"), changes(JSON.parse(preview.text)), t("page-correct-it"));
  return sure ? act("amend", amend) : null;
}

// What it should have been: a body, null to strike it out, undefined where it was given up.
async function instead(input, deck) {
  const pad = padOf(input.body, deck);
  const strike = button(t("page-strike"), "strike", () => both.onDone?.(null));
  const node = html("div", {}, ...(pad ? [pad.node] : []), strike);
  const both = { node, value: () => pad?.value(), onDone: null };
  if (pad) pad.onDone = (value) => both.onDone?.(value);
  const keyed = await inDialog(t("page-correct"), input.label, both);
  if (!keyed) return undefined;
  return keyed.value === null ? null : { ...input.body, [fieldOf(input.body)]: keyed.value };
}

// Of a decision: what else the seat might have done, with its amount.
async function otherwise(input) {
  const strike = { id: "strike", label: t("page-strike") };
  const picks = [...input.instead, strike].map((offer) => ({ label: offer.label, value: offer }));
  const keyed = await inDialog(t("page-correct"), input.label, padFor({ kind: "pick", picks }, { deck: [], bounds: {} }));
  if (!keyed) return undefined;
  return keyed.value.id === "strike" ? null : filled(keyed.value, []);
}

function fieldOf({ kind }) {
  return { card_out: "card", stack_out: "cards", reveal: "cards", wager: "cents", bank: "spots", dice: "values" }[kind];
}

function padOf(body, deck) {
  const none = { deck, bounds: {} };
  switch (body.kind) {
    case "card_out":
      return new CardPad(deck, 1, 1, (cards) => cards[0]);
    case "stack_out":
    case "reveal":
      return body.cards ? new CardPad(deck, body.cards.length, body.cards.length) : null;
    case "wager":
      return padFor({ kind: "cents" }, none);
    case "bank":
      return padFor({ kind: "amounts" }, none);
    case "dice":
      return padFor({ kind: "dice", max: body.values.length }, none);
    default:
      return null;
  }
}

function changes(differences) {
  const rows = Object.entries(differences).map(([what, [before, after]]) =>
    html("tr", {}, html("th", { scope: "row" }, what.replaceAll("_", " ")), html("td", {}, text(before)), html("td", {}, "→"), html("td", {}, text(after))),
  );
  if (rows.length === 0) return html("p", { "data-testid": "changes" }, t("page-nothing-seen"));
  return html("div", { class: "scroll" }, html("table", { "data-testid": "changes" }, ...rows));
}

function text(value) {
  if (value === null || value === undefined) return "–";
  if (Array.isArray(value)) return value.every((part) => typeof part !== "object") ? value.join(" ") : value.map(text).join("; ");
  if (typeof value === "object") return Object.entries(value).map(([key, part]) => `${key}: ${text(part)}`).join(", ");
  return String(value);
}
