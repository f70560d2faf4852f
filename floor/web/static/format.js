// Times and money as people write them.

export function money(cents) {
  const whole = cents % 100 === 0;
  return (cents < 0 ? "−$" : "$") + (Math.abs(cents) / 100).toLocaleString("en-US", { minimumFractionDigits: whole ? 0 : 2, maximumFractionDigits: 2 });
}

// For a tile: $25, $1.5k.
export function shortMoney(cents) {
  const dollars = cents / 100;
  return dollars >= 1000 ? `$${+(dollars / 1000).toFixed(dollars >= 100000 ? 0 : 1)}k` : money(cents);
}

// The limits of a table: $25–10k.
export function limits(tile) {
  if (!tile.min_cents && tile.max_cents == null) return "";
  return tile.max_cents == null ? `${shortMoney(tile.min_cents)}+` : `${shortMoney(tile.min_cents)}–${shortMoney(tile.max_cents).slice(1)}`;
}

// What fell, as far as the sensors know: $120, or $100–$120; pieces where nobody has stated what they are worth.
export function fell(low, high, pieces) {
  if (high == null) return pieces == null ? `${money(low)} or more` : pieces === 1 ? "1 piece" : `${pieces} pieces`;
  return low === high ? money(low) : `${money(low)}–${money(high)}`;
}

export function span(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

// For a tile: 12s, 4m, 1h35.
export function shortSpan(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours}h${String(minutes % 60).padStart(2, "0")}` : `${Math.floor(hours / 24)}d`;
}

export function clock(ms) {
  return new Date(ms).toLocaleTimeString("en-US", { hour12: false });
}

export function moment(ms) {
  return new Date(ms).toLocaleString("en-US", { hour12: false });
}

export function date(ms) {
  return new Date(ms).toISOString().slice(0, 10);
}

export function words(name) {
  const text = String(name).replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };

export function card(code) {
  if (code == null) return "—";
  if (code === "Jo") return "Joker";
  const suit = SUITS[code[1]];
  return suit && !/^\d-/.test(code) ? code[0].replace("T", "10") + suit + code.slice(2) : code;
}
