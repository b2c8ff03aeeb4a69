// @ts-check
/**
 * A finished game on a page of the arena: the board, the buttons that go through the moves, and the
 * switches for numbers and for Piskvork's counting. Pages add what they know of a position.
 *
 * @typedef {import("./board.js").Picture} Picture
 * @typedef {import("./board.js").Stone} Stone
 * @typedef {import("./core.js").Square} Square
 * @typedef {[x: number, y: number, color: number, captured: Square[], ...told: any[]]} Played color:
 *   0 is Black
 * @typedef {{size: number, setup?: [x: number, y: number, color: number][], moves: Played[],
 *            five: Square[], captureSize?: number}} Told captureSize: the stones that count as one
 *   capture
 * @typedef {{shown: (ply: number) => void, extra?: (ply: number) => Partial<Picture>,
 *            plays?: () => boolean}} Page what is done after each change, what else is drawn, and
 *   whether the moves may go on by themselves
 */
import { BoardView } from "./board.js";
import { h, update } from "./dom.js";
import { icon } from "./icons.js";
import { nameFor, same } from "./squares.js";

const PLAY_MS = 600;
const KEY = "tengen-counting";

/** Whether all boards of the page count squares as Piskvork does. */
let counting = false;
try {
  counting = localStorage.getItem(KEY) === "1";
} catch {
  // a page opened from a file may not be able to remember
}
/** @type {(() => void)[]} */
const listeners = [];

/** Calls back when the counting of squares changes. @param {() => void} listener */
export function onCounting(listener) {
  listeners.push(listener);
}

/** @param {boolean} on */
function count(on) {
  counting = on;
  try {
    localStorage.setItem(KEY, on ? "1" : "0");
  } catch {
    // nothing is remembered then
  }
  for (const listener of listeners) listener();
}

/** The name of a square as the page counts now. @param {Square} square @param {number} size */
export function named(square, size) {
  return nameFor(square, size, counting);
}

/** @param {string} image @param {string} label @param {() => void} click */
function button(image, label, click) {
  const told = { title: label, "aria-label": label };
  return h("button", { type: "button", class: image, ...told, on: { click } }, [icon(image)]);
}

/** @param {string} name @param {boolean} checked @param {(on: boolean) => void} change */
function box(name, checked, change) {
  const on = { change: (/** @type {any} */ event) => change(event.currentTarget.checked) };
  const input = h("input", { type: "checkbox", class: name, checked, on });
  return h("label", {}, [input, ` ${name === "counting" ? "Piskvork's counting" : name}`]);
}

export class Viewer {
  /**
   * @param {Element} place
   * @param {Told} told
   * @param {Page} page
   */
  constructor(place, told, page) {
    this.told = told;
    this.page = page;
    this.ply = 0;
    this.numbers = false;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.timer = undefined;
    const host = h("div", { class: "board-host" });
    this.bar = h("div", { class: "controls" });
    place.replaceChildren(host, this.bar);
    const { size } = told;
    this.view = new BoardView(host, { onSquare: ([x]) => this.step(x < size / 3 ? -1 : 1) });
    onCounting(() => this.show(this.ply));
  }

  controls() {
    const { length } = this.told.moves;
    const slider = { type: "range", min: "0", max: String(length), value: String(this.ply) };
    const input = (/** @type {any} */ event) => this.go(Number(event.currentTarget.value));
    return [
      button("first", "first position", () => this.go(0)),
      button("back", "back (\u2190)", () => this.step(-1)),
      button(this.timer ? "pause" : "go", "play or pause", () => this.toggle()),
      button("forward", "forward (\u2192)", () => this.step(1)),
      button("last", "last position", () => this.go(length)),
      h("input", { ...slider, "aria-label": "move", on: { input } }),
      h("output", { text: `${this.ply} / ${length}` }),
      box("numbers", this.numbers, (on) => {
        this.numbers = on;
        this.show(this.ply);
      }),
      box("counting", counting, count),
    ];
  }

  /** The stones after some moves, and those that the last of them took. @param {number} ply */
  stones(ply) {
    const { setup = [], moves } = this.told;
    /** @type {Stone[]} */
    let stones = setup.map(([x, y, color]) => ({ square: [x, y], color: color + 1 }));
    /** @type {Stone[]} */
    let captured = [];
    moves.slice(0, ply).forEach(([x, y, color, taken], i) => {
      const isTaken = (/** @type {Stone} */ stone) =>
        taken.some((square) => same(square, stone.square));
      captured = stones.filter(isTaken);
      stones = stones.filter((stone) => !isTaken(stone));
      stones.push({ square: [x, y], color: color + 1, number: i + 1, last: i === ply - 1 });
    });
    return { stones, captured };
  }

  /** The stones that Black and White have captured up to the shown position. */
  get fallen() {
    const fallen = [0, 0];
    for (const [, , color, captured] of this.told.moves.slice(0, this.ply))
      fallen[color] += captured.length;
    return fallen;
  }

  /** @param {number} ply */
  show(ply) {
    const { size, moves, five } = this.told;
    this.ply = Math.max(0, Math.min(moves.length, ply));
    this.view.draw({
      size,
      ...this.stones(this.ply),
      five: this.ply === moves.length ? five : [],
      numbers: this.numbers,
      counting,
      label: `The board after move ${this.ply}`,
      ...this.page.extra?.(this.ply),
    });
    update(this.bar, this.controls());
    this.page.shown(this.ply);
  }

  /** @param {number} ply */
  go(ply) {
    clearInterval(this.timer);
    this.timer = undefined;
    this.show(ply);
  }

  /** @param {number} by */
  step(by) {
    this.go(this.ply + by);
  }

  toggle() {
    if (this.timer) return this.go(this.ply);
    const { length } = this.told.moves;
    this.timer = setInterval(() => {
      if (this.ply === length || this.page.plays?.() === false) this.go(this.ply);
      else this.show(this.ply + 1);
    }, PLAY_MS);
    this.show(this.ply === length ? 0 : this.ply);
  }

  /**
   * Goes where a key leads: one move back or forward; with Home and End to the ends, where these
   * keys mean the board.
   *
   * @param {KeyboardEvent} event
   * @param {boolean} ends
   */
  onKey(event, ends) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (/** @type {Element} */ (event.target).matches("input, select")) return;
    /** @type {Record<string, number | undefined>} */
    const places = {
      ArrowLeft: this.ply - 1,
      ArrowRight: this.ply + 1,
      Home: ends ? 0 : undefined,
      End: ends ? this.told.moves.length : undefined,
    };
    const ply = places[event.key];
    if (ply === undefined) return;
    event.preventDefault();
    this.go(ply);
  }
}
