// The books for the floor and for surveillance, and the count sheets of the count room.
//
// They name dealers with what is missing in their rounds. So they go away when their reader signs out.

import { byTestId, html, setText } from "./dom.js";
import { layOut, save } from "./paper.js";
import { ask, onChange, read, signIn, signOut } from "./session.js";

const paper = byTestId("report").attachShadow({ mode: "open" });
const form = byTestId("choice");
const dialog = byTestId("count-dialog");
let sessions = [];
let choices = null;

onChange((present) => {
  sessions = present;
  setText(byTestId("who"), present.length ? `${present[0].name} · sign out` : "Sign in");
  if (present.length) choose();
  else clear();
});
byTestId("who").addEventListener("click", () => (sessions.length ? signOut() : signIn()));
byTestId("span").addEventListener("change", fields);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  show();
});
byTestId("csv").addEventListener("click", () => take("csv"));
byTestId("pdf").addEventListener("click", () => take("pdf"));
byTestId("print").addEventListener("click", () => window.print());
byTestId("count").addEventListener("click", openCount);
if (!sessions.length) signIn();

function clear() {
  paper.replaceChildren();
  byTestId("report").hidden = byTestId("print").disabled = true;
}

async function choose() {
  if (choices) return;
  const response = await asked("/api/books/choices");
  if (!response || choices) return;
  choices = await response.json();
  const fill = (id, values, none) => byTestId(id).replaceChildren(
    ...(none === undefined ? [] : [html("option", { value: "" }, none)]), ...values.map(([value, text]) => html("option", { value }, text)));
  const alike = (values) => values.map((value) => [value, value]);
  fill("shift", alike(choices.shifts));
  fill("section", alike(choices.sections), "all");
  fill("table", alike(choices.tables), "all");
  fill("game", Object.entries(choices.games).map(([ruleset, title]) => [ruleset, `${title} (${ruleset.split("-")[0]})`]), "all");
  fill("part", choices.parts.map((part) => [part, part.replaceAll("_", " ")]), "all");
  byTestId("when").value = choices.today;
  byTestId("test").value = String(choices.test);
  byTestId("span").querySelector('[value="shift"]').disabled = choices.shifts.length === 0;
  fields();
  show();
}

function fields() {
  byTestId("shift-field").hidden = byTestId("span").value !== "shift";
}

function address(kind) {
  const chosen = [...new FormData(form)].filter(([name, value]) => value && (name !== "shift" || byTestId("span").value === "shift"));
  return `/api/books?${new URLSearchParams([["form", kind], ...chosen])}`;
}

async function show() {
  setText(byTestId("show"), "Reading …");
  const response = await asked(address("html"));
  setText(byTestId("show"), "Show");
  if (!response) return clear();
  const text = await response.text();
  if (!sessions.length) return clear();
  layOut(paper, text);
  byTestId("report").hidden = byTestId("print").disabled = false;
  return undefined;
}

async function take(kind) {
  const response = await asked(address(kind));
  if (!response) return;
  const { span, when, shift, table, section } = Object.fromEntries(new FormData(form));
  const of = [span === "month" ? when.slice(0, 7) : when, span === "shift" ? shift : "", section, table];
  await save(response, `${["books", ...of].filter(Boolean).join("-")}.${kind}`);
}

// A good answer, or nothing and why.
async function asked(what) {
  setText(byTestId("wrong"), "");
  try {
    const response = await read("read", what);
    if (!response || response.ok) return response;
    setText(byTestId("wrong"), (await response.json()).text);
  } catch {
    setText(byTestId("wrong"), "The page's server was not reached. Try again.");
  }
  return null;
}

// What was counted: one box that is keyed, or a file.
function openCount() {
  const wrong = html("p", { class: "wrong", role: "alert", "data-testid": "count-wrong" });
  const good = html("p", { role: "status", "data-testid": "count-done" });
  const send = async (body) => {
    setText(wrong, "");
    setText(good, "");
    const answer = await ask("drop", "/api/counts", body);
    if (!answer) return false;
    setText(answer.ok ? good : wrong, answer.text);
    return answer.ok;
  };
  const field = (name, label, attributes = {}) => html("label", {}, `${label} `, html("input", { name, "data-testid": `count-${name}`, autocomplete: "off", ...attributes }));
  const table = html("select", { name: "table", "data-testid": "count-table" }, ...(choices?.tables ?? []).map((name) => html("option", { value: name }, name)));
  const key = html("form", {}, html("h3", {}, "Key one box"),
    html("label", {}, "Table ", table), field("box_id", "Box"), field("amount", "Counted", { inputmode: "decimal", placeholder: "1234.50" }),
    field("counted_by", "Counted by"), field("counted_at", "When (empty: now)", { placeholder: "2026-11-19 07:10" }), field("seal", "Seal"), field("note", "Note"),
    html("div", { class: "row" }, html("button", { type: "submit", class: "primary", "data-testid": "count-key" }, "Enter")));
  key.addEventListener("submit", async (event) => {
    event.preventDefault();
    const values = Object.fromEntries([...new FormData(key)].map(([name, value]) => [name, value.trim()]));
    if (await send(values)) {
      key.reset();
      show();
    }
  });
  const file = html("input", { type: "file", accept: ".csv,text/csv", "data-testid": "count-file" });
  const text = html("textarea", { "data-testid": "count-csv", spellcheck: "false", placeholder: "table,box_id,seal,counted_at,amount,counted_by,note" });
  file.addEventListener("change", async () => { text.value = file.files[0] ? await file.files[0].text() : ""; });
  const sheet = html("form", {}, html("h3", {}, "Take a sheet (CSV)"), html("label", {}, "File ", file), text,
    html("div", { class: "row" }, html("button", { type: "submit", class: "primary", "data-testid": "count-take" }, "Take it")));
  sheet.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await send({ csv: text.value || "\n", file: file.files[0]?.name ?? "the sheet" })) show();
  });
  const close = html("button", { type: "button", "data-testid": "count-close" }, "Close");
  close.addEventListener("click", () => dialog.close());
  dialog.replaceChildren(html("div", { class: "head" }, html("h2", { id: "count-title" }, "Count sheets"), close), wrong, good, html("div", { class: "two" }, key, sheet));
  dialog.showModal();
}
