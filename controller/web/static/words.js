// Codes and amounts as people read them, in the language of this screen.

import { said, t } from "./language.js";

export { money } from "./language.js";

const PHASES = ["waiting", "betting", "dealing", "settled", "held", "closed"];

export function phase(code) {
  return PHASES.includes(code) ? t(`page-phase-${code}`) : code;
}

export function words(code) {
  const text = code.replaceAll("_", " ");
  return said(text.charAt(0).toUpperCase() + text.slice(1));
}
