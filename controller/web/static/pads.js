// Pads: what an offer asks for, keyed with a thumb or a keyboard. A pad is a node and a value that may be ready.
//
//   pad.node    what to show        pad.value()   what was keyed, or undefined while it is not complete
//   pad.onDone  called when nothing more can be keyed, so that no OK is needed

import { drawCard } from "./cards.js";
import { byTestId, html, setText } from "./dom.js";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"];
const RANK_NAMES = { T: "10" };
const SUITS = [
  ["s", "♠", "spades"],
  ["h", "♥", "hearts"],
  ["d", "♦", "diamonds"],
  ["c", "♣", "clubs"],
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
    Object.assign(this, { deck, least, most, shape, sealed, cards: [], rank: null, onDone: null });
    this.chosen = html("div", { class: "chosen", "aria-live": "polite", "data-testid": "chosen" });
    this.ranks = html("div", { class: "ranks" });
    this.suits = html("div", { class: "suits" });
    for (const rank of RANKS) this.ranks.append(this.key(RANK_NAMES[rank] ?? rank, `rank-${rank}`, () => this.pickRank(rank)));
    if (deck.includes("Jo")) this.ranks.append(this.key("Joker", "rank-joker", () => this.add("Jo")));
    for (const [suit, sign, name] of SUITS) {
      const key = this.key(sign, `suit-${suit}`, () => this.pickSuit(suit));
      key.setAttribute("aria-label", name);
      key.classList.add("hd".includes(suit) ? "red" : "black");
      this.suits.append(key);
    }
    const back = this.key("⌫", "card-back", () => this.undo());
    back.setAttribute("aria-label", "take the last one back");
    this.suits.append(back);
    this.node = html("div", { class: "card-pad", tabindex: "-1" }, this.chosen, this.ranks, this.suits);
    this.node.addEventListener("keydown", (event) => this.typed(event));
    this.show();
  }

  key(text, id, press) {
    const button = html("button", { type: "button", "data-testid": id }, text);
    button.addEventListener("click", press);
    return button;
  }

  typed(event) {
    if (submitted(this.node, event)) return;
    const key = event.key.toUpperCase() === "0" || event.key === "1" ? "T" : event.key.toUpperCase();
    if (event.key === "Backspace") this.undo();
    else if (this.rank && "SHDC".includes(key)) this.pickSuit(key.toLowerCase());
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

  // A starred card is one code of its own; where a deck has only that one, nobody needs to say so.
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

// Some of the cards that lie there.
class CardChoice {
  constructor(ask) {
    this.ask = ask;
    this.node = html("div", { class: "card-choice" });
    ask.picks.forEach(({ value }, index) => {
      const key = html("button", { type: "button", "aria-pressed": "false", "data-testid": `choose-${value}` }, drawCard(value));
      key.addEventListener("click", () => key.setAttribute("aria-pressed", String(key.getAttribute("aria-pressed") !== "true")));
      key.index = index;
      this.node.append(key);
    });
  }

  value() {
    const chosen = [...this.node.children].filter((key) => key.getAttribute("aria-pressed") === "true").map((key) => this.ask.picks[key.index].value);
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
      chips.append(this.key(`+${money(cents)}`, `chip-${cents}`, () => this.set(this.cents() + cents)));
    }
    if (this.min > 1) chips.append(this.key(`Min ${money(this.min)}`, "amount-min", () => this.set(this.min)));
    if (this.max !== null) chips.append(this.key(`Max ${money(this.max)}`, "amount-max", () => this.set(this.max)));
    if (this.many) chips.append(this.key("Next spot", "next-spot", () => this.nextSpot()));
    const digits = html("div", { class: "digits" });
    for (const digit of ["7", "8", "9", "4", "5", "6", "1", "2", "3", ".", "0", "⌫"]) {
      digits.append(this.key(digit, digit === "⌫" ? "digit-back" : `digit-${digit}`, () => this.press(digit)));
    }
    digits.lastElementChild.setAttribute("aria-label", "take the last digit back");
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

  key(text, id, press) {
    const button = html("button", { type: "button", "data-testid": id }, text);
    button.addEventListener("click", press);
    return button;
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
    const most = this.max === null ? "" : ` to ${money(this.max)}`;
    setText(this.bounds, this.min > 1 || this.max !== null ? `${money(this.min)}${most || " or more"}` : "");
  }

  wants() {
    const least = money(this.min);
    const range = this.max === null ? `${least} or more` : this.min === this.max ? least : `${least} to ${money(this.max)}`;
    return `It must be ${range}${this.step > 1 ? `, in steps of ${money(this.step)}` : ""}.`;
  }

  // Nothing at all takes a wager back: the table says what may not be nothing.
  value() {
    const cents = this.cents();
    if (this.many) return [...this.done, cents];
    if (this.typedText === "") return undefined;
    if (cents === 0) return 0;
    const fits = cents >= this.min && (this.max === null || cents <= this.max) && cents % this.step === 0;
    return fits ? cents : undefined;
  }
}

// Enter after typing says OK; on a key of the pad it presses that key.
function submitted(node, event) {
  const form = event.key === "Enter" && event.target === node ? node.closest("form") : null;
  if (form === null) return false;
  // Else the key goes on to the button that opened the dialog, which has the focus again.
  event.preventDefault();
  form.requestSubmit();
  return true;
}

class SeatAmounts {
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
    const same = html("button", { type: "button", "data-testid": "same-for-all" }, "The same for all");
    same.addEventListener("click", () => {
      const amount = this.fields.find(({ value }) => value !== "")?.value ?? "";
      for (const field of this.fields) field.value = amount;
    });
    if (this.fields.length > 1) this.node.append(same);
  }

  value() {
    const amounts = {};
    this.ask.picks.forEach(({ value }, index) => {
      const text = this.fields[index].value;
      if (text !== "") amounts[value] = Math.round(Number(text) * 100);
    });
    return amounts;
  }
}

class DicePad {
  constructor(count) {
    this.values = Array(count).fill(null);
    this.node = html("div", { class: "dice" });
    for (let die = 0; die < count; die += 1) {
      const row = html("div", { role: "group", "aria-label": `Die ${die + 1}` });
      for (let eyes = 1; eyes <= 6; eyes += 1) {
        const key = html("button", { type: "button", "aria-pressed": "false", "data-testid": `die-${die + 1}-${eyes}` }, String(eyes));
        key.addEventListener("click", () => this.pick(die, eyes, row));
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
      const key = html("button", { type: "button", "data-testid": `pick-${index}`, "data-value": JSON.stringify(pick.value ?? null) }, pick.label);
      if (now) key.setAttribute("aria-current", "true");
      key.addEventListener("click", () => {
        this.picked = pick;
        this.onDone?.(this.value());
      });
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

class SeatsPad {
  constructor(ask) {
    this.ask = ask;
    this.node = html("div", { class: "picks" });
    for (const { value, label } of ask.picks) {
      const key = html("button", { type: "button", "data-testid": `seat-${value}`, "aria-pressed": String((ask.given ?? []).includes(value)) }, label);
      key.addEventListener("click", () => key.setAttribute("aria-pressed", String(key.getAttribute("aria-pressed") !== "true")));
      this.node.append(key);
    }
  }

  value() {
    const taken = this.ask.picks.filter((_, index) => this.node.children[index].getAttribute("aria-pressed") === "true");
    return taken.map(({ value }) => value);
  }
}

class TextPad {
  constructor(ask = {}) {
    this.field = html("input", { type: "text", maxlength: "200", autocomplete: "off", "data-testid": "text" });
    this.field.value = ask.given ?? "";
    this.node = html("label", {}, ask.kind === "code" ? "Key or scan it " : "In a few words ", this.field);
  }

  value() {
    return this.field.value.trim();
  }
}

// Shows one pad in the dialog; gives what was keyed, or null where it was given up.
export function inDialog(title, label, pad, { ok = "OK", needsOk = false } = {}) {
  const dialog = byTestId("pad");
  const form = dialog.querySelector("form");
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
    form.onsubmit = (event) => {
      event.preventDefault();
      const value = pad.value();
      if (value === undefined) setText(byTestId("pad-wrong"), pad.wants?.() ?? "That is not complete.");
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

function put(body, field, value) {
  const [first, ...rest] = field.split(".");
  if (rest.length) put((body[first] ??= {}), rest.join("."), value);
  else body[first] = value;
}

export function confirm(title, text, ok) {
  const node = typeof text === "string" ? html("p", {}, text) : text;
  return inDialog(title, "", { node, value: () => true }, { ok }).then(Boolean);
}

export function money(cents) {
  const whole = cents % 100 === 0;
  return (cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD", minimumFractionDigits: whole ? 0 : 2, maximumFractionDigits: whole ? 0 : 2 });
}
