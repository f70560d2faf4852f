// Cards in SVG: a jumbo index at the top left, the suit large at the bottom right, to be read across the room.

import { svg } from "./dom.js";
import { t } from "./language.js";

const SUITS = {
  c: {
    path: "M16 1.5a6.6 6.6 0 0 1 5 10.9 6.7 6.7 0 1 1-3.3 11.3c.3 3.2 1.5 5.6 3.8 7.3h-11c2.3-1.7 3.5-4.1 3.8-7.3A6.7 6.7 0 1 1 11 12.4 6.6 6.6 0 0 1 16 1.5Z",
  },
  d: { path: "M16 .5C19 6.5 23 11.5 28 16 23 20.5 19 25.5 16 31.5 13 25.5 9 20.5 4 16 9 11.5 13 6.5 16 .5Z" },
  h: {
    path: "M16 30.5C13.5 25.5 1 18.5 1 9.8 1 5 4.6 1.8 8.6 1.8c3.3 0 6 1.9 7.4 5.2 1.4-3.3 4.1-5.2 7.4-5.2 4 0 7.6 3.2 7.6 8C31 18.5 18.5 25.5 16 30.5Z",
  },
  s: {
    path: "M16 .8C18.5 7 30.5 12.5 30.5 20.3a6.6 6.6 0 0 1-12.6 2.9c.3 3.5 1.6 6.1 4 7.8H10.1c2.4-1.7 3.7-4.3 4-7.8A6.6 6.6 0 0 1 1.5 20.3C1.5 12.5 13.5 7 16 .8Z",
  },
};
const RANKS = { T: "10", J: "J", Q: "Q", K: "K", A: "A" };

// A code such as "9h", "Kh*" or "Jo"; null is face down or was not read.
export function drawCard(code) {
  const card = svg("svg", { class: "card", viewBox: "0 0 100 140", role: "img", "aria-label": nameOf(code) });
  card.dataset.testid = "card";
  card.dataset.card = code ?? "";
  if (code === null) {
    card.classList.add("back");
    card.append(
      svg("rect", { class: "paper", x: 1, y: 1, width: 98, height: 138, rx: 9 }),
      svg("rect", { class: "weave", x: 8, y: 8, width: 84, height: 124, rx: 5 }),
      svg("path", { class: "lattice", d: lattice() }),
      svg("rect", { class: "frame", x: 8, y: 8, width: 84, height: 124, rx: 5 }),
    );
    return card;
  }
  card.append(svg("rect", { class: "paper", x: 1, y: 1, width: 98, height: 138, rx: 9 }));
  if (code === "Jo") {
    card.append(text("JOKER", { x: 50, y: 84, class: "joker" }));
    return card;
  }
  if (code[1] === "-") {
    card.classList.add("tile");
    card.append(
      ...spots(Number(code[0]), 35),
      svg("path", { d: "M14 70H86", stroke: "#14181c", "stroke-width": 2 }),
      ...spots(Number(code[2]), 105),
    );
    return card;
  }
  const suit = SUITS[code[1]];
  card.classList.add("hd".includes(code[1]) ? "red" : "black");
  card.append(
    text(RANKS[code[0]] ?? code[0], { x: 31, y: 56, class: code[0] === "T" ? "rank ten" : "rank" }),
    svg("path", { class: "pip", d: suit.path, transform: "translate(16.5 66) scale(.9)" }),
    svg("path", { class: "pip", d: suit.path, transform: "translate(44 84) scale(1.5)" }),
  );
  if (code.endsWith("*")) card.append(text("★", { x: 80, y: 36, class: "star" }));
  return card;
}

// Where the spots of one field of a Chinese domino lie, around its middle; ones and fours are red.
const SPOTS = {
  1: [[0, 0]],
  2: [[0, -16], [0, 16]],
  3: [[-16, -16], [0, 0], [16, 16]],
  4: [[-16, -14], [16, -14], [-16, 14], [16, 14]],
  5: [[-16, -16], [16, -16], [0, 0], [-16, 16], [16, 16]],
  6: [[-16, -18], [16, -18], [-16, 0], [16, 0], [-16, 18], [16, 18]],
};

function spots(count, middle) {
  const fill = count === 1 || count === 4 ? "#c8102e" : "#14181c";
  return SPOTS[count].map(([x, y]) => svg("circle", { fill, cx: 50 + x, cy: middle + y, r: 7 }));
}

export function nameOf(code) {
  if (code === null) return t("page-face-down");
  if (code === "Jo") return t("page-joker");
  if (code[1] === "-") return t("page-tile", { code });
  return t("page-card", { rank: t(`page-rank-${code[0]}`), suit: t(`page-suit-${code[1]}`) });
}

function text(content, attributes) {
  const node = svg("text", attributes);
  node.textContent = content;
  return node;
}

function lattice() {
  const lines = [];
  for (let offset = -112; offset <= 84; offset += 14) {
    lines.push(slant(offset, 1), slant(offset, -1));
  }
  return lines.join("");
}

// One diagonal of the back, cut to its frame (8..92 by 8..132).
function slant(offset, way) {
  const from = Math.max(0, -offset);
  const to = Math.min(124, 84 - offset);
  if (from >= to) return "";
  const x = (y) => (way > 0 ? 8 + offset + y : 92 - offset - y);
  return `M${x(from)} ${8 + from}L${x(to)} ${8 + to}`;
}
