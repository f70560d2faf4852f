// Orders: a command for a table, a section or the house, and what each table answers.

import { byTestId, html, setText } from "./dom.js";
import { words } from "./format.js";
import { ask } from "./session.js";

const RIGHTS = { acknowledge: "acknowledge", open: "open", close: "open", dealer: "drop" };
const NAMES = {
  acknowledge: "Acknowledge alarms",
  open: "Open",
  close: "Close after this round",
  dealer: "Change dealer",
};
const dialog = byTestId("order");

export function openOrders(room) {
  const sections = room.sections.map((name) => [`section ${name}`, { section: name }]);
  choose("Orders", [["house", { house: true }], ...sections]);
}

// A button for each command, of one table.
export function orderButtons(table, isOpen) {
  return ["acknowledge", isOpen ? "close" : "open", "dealer"].map((command) => {
    const made = html("button", { type: "button", "data-testid": `do-${command}` }, NAMES[command]);
    made.addEventListener("click", () => confirm(command, table, { tables: [table] }));
    return made;
  });
}

export function acknowledge(table, alarm) {
  return send({ command: "acknowledge", scope: { tables: [table] }, alarm }, `${table}: acknowledge`);
}

function choose(title, scopes) {
  const select = html("select", { "data-testid": "order-scope", "aria-label": "For which tables" },
    ...scopes.map(([name], index) => html("option", { value: String(index) }, `The ${name}`)));
  const buttons = Object.keys(NAMES).map((command) => {
    const made = html("button", { type: "button", "data-testid": `order-${command}` }, NAMES[command]);
    made.addEventListener("click", () => confirm(command, ...scopes[Number(select.value)]));
    return made;
  });
  show(title, html("div", { class: "stack" }, select, ...buttons));
}

// What it will do, and what it needs besides.
function confirm(command, about, scope) {
  const field = { close: ["reason", "Reason"], dealer: ["name", "Who deals now (empty: nobody)"] }[command];
  const input = field ? html("input", { "data-testid": "order-field", autocomplete: "off", maxlength: "200", autocapitalize: "none" }) : null;
  const form = html("form", { class: "stack" },
    html("p", {}, about === "house" ? "For every table of the house." : `For ${about}.`),
    ...(field ? [html("label", {}, `${field[1]} `, input)] : []),
    html("div", { class: "row" },
      closer("Cancel", "order-cancel"),
      html("button", { type: "submit", class: "primary", "data-testid": "order-ok" }, NAMES[command])));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send({ command, scope, ...(field ? { [field[0]]: input.value.trim() } : {}) }, `${about}: ${NAMES[command].toLowerCase()}`);
  });
  show(NAMES[command], form);
  (input ?? byTestId("order-ok")).focus();
}

async function send(order, title) {
  show(title, html("p", { "data-testid": "order-waits" }, "Waiting for the tables …"));
  const answer = await ask(RIGHTS[order.command], "/api/orders", order);
  if (answer === null) return dialog.close();
  if (!answer.answers) return show(title, html("p", { class: "wrong", "data-testid": "order-refused" }, answer.text));
  const refused = answer.answers.filter(({ ok }) => !ok);
  const done = answer.answers.length - refused.length;
  const summary = answer.answers.length === 0 ? "No table needs that." : `${done} done${refused.length ? `, ${refused.length} not` : ""}.`;
  show(title,
    html("p", { "data-testid": "order-summary" }, summary),
    html("ul", { class: "answers" }, ...[...refused, ...answer.answers.filter(({ ok }) => ok)].map((each) =>
      html("li", { "data-testid": `answer-${each.table}`, "data-ok": String(each.ok) },
        html("strong", {}, each.table), ` ${each.subject ? `${words(each.subject)}: ` : ""}${each.ok ? each.text || "done" : each.text}`))));
}

function closer(text, id) {
  const made = html("button", { type: "button", "data-testid": id }, text);
  made.addEventListener("click", () => dialog.close());
  return made;
}

// `isOver`: nothing is left to choose.
function show(title, ...content) {
  const isOver = content.some((node) => node.dataset?.testid === "order-summary" || node.dataset?.testid === "order-refused");
  const heading = html("h2", { id: "order-title" });
  setText(heading, title);
  const hasClose = content.some((node) => node.querySelector?.('[data-testid="order-cancel"]'));
  dialog.replaceChildren(heading, ...content, ...(hasClose ? [] : [html("div", { class: "row" }, closer(isOver ? "Close" : "Cancel", "order-close"))]));
  if (!dialog.open) dialog.showModal();
}
