// A report as it is printed: apart from the page, with a style of its own, and taken along as a file.

import { html } from "./dom.js";

// Neither touches the other, and nothing in it runs. The policy of our pages takes no style element; a style sheet
// from this script it does.
export function layOut(paper, text) {
  const [element, rules] = /<style>([^]*?)<\/style>/.exec(text);
  const report = new DOMParser().parseFromString(text.replace(element, ""), "text/html");
  const style = new CSSStyleSheet();
  style.replaceSync(rules);
  paper.adoptedStyleSheets = [style];
  paper.replaceChildren(document.importNode(report.body, true));
}

export async function save(response, name) {
  const url = URL.createObjectURL(await response.blob());
  html("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
