// What belongs to this tablet and to nobody's sign-in: for which hand its buttons lie, how long a second tap on the same
// place is taken for a slip of the finger, and how fast a badge reader types, in milliseconds from key to key.

const STORE = "cutcard-tablet";
const FIRST = { hand: "right", quiet: 300, burst: 35 };

export const settings = { ...FIRST, ...JSON.parse(localStorage.getItem(STORE) ?? "{}") };

export function change(name, value) {
  settings[name] = value;
  localStorage.setItem(STORE, JSON.stringify(settings));
}
