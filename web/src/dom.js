// @ts-check
/**
 * Helpers for the page's elements. Panels describe themselves as new elements; `update` carries the
 * differences over to the elements that are on the page. So focus, scrolling and a half-done click
 * survive each change.
 *
 * @typedef {Record<string, (event: any) => void>} Listeners
 */

const SVG = "http://www.w3.org/2000/svg";

/** @type {WeakMap<EventTarget, Listeners>} */
const listenersOf = new WeakMap();
/** @type {WeakMap<Element, Record<string, any>>} */
const propertiesOf = new WeakMap();

/** @param {Event} event */
function dispatch(event) {
  if (event.currentTarget) listenersOf.get(event.currentTarget)?.[event.type]?.(event);
}

/**
 * Sets an element's listeners; those of before are gone.
 *
 * @param {Element} element
 * @param {Listeners} listeners
 */
function listen(element, listeners) {
  const before = listenersOf.get(element) ?? {};
  listenersOf.set(element, listeners);
  for (const name of Object.keys(listeners))
    if (!before[name]) element.addEventListener(name, dispatch);
  for (const name of Object.keys(before))
    if (!listeners[name]) element.removeEventListener(name, dispatch);
}

/**
 * Makes an element.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [attributes] `class`, `text`, `on` (listeners), `data-*`, properties
 * @param {(Node | string)[]} [children]
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes = {}, children = []) {
  const made = document.createElement(tag);
  /** @type {Record<string, any>} */
  const properties = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null) continue;
    if (name === "text") made.textContent = value;
    else if (name === "on") listen(made, value);
    else if (name === "class" || name.includes("-") || name === "for" || name === "role")
      made.setAttribute(name, String(value));
    else properties[name] = value;
  }
  made.append(...children);
  // a value of a select counts once its options are there
  Object.assign(made, properties);
  propertiesOf.set(made, properties);
  return made;
}

/**
 * Makes an SVG element.
 *
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {(Node | string)[]} [children]
 * @param {Listeners} [on]
 */
export function s(tag, attributes, children = [], on) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  if (on) listen(made, on);
  return made;
}

/** @param {Node} node */
const keyOf = (node) => (node instanceof HTMLElement ? (node.dataset.key ?? node.id) : "");

/** @param {Element} old @param {Element} made */
function carryOver(old, made) {
  for (const { name } of [...old.attributes])
    if (!made.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  for (const { name, value } of made.attributes)
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  listen(old, listenersOf.get(made) ?? {});
  update(old, [...made.childNodes]);
  const properties = propertiesOf.get(made) ?? {};
  for (const [name, value] of Object.entries(properties)) {
    // what a person is writing stays
    if (name === "value" && old === document.activeElement) continue;
    const target = /** @type {any} */ (old);
    if (target[name] !== value) target[name] = value;
  }
  propertiesOf.set(old, properties);
}

/** Whether an element on the page can become a new one. @param {Node} old @param {Node} made */
const fits = (old, made) => old.nodeName === made.nodeName && keyOf(old) === keyOf(made);

/**
 * Makes room for a new child at a place where another element stands: an element further on that
 * fits comes there because those before it go; an element that is still wanted stays.
 *
 * @param {Element} host
 * @param {Node} made
 * @param {number} at
 * @param {Node[]} after the new children behind it
 * @returns {ChildNode | null} the element that fits, or null when the new one took the place
 */
function place(host, made, at, after) {
  const old = host.childNodes[at];
  const later = keyOf(made) ? [...host.childNodes].slice(at).find((node) => fits(node, made)) : null;
  if (later) {
    while (host.childNodes[at] !== later) host.childNodes[at].remove();
    return later;
  }
  if (keyOf(old) && after.some((node) => fits(old, node))) host.insertBefore(made, old);
  else old.replaceWith(made);
  return null;
}

/**
 * Makes an element's children equal to the given ones, and keeps the elements that fit.
 *
 * @param {Element} host
 * @param {(Node | string)[]} children
 */
export function update(host, children) {
  const wanted = children.map((child) =>
    typeof child === "string" ? document.createTextNode(child) : child,
  );
  wanted.forEach((made, i) => {
    const there = host.childNodes[i];
    if (!there) {
      host.append(made);
      return;
    }
    const old = fits(there, made) ? there : place(host, made, i, wanted.slice(i + 1));
    if (old instanceof Element) carryOver(old, /** @type {Element} */ (made));
    else if (old && old.nodeValue !== made.nodeValue) old.nodeValue = made.nodeValue;
  });
  while (host.childNodes.length > wanted.length) host.lastChild?.remove();
}

/**
 * A labelled control in two columns.
 *
 * @param {string} label
 * @param {HTMLElement} control
 * @param {string} [id]
 * @returns {HTMLElement[]}
 */
export function field(label, control, id = "") {
  control.id ||= id || `f-${label.replace(/\W+/g, "-").toLowerCase()}-${control.tagName}`;
  return [h("label", { for: control.id, text: label }), control];
}

/**
 * @param {{value: string | number, text: string}[]} options
 * @param {string | number} chosen
 * @param {(value: string) => void} onChange
 * @param {string} [id]
 */
export function select(options, chosen, onChange, id = "") {
  return h(
    "select",
    {
      value: String(chosen),
      ...(id ? { id } : {}),
      on: { change: (/** @type {any} */ event) => onChange(event.currentTarget.value) },
    },
    options.map(({ value, text }) => h("option", { value: String(value), text })),
  );
}

/**
 * Saves a file on the user's machine.
 *
 * @param {string} name
 * @param {BlobPart} data
 * @param {string} type
 */
export function download(name, data, type) {
  const url = URL.createObjectURL(new Blob([data], { type }));
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** Shows a sentence for some seconds. @param {string} text */
export function toast(text) {
  document.querySelector(".toast")?.remove();
  const box = h("div", { class: "toast", role: "status", text });
  document.body.append(box);
  setTimeout(() => box.remove(), 6000);
}
