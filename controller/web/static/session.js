// Who is signed in at this console, and acts and reads in their name.
//
// A dealer stays; the floor comes for one act, and how long its rights still last is counted down on the page. For an act
// that nobody here may do, the dialog asks for somebody who may. Tokens live in this tab only, and one that the table does not
// know any more (it was started again) is not shown as somebody who is signed in.

import { byTestId, html, setText, wording } from "./dom.js";

const STORE = "cutcard-sessions";
const COUNTED_DOWN_S = 300;
const dialog = buildDialog();
const form = dialog.querySelector("form");
let sessions = JSON.parse(sessionStorage.getItem(STORE) ?? "[]");
let changed = () => {};

export function onChange(listener) {
  changed = listener;
  listener(sessions);
}

export async function signIn(title = wording.of("page-sign-in", "Sign in")) {
  setText(byTestId("sign-in-title"), title);
  setText(byTestId("sign-in-wrong"), "");
  form.reset();
  dialog.showModal();
  byTestId("sign-in-name").focus();
  return new Promise((resolve) => {
    const end = (session) => {
      form.onsubmit = dialog.oncancel = byTestId("sign-in-cancel").onclick = null;
      dialog.close();
      form.reset();
      resolve(session);
    };
    byTestId("sign-in-cancel").onclick = () => end(null);
    dialog.oncancel = (event) => {
      event.preventDefault();
      end(null);
    };
    form.onsubmit = async (event) => {
      event.preventDefault();
      const { name, pin, badge } = Object.fromEntries(new FormData(form));
      // A badge is held to the reader wherever the cursor is: what stands alone in a field is a badge.
      const alone = badge || (pin ? (name.trim() ? "" : pin) : name.trim());
      const answer = await post("/api/login", alone ? { badge: alone } : { name: name.trim(), pin });
      if (!answer.ok) {
        setText(byTestId("sign-in-wrong"), !badge && alone && name ? `${wording.of("page-pin-too", "Key the PIN too, or hold the badge to the reader again.")} ${answer.text}` : answer.text);
        byTestId("sign-in-pin").value = byTestId("sign-in-badge").value = "";
        byTestId("sign-in-pin").focus();
        return;
      }
      end(begin(answer));
    };
  });
}

function begin(answer) {
  const now = Date.now();
  const session = { ...answer, until: now + answer.idle_s * 1000, last: now + answer.longest_s * 1000 };
  keep([...sessions.filter(({ role }) => role !== answer.role), session]);
  return session;
}

// A badge that was held to the reader with no field to take it: whose it is, or what the table answered. Null: the dialog says it.
export async function signInByBadge(badge) {
  if (dialog.open) {
    byTestId("sign-in-name").value = byTestId("sign-in-pin").value = "";
    byTestId("sign-in-badge").value = badge;
    form.requestSubmit();
    return null;
  }
  const answer = await post("/api/login", { badge });
  return answer.ok ? { name: begin(answer).name } : { text: answer.text };
}

// Everybody, or those whom `leaves` accepts: the floor leaves and the dealer stays.
export async function signOut(leaves = () => true) {
  const leaving = sessions.filter(leaves);
  keep(sessions.filter((session) => !leaving.includes(session)));
  for (const { token } of leaving) await post("/api/logout", {}, token);
}

// Sends an input in the name of somebody who may; null where nobody would sign in.
export async function act(right, body) {
  return ask(right, "/api/acts", body);
}

// Posts to any address in the name of somebody who may; null where nobody would sign in.
export async function ask(right, address, body) {
  return asSomebodyWith(right, async (token) => {
    const answer = await post(address, body, token);
    return answer.why === "unauthorised" ? null : answer;
  });
}

// The response to a question that not everybody may ask; null where nobody would sign in.
export async function read(right, address) {
  return asSomebodyWith(right, async (token) => {
    const response = await fetch(address, { headers: { Authorization: `Bearer ${token}` } });
    return response.status === 401 ? null : response;
  });
}

// `send` returns null if the token is no longer valid: then somebody signs in again.
async function asSomebodyWith(right, send) {
  for (;;) {
    const session = sessions.find(({ rights }) => rights.includes(right)) ?? (await signInFor(right));
    if (!session) return null;
    const answer = await send(session.token);
    if (answer) {
      session.until = Date.now() + session.idle_s * 1000;
      sessionStorage.setItem(STORE, JSON.stringify(sessions));
      return answer;
    }
    keep(sessions.filter(({ token }) => token !== session.token));
  }
}

async function signInFor(right) {
  for (;;) {
    const session = await signIn(["deal", "seat", "shoe", "read"].includes(right) ? undefined : wording.of("page-floor-please", "Floor, please"));
    if (!session || session.rights.includes(right)) return session;
  }
}

// How long somebody who comes for one act may still act, in seconds; null for who stays.
export function secondsLeft({ until, last, idle_s }) {
  return idle_s > COUNTED_DOWN_S ? null : Math.max(0, Math.ceil((Math.min(until, last) - Date.now()) / 1000));
}

// Forgets whom the table does not know: after it was started again, or when their time is over.
export async function checkSessions() {
  const known = await Promise.all(sessions.map(async ({ token }) => {
    try {
      return (await fetch("/api/round", { headers: { Authorization: `Bearer ${token}` } })).status !== 401;
    } catch {
      return true;
    }
  }));
  if (known.includes(false)) keep(sessions.filter((_, index) => known[index]));
}

setInterval(() => {
  const over = sessions.filter((session) => secondsLeft(session) === 0);
  if (over.length) signOut((session) => over.includes(session));
}, 1000);

function keep(now) {
  sessions = now;
  sessionStorage.setItem(STORE, JSON.stringify(now));
  changed(sessions);
}

async function post(address, body, token) {
  const headers = { "Content-Type": "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  try {
    const response = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
    return await response.json();
  } catch {
    return { ok: false, why: "no_connection", text: wording.of("page-not-reached", "The table was not reached. Look whether it was done before you try again.") };
  }
}

function buildDialog() {
  const field = (name, label, attributes) =>
    html("label", {}, html("span", { "data-l10n-id": `page-sign-in-${name}` }, label), " ", html("input", { "data-testid": `sign-in-${name}`, name, autocomplete: "off", ...attributes }));
  const built = html("dialog", { "data-testid": "sign-in", "aria-labelledby": "sign-in-title" },
    html("form", {},
      html("h2", { id: "sign-in-title", "data-testid": "sign-in-title" }, "Sign in"),
      field("name", "Name or staff number", { autocapitalize: "none", spellcheck: "false", maxlength: "32" }),
      field("pin", "PIN", { type: "password", inputmode: "numeric", maxlength: "12" }),
      field("badge", "or hold a badge to the reader", { type: "password", maxlength: "128" }),
      html("p", { class: "wrong", "data-testid": "sign-in-wrong", role: "alert" }),
      html("div", { class: "row" },
        html("button", { type: "button", "data-testid": "sign-in-cancel", "data-l10n-id": "page-cancel" }, "Cancel"),
        html("button", { type: "submit", class: "primary", "data-testid": "sign-in-ok", "data-l10n-id": "page-sign-in" }, "Sign in"))));
  document.body.append(built);
  return built;
}
