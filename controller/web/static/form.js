// Several things in one dialog, sent as one: a poker table's seats, stakes, button and stacks. The seats that are chosen in
// it decide whom the rest is about.

import { button, html } from "./dom.js";
import { t } from "./language.js";
import { SeatAmounts, SeatsPad } from "./pads.js";

export class FormPad {
  constructor(asks) {
    this.isWide = true;
    this.parts = asks.map((ask) => ({ ask, part: partFor(ask) }));
    const sections = this.parts.map(({ ask, part }) => html("fieldset", { "data-testid": `part-${ask.field}` }, html("legend", {}, ask.label), part.node));
    this.node = html("div", { class: "form" }, ...sections);
    this.seats = this.parts.find(({ ask }) => ask.kind === "seats")?.part;
    this.seats?.node.addEventListener("click", () => this.follow());
    this.follow();
  }

  follow() {
    const seats = this.seats?.value() ?? [];
    for (const { ask, part } of this.parts) if (ask.of_seats) part.limit(seats);
  }

  // Each field with its value; undefined while a choice is missing.
  value() {
    const fields = this.parts.map(({ ask, part }) => [ask.field, ask.kind === "by_seat" ? orNull(part.value()) : part.value()]);
    return fields.some(([, value]) => value === undefined) ? undefined : fields;
  }

  wants() {
    const missing = this.parts.filter(({ part }) => part.value() === undefined).map(({ ask }) => ask.label);
    return t("page-choose", { what: missing.join(", ") });
  }
}

// No amount at all: the table does not know them.
function orNull(amounts) {
  return Object.keys(amounts).length ? amounts : null;
}

function partFor(ask) {
  switch (ask.kind) {
    case "seats":
      return new SeatsPad(ask);
    case "by_seat":
      return new SeatAmounts(ask);
    case "each":
      return new SameForEach(ask);
    default:
      return new Choice(ask);
  }
}

class Choice {
  constructor(ask) {
    this.ask = ask;
    this.node = html("div", { class: "picks", role: "group", "aria-label": ask.label });
    ask.picks.forEach((pick, index) => {
      const key = button(pick.label, `choice-${ask.field}-${index}`, () => this.press(index));
      key.dataset.value = JSON.stringify(pick.value ?? null);
      this.node.append(key);
    });
    // "Nobody" is a choice like any other, so what is set now may be null; what was never set is chosen first.
    const given = JSON.stringify(ask.given ?? null);
    this.press(ask.picks.findIndex(({ value }) => JSON.stringify(value ?? null) === given));
  }

  press(index) {
    this.chosen = index;
    [...this.node.children].forEach((key, at) => key.setAttribute("aria-pressed", String(at === index)));
  }

  limit(seats) {
    this.ask.picks.forEach(({ value }, index) => (this.node.children[index].hidden = Number.isInteger(value) && !seats.includes(value)));
    if (this.node.children[this.chosen]?.hidden) this.press(-1);
  }

  value() {
    return this.chosen < 0 ? undefined : this.ask.picks[this.chosen].value ?? null;
  }
}

class SameForEach {
  constructor(ask) {
    this.seats = [];
    this.field = html("input", { type: "number", min: "0", step: "0.01", inputmode: "decimal", "data-testid": `each-${ask.field}`, "aria-label": t("page-in-dollars", { what: ask.label }) });
    if (ask.given) this.field.value = String(ask.given / 100);
    this.field.readOnly = ask.min != null && ask.min === ask.max;
    this.node = html("div", { class: "seat-amounts" }, html("label", {}, "$ ", this.field));
  }

  limit(seats) {
    this.seats = seats;
  }

  value() {
    const cents = Math.round(Number(this.field.value || "0") * 100);
    return cents ? Object.fromEntries(this.seats.map((seat) => [seat, cents])) : null;
  }
}
