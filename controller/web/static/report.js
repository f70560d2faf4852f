// The shift report for the floor: asks who reads, fetches it with that person's token and lays it on the page.
//
// It names dealers with what is missing in their rounds. So it goes away when the floor signs out, and by itself when
// nobody has touched the page for as long as the floor stays signed in.

import { byTestId, html, setText } from "./dom.js";
import { layOut, save as saveAs } from "./paper.js";
import { onChange, read, signIn, signOut } from "./session.js";

const RIGHT = "drop";
const paper = byTestId("report").attachShadow({ mode: "open" });
const choice = byTestId("choice");
let readers = [];
let idle = 0;

onChange((sessions) => {
  readers = sessions.filter(mayRead);
  setText(byTestId("who"), readers.length ? `${readers.map(({ name }) => name).join(", ")} · sign out` : "Sign in");
  if (readers.length) listShifts();
  else clear();
  stay();
});
byTestId("who").addEventListener("click", () => (readers.length ? leave() : signIn("Floor, please")));
choice.addEventListener("submit", (event) => {
  event.preventDefault();
  show();
});
byTestId("csv").addEventListener("click", () => save("csv"));
byTestId("pdf").addEventListener("click", () => save("pdf"));
byTestId("print").addEventListener("click", () => window.print());
for (const touch of ["pointerdown", "keydown"]) document.addEventListener(touch, stay);

function mayRead({ rights }) {
  return rights.includes(RIGHT);
}

function leave() {
  return signOut(mayRead);
}

function stay() {
  clearTimeout(idle);
  if (readers.length) idle = setTimeout(leave, 1000 * Math.min(...readers.map(({ idle_s }) => idle_s)));
}

function clear() {
  paper.replaceChildren();
  byTestId("report").hidden = byTestId("print").disabled = true;
}

async function listShifts() {
  const select = byTestId("shift");
  if (select.options.length > 1) return;
  const response = await ask("/api/report/shifts");
  if (!response || select.options.length > 1) return;
  const { shifts } = await response.json();
  select.append(...shifts.map((name) => html("option", { value: name }, name)));
}

async function show() {
  const response = await ask(address("html"));
  if (!response) return;
  const text = await response.text();
  if (!readers.length) return;
  layOut(paper, text);
  byTestId("report").hidden = byTestId("print").disabled = false;
}

async function save(form) {
  const response = await ask(address(form));
  if (!response) return;
  const { shift, date } = Object.fromEntries(new FormData(choice));
  await saveAs(response, `${["shift-report", date, shift].filter(Boolean).join("-")}.${form}`);
}

function address(form) {
  const chosen = [...new FormData(choice)].filter(([, value]) => value);
  return `/api/report?${new URLSearchParams([["form", form], ...chosen])}`;
}

// A good answer, or nothing and why.
async function ask(what) {
  setText(byTestId("wrong"), "");
  try {
    const response = await read(RIGHT, what);
    if (!response || response.ok) return response;
    setText(byTestId("wrong"), (await response.json()).text);
  } catch {
    setText(byTestId("wrong"), "The table was not reached. Try again.");
  }
  return null;
}
