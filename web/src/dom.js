// @ts-check
/** Small helpers for the page's elements. */

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
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "text") made.textContent = value;
    else if (name === "on")
      for (const [event, listener] of Object.entries(value))
        made.addEventListener(event, /** @type {EventListener} */ (listener));
    else if (name === "class" || name.includes("-") || name === "for" || name === "role")
      made.setAttribute(name, String(value));
    else /** @type {any} */ (made)[name] = value;
  }
  made.append(...children);
  return made;
}

/**
 * A labelled control in two columns.
 *
 * @param {string} label
 * @param {HTMLElement} control
 * @returns {HTMLElement[]}
 */
export function field(label, control) {
  control.id ||= `f${Math.random().toString(36).slice(2)}`;
  return [h("label", { for: control.id, text: label }), control];
}

/**
 * @param {{value: string | number, text: string}[]} options
 * @param {string | number} chosen
 * @param {(value: string) => void} onChange
 */
export function select(options, chosen, onChange) {
  const made = h(
    "select",
    { on: { change: () => onChange(made.value) } },
    options.map(({ value, text }) => h("option", { value: String(value), text })),
  );
  made.value = String(chosen);
  return made;
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
