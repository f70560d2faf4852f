// "Since I came on shift": freeze a moment, compare with it later.

import { byTestId, html, setText } from "./dom.js";
import { moment, money } from "./format.js";
import { ask, read } from "./session.js";

const dialog = byTestId("since");
const COLUMNS = [
  ["rounds", "Rounds"], ["void", "Void"], ["corrected", "Corrected"], ["wagered_cents", "Wagered", money], ["due_cents", "Due", money],
  ["matched_cents", "Seen to fall", money], ["differences", "Drops that differ"], ["alarms", "Alarms"], ["events", "Events"],
];

let isTestRoom = false;

// `isTest`: every table is in test mode, so that is what is compared first.
export async function openMarks(isTest = isTestRoom) {
  isTestRoom = isTest;
  const response = await read("read", "/api/marks").catch(() => null);
  if (!response) return;
  const found = await response.json();
  if (!response.ok) return show("Since", html("p", { class: "wrong" }, found.text));
  const name = html("input", { "data-testid": "mark-name", maxlength: "64", autocomplete: "off", placeholder: "Name, such as: evening shift" });
  const form = html("form", { class: "row" }, name, html("button", { type: "submit", class: "primary", "data-testid": "mark-set" }, "Freeze now"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const answer = await ask("read", "/api/marks", { name: name.value });
    if (answer?.ok) openMarks();
    else if (answer) show("Since", html("p", { class: "wrong" }, answer.text));
  });
  show("Since a moment", form, html("ul", { class: "lines" }, ...found.map((mark) => {
    const made = html("button", { type: "button", "data-testid": "mark" }, `${moment(mark.at)} · ${mark.name || "no name"} · ${mark.by}`);
    made.addEventListener("click", () => compare(mark.id, isTestRoom));
    return html("li", {}, made);
  })));
}

async function compare(id, isTest) {
  const response = await read("read", `/api/marks/${id}${isTest ? "?test=1" : ""}`).catch(() => null);
  if (!response) return;
  const found = await response.json();
  if (!found?.mark) return show("Since", html("p", { class: "wrong" }, found?.text ?? "There is no such moment."));
  const total = { table: "All" };
  for (const [key] of COLUMNS) total[key] = found.tables.reduce((sum, each) => sum + each[key], 0);
  const row = (each, tag) => html("tr", { "data-testid": `since-${each.table}` }, html("th", { scope: "row" }, each.table),
    ...COLUMNS.map(([key, , write = (value) => value.toLocaleString("en-US")]) => html(tag, {}, String(write(each[key])))));
  const kind = html("button", { type: "button", "data-testid": "since-test" }, isTest ? "Show money play" : "Show test mode");
  kind.addEventListener("click", () => compare(id, !isTest));
  const back = html("button", { type: "button" }, "Other moments");
  back.addEventListener("click", () => openMarks());
  show(`Since ${moment(found.mark.at)}${found.mark.name ? `, ${found.mark.name}` : ""}${isTest ? ", test mode" : ""}`,
    html("div", { class: "scroll" }, html("table", { "data-testid": "since-table" },
      html("thead", {}, html("tr", {}, html("th", {}, "Table"), ...COLUMNS.map(([, title]) => html("th", { scope: "col" }, title)))),
      html("tbody", {}, row(total, "th"), ...found.tables.sort((one, other) => one.table.localeCompare(other.table, "en", { numeric: true })).map((each) => row(each, "td"))))),
    html("div", { class: "row" }, kind, back));
}

function show(title, ...content) {
  const heading = html("h2", { id: "since-title" });
  setText(heading, title);
  const close = html("button", { type: "button", "data-testid": "since-close" }, "Close");
  close.addEventListener("click", () => dialog.close());
  dialog.replaceChildren(html("div", { class: "head" }, heading, close), ...content);
  if (!dialog.open) dialog.showModal();
}
