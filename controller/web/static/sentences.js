// Finds the message that an English sentence was made by, and writes it in another language.
//
// Every message of the English file is a pattern: "{ $who }: { $acts }". What a variable stands for follows from its name:
//
//   $n  $money  $seat  $card  $cards     numbers, amounts, seats and cards, by their shape; $run is a hand as
//                                      A-J-9, $total one as 21.5
//   $name                                what has no translation: a person, a device, a code
//   $who  $bet  $act  $rank ...          what is said by a message whose id begins with who-, bet-, act-, rank-
//   $seats  $bets  $acts ...             several of them: "fold, call $4 or raise to $8"
//   $said                                any other sentence
//
// A digit at the end tells two of a kind apart: $seat and $seat2.

const CARD = "(?:[2-9TJQKA][cdhs]\\*?|Jo|[1-6]-[1-6])";
const SHAPES = {
  n: "\\d[\\d,]*",
  money: "\\$\\d[\\d,]*(?:\\.\\d\\d)?",
  total: "\\d+(?:\\.\\d)?",
  seat: "\\d+(?:\\.\\d+)?",
  card: CARD,
  cards: `${CARD}(?: ${CARD})*`,
  run: "[2-9TJQKA](?:-[2-9TJQKA])+",
  name: ".+?",
};
const FITS = Object.fromEntries(Object.entries(SHAPES).map(([name, shape]) => [name, new RegExp(`^${shape}$`, "s")]));
// Totals and cards.
const IN_NO_LANGUAGE = new RegExp(`^(?:[^\\p{L}$]*|${SHAPES.cards}|${SHAPES.run})$`, "u");
// What stands between the parts of a list.
const BETWEEN = /, or |, | and | or /g;
const LIST = { ", ": "page-list-comma", ", or ": "page-list-or", " and ": "page-list-and", " or ": "page-list-or" };
// Whole sentences that the table puts after one another.
const JOINS = [" / ", "; ", " · ", "\n", " — ", ". ", ", "];
const MOST_KEPT = 4000;

export class Sentences {
  // `messages`: of the English file, as Fluent has parsed them; `write`: one of them by its id, in this language; `money`:
  // an amount that is written "$1,234".
  constructor(messages, write, money) {
    Object.assign(this, { write, money, kept: new Map() });
    this.groups = new Set();
    this.exact = new Map();
    this.patterns = [];
    for (const { id, value } of messages) {
      if (value === null) continue;
      this.groups.add(groupOf(id));
      if (typeof value === "string") this.exact.set(value.toLowerCase(), [...(this.exact.get(value.toLowerCase()) ?? []), { id, value }]);
      else this.patterns.push(compiled(id, value));
    }
    // Of two that fit, the one that says more is meant.
    this.patterns.sort((one, other) => other.letters - one.letters);
  }

  // Null: no message fits. `group`: only messages of this kind; empty: any.
  translated(text, group = "") {
    const key = `${group}\n${text}`;
    let found = this.kept.get(key);
    if (found === undefined) {
      found = IN_NO_LANGUAGE.test(text) && !group ? text : this.anyCase(text, group) ?? (group ? null : this.joined(text));
      if (this.kept.size >= MOST_KEPT) this.kept.clear();
      this.kept.set(key, found);
    }
    return found;
  }

  // The table begins a sentence with a capital, and has the same words in the middle of one.
  anyCase(text, group) {
    const found = this.whole(text, group);
    if (found !== null) return found;
    const first = text[0];
    const other = first === first.toUpperCase() ? first.toLowerCase() : first.toUpperCase();
    if (other === first) return null;
    const otherwise = this.whole(other + text.slice(1), group);
    return otherwise && begunAs(text, otherwise);
  }

  whole(text, group) {
    const plain = this.exact.get(text.toLowerCase())?.find(({ id }) => !group || groupOf(id) === group);
    if (plain) return plain.value[0] === text[0] ? this.write(plain.id, {}) : begunAs(text, this.write(plain.id, {}));
    for (const pattern of this.patterns) {
      if ((group && pattern.group !== group) || !text.includes(pattern.sign)) continue;
      for (const regexp of pattern.regexps) {
        const match = regexp.exec(text);
        const args = match && this.arguments(pattern.names, match);
        if (args) return this.write(pattern.id, args);
      }
    }
    return null;
  }

  arguments(names, match) {
    const args = {};
    for (const [index, name] of names.entries()) {
      const text = match[index + 1];
      if (text === undefined) continue;
      const value = this.argument(name.replace(/\d+$/, ""), text);
      if (value === null) return null;
      args[name] = value;
    }
    return args;
  }

  argument(name, text) {
    if (name === "said") return this.translated(text);
    // Inside a sentence the table may have a code as it is: player_line.
    if (this.groups.has(name)) return this.translated(text.replaceAll("_", " "), name);
    if (!(name in FITS)) return name.endsWith("s") ? this.list(text, (part) => this.argument(name.slice(0, -1), part)) : null;
    if (!FITS[name].test(text)) return null;
    return name === "n" ? Number(text.replaceAll(",", "")) : name === "money" ? this.money(text) : text;
  }

  // "fold, call $4 or bet $2 or more": where one part ends, what is before it must be whole.
  list(text, of) {
    const whole = of(text);
    for (const between of text.matchAll(BETWEEN)) {
      const first = of(text.slice(0, between.index));
      const rest = first === null ? null : this.list(text.slice(between.index + between[0].length), of);
      if (rest !== null) return first + this.write(LIST[between[0]]) + rest;
    }
    return whole;
  }

  joined(text) {
    for (const join of JOINS) {
      for (let at = text.indexOf(join); at >= 0; at = text.indexOf(join, at + 1)) {
        // A sentence may have its full stop or not.
        const part = text.slice(0, at);
        const first = this.anyCase(part, "") ?? (join === ". " ? this.anyCase(`${part}.`, "") : null);
        const rest = first === null ? null : this.translated(text.slice(at + join.length));
        if (rest !== null) return first + (join === ", " ? this.write(LIST[join]) : /[.。]$/.test(first) ? " " : join) + rest;
      }
    }
    return null;
  }
}

// With a capital where the English has one.
function begunAs(english, text) {
  const first = english[0] === english[0].toUpperCase() ? text[0].toUpperCase() : text[0].toLowerCase();
  return first + text.slice(1);
}

function groupOf(id) {
  return id.slice(0, id.indexOf("-"));
}

// Where two arguments meet, the first one has as little of the text as possible, or as much.
function compiled(id, value) {
  const names = [];
  const least = source(value, names);
  const regexps = [least, least.replaceAll(".+?", ".+")].map((each) => new RegExp(`^${each}$`, "s"));
  const plain = [value].flat().filter((part) => typeof part === "string");
  return {
    id,
    group: groupOf(id),
    names,
    regexps: names.length > 1 ? regexps : regexps.slice(0, 1),
    // The longest of its plain parts is looked for first: it is quicker than the whole expression.
    sign: plain.reduce((one, other) => (other.length > one.length ? other : one), ""),
    letters: plain.join("").length,
  };
}

function source(pattern, names) {
  return [pattern].flat().map((part) => (typeof part === "string" ? escaped(part) : expression(part, names))).join("");
}

function expression(part, names) {
  switch (part.type) {
    case "var":
      names.push(part.name);
      return `(${SHAPES[part.name.replace(/\d+$/, "")] ?? ".+?"})`;
    case "str":
      return escaped(part.value);
    case "select":
      return `(?:${part.variants.map(({ value }) => source(value, names)).join("|")})`;
    default:
      throw new Error(`The English file has a ${part.type} in a sentence.`);
  }
}

function escaped(text) {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}
