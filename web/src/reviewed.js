// @ts-check
/**
 * The page of a review: the graph, the table of turning points and the board go together. The arena
 * puts this file and those that it imports into the page as they are.
 *
 * @typedef {import("./core.js").Square} Square
 * @typedef {{best: Square | null, score: string, line: Square[], black: number | null}} Judged
 *   `black` is the chance of Black to win
 * @typedef {{unit: string, size: number, toWin: number}} Captures size: the stones that count as one
 * @typedef {import("./viewer.js").Told & {judged: Judged[], captures: Captures | null}} Reviewed
 */
import { h, update } from "./dom.js";
import { same } from "./squares.js";
import { named, onCounting, Viewer } from "./viewer.js";

/** Moves of a better line that are drawn. */
const SHOWN = 9;

/** @type {Reviewed} */
const game = JSON.parse(document.getElementById("game")?.textContent ?? "");
const { size, moves, judged } = game;
const graph = /** @type {SVGElement} */ (document.querySelector(".graph"));
const told = /** @type {HTMLElement} */ (document.querySelector(".told"));
const rows = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".turning tbody tr")]);

/** @param {number} ply @returns {Square | null} the move that follows in the game */
const nextOf = (ply) => (moves[ply] ? [moves[ply][0], moves[ply][1]] : null);

/** The better line, where another move follows in the game. @param {number} ply */
function better(ply) {
  const { line } = judged[ply];
  const next = nextOf(ply);
  if (!next || !line.length || same(line[0], next)) return {};
  const color = moves[ply][2];
  const ghosts = line
    .slice(0, SHOWN)
    .map((square, i) => ({ square, color: ((color + i) % 2) + 1, number: i + 1 }));
  // a square where stones were captured may be played on twice
  const first = ghosts.filter(({ square }, i) => ghosts.findIndex((g) => same(g.square, square)) === i);
  return { ghosts: first, targets: [next] };
}

/** The captures of both sides. @param {Captures} captures */
function capturesText({ unit, size: stones, toWin }) {
  const [black, white] = viewer.fallen.map((count) => count / stones);
  return `captured ${unit}: ${black} black, ${white} white (${toWin} win)`;
}

/** @param {number} ply */
function sentences(ply) {
  const { black, score, line } = judged[ply];
  const next = nextOf(ply);
  const name = (/** @type {Square} */ square) => named(square, size);
  const before = ply ? nextOf(ply - 1) : null;
  const made = [before ? `after move ${ply}, ${name(before)}` : "before the first move"];
  if (black !== null) made.push(`Black wins ${(100 * black).toFixed(1)} %`);
  if (score) made.push(`the side to move: ${score}`);
  if (next) made.push(`played next: ${name(next)}`);
  if (line.length) made.push(`best: ${line.map(name).join(" ")}`);
  if (game.captures) made.push(capturesText(game.captures));
  return made;
}

/** @param {number} ply */
function shown(ply) {
  update(told, sentences(ply).map((text) => h("span", { text })));
  const { left, right } = graph.dataset;
  const x = Number(left) + ((Number(right) - Number(left)) * ply) / Math.max(1, moves.length);
  for (const side of ["x1", "x2"]) graph.querySelector(".now")?.setAttribute(side, String(x));
  // a turning point is shown where it was missed: before the move
  for (const row of rows) row.classList.toggle("now", Number(row.dataset.ply) === ply + 1);
}

/** Writes the names of squares of the table as the page counts now. */
function nameSquares() {
  for (const cell of /** @type {NodeListOf<HTMLElement>} */ (
    document.querySelectorAll("[data-squares]")
  )) {
    /** @type {Square[]} */
    const squares = JSON.parse(cell.dataset.squares ?? "[]");
    cell.textContent = squares.map((square) => named(square, size)).join(" ");
  }
}

const place = /** @type {Element} */ (document.querySelector("figure"));
const viewer = new Viewer(place, game, { shown, extra: better });

graph.addEventListener("click", (event) => {
  const box = graph.getBoundingClientRect();
  const [left, right, width] = ["left", "right", "width"].map((name) => Number(graph.dataset[name]));
  const x = ((event.clientX - box.left) * width) / box.width;
  viewer.go(Math.round(((x - left) / (right - left)) * moves.length));
});
for (const row of rows) {
  const go = () => viewer.go(Number(row.dataset.ply) - 1);
  row.addEventListener("click", go);
  row.addEventListener("keydown", (event) => {
    if (event.key === "Enter") go();
  });
}
document.addEventListener("keydown", (event) =>
  viewer.onKey(event, /** @type {Element} */ (event.target).closest("#board") !== null),
);
onCounting(nameSquares);
nameSquares();
viewer.show(rows.length ? Number(rows[0].dataset.ply) - 1 : moves.length);
