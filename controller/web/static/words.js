// Codes and amounts as people read them.

export const PHASES = { waiting: "Waiting", betting: "Bets open", dealing: "Dealing", settled: "Result", held: "On hold", closed: "Closed" };

export function money(cents) {
  const digits = cents % 100 === 0 ? 0 : 2;
  return (cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD", minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function words(code) {
  const text = code.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
