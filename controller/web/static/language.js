// The language of this screen: texts by their id, sentences of the table by themselves, money and numbers as people write them.
//
// The words are Fluent files (controller/web/languages). A text of a page has an id: `t("page-live")`. A sentence that the
// table makes ("Seat 3: fold, call $4 or raise to $8") has none: the journal, the broker and the log have it in English, and
// so has the document that comes here. `said` finds the message of the English file that it was made by, with its arguments,
// and writes that message in this screen's language. What no message fits stays in English; a guess is never shown.

import { wording } from "./dom.js";
import "./fluent-bundle.js";
import { Sentences } from "./sentences.js";

const { FluentBundle, FluentResource } = globalThis.FluentBundle;
const STORE = "cutcard-language";
const SOURCE = "en";
const RETRY_MS = 1000;
// The pages' own texts: no sentence of the table is one of them.
const OF_PAGES = "page-";

const files = new Map();
const listeners = [];
const source = new FluentResource((await load(SOURCE)).ours);
const english = bundleOf(SOURCE, source);
let words = english;
let sentences = null;
let formats = formatsOf(SOURCE);
let tag = "";

// What this browser was set to, by `?lang=` in the address or on the page; empty: what the house has configured.
export function chosen() {
  return localStorage.getItem(STORE) ?? "";
}

export function choose(language) {
  localStorage.setItem(STORE, language);
  return speak(language);
}

export function language() {
  return tag;
}

// What there is to choose from: [{ tag, name }], each name in its own language.
export async function languages() {
  return (await fetch("/api/words")).json();
}

// `listener` is called when the language has changed: then everything is written anew.
export function onLanguage(listener) {
  listeners.push(listener);
}

export async function speak(language) {
  if (language === tag) return;
  const file = await load(language);
  if (file === null) return;
  const isEnglish = language === SOURCE && !file.house;
  tag = language;
  // The house's own words come after those that we bring, and win.
  words = isEnglish ? english : bundleOf(tag, new FluentResource(file.ours), new FluentResource(file.house));
  const keys = source.body.filter(({ id }) => !id.startsWith(OF_PAGES));
  sentences = isEnglish ? null : new Sentences(keys, t, written);
  formats = formatsOf(t("page-numbers"));
  writePage();
  for (const listener of listeners) listener();
}

// A text of the page.
export function t(id, args) {
  for (const bundle of [words, english]) {
    const message = bundle.getMessage(id);
    if (message?.value) return bundle.formatPattern(message.value, args);
  }
  return id;
}

// A sentence, a name or a code of the table.
export function said(text) {
  return sentences === null ? text : sentences.translated(text) ?? text;
}

export function money(cents) {
  return formats[cents % 100 === 0 ? "whole" : "exact"].format(cents / 100);
}

// One decimal, as the counts of a shoe have it; the hundred has none.
export function percent(value) {
  return formats[value === 100 ? "hundred" : "share"].format(value / 100);
}

export function time(date) {
  return date.toLocaleTimeString(formats.locale);
}

// The texts of a document that are for people, in this language. Everything else of it is as it came.
export function spoken(document) {
  return sentences === null ? document : translated(document);
}

const TEXTS = ["prompt", "text", "lifted_by", "outcome_text", "stakes", "label", "under", "sure", "title", "what", "hand", "total", "next", "to_do", "ends", "names", "felt", "rows", "trouble"];
const AS_IT_CAME = ["body", "before", "after", "value", "given", "bounds", "game", "jackpots", "wagers"];
// What is a wager here may be an act elsewhere: "Bet", "Call", "Raise".
const WAGERS = ["bets", "what"];

function translated(value, inside = "") {
  if (Array.isArray(value)) return value.map((part) => translated(part, inside));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, AS_IT_CAME.includes(name) ? part : TEXTS.includes(name) ? inWords(part, WAGERS.includes(name) ? name : inside) : translated(part, name)]));
}

function inWords(value, inside) {
  if (typeof value === "string") return (WAGERS.includes(inside) ? sentences.translated(value, "bet") : null) ?? said(value);
  if (Array.isArray(value) && value.every((part) => typeof part === "string" || Array.isArray(part))) return value.map((part) => inWords(part, inside));
  return translated(value);
}

// Every element with `data-l10n-id` gets its text, and those attributes that its message has.
function writePage() {
  document.documentElement.lang = tag;
  for (const node of document.querySelectorAll("[data-l10n-id]")) {
    const bundle = words.hasMessage(node.dataset.l10nId) ? words : english;
    const message = bundle.getMessage(node.dataset.l10nId);
    if (message.value) node.textContent = bundle.formatPattern(message.value);
    for (const [name, pattern] of Object.entries(message.attributes)) node.setAttribute(name, bundle.formatPattern(pattern));
  }
}

function written(text) {
  return money(Math.round(Number(text.replaceAll(/[$,]/g, "")) * 100));
}

function bundleOf(language, ...resources) {
  const bundle = new FluentBundle(language, { useIsolating: false });
  for (const resource of resources) bundle.addResource(resource, { allowOverrides: true });
  return bundle;
}

function formatsOf(locale) {
  const dollars = { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" };
  const share = { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return {
    locale,
    whole: new Intl.NumberFormat(locale, { ...dollars, maximumFractionDigits: 0 }),
    exact: new Intl.NumberFormat(locale, dollars),
    share: new Intl.NumberFormat(locale, share),
    hundred: new Intl.NumberFormat(locale, { style: "percent" }),
  };
}

// The words of a language, ours and the house's, asked for until the table answers; null where there are none.
async function load(language) {
  while (!files.has(language)) {
    try {
      const response = await fetch(`/api/words/${encodeURIComponent(language)}`);
      if (response.status === 404) return null;
      if (response.ok) files.set(language, await response.json());
    } catch {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
  return files.get(language);
}

wording.of = (id) => t(id);

const asked = new URLSearchParams(location.search).get("lang");
if (asked === "") localStorage.removeItem(STORE);
else if (asked) localStorage.setItem(STORE, asked);
await speak(SOURCE);
if (chosen()) await speak(chosen());
