// The five roads. The server has decided every mark and its place on the grid; here they are only painted, and where
// the board is too narrow the oldest columns scroll off, whole.

import { keep, svg } from "./dom.js";
import { said, t } from "./language.js";

const UNIT = 100;
const ROWS = 6;
const DERIVED_KINDS = { eye: true, small: true, pig: true };

export class Road {
  constructor(node, kind) {
    this.node = node;
    this.kind = kind;
    this.cells = [];
    this.leadingTies = 0;
    this.grid = svg("path", { class: "grid" });
    this.signs = svg("g");
    node.append(this.grid, this.signs);
    new ResizeObserver(() => this.paint()).observe(node);
  }

  // `seals`: the flags that this game marks.
  show(cells, { leadingTies = 0, seals = [] } = {}) {
    this.cells = cells;
    this.leadingTies = leadingTies;
    this.seals = seals;
    this.paint();
  }

  // The style sheet sets how many columns fit: that differs between a wall and a phone.
  get width() {
    return Number(getComputedStyle(this.node).getPropertyValue("--columns")) || 12;
  }

  // As first_column in controller/games/baccarat/roads.py: the newest cell is always on the board.
  get firstColumn() {
    if (this.cells.length === 0) return 1;
    const rightmost = Math.max(...this.cells.map((cell) => cell.x));
    return Math.max(1, Math.min(rightmost - this.width + 1, this.cells.at(-1).x));
  }

  paint() {
    const first = this.firstColumn;
    const width = this.width;
    this.node.setAttribute("viewBox", `${(first - 1) * UNIT} 0 ${width * UNIT} ${ROWS * UNIT}`);
    this.node.setAttribute("aria-label", this.description());
    const grid = lines(first - 1, width);
    if (this.grid.getAttribute("d") !== grid) this.grid.setAttribute("d", grid);
    keep(this.signs, this.painted(), (cell) => this.sign(cell));
  }

  painted() {
    const newest = this.cells.length - 1;
    const { seals } = this;
    const cells = this.cells.map((cell, index) => ({ winner: cell.colour, flags: [], ...cell, seals, newest: index === newest }));
    if (cells.length === 0 && this.leadingTies > 0) return [{ x: 1, y: 1, winner: "", ties: this.leadingTies, flags: [], seals }];
    return cells;
  }

  sign(cell) {
    const place = svg("g", { transform: `translate(${(cell.x - 1) * UNIT} ${(cell.y - 1) * UNIT})` });
    const sign = svg("g", { class: `cell ${this.kind} ${cell.winner}${cell.newest ? " newest" : ""}` });
    place.append(sign);
    place.dataset.testid = this.kind;
    place.dataset.winner = cell.winner;
    place.dataset.x = cell.x;
    place.dataset.y = cell.y;
    place.dataset.flags = cell.flags.join(" ");
    place.dataset.ties = cell.ties ?? 0;
    if (cell.newest) sign.append(svg("rect", { class: "glow", x: 2, y: 2, width: 96, height: 96, rx: 16 }));
    // The line of a tie runs under the letter, which must stay readable; its number is on top of everything.
    if (cell.ties > 0) sign.append(svg("path", { class: "tie-line", d: "M12 88 88 12" }));
    // The marks of the derived roads have no letter: they fill their cell, to be seen from three metres.
    const room = this.kind in DERIVED_KINDS ? 0 : 4;
    if (cell.winner) sign.append(use(`#${this.kind}-${cell.winner}`, room, room, 100 - 2 * room));
    if (cell.ties > 1) sign.append(...tieNumber(cell.ties));
    sign.append(...flagSigns(cell.flags, cell.seals));
    return place;
  }

  description() {
    const names = { B: said("Banker"), P: said("Player"), T: said("Tie"), r: t("page-red-repeats"), b: t("page-blue-does-not") };
    const last = this.cells.slice(-6).map((cell) => names[cell.winner ?? cell.colour]);
    return last.length ? t("page-road", { marks: this.cells.length, last: last.join(", ") }) : t("page-road-empty");
  }
}

function use(href, x, y, size) {
  return svg("use", { href, x, y, width: size, height: size });
}

function tieNumber(ties) {
  const number = svg("text", { class: "tie-number", x: 80, y: 94 });
  number.textContent = ties;
  return [svg("circle", { class: "tie-badge", cx: 80, cy: 82, r: 19 }), number];
}

// A game's own mark has its seal, or the plain one where nobody has drawn it yet.
export function sealOf(mark) {
  return document.getElementById(`seal-${mark}`) ? `#seal-${mark}` : "#seal-side";
}

function flagSigns(flags, seals) {
  const signs = seals.filter((seal) => flags.includes(seal)).map((seal) => {
    const sign = use(sealOf(seal), 53, -1, 48);
    sign.setAttribute("class", `seal ${seal}`);
    return sign;
  });
  if (flags.includes("natural")) {
    const star = use("#seal-natural", 0, 62, 38);
    star.setAttribute("class", "natural");
    signs.push(star);
  }
  if (flags.includes("banker_pair")) signs.push(svg("circle", { class: "pair B", cx: 16, cy: 16, r: 12 }));
  if (flags.includes("player_pair")) signs.push(svg("circle", { class: "pair P", cx: 84, cy: 84, r: 12 }));
  return signs;
}

function lines(from, width) {
  const left = from * UNIT;
  const right = (from + width) * UNIT;
  let d = "";
  for (let x = left; x <= right; x += UNIT) d += `M${x} 0V${ROWS * UNIT}`;
  for (let y = 0; y <= ROWS * UNIT; y += UNIT) d += `M${left} ${y}H${right}`;
  return d;
}
