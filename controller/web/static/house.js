// The house on its wall: logo, slides while no cards are out, a moment for a big hand; and what spares the screen. All of
// it comes from the configuration.

import { byTestId, setData, setText } from "./dom.js";
import { said } from "./language.js";

const SHIFTS = [[0, 0], [2, 0], [2, 2], [0, 2], [-2, 2], [-2, 0], [-2, -2], [0, -2], [2, -2]];
const SHIFT_MS = 60_000;
const CELEBRATION_MS = 7000;
const OUR_MARK = "/static/icon.svg";

let house = {};
let isIdle = false;
let turn = 0;
let turnTimer = 0;
let shift = 0;
let closedAt = 0;
let celebrated = null;

export function showHouse(view) {
  house = view.house ?? {};
  const mark = document.querySelector(".mark");
  const logo = house.logo || OUR_MARK;
  if (mark.getAttribute("src") !== logo) mark.src = logo;
  setData(document.body, "logo", house.logo ? "house" : "ours");
  closedAt = view.phase === "closed" ? closedAt || Date.now() : 0;
  dim();
  takeTurns(["closed", "waiting"].includes(view.phase));
  celebrate(view);
}

// What is posted, then each slide, and again; nothing of it while a hand is played.
function takeTurns(idle) {
  if (idle !== isIdle) {
    isIdle = idle;
    turn = 0;
    clearInterval(turnTimer);
    turnTimer = idle ? setTimeout(nextTurn, stayMs()) : 0;
  }
  showTurn();
}

function nextTurn() {
  turn += 1;
  showTurn();
  turnTimer = setTimeout(nextTurn, stayMs());
}

function stayMs() {
  return 1000 * (house.slide_s ?? 12);
}

function showTurn() {
  const slides = house.slides ?? [];
  const address = isIdle ? slides[(turn % (slides.length + 1)) - 1] : undefined;
  const slide = byTestId("slide");
  if (address && slide.getAttribute("src") !== address) slide.src = address;
  slide.hidden = !address;
  setData(document.body, "slide", address ? "yes" : "no");
}

function dim() {
  const after = house.dim_after_min ?? 0;
  setData(document.body, "dim", after && closedAt && Date.now() - closedAt >= after * 60_000 ? "yes" : "no");
}

function move() {
  shift = house.pixel_shift === false ? 0 : (shift + 1) % SHIFTS.length;
  const [x, y] = SHIFTS[shift];
  document.querySelector(".board").style.translate = `${x}px ${y}px`;
}

setInterval(() => {
  move();
  dim();
}, SHIFT_MS);

// Once for each hand, and not for one that was over before this page came.
function celebrate({ round, celebrates }) {
  const moment = celebrates ? `${round} ${celebrates}` : "";
  const isNew = celebrated !== null && moment !== "" && moment !== celebrated;
  if (moment || celebrated === null) celebrated = moment;
  const banner = byTestId("celebration");
  if (!celebrates) banner.hidden = true;
  if (!isNew) return;
  setText(banner, said(celebrates));
  banner.hidden = false;
  setTimeout(() => (banner.hidden = true), CELEBRATION_MS);
  if (house.sounds) play();
}

// Three notes, from no file. A browser that may not play by itself stays silent.
function play() {
  const audio = new AudioContext();
  [523.25, 659.25, 783.99].forEach((pitch, index) => {
    const tone = new OscillatorNode(audio, { frequency: pitch });
    const loudness = new GainNode(audio, { gain: 0 });
    const start = audio.currentTime + index * 0.16;
    loudness.gain.setValueAtTime(0, start);
    loudness.gain.linearRampToValueAtTime(0.2, start + 0.02);
    loudness.gain.exponentialRampToValueAtTime(0.001, start + 0.6);
    tone.connect(loudness).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 0.6);
  });
  setTimeout(() => audio.close(), 1500);
}
