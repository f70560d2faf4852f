// Changing the page in place: what did not change is not touched, so nothing flickers and no animation starts again.

const SVG = "http://www.w3.org/2000/svg";

export function byTestId(id) {
  return document.querySelector(`[data-testid="${id}"]`);
}

export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function setData(node, name, value) {
  if (node.dataset[name] !== value) node.dataset[name] = value;
}

// The text of a message, once the page has words; until then, and on a page of one language, the English that is given.
export const wording = { of: (id, english) => english };

export function html(tag, attributes = {}, ...children) {
  return build(document.createElement(tag), attributes, children);
}

export function button(content, id, press) {
  const made = html("button", { type: "button", "data-testid": id }, content);
  made.addEventListener("click", press);
  return made;
}

export function svg(tag, attributes = {}, ...children) {
  return build(document.createElementNS(SVG, tag), attributes, children);
}

function build(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// One child per item. A child is replaced only if its item, or the language, differs from what it was made of.
export function keep(parent, items, make) {
  items.forEach((item, index) => {
    const sign = document.documentElement.lang + JSON.stringify(item);
    const present = parent.children[index];
    if (present?.sign === sign) return;
    const child = make(item, index);
    child.sign = sign;
    if (present) present.replaceWith(child);
    else parent.append(child);
  });
  while (parent.children.length > items.length) parent.lastElementChild.remove();
}
