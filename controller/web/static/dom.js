// Changing the page in place: what did not change is not touched, so nothing flickers and no animation starts anew.

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

export function html(tag, attributes = {}, ...children) {
  return build(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return build(document.createElementNS(SVG, tag), attributes, children);
}

function build(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// One child per item. A child is made anew only where its item differs from the one that stands there.
export function keep(parent, items, make) {
  items.forEach((item, index) => {
    const sign = JSON.stringify(item);
    const standing = parent.children[index];
    if (standing?.sign === sign) return;
    const child = make(item, index);
    child.sign = sign;
    if (standing) standing.replaceWith(child);
    else parent.append(child);
  });
  while (parent.children.length > items.length) parent.lastElementChild.remove();
}
