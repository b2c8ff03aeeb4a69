// @ts-check
/**
 * The games on a tournament's page: a board and a list of moves for each opened card, and the filter
 * above the cards. The arena puts this file and those that it imports into the page as they are.
 *
 * @typedef {import("./core.js").Square} Square
 * @typedef {[x: number, y: number, color: number, captured: Square[], ms?: number,
 *            depth?: number | null, score?: string | null, nodes?: number | null]} Move color: 0 is
 *   Black; of an opening's move only the first four are told
 * @typedef {{size: number, moves: Move[], five: Square[]}} Told
 */
import { h } from "./dom.js";
import { named, onCounting, Viewer } from "./viewer.js";

const COLORS = ["black", "white"];

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

/** What a game's record tells of a move, as the cells of its row. @param {Move} move */
function toldOf([, , , , ms, depth, score, nodes]) {
  if (ms === undefined) return ["opening", "", "", ""];
  const count = nodes === null || nodes === undefined ? "" : countText(nodes);
  return [timeText(ms), String(depth ?? ""), score ?? "", count];
}

class Card {
  /** @param {HTMLElement} card */
  constructor(card) {
    this.card = card;
    const text = card.querySelector('script[type="application/json"]')?.textContent ?? "";
    /** @type {Told} */
    this.told = JSON.parse(text);
    this.list = h("div", { class: "list", tabIndex: 0 });
    card.querySelector(".side")?.append(this.list);
    const figure = /** @type {Element} */ (card.querySelector("figure"));
    this.viewer = new Viewer(figure, this.told, {
      shown: () => this.shown(),
      plays: () => card.hasAttribute("open"),
    });
    this.fill();
    onCounting(() => {
      this.fill();
      this.shown();
    });
    this.viewer.show(this.told.moves.length);
  }

  /** Writes the list of moves. */
  fill() {
    const { moves, size } = this.told;
    this.rows = moves.map((move, i) => {
      const [x, y, color, captured, ms] = move;
      const parts = [h("i", { class: `disc ${COLORS[color]}` }), named([x, y], size)];
      if (captured.length)
        parts.push(h("span", { class: "takes", text: ` \u00d7${captured.length}` }));
      const cells = toldOf(move).map((text) => h("td", { text }));
      const kind = ms === undefined ? "opening" : "";
      return h("tr", { class: kind, on: { click: () => this.viewer.go(i + 1) } }, [
        h("td", { text: String(i + 1) }),
        h("td", {}, parts),
        ...cells,
      ]);
    });
    const titles = ["no.", "move", "time", "depth", "score", "nodes"];
    const head = titles.map((text) => h("th", { scope: "col", text }));
    this.list.replaceChildren(
      h("table", { class: "moves" }, [
        h("thead", {}, [h("tr", {}, head)]),
        h("tbody", {}, this.rows),
      ]),
    );
  }

  shown() {
    COLORS.forEach((name, color) => {
      const cell = this.card.querySelector(`[data-captures="${name}"]`);
      if (cell) cell.textContent = String(this.viewer.fallen[color] / (this.viewer.told.captureSize ?? 2));
    });
    this.markRow();
  }

  markRow() {
    const { ply } = this.viewer;
    this.rows?.forEach((row, i) => row.classList.toggle("now", i === ply - 1));
    const row = this.rows?.[ply - 1];
    // only the list is scrolled; scrollIntoView would move the page too
    this.list.scrollTop = row ? row.offsetTop - this.list.clientHeight / 2 : 0;
  }
}

/** @type {Map<Element, Card>} */
const opened = new Map();
/** @type {Card | undefined} */
let current;
const cards = /** @type {NodeListOf<HTMLDetailsElement>} */ (
  document.querySelectorAll("details.game")
);

/** @param {HTMLElement} card */
function choose(card) {
  current = opened.get(card) ?? current;
}

/** @param {HTMLElement} card */
function open(card) {
  if (!opened.has(card)) opened.set(card, new Card(card));
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
  if (!current?.card.hasAttribute("open")) return;
  current.viewer.onKey(event, current.card.contains(/** @type {Element} */ (event.target)));
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
  card.addEventListener("toggle", () => card.open && open(card));
  card.addEventListener("pointerdown", () => choose(card));
  card.addEventListener("focusin", () => choose(card));
}
document.addEventListener("keydown", onKey);
window.addEventListener("hashchange", openFromAddress);
filtered();
openFromAddress();
