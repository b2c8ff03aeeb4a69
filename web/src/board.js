// @ts-check
/**
 * The board as an SVG. It draws what it is told and says which square was meant; it knows neither
 * rules nor the engine.
 *
 * @typedef {import("./core.js").Square} Square
 * @typedef {{square: Square, color: number, number?: number, last?: boolean}} Stone
 * @typedef {{square: Square, text: string, sub?: string, tone: "best" | "good" | "fair" | "bad" | "plain"}} Mark
 * @typedef {{size: number, stones: Stone[], captured?: Stone[], forbidden?: Square[],
 *            targets?: Square[], five?: Square[], threats?: import("./threats.js").Threat[], marks?: Mark[], ghosts?: Stone[], cursor?: Square | null,
 *            numbers?: boolean, counting?: boolean, toMove?: number, label: string}} Picture
 */
import { s } from "./dom.js";
import { labels, same } from "./squares.js";

/** Units of the drawing: one square is CELL wide. */
const CELL = 40;
/** Room for the labels at the left and below, and the room at the other sides. */
const WIDE = 20;
const NARROW = 6;

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {string} [text]
 */
const element = (tag, attributes, text) => s(tag, attributes, text === undefined ? [] : [text]);

/** The middle of a square; the origin is the corner of the first one. @param {number} n */
const at = (n) => CELL / 2 + n * CELL;

/**
 * The part of the plane that is drawn: labels stand below, or above where rows count from the top.
 *
 * @param {number} size
 * @param {boolean} counting
 */
function frame(size, counting) {
  return { left: -WIDE, top: counting ? -WIDE : -NARROW, whole: WIDE + NARROW + size * CELL };
}

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

/** How many boards there are: the colours of each have names of their own. */
let views = 0;

export class BoardView {
  /**
   * @param {HTMLElement} host
   * @param {{onSquare: (square: Square) => void, onHover?: (square: Square | null) => void}} events
   */
  constructor(host, events) {
    this.host = host;
    this.events = events;
    this.size = 0;
    this.counting = false;
    this.svg = element("svg", { class: "board", role: "application", tabindex: 0 });
    this.host.replaceChildren(this.svg);
    /** @type {Map<string, {group: Element, drawn: string}>} */
    this.layers = new Map();
    this.number = ++views;
    this.svg.append(gradients(this.number));
    for (const name of ["ground", "stones", "marks", "cursor"]) {
      const group = element("g", {});
      this.svg.append(group);
      this.layers.set(name, { group, drawn: "" });
    }
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
    const { left, top, whole } = frame(this.size, this.counting);
    const x = Math.floor((((clientX - box.left) / box.width) * whole + left) / CELL);
    const y = Math.floor((((clientY - box.top) / box.height) * whole + top) / CELL);
    return x >= 0 && y >= 0 && x < this.size && y < this.size ? [x, y] : null;
  }

  /**
   * Where a square lies on the screen.
   *
   * @param {Square} square
   * @returns {{clientX: number, clientY: number}}
   */
  placeOf([x, y]) {
    const box = this.svg.getBoundingClientRect();
    const { left, top, whole } = frame(this.size, this.counting);
    return {
      clientX: box.left + ((at(x) - left) / whole) * box.width,
      clientY: box.top + ((at(y) - top) / whole) * box.height,
    };
  }

  /** @param {Picture} picture */
  draw(picture) {
    const { size, counting = false } = picture;
    this.size = size;
    this.counting = counting;
    const { left, top, whole } = frame(size, counting);
    this.svg.setAttribute("viewBox", `${left} ${top} ${whole} ${whole}`);
    this.svg.setAttribute("aria-label", picture.label);
    this.layer("ground", [size, counting], () => ground(picture));
    const { stones, captured, numbers } = picture;
    this.layer("stones", [stones, captured, numbers], () => stonesOf(picture, this.number));
    const { forbidden, targets, five, threats, marks, ghosts } = picture;
    this.layer("marks", [forbidden, targets, five, threats, marks, ghosts], () =>
      marksOf(picture, this.number),
    );
    this.layer("cursor", [picture.cursor ?? null], () => cursorOf(picture));
  }

  /**
   * Draws a layer when what it shows has changed; an animation in it is not begun again.
   *
   * @param {string} name
   * @param {any[]} shows
   * @param {() => Element[]} make
   */
  layer(name, shows, make) {
    const layer = this.layers.get(name);
    const text = JSON.stringify(shows);
    if (!layer || layer.drawn === text) return;
    layer.drawn = text;
    layer.group.replaceChildren(...make());
  }
}

/** @param {number} view */
function gradients(view) {
  const defs = element("defs", {});
  for (const [id, from, to] of [
    ["black-stone", "var(--black-light)", "var(--black-dark)"],
    ["white-stone", "var(--white-light)", "var(--white-dark)"],
  ]) {
    const gradient = element("radialGradient", {
      id: `${id}-${view}`,
      cx: "35%",
      cy: "30%",
      r: "75%",
    });
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
  const { left, top, whole } = frame(size, counting);
  const made = [
    element("rect", { class: "wood", x: left, y: top, width: whole, height: whole, rx: 6 }),
  ];
  let path = "";
  for (let i = 0; i < size; i++)
    path += `M${at(0)} ${at(i)}H${at(size - 1)}M${at(i)} ${at(0)}V${at(size - 1)}`;
  made.push(element("path", { class: "lines", d: path }));
  const edge = at(size - 1) - at(0);
  made.push(element("rect", { class: "edge", x: at(0), y: at(0), width: edge, height: edge }));
  for (const [x, y] of dots(size))
    made.push(element("circle", { class: "dot", cx: at(x), cy: at(y), r: 4 }));
  const { columns, rows } = labels(size, counting);
  const beside = -WIDE / 2 + 2;
  const below = counting ? beside : size * CELL + WIDE / 2 - 2;
  for (let i = 0; i < size; i++)
    made.push(
      element("text", { class: "label", x: at(i), y: below }, columns[i]),
      element("text", { class: "label", x: beside, y: at(i) }, rows[i]),
    );
  return made;
}

/** @param {Picture} picture @param {number} view */
function stonesOf({ captured = [], stones, numbers }, view) {
  return [
    ...captured.map((stone) => stoneOf(view, stone, "stone fallen")),
    ...stones.map((stone) => stoneOf(view, stone, "stone", numbers)),
  ];
}

/** @param {Picture} picture @param {number} view */
function marksOf(picture, view) {
  const {
    forbidden = [],
    targets = [],
    five = [],
    threats = [],
    marks = [],
    ghosts = [],
  } = picture;
  return [
    ...five.map(([x, y]) =>
      element("circle", { class: "five", cx: at(x), cy: at(y), r: CELL * 0.46 }),
    ),
    ...forbidden.map(crossOf),
    ...targets.map((square) => element("rect", { class: "target", ...box(square, 13) })),
    ...marks.map(markOf),
    ...threats.map((threat) => threatOf(threat, marks.some(({ square }) => same(square, threat.square)))),
    ...ghosts.map((ghost) => stoneOf(view, ghost, "stone ghost", true)),
  ];
}

/** @param {Picture} picture */
function cursorOf({ cursor }) {
  return cursor ? [element("rect", { class: "cursor", ...box(cursor, 18) })] : [];
}

/**
 * @param {Square} square
 * @param {number} half
 */
function box([x, y], half) {
  return { x: at(x) - half, y: at(y) - half, width: 2 * half, height: 2 * half, rx: 5 };
}

/**
 * @param {number} view
 * @param {Stone} stone
 * @param {string} kind
 * @param {boolean} [numbered]
 */
function stoneOf(view, { square: [x, y], color, number, last }, kind, numbered = false) {
  const group = element("g", { class: `${kind} ${color === 1 ? "black" : "white"}` });
  const fill = `url(#${color === 1 ? "black" : "white"}-stone-${view})`;
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

/**
 * Black's at the upper left of the square, White's at the lower right; at the rim of a mark.
 *
 * @param {import("./threats.js").Threat} threat
 * @param {boolean} isMarked
 */
function threatOf({ square: [x, y], color, text }, isMarked) {
  const way = color === 1 ? -1 : 1;
  const [cx, cy] = isMarked ? [at(x) + way * 15, at(y) + way * 15] : [at(x) + way * 8, at(y) + way * 9];
  return s("g", { class: `threat ${color === 1 ? "black" : "white"}` }, [
    element("rect", { x: cx - 10, y: cy - 7, width: 20, height: 14, rx: 5 }),
    element("text", { x: cx, y: cy }, text),
  ]);
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
 * @param {string} name of the square
 */
export function describe(picture, square, words, name) {
  const stone = picture.stones.find((s) => s.square[0] === square[0] && s.square[1] === square[1]);
  const what = !stone ? words.empty : stone.color === 1 ? words.black : words.white;
  return `${name}, ${what}`;
}
