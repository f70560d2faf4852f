// Keeps one stream to the table open and reports whether its last view is still live.
//
// The server beats: every message and every "alive" promises the next within `next_ms`. When that promise is broken, or
// the connection fails, the view is stale from that moment, and only a whole new view makes it live again. EventSource
// alone is not enough: it keeps a half-open connection for hours and gives up for good on a 503.

const PATIENCE = 2.5;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 5000;

export function watch(address, { onView, onStale }) {
  let source = null;
  let watchdog = 0;
  let promisedMs = 2000;
  let retryMs = FIRST_RETRY_MS;
  let build = null;

  function open() {
    source = new EventSource(address);
    source.addEventListener("view", (message) => {
      received();
      retryMs = FIRST_RETRY_MS;
      onView(JSON.parse(message.data));
    });
    source.addEventListener("alive", (message) => {
      const alive = JSON.parse(message.data);
      promisedMs = alive.next_ms;
      received();
      // The board was upgraded under a screen that nobody ever reloads.
      if (build !== null && build !== alive.build) location.reload();
      build = alive.build;
    });
    source.addEventListener("error", lose);
    received();
  }

  function received() {
    clearTimeout(watchdog);
    watchdog = setTimeout(lose, PATIENCE * promisedMs);
  }

  function lose() {
    clearTimeout(watchdog);
    source.close();
    onStale();
    setTimeout(open, retryMs);
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
  }

  open();
}
