// Keeps one stream to the table open and reports whether its last view is still live.
//
// The server beats: every message and every "alive" promises the next within `next_ms`. When two and a half times that has
// passed (one second), or the connection fails, the view is stale from that moment, and only a whole new view makes it live again. EventSource
// is not enough: it keeps a half-open connection for hours, gives up for good on a 503, and cannot say who has signed in.

const PATIENCE = 2.5;
const ANSWER_MS = 5000;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 5000;

// `token`: of somebody who has signed in, whose console always has a place; empty for a screen.
export function watch(address, { onView, onStale, token = () => "" }) {
  let attempt = null;
  let watchdog = 0;
  let promisedMs = 400;
  let retryMs = FIRST_RETRY_MS;
  let retry = 0;
  let build = null;

  async function open() {
    clearTimeout(retry);
    const mine = new AbortController();
    attempt = mine;
    received(ANSWER_MS);
    try {
      const headers = token() ? { Authorization: `Bearer ${token()}` } : {};
      const response = await fetch(address, { headers, cache: "no-store", signal: mine.signal });
      if (response.ok) await readAll(response.body.pipeThrough(new TextDecoderStream()).getReader(), mine);
    } catch {
      // It failed, or it was given up: then another attempt is under way.
    }
    if (attempt === mine) lose();
  }

  async function readAll(reader, mine) {
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done || attempt !== mine) return;
      text += value;
      const messages = text.split("\n\n");
      text = messages.pop();
      messages.forEach(take);
    }
  }

  function take(message) {
    const fields = message.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]);
    const data = fields.filter(([name]) => name === "data").map(([, value]) => value).join("\n");
    const kind = fields.find(([name]) => name === "event")?.[1];
    if (kind === "view") {
      received();
      retryMs = FIRST_RETRY_MS;
      onView(JSON.parse(data));
    } else if (kind === "alive") {
      const alive = JSON.parse(data);
      promisedMs = alive.next_ms;
      received();
      // The board was upgraded under a screen that nobody ever reloads.
      if (build !== null && build !== alive.build) location.reload();
      build = alive.build;
    }
  }

  function received(silence = PATIENCE * promisedMs) {
    clearTimeout(watchdog);
    watchdog = setTimeout(lose, silence);
  }

  function lose() {
    clearTimeout(watchdog);
    giveUp();
    onStale();
    retry = setTimeout(open, retryMs);
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
  }

  function giveUp() {
    const old = attempt;
    attempt = null;
    old.abort();
  }

  // The browser knows of a lost network before any beat is missing.
  addEventListener("offline", () => attempt !== null && lose());
  addEventListener("online", () => attempt === null && open());
  open();
  return {
    // In the name of the person who has signed in now. The view stays live meanwhile.
    reopen() {
      if (attempt === null) return;
      giveUp();
      open();
    },
  };
}
