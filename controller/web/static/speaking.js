// The list of languages at the console. A language is kept for who is signed in, by name, and spoken when that person
// signs in again at this browser; where nobody is, for the browser itself.

import { byTestId, html } from "./dom.js";
import { choose, chosen, language, languages, onLanguage, speak } from "./language.js";

const STORE = "cutcard-languages-of-people";
const list = byTestId("language");

list.addEventListener("change", () => {
  const kept = ofPeople();
  for (const name of people) kept[name] = list.value;
  localStorage.setItem(STORE, JSON.stringify(kept));
  if (people.length) speak(list.value);
  else choose(list.value);
});
onLanguage(() => (list.value = language()));

let people = [];
let spokenTo = "";

languages().then((found) => {
  list.replaceChildren(...found.map(({ tag, name }) => html("option", { value: tag, lang: tag }, name)));
  list.value = language();
});

// `sessions`: who is signed in, the dealer first; `house`: the language that the house has set.
export function showLanguages(sessions, house) {
  people = sessions.map(({ name }) => name);
  const wanted = ofPeople()[people[0]] ?? (chosen() || house);
  const now = `${people[0] ?? ""} ${wanted}`;
  if (now === spokenTo) return;
  spokenTo = now;
  speak(wanted);
}

function ofPeople() {
  return JSON.parse(localStorage.getItem(STORE) ?? "{}");
}
