// What belongs to this tablet and to nobody's sign-in: for which hand its buttons lie, and how long a second tap on the same
// place is taken for a slip of the finger.

const STORE = "cutcard-tablet";
const FIRST = { hand: "right", quiet: 300 };

export const settings = { ...FIRST, ...JSON.parse(localStorage.getItem(STORE) ?? "{}") };

export function change(name, value) {
  settings[name] = value;
  localStorage.setItem(STORE, JSON.stringify(settings));
}
