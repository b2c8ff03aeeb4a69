// @ts-check
/**
 * Game files and share links: SGF, Piskvork's .psq, and plain moves.
 *
 * @typedef {import("./core.js").Square} Square
 */
import { Game } from "./game.js";
import { ruleName, ruleNamed } from "./rules.js";
import { FormatError, readSgf } from "./sgf.js";
import { LARGEST, SMALLEST, nameOf, squareOf } from "./squares.js";

export { FormatError, writeSgf } from "./sgf.js";

/**
 * Reads a game, whatever its format is.
 *
 * @param {string} text
 * @param {{rule?: number, size?: number}} fallback for formats that name neither
 * @returns {Game}
 */
export function readGame(text, fallback = {}) {
  const clean = text.replace(/^\uFEFF/, "");
  if (/^\s*\(\s*;/.test(clean)) return readSgf(clean);
  if (/^\s*piskvorky/i.test(clean)) return readPsq(clean, fallback);
  return readMoves(clean, fallback);
}

const PSQ_HEAD = /^\s*piskvorky\s+(\d+)x(\d+)\s*,(?:.*,\s*([01])\s*|.*)$/i;
const PSQ_MOVE = /^\s*(\d+),(\d+),(\d+)\s*$/;
const PSQ_RESULT = /^\s*([012?])\s*,(.*)$/;

/**
 * Gomocup's digit of a winner, by the colour: 1 Black, 2 White. The digit names a player: 1 moved
 * first after the opening. The file does not say how long the opening was, but its moves took 0 ms.
 *
 * @param {number[]} times of the moves, in ms
 * @param {number} digit 1 or 2
 * @returns {1 | 2}
 */
function winnerOf(times, digit) {
  const timed = times.findIndex((ms) => ms > 0);
  const run = timed < 0 ? times.length : timed;
  const color = (/** @type {number} */ n) => (n % 2 === 0 ? 1 : 2);
  const byRun = color(run + digit - 1);
  if (run === 0 || byRun !== color(times.length)) return byRun;
  // an engine may answer in 0 ms, too; the side to move has lost
  return times.slice(run).some((ms) => ms === 0) ? color(run + digit) : byRun;
}

/** What .sgf writes for the winners of Gomocup's digits. */
const RESULTS = ["0", "B+", "W+"];

/**
 * Piskvork's file: a head line with the player that begins, moves as "x,y,time" counted from 1, the
 * players, Piskvork's code of the end, and Gomocup's result with the league, which names a rule.
 *
 * @param {string} text
 * @param {{rule?: number}} fallback for a file that names no rule
 * @returns {Game}
 */
export function readPsq(text, fallback = {}) {
  const lines = text.split(/\r\n?|\n/);
  const head = PSQ_HEAD.exec(lines[0]);
  if (!head) throw new FormatError("psqHead", {}, 1);
  const size = Number(head[1]);
  if (head[1] !== head[2]) throw new FormatError("notSquare", {}, 1);
  if (size < SMALLEST || size > LARGEST)
    throw new FormatError("size", { least: SMALLEST, most: LARGEST }, 1);
  const end = PSQ_RESULT.exec([...lines].reverse().find((line) => line.trim()) ?? "");
  const game = new Game({ size, rule: ruleNamed(end?.[2] ?? "") ?? fallback.rule ?? 0 });
  /** @type {number[]} */
  const times = [];
  let at = 1;
  for (; at < lines.length; at++) {
    const move = PSQ_MOVE.exec(lines[at]);
    if (!move) {
      const rest = lines.slice(at + 1);
      const league = PSQ_RESULT.exec(lines[at])?.[2] ?? "";
      const isResult = /[a-z]/i.test(league) && !rest.some((line) => line.trim());
      const isNumbers = /^\s*-?\d+,/.test(lines[at]) && !isResult;
      if (isNumbers || rest.some((line) => PSQ_MOVE.test(line)))
        throw new FormatError("psqMove", { text: lines[at].slice(0, 30) }, at + 1);
      break;
    }
    const x = Number(move[1]) - 1;
    const y = Number(move[2]) - 1;
    // a game may end with a move beside the board: the move is not played
    if (x < 0 || y < 0 || x >= size || y >= size) continue;
    times.push(Number(move[3]));
    game.play([x, y]).timeMs = Number(move[3]);
  }
  const names = lines.slice(at).filter((line) => line.trim() && !/^-?\d+(,|$)|^\?,/.test(line.trim()));
  if (head[3] === "1") names.reverse();
  game.head.black = (names[0] ?? "").trim();
  game.head.white = (names[1] ?? "").trim();
  const digit = Number(end?.[1] ?? NaN);
  if (digit === 0) game.head.result = RESULTS[0];
  else if (digit > 0) game.head.result = RESULTS[winnerOf(times, digit)];
  game.start();
  return game;
}

/** A name that readers do not take for a move, code or result. @param {string} name @param {string} other for an empty name */
function psqName(name, other) {
  const spaced = name.replace(/[\p{C},]/gu, " ").trim().split(/\s+/).join(" ") || other;
  return /^[\p{L}_]/u.test(spaced) ? spaced : `_${spaced}`;
}

/**
 * The main line as Piskvork writes it.
 *
 * @param {Game} game
 * @returns {string}
 */
export function writePsq(game) {
  const { size, rule, black, white, result } = game.head;
  const line = game.root.end().path();
  const times = line.map((node) => Math.round(node.timeMs ?? 0));
  const moves = line.map((node, i) => {
    const [x, y] = /** @type {Square} */ (node.move);
    return `${x + 1},${y + 1},${times[i]}`;
  });
  const told = result.trim().toUpperCase();
  const winner = told.startsWith("B+") ? 1 : told.startsWith("W+") ? 2 : 0;
  let digit = told === "0" || told === "DRAW" ? "0" : "?";
  if (winner) digit = winnerOf(times, 1) === winner ? "1" : "2";
  const names = [psqName(black, "Black"), psqName(white, "White")];
  const head = `Piskvorky ${size}x${size}, 11:11, 0`;
  return `${[head, ...moves, ...names, "-1", `${digit},${ruleName(rule)}`].join("\r\n")}\r\n`;
}

/** An opening as Gomocup writes it: "0,0, 1,-1, 2,0". */
const OFFSETS = /^\s*-?\d+\s*,\s*-?\d+(\s*,\s*-?\d+\s*,\s*-?\d+)+\s*$/;

/**
 * An opening counted from the middle of the board.
 *
 * @param {string} line
 * @param {Game} game
 * @param {number} row
 */
function playOffsets(line, game, row) {
  const { size } = game.head;
  const numbers = line.split(",").map(Number);
  for (let i = 0; i < numbers.length; i += 2) {
    const x = (size >> 1) + numbers[i];
    const y = (size >> 1) + numbers[i + 1];
    if (x < 0 || y < 0 || x >= size || y >= size)
      throw new FormatError("beside", { text: `${numbers[i]},${numbers[i + 1]}` }, row + 1);
    game.play([x, y]);
  }
}

/**
 * Plain moves: "h8 i9 j8", "h8i9j8", or "7,7 8,6", with move numbers or without; or an opening of
 * Gomocup, counted from the middle.
 *
 * @param {string} text
 * @param {{rule?: number, size?: number}} fallback
 * @returns {Game}
 */
export function readMoves(text, { rule = 0, size = 15 } = {}) {
  const game = new Game({ rule, size });
  for (const [row, line] of text.split(/\r\n?|\n/).entries()) {
    if (OFFSETS.test(line)) {
      playOffsets(line, game, row);
      continue;
    }
    const spaced = line.replace(/([a-z]\d{1,2})(?=[a-z]\d)/gi, "$1 ");
    for (const word of spaced.split(/[\s;]+/)) {
      const bare = word.replace(/^\d+\.+/, "");
      if (!bare) continue;
      const square = squareOf(bare, size);
      if (!square) throw new FormatError("square", { text: bare.slice(0, 20) }, row + 1);
      game.play(square);
    }
  }
  if (game.current === game.root) throw new FormatError("noMoves");
  game.start();
  return game;
}

/**
 * The moves of the current line.
 *
 * @param {Game} game
 * @returns {string}
 */
export function writeMoves(game) {
  return game.root
    .end()
    .path()
    .map((node) => nameOf(/** @type {Square} */ (node.move), game.head.size))
    .join(" ");
}

/**
 * A game as the part of an address behind "#": the SGF, packed.
 *
 * @param {string} sgf
 * @returns {Promise<string>}
 */
export async function toLink(sgf) {
  const stream = new Blob([sgf]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return `g=${btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")}`;
}

/**
 * @param {string} hash the part of an address behind "#"
 * @returns {Promise<string | null>} the SGF, or null when the address holds no game
 */
export async function fromLink(hash) {
  const packed = /^#?g=([\w-]+)$/.exec(hash)?.[1];
  if (!packed) return null;
  try {
    const text = atob(packed.replace(/-/g, "+").replace(/_/g, "/"));
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return await new Response(stream).text();
  } catch {
    throw new FormatError("link");
  }
}
