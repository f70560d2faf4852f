// Updates by a plan that the office has signed: what would change, then one table first, then the rest.

import { byTestId, html, keep, setText } from "./dom.js";
import { moment, words } from "./format.js";
import { ask, read } from "./session.js";

const RENEW_MS = 1000;
const dialog = byTestId("updates-dialog");
let timer = 0;
let list = null;
let wrong = null;

dialog.addEventListener("close", () => clearTimeout(timer));

export function openUpdates() {
  wrong = html("p", { class: "wrong", role: "alert", "data-testid": "updates-wrong" });
  list = html("div", { class: "stack", "data-testid": "updates-list" });
  const file = html("input", { type: "file", accept: ".json,application/json", "data-testid": "plan-file" });
  const form = html("form", {}, html("label", {}, "A plan that the office has signed ", file),
    html("div", { class: "row" }, html("button", { type: "submit", class: "primary", "data-testid": "plan-take" }, "Show what would change")));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!file.files[0]) return setText(wrong, "Choose the file that `cutcard reference plan` printed.");
    await send("/api/updates", { plan: await file.files[0].text() });
    form.reset();
    return undefined;
  });
  const heading = html("h2", { id: "updates-title" }, "Updates");
  const close = html("button", { type: "button", "data-testid": "updates-close" }, "Close");
  close.addEventListener("click", () => dialog.close());
  dialog.replaceChildren(html("div", { class: "head" }, heading, close), wrong, form, list);
  dialog.showModal();
  renew();
}

async function send(address, body) {
  setText(wrong, "");
  const answer = await ask("update", address, body);
  if (answer && !answer.ok) setText(wrong, answer.text);
  clearTimeout(timer);
  renew();
}

async function renew() {
  const response = await read("read", "/api/updates").catch(() => undefined);
  if (response === null) return dialog.close();
  if (response?.ok) keep(list, await response.json(), plan);
  else setText(wrong, response ? (await response.json()).text : "The page's server was not reached.");
  if (dialog.open) timer = setTimeout(renew, RENEW_MS);
  return undefined;
}

function plan({ id, at, by, what, state, reason, tables }) {
  const act = (what_, label, kind = "") => {
    const made = html("button", { type: "button", class: kind, "data-testid": `update-${what_}` }, label);
    made.addEventListener("click", () => send("/api/updates/act", { id, do: what_ }));
    return made;
  };
  const acts = {
    planned: [act("start", `Begin with ${tables[0].table}`, "primary")],
    running: [act("stop", "Stop")],
    stopped: [act("start", "Go on", "primary")],
  }[state] ?? [];
  return html("section", { "data-testid": `update-${id}`, "data-state": state },
    html("h3", {}, `${words(what)} · ${words(state)}`),
    html("p", { class: "dim" }, `planned ${moment(at)} by ${by}`),
    ...(reason ? [html("p", { class: "wrong" }, reason)] : []),
    html("div", { class: "offers" }, ...acts),
    html("div", { class: "scroll" }, html("table", {},
      html("thead", {}, html("tr", {}, ...["Table", "What changes", "State", "Answer"].map((title) => html("th", { scope: "col" }, title)))),
      html("tbody", {}, ...tables.map((each) => html("tr", {}, html("th", { scope: "row" }, each.table), html("td", {}, each.changes || "…"),
        html("td", {}, words(each.state)), html("td", {}, each.text)))))));
}
