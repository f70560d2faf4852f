// Pay and take: what the dealer does when a hand is over, seat by seat in the order of the table's settlement.

import { byTestId, html, keep, setText } from "./dom.js";
import { t } from "./language.js";
import { money, words } from "./words.js";

export function showSettling(settling) {
  const section = byTestId("settling");
  section.hidden = !settling;
  if (!settling) return;
  setText(byTestId("settling-begins"), settling.begins ? t("page-begin-at", { seat: settling.begins }) : "");
  const net = settling.bank_net;
  const bank = net === undefined ? "" : `${net === 0 ? t("page-bank-even") : t("page-bank-net", { money: `${net > 0 ? "+" : "−"}${money(Math.abs(net))}` })} `;
  setText(byTestId("settling-next"), bank + (settling.next ?? ""));
  keep(byTestId("settling-steps"), bySeat(settling.steps), ({ title, steps, hand }) =>
    html("li", {}, html("h3", {}, title, html("span", { class: "dim" }, hand)), ...steps.map(drawStep)),
  );
}

// What follows one another at one seat is one block.
function bySeat(steps) {
  const blocks = [];
  for (const step of steps) {
    const block = blocks.at(-1);
    if (block && block.place === step.place && (step.do === "fee") === block.isFee) block.steps.push(step);
    else blocks.push({ place: step.place, isFee: step.do === "fee", title: words(step.title), hand: step.hand ?? "", steps: [step] });
  }
  return blocks;
}

function drawStep({ do: what, cents, what: wager, short, chips = [] }) {
  const less = short ? html("span", { class: "short" }, t(what === "take" ? "page-goes-back" : "page-no-cover", { money: money(short) })) : "";
  const listed = chips.length ? [html("span", { class: "in-chips" }, chips.map(inChips).join(", "))] : [];
  return html("p", { class: `step ${what}` }, html("strong", {}, t(`page-does-${what}`)), html("span", { class: "amount-of" }, cents ? money(cents) : ""), html("span", {}, words(wager ?? "")), less, ...listed);
}

function inChips({ cents, count }) {
  return `${count} × ${money(cents)}`;
}
