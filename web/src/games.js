// @ts-check
/**
 * The games on a tournament's page: a board and a list of moves for each opened card, and the filter
 * above the cards. The arena puts this file and those that it imports into the page as they are.
 *
 * @typedef {import("./board.js").Stone} Stone
 * @typedef {import("./core.js").Square} Square
 * @typedef {[x: number, y: number, color: number, captured: Square[], ms?: number,
 *            depth?: number | null, score?: string | null, nodes?: number | null]} Move color: 0 is
 *   Black; of an opening's move only the first four are told
 * @typedef {{size: number, moves: Move[], five: Square[]}} Told
 */
import { BoardView } from "./board.js";
import { h, update } from "./dom.js";
import { icon } from "./icons.js";
import { nameOf, same } from "./squares.js";

const COLORS = ["black", "white"];
const PLAY_MS = 600;

/** @param {number} ms */
function timeText(ms) {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(ms < 10000 ? 2 : 1)} s`;
}

/** @param {number} count */
function countText(count) {
  for (const [limit, unit] of /** @type {[number, string][]} */ ([
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ]))
    if (count >= limit) return (count / limit).toPrecision(3) + unit;
  return String(count);
}

/** @param {string} image @param {string} label @param {() => void} click */
function button(image, label, click) {
  const named = { title: label, "aria-label": label };
  return h("button", { type: "button", class: image, ...named, on: { click } }, [icon(image)]);
}

/** What a game's record tells of a move, as the cells of its row. @param {Move} move */
function toldOf([, , , , ms, depth, score, nodes]) {
  if (ms === undefined) return ["opening", "", "", ""];
  const count = nodes === null || nodes === undefined ? "" : countText(nodes);
  return [timeText(ms), String(depth ?? ""), score ?? "", count];
}

class Viewer {
  /** @param {HTMLElement} card */
  constructor(card) {
    this.card = card;
    const text = card.querySelector('script[type="application/json"]')?.textContent ?? "";
    /** @type {Told} */
    this.told = JSON.parse(text);
    this.ply = 0;
    this.numbers = false;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.timer = undefined;
    const host = h("div", { class: "board-host" });
    this.bar = h("div", { class: "controls" });
    card.querySelector("figure")?.replaceChildren(host, this.bar);
    const { size } = this.told;
    this.view = new BoardView(host, { onSquare: ([x]) => this.step(x < size / 3 ? -1 : 1) });
    this.list = h("div", { class: "list", tabIndex: 0 }, [this.table()]);
    card.querySelector(".side")?.append(this.list);
    this.show(this.told.moves.length);
  }

  table() {
    const { moves, size } = this.told;
    this.rows = moves.map((move, i) => {
      const [x, y, color, captured, ms] = move;
      const parts = [h("i", { class: `disc ${COLORS[color]}` }), nameOf([x, y], size)];
      if (captured.length)
        parts.push(h("span", { class: "takes", text: ` \u00d7${captured.length}` }));
      const cells = toldOf(move).map((text) => h("td", { text }));
      const kind = ms === undefined ? "opening" : "";
      return h("tr", { class: kind, on: { click: () => this.go(i + 1) } }, [
        h("td", { text: String(i + 1) }),
        h("td", {}, parts),
        ...cells,
      ]);
    });
    const titles = ["", "move", "time", "depth", "score", "nodes"];
    const head = titles.map((text) => h("th", { scope: "col", text }));
    return h("table", { class: "moves" }, [
      h("thead", {}, [h("tr", {}, head)]),
      h("tbody", {}, this.rows),
    ]);
  }

  controls() {
    const { length } = this.told.moves;
    const slider = { type: "range", min: "0", max: String(length), value: String(this.ply) };
    const input = (/** @type {any} */ event) => this.go(Number(event.currentTarget.value));
    const change = (/** @type {any} */ event) => {
      this.numbers = event.currentTarget.checked;
      this.show(this.ply);
    };
    return [
      button("first", "first position", () => this.go(0)),
      button("back", "back (\u2190)", () => this.step(-1)),
      button(this.timer ? "pause" : "go", "play or pause", () => this.toggle()),
      button("forward", "forward (\u2192)", () => this.step(1)),
      button("last", "last position", () => this.go(length)),
      h("input", { ...slider, "aria-label": "move", on: { input } }),
      h("output", { text: `${this.ply} / ${length}` }),
      h("label", {}, [
        h("input", { type: "checkbox", checked: this.numbers, on: { change } }),
        " numbers",
      ]),
    ];
  }

  /** The stones after some moves, and those that the last of them took. @param {number} ply */
  stones(ply) {
    /** @type {Stone[]} */
    let stones = [];
    /** @type {Stone[]} */
    let captured = [];
    this.told.moves.slice(0, ply).forEach(([x, y, color, taken], i) => {
      const isTaken = (/** @type {Stone} */ stone) =>
        taken.some((square) => same(square, stone.square));
      captured = stones.filter(isTaken);
      stones = stones.filter((stone) => !isTaken(stone));
      const last = i === ply - 1;
      stones.push({ square: [x, y], color: color + 1, number: i + 1, last });
    });
    return { stones, captured };
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
      label: `The board after move ${this.ply}`,
    });
    update(this.bar, this.controls());
    this.showPairs();
    this.markRow();
  }

  showPairs() {
    const pairs = [0, 0];
    for (const [, , color, captured] of this.told.moves.slice(0, this.ply))
      pairs[color] += captured.length / 2;
    COLORS.forEach((name, color) => {
      const cell = this.card.querySelector(`[data-pairs="${name}"]`);
      if (cell) cell.textContent = String(pairs[color]);
    });
  }

  markRow() {
    this.rows?.forEach((row, i) => row.classList.toggle("now", i === this.ply - 1));
    const row = this.rows?.[this.ply - 1];
    // only the list is scrolled; scrollIntoView would move the page too
    this.list.scrollTop = row ? row.offsetTop - this.list.clientHeight / 2 : 0;
  }

  /** @param {number} ply */
  go(ply) {
    this.pause();
    this.show(ply);
  }

  /** @param {number} by */
  step(by) {
    this.go(this.ply + by);
  }

  toggle() {
    if (this.timer) return this.go(this.ply);
    this.timer = setInterval(() => {
      if (this.ply === this.told.moves.length || !this.card.hasAttribute("open")) this.go(this.ply);
      else this.show(this.ply + 1);
    }, PLAY_MS);
    this.show(this.ply === this.told.moves.length ? 0 : this.ply);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

/** @type {Map<Element, Viewer>} */
const viewers = new Map();
/** @type {Viewer | undefined} */
let current;
const cards = /** @type {NodeListOf<HTMLDetailsElement>} */ (
  document.querySelectorAll("details.game")
);

/** @param {HTMLElement} card */
function choose(card) {
  current = viewers.get(card) ?? current;
}

/** @param {HTMLElement} card */
function opened(card) {
  if (!viewers.has(card)) viewers.set(card, new Viewer(card));
  choose(card);
  current?.markRow();
}

function openFromAddress() {
  const card = document.getElementById(location.hash.slice(1));
  if (!(card instanceof HTMLDetailsElement)) return;
  card.hidden = false;
  card.open = true;
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (!current?.card.hasAttribute("open") || event.ctrlKey || event.altKey || event.metaKey) return;
  const target = /** @type {Element} */ (event.target);
  if (target.matches("input, select")) return;
  const inside = current.card.contains(target);
  /** @type {Record<string, number | undefined>} */
  const places = {
    ArrowLeft: current.ply - 1,
    ArrowRight: current.ply + 1,
    Home: inside ? 0 : undefined,
    End: inside ? current.told.moves.length : undefined,
  };
  const ply = places[event.key];
  if (ply === undefined) return;
  event.preventDefault();
  current.go(ply);
}

/** The filter: games of one player, or of two against each other. */
function filtered() {
  const form = /** @type {HTMLFormElement} */ (document.querySelector("form.filter"));
  const control = (/** @type {string} */ name) =>
    /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
  const filter = () => {
    const [one, two] = [control("one").value, control("two").value];
    let shown = 0;
    for (const card of cards) {
      const players = [card.dataset.black, card.dataset.white];
      const mine = !one || players.includes(one);
      const theirs = !two || (one === two ? players[0] === players[1] : players.includes(two));
      card.hidden = !(mine && theirs && (!control("forfeits").checked || card.dataset.forfeit));
      if (!card.hidden) shown++;
    }
    const output = form.querySelector("output");
    if (output) output.textContent = `${shown} of ${cards.length} games`;
  };
  form.addEventListener("change", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const link of /** @type {NodeListOf<HTMLElement>} */ (
    document.querySelectorAll("a[data-pair]")
  ))
    link.addEventListener("click", () => {
      [control("one").value, control("two").value] = (link.dataset.pair ?? "-").split("-");
      control("forfeits").checked = false;
      filter();
    });
  form.hidden = false;
  filter();
}

for (const card of cards) {
  card.addEventListener("toggle", () => card.open && opened(card));
  card.addEventListener("pointerdown", () => choose(card));
  card.addEventListener("focusin", () => choose(card));
}
document.addEventListener("keydown", onKey);
window.addEventListener("hashchange", openFromAddress);
filtered();
openFromAddress();
