// @ts-check
/**
 * The board as an SVG. It draws what it is told and says which square was meant; it knows neither
 * rules nor the engine.
 *
 * @typedef {import("./core.js").Square} Square
 * @typedef {{square: Square, color: number, number?: number, last?: boolean}} Stone
 * @typedef {{square: Square, text: string, sub?: string, tone: "best" | "good" | "fair" | "bad" | "plain"}} Mark
 * @typedef {{size: number, stones: Stone[], captured?: Stone[], forbidden?: Square[],
 *            targets?: Square[], marks?: Mark[], ghosts?: Stone[], cursor?: Square | null,
 *            numbers?: boolean, counting?: boolean, toMove?: number, label: string}} Picture
 */
import { labels, nameOf } from "./squares.js";

const NS = "http://www.w3.org/2000/svg";
/** Units of the drawing: one square is CELL wide. */
const CELL = 40;
const MARGIN = 34;

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {string} [text]
 */
function element(tag, attributes, text) {
  const made = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}

/** @param {number} n */
const at = (n) => MARGIN + CELL / 2 + n * CELL;

/**
 * The dots of a board: the centre and four more, on boards where they are usual.
 *
 * @param {number} size
 * @returns {Square[]}
 */
export function dots(size) {
  if (size % 2 === 0) return [];
  const middle = (size - 1) / 2;
  if (size < 11) return [[middle, middle]];
  const near = 3;
  const far = size - 1 - near;
  return [
    [middle, middle],
    [near, near],
    [far, near],
    [near, far],
    [far, far],
  ];
}

export class BoardView {
  /**
   * @param {HTMLElement} host
   * @param {{onSquare: (square: Square) => void, onHover?: (square: Square | null) => void}} events
   */
  constructor(host, events) {
    this.host = host;
    this.events = events;
    this.size = 0;
    this.svg = element("svg", { class: "board", role: "application", tabindex: 0 });
    this.host.replaceChildren(this.svg);
    this.svg.addEventListener("click", (event) => {
      const square = this.squareAt(/** @type {MouseEvent} */ (event));
      if (square) this.events.onSquare(square);
    });
    this.svg.addEventListener("pointermove", (event) =>
      this.events.onHover?.(this.squareAt(/** @type {MouseEvent} */ (event))),
    );
    this.svg.addEventListener("pointerleave", () => this.events.onHover?.(null));
  }

  /**
   * @param {{clientX: number, clientY: number}} event
   * @returns {Square | null}
   */
  squareAt({ clientX, clientY }) {
    const box = this.svg.getBoundingClientRect();
    const whole = 2 * MARGIN + this.size * CELL;
    const x = Math.floor((((clientX - box.left) / box.width) * whole - MARGIN) / CELL);
    const y = Math.floor((((clientY - box.top) / box.height) * whole - MARGIN) / CELL);
    return x >= 0 && y >= 0 && x < this.size && y < this.size ? [x, y] : null;
  }

  /** @param {Picture} picture */
  draw(picture) {
    this.size = picture.size;
    const whole = 2 * MARGIN + picture.size * CELL;
    this.svg.setAttribute("viewBox", `0 0 ${whole} ${whole}`);
    this.svg.setAttribute("aria-label", picture.label);
    this.svg.replaceChildren(gradients(), ...ground(picture), ...pieces(picture));
  }
}

function gradients() {
  const defs = element("defs", {});
  for (const [id, from, to] of [
    ["black-stone", "var(--black-light)", "var(--black-dark)"],
    ["white-stone", "var(--white-light)", "var(--white-dark)"],
  ]) {
    const gradient = element("radialGradient", { id, cx: "35%", cy: "30%", r: "75%" });
    gradient.append(
      element("stop", { offset: "0%", style: `stop-color:${from}` }),
      element("stop", { offset: "100%", style: `stop-color:${to}` }),
    );
    defs.append(gradient);
  }
  return defs;
}

/**
 * Wood, lines, dots and labels.
 *
 * @param {Picture} picture
 */
function ground({ size, counting = false }) {
  const whole = 2 * MARGIN + size * CELL;
  const made = [
    element("rect", { class: "wood", x: 0, y: 0, width: whole, height: whole, rx: 8 }),
  ];
  let path = "";
  for (let i = 0; i < size; i++)
    path += `M${at(0)} ${at(i)}H${at(size - 1)}M${at(i)} ${at(0)}V${at(size - 1)}`;
  made.push(element("path", { class: "lines", d: path }));
  for (const [x, y] of dots(size))
    made.push(element("circle", { class: "dot", cx: at(x), cy: at(y), r: 4 }));
  const { columns, rows } = labels(size, counting);
  for (let i = 0; i < size; i++) {
    const end = whole - MARGIN / 2;
    made.push(
      element("text", { class: "label", x: at(i), y: counting ? MARGIN / 2 : end }, columns[i]),
      element("text", { class: "label", x: MARGIN / 2, y: at(i) }, rows[i]),
    );
  }
  return made;
}

/**
 * Everything on the board, from below to above.
 *
 * @param {Picture} picture
 */
function pieces(picture) {
  const made = [];
  for (const stone of picture.captured ?? []) made.push(stoneOf(stone, "stone fallen"));
  for (const stone of picture.stones) made.push(stoneOf(stone, "stone", picture.numbers));
  for (const square of picture.forbidden ?? []) made.push(crossOf(square));
  for (const square of picture.targets ?? [])
    made.push(element("rect", { class: "target", ...box(square, 13) }));
  for (const mark of picture.marks ?? []) made.push(markOf(mark));
  for (const ghost of picture.ghosts ?? []) made.push(stoneOf(ghost, "stone ghost", true));
  if (picture.cursor) made.push(element("rect", { class: "cursor", ...box(picture.cursor, 18) }));
  return made;
}

/**
 * @param {Square} square
 * @param {number} half
 */
function box([x, y], half) {
  return { x: at(x) - half, y: at(y) - half, width: 2 * half, height: 2 * half, rx: 5 };
}

/**
 * @param {Stone} stone
 * @param {string} kind
 * @param {boolean} [numbered]
 */
function stoneOf({ square: [x, y], color, number, last }, kind, numbered = false) {
  const group = element("g", { class: `${kind} ${color === 1 ? "black" : "white"}` });
  const fill = `url(#${color === 1 ? "black" : "white"}-stone)`;
  group.append(element("circle", { cx: at(x), cy: at(y), r: CELL * 0.46, fill }));
  if (numbered && number !== undefined)
    group.append(element("text", { class: "number", x: at(x), y: at(y) }, String(number)));
  if (last && !numbered)
    group.append(element("circle", { class: "last", cx: at(x), cy: at(y), r: CELL * 0.18 }));
  else if (last)
    group.append(element("circle", { class: "ring", cx: at(x), cy: at(y), r: CELL * 0.46 }));
  return group;
}

/** @param {Square} square */
function crossOf([x, y]) {
  const d = 8;
  return element("path", {
    class: "forbidden",
    d: `M${at(x) - d} ${at(y) - d}l${2 * d} ${2 * d}m0 ${-2 * d}l${-2 * d} ${2 * d}`,
  });
}

/** @param {Mark} mark */
function markOf({ square: [x, y], text, sub, tone }) {
  const group = element("g", { class: `mark ${tone}` });
  group.append(
    element("circle", { cx: at(x), cy: at(y), r: CELL * 0.44 }),
    element("text", { class: "rank", x: at(x), y: at(y) - (sub ? 5 : 0) }, text),
  );
  if (sub) group.append(element("text", { class: "sub", x: at(x), y: at(y) + 9 }, sub));
  return group;
}

/**
 * A sentence that a screen reader says of a square.
 *
 * @param {Picture} picture
 * @param {Square} square
 * @param {{black: string, white: string, empty: string}} words
 */
export function describe(picture, square, words) {
  const stone = picture.stones.find((s) => s.square[0] === square[0] && s.square[1] === square[1]);
  const what = !stone ? words.empty : stone.color === 1 ? words.black : words.white;
  return `${nameOf(square, picture.size)}, ${what}`;
}
