// Pads: what an offer asks for, keyed with a thumb or a keyboard. A pad is a node and a value that may be ready.
//
//   pad.node    what to show        pad.value()   what was keyed, or undefined while it is not complete
//   pad.onDone  called when nothing more can be keyed, so that no OK is needed

import { drawCard, nameOf } from "./cards.js";
import { button, byTestId, html, setText } from "./dom.js";
import { t } from "./language.js";
import { money } from "./words.js";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"];
const RANK_NAMES = { T: "10" };
const SUITS = [
  ["s", "♠"],
  ["h", "♥"],
  ["d", "♦"],
  ["c", "♣"],
];
const CHIPS = [500, 2500, 10000, 50000, 100000];

export function padFor(ask, { deck, bounds }) {
  switch (ask.kind) {
    case "card":
      return new CardPad(deck, 1, 1, (cards) => cards[0]);
    case "cards":
      return ask.picks?.length ? new CardChoice(ask) : new CardPad(deck, ask.min ?? 1, ask.max ?? 1, undefined, ask.sealed);
    case "cents":
      return new AmountPad({ ...ask, ...bounds });
    case "amounts":
      return new AmountPad(ask, true);
    case "by_seat":
      return new SeatAmounts(ask);
    case "dice":
      return new DicePad(ask.max);
    case "pick":
      return new PickPad(ask);
    case "seats":
      return new SeatsPad(ask);
    default:
      return new TextPad(ask);
  }
}

// Rank, then suit; a keyboard types "9h". Cards that this game does not have are not offered.
export class CardPad {
  constructor(deck, least, most, shape = (cards) => cards, sealed = false) {
    Object.assign(this, { deck, least, most, shape, sealed, cards: [], rank: null, onDone: null, guard: () => true });
    this.chosen = html("div", { class: "chosen", "aria-live": "polite", "data-testid": "chosen" });
    this.ranks = html("div", { class: "ranks" });
    this.suits = html("div", { class: "suits" });
    for (const rank of RANKS) this.ranks.append(button(RANK_NAMES[rank] ?? rank, `rank-${rank}`, () => this.pickRank(rank)));
    if (deck.includes("Jo")) this.ranks.append(button(t("page-joker-key"), "rank-joker", () => this.add("Jo")));
    for (const [suit, sign] of SUITS) {
      const key = button(sign, `suit-${suit}`, (event) => this.guard(event) && this.pickSuit(suit));
      key.setAttribute("aria-label", t(`page-suit-${suit}`));
      key.classList.add("hd".includes(suit) ? "red" : "black");
      this.suits.append(key);
    }
    const back = button("⌫", "card-back", () => this.undo());
    back.setAttribute("aria-label", t("page-take-last-back"));
    this.suits.append(back);
    // Where there is room, every card is one key: the suits are rows, the ranks columns. A tile is always one key.
    this.grid = html("div", { class: "grid" });
    const tiles = [...new Set(deck.filter((code) => code[1] === "-"))];
    this.keys = tiles.length ? tiles.map((code) => [code, drawCard(code)]) : this.faces();
    for (const [code, face] of this.keys) this.grid.append(this.cardKey(code, face));
    this.node = html("div", { class: tiles.length ? "card-pad tiles" : "card-pad", tabindex: "-1" }, this.chosen, this.grid, this.ranks, this.suits);
    this.node.addEventListener("keydown", (event) => this.typed(event));
    this.show();
  }

  faces() {
    const faces = SUITS.flatMap(([suit, sign]) => RANKS.map((rank) => [this.code(rank, suit), `${RANK_NAMES[rank] ?? rank}${sign}`]));
    return [...faces, [this.deck.includes("Jo") ? "Jo" : null, t("page-joker-key")]];
  }

  cardKey(code, face) {
    if (!code) return html("span", {});
    const shown = typeof face === "string" ? html("span", { "aria-hidden": "true" }, face) : face;
    const key = button(shown, `key-${code.slice(0, 3).replace("*", "")}`, (event) => this.guard(event) && this.add(code));
    // Who speaks to the tablet says what is printed on the key; who listens to it hears which card it is.
    const printed = /^[ATJQK]/.test(code) && code !== "Jo" ? `${RANK_NAMES[code[0]] ?? code[0]}, ` : "";
    key.setAttribute("aria-label", printed + nameOf(code));
    if ("hd".includes(code[1])) key.className = "red";
    return key;
  }

  typed(event) {
    if (submitted(this.node, event)) return;
    const key = event.key.toUpperCase() === "0" || event.key === "1" ? "T" : event.key.toUpperCase();
    if (event.key === "Backspace") this.undo();
    else if (this.rank && "SHDC".includes(key)) this.guard(event) && this.pickSuit(key.toLowerCase());
    else if (RANKS.includes(key)) this.pickRank(key);
    else return;
    this.node.focus({ preventScroll: true });
    event.preventDefault();
  }

  pickRank(rank) {
    this.rank = rank;
    this.show();
    if (!this.sealed) this.suits.querySelector("button:not(:disabled)")?.focus();
  }

  pickSuit(suit) {
    if (!this.rank) return;
    const code = this.code(this.rank, suit);
    if (code) this.add(code);
  }

  // A starred card is one code of its own; where a deck has only that one, nobody has to choose it.
  code(rank, suit) {
    const plain = rank + suit;
    if (this.deck.length === 0 || this.deck.includes(plain)) return plain;
    return this.deck.includes(`${plain}*`) ? `${plain}*` : null;
  }

  add(code) {
    if (this.cards.length >= this.most) return;
    this.cards.push(code);
    this.rank = null;
    this.show();
    if (this.cards.length === this.most) this.onDone?.(this.value());
    else this.ranks.firstElementChild.focus();
  }

  undo() {
    if (this.rank) this.rank = null;
    else this.cards.pop();
    this.show();
  }

  clear() {
    this.cards = [];
    this.rank = null;
    this.show();
  }

  show() {
    const drawn = this.cards.map((code) => drawCard(this.sealed ? null : code));
    if (this.rank) drawn.push(html("span", { class: "half" }, this.sealed ? "•" : RANK_NAMES[this.rank] ?? this.rank));
    this.chosen.replaceChildren(...drawn);
    RANKS.forEach((rank, index) => {
      const key = this.ranks.children[index];
      key.setAttribute("aria-pressed", String(rank === this.rank && !this.sealed));
      key.disabled = !SUITS.some(([suit]) => this.code(rank, suit));
    });
    SUITS.forEach(([suit], index) => {
      this.suits.children[index].disabled = !this.rank || !this.code(this.rank, suit);
    });
  }

  value() {
    return this.cards.length >= this.least ? this.shape([...this.cards]) : undefined;
  }
}

// A button that stays pressed.
function toggle(content, id, pressed) {
  const key = button(content, id, () => key.setAttribute("aria-pressed", String(!isPressed(key))));
  key.setAttribute("aria-pressed", String(pressed));
  return key;
}

function isPressed(key) {
  return key.getAttribute("aria-pressed") === "true";
}

// Some of the cards on the table.
class CardChoice {
  constructor(ask) {
    this.ask = ask;
    this.node = html("div", { class: "card-choice" });
    ask.picks.forEach(({ value }, index) => {
      const key = toggle(drawCard(value), `choose-${value}`, false);
      key.index = index;
      this.node.append(key);
    });
  }

  value() {
    const chosen = [...this.node.children].filter(isPressed).map((key) => this.ask.picks[key.index].value);
    return chosen.length >= this.ask.min && chosen.length <= this.ask.max ? chosen : undefined;
  }
}

class AmountPad {
  constructor({ min, max, step = 1 }, many = false) {
    Object.assign(this, { min: min ?? 0, max: max ?? null, step, many, done: [], typedText: "" });
    this.field = html("output", { class: "amount", "data-testid": "amount" });
    this.bounds = html("p", { class: "dim" });
    const chips = html("div", { class: "chips" });
    for (const cents of CHIPS) {
      if (this.max !== null && cents > this.max) continue;
      chips.append(button(`+${money(cents)}`, `chip-${cents}`, () => this.set(this.cents() + cents)));
    }
    if (this.min > 1) chips.append(button(t("page-min", { money: money(this.min) }), "amount-min", () => this.set(this.min)));
    if (this.max !== null) chips.append(button(t("page-max", { money: money(this.max) }), "amount-max", () => this.set(this.max)));
    if (this.many) chips.append(button(t("page-next-spot"), "next-spot", () => this.nextSpot()));
    const digits = html("div", { class: "digits" });
    for (const digit of ["7", "8", "9", "4", "5", "6", "1", "2", "3", ".", "0", "⌫"]) {
      digits.append(button(digit, digit === "⌫" ? "digit-back" : `digit-${digit}`, () => this.press(digit)));
    }
    digits.lastElementChild.setAttribute("aria-label", t("page-take-digit-back"));
    this.node = html("div", { class: "amount-pad", tabindex: "-1" }, this.field, this.bounds, chips, digits);
    this.node.addEventListener("keydown", (event) => {
      const key = event.key === "Backspace" ? "⌫" : event.key;
      if (submitted(this.node, event) || !/^[0-9.⌫]$/.test(key)) return;
      this.press(key);
      this.node.focus({ preventScroll: true });
      event.preventDefault();
    });
    this.first = this.node;
    this.show();
  }

  press(key) {
    if (key === "⌫") this.typedText = this.typedText.slice(0, -1);
    else if (/^\d{0,9}(\.\d{0,2})?$/.test(this.typedText + key)) this.typedText += key;
    this.show();
  }

  set(cents) {
    this.typedText = cents % 100 ? (cents / 100).toFixed(2) : String(cents / 100);
    this.show();
  }

  cents() {
    return Math.round(Number(this.typedText || "0") * 100);
  }

  nextSpot() {
    this.done.push(this.cents());
    this.typedText = "";
    this.show();
  }

  show() {
    const before = this.done.map((cents) => `${money(cents)} + `).join("");
    setText(this.field, before + (this.typedText === "" ? "$0" : `$${this.typedText}`));
    setText(this.bounds, this.min > 1 || this.max !== null ? this.range() : "");
  }

  range() {
    const [least, most] = [money(this.min), money(this.max ?? 0)];
    return this.max === null ? t("page-or-more", { least }) : t("page-to", { least, most });
  }

  wants() {
    const range = this.min === this.max ? money(this.min) : this.range();
    return this.step > 1 ? t("page-must-be-steps", { range, step: money(this.step) }) : t("page-must-be", { range });
  }

  // Zero takes a wager back; the table refuses it where it may not be zero.
  value() {
    const cents = this.cents();
    if (this.many) return [...this.done, cents];
    if (this.typedText === "") return undefined;
    if (cents === 0) return 0;
    const fits = cents >= this.min && (this.max === null || cents <= this.max) && cents % this.step === 0;
    return fits ? cents : undefined;
  }
}

// Enter after typing is OK; on a key of the pad it presses that key.
function submitted(node, event) {
  const form = event.key === "Enter" && event.target === node ? node.closest("form") : null;
  if (form === null) return false;
  // Else the key goes on to the button that opened the dialog, which has the focus again.
  event.preventDefault();
  form.requestSubmit();
  return true;
}

export class SeatAmounts {
  constructor(ask) {
    this.ask = ask;
    this.node = html("div", { class: "seat-amounts" });
    for (const { value, label } of ask.picks) {
      const cents = ask.given?.[String(value)];
      const field = html("input", { type: "number", min: "0", step: "0.01", inputmode: "decimal", "data-testid": `for-seat-${value}` });
      if (cents !== undefined) field.value = String(cents / 100);
      this.node.append(html("label", {}, `${label} $`, field));
    }
    this.fields = [...this.node.querySelectorAll("input")];
    const same = button(t("page-same-for-all"), "same-for-all", () => {
      const amount = this.fields.find(({ value }) => value !== "")?.value ?? "";
      for (const field of this.fields) field.value = amount;
    });
    if (this.fields.length > 1) this.node.append(same);
  }

  // Only these seats.
  limit(seats) {
    this.ask.picks.forEach(({ value }, index) => (this.fields[index].parentElement.hidden = !seats.includes(value)));
  }

  value() {
    const amounts = {};
    this.ask.picks.forEach(({ value }, index) => {
      const field = this.fields[index];
      if (field.value !== "" && !field.parentElement.hidden) amounts[value] = Math.round(Number(field.value) * 100);
    });
    return amounts;
  }
}

class DicePad {
  constructor(count) {
    this.values = Array(count).fill(null);
    this.node = html("div", { class: "dice" });
    for (let die = 0; die < count; die += 1) {
      const row = html("div", { role: "group", "aria-label": t("page-die", { die: die + 1 }) });
      for (let eyes = 1; eyes <= 6; eyes += 1) {
        const key = button(String(eyes), `die-${die + 1}-${eyes}`, () => this.pick(die, eyes, row));
        key.setAttribute("aria-pressed", "false");
        row.append(key);
      }
      this.node.append(row);
    }
  }

  pick(die, eyes, row) {
    this.values[die] = eyes;
    [...row.children].forEach((key, index) => key.setAttribute("aria-pressed", String(index + 1 === eyes)));
  }

  value() {
    return this.values.every((value) => value !== null) ? this.values : undefined;
  }
}

class PickPad {
  constructor(ask) {
    this.ask = ask;
    this.picked = undefined;
    this.node = html("div", { class: "picks" });
    ask.picks.forEach((pick, index) => {
      const now = JSON.stringify(pick.value ?? null) === JSON.stringify(ask.given ?? undefined);
      const key = button(pick.label, `pick-${index}`, () => {
        this.picked = pick;
        this.onDone?.(this.value());
      });
      key.dataset.value = JSON.stringify(pick.value ?? null);
      if (now) key.setAttribute("aria-current", "true");
      this.node.append(key);
    });
  }

  get bounds() {
    const { min, max, step } = this.picked ?? {};
    return min === undefined && max === undefined ? {} : { min, max, step };
  }

  value() {
    return this.picked === undefined ? undefined : this.picked.value ?? null;
  }
}

export class SeatsPad {
  constructor(ask) {
    this.ask = ask;
    this.node = html("div", { class: "picks" });
    for (const { value, label } of ask.picks) {
      this.node.append(toggle(label, `seat-${value}`, (ask.given ?? []).includes(value)));
    }
  }

  value() {
    const taken = this.ask.picks.filter((_, index) => isPressed(this.node.children[index]));
    return taken.map(({ value }) => value);
  }
}

class TextPad {
  constructor(ask = {}) {
    this.field = html("input", { type: "text", maxlength: "200", autocomplete: "off", "data-testid": "text" });
    this.field.value = ask.given ?? "";
    this.node = html("label", {}, `${t(ask.kind === "code" ? "page-key-or-scan" : "page-few-words")} `, this.field);
  }

  value() {
    return this.field.value.trim();
  }
}

// Shows one pad in the dialog; returns what was keyed, or null if it was cancelled.
// `check(value)`: what is wrong with it, asked before the dialog closes; empty where nothing is.
export function inDialog(title, label, pad, { ok = t("page-ok"), needsOk = false, check = () => "" } = {}) {
  const dialog = byTestId("pad");
  const form = dialog.querySelector("form");
  dialog.classList.toggle("wide", Boolean(pad.isWide));
  setText(byTestId("pad-title"), title);
  setText(byTestId("pad-label"), label);
  setText(byTestId("pad-wrong"), "");
  setText(byTestId("pad-ok"), ok);
  byTestId("pad-body").replaceChildren(pad.node);
  dialog.showModal();
  (pad.first ?? pad.node.querySelector("input, button:not(:disabled)") ?? byTestId("pad-ok")).focus();
  return new Promise((resolve) => {
    const end = (value) => {
      form.onsubmit = dialog.oncancel = byTestId("pad-cancel").onclick = pad.onDone = null;
      dialog.close();
      byTestId("pad-body").replaceChildren();
      resolve(value);
    };
    if (!needsOk) pad.onDone = (value) => end({ value });
    byTestId("pad-cancel").onclick = () => end(null);
    dialog.oncancel = (event) => {
      event.preventDefault();
      end(null);
    };
    form.onsubmit = async (event) => {
      event.preventDefault();
      const value = pad.value();
      if (value === undefined) {
        setText(byTestId("pad-wrong"), pad.wants?.() ?? t("page-not-complete"));
        return;
      }
      const wrong = await check(value);
      if (wrong) setText(byTestId("pad-wrong"), wrong);
      else end({ value });
    };
  });
}

// The body of an offer with all that it asks for keyed, one pad after the other; undefined where it was given up.
export async function filled({ label, under, body, asks = [] }, deck) {
  const whole = structuredClone(body);
  const title = under ? `${under}: ${label}` : label;
  let bounds = {};
  for (const ask of asks) {
    const pad = padFor(ask, { deck, bounds });
    const keyed = await inDialog(title, ask.label, pad);
    if (!keyed) return undefined;
    if (pad.bounds) bounds = pad.bounds;
    put(whole, ask.field, structuredClone(keyed.value));
  }
  return whole;
}

// The body with these fields.
export function withFields(body, fields) {
  const whole = structuredClone(body);
  for (const [field, value] of fields) put(whole, field, structuredClone(value));
  return whole;
}

function put(body, field, value) {
  const [first, ...rest] = field.split(".");
  if (rest.length) put((body[first] ??= {}), rest.join("."), value);
  else body[first] = value;
}

export function confirm(title, text, ok) {
  const node = typeof text === "string" ? html("p", {}, text) : text;
  return inDialog(title, "", { node, value: () => true }, { ok }).then(Boolean);
}
