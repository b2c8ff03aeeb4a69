// @ts-check
/**
 * Game files and share links: SGF, Piskvork's .psq, and plain moves.
 *
 * @typedef {import("./core.js").Square} Square
 */
import { Game } from "./game.js";
import { FormatError, RULE_NAMES, readSgf } from "./sgf.js";
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

const PSQ_MOVE = /^\s*(\d+),(\d+),(\d+)\s*$/;

/**
 * Piskvork's file: a head line, moves as "x,y,time" counted from 1, names, the result. The rule is
 * the one of the last line, where that names one.
 *
 * @param {string} text
 * @param {{rule?: number}} fallback
 * @returns {Game}
 */
export function readPsq(text, fallback = {}) {
  const lines = text.split(/\r\n?|\n/);
  const head = /^\s*piskvorky\s+(\d+)x(\d+)\s*,/i.exec(lines[0]);
  if (!head) throw new FormatError("psqHead", {}, 1);
  const size = Number(head[1]);
  if (head[1] !== head[2]) throw new FormatError("notSquare", {}, 1);
  if (size < SMALLEST || size > LARGEST)
    throw new FormatError("size", { least: SMALLEST, most: LARGEST }, 1);
  const last = [...lines].reverse().find((line) => line.trim()) ?? "";
  const league = /^\s*[012?]\s*,\s*([a-z -]+?)\d*\s*$/i.exec(last);
  const told = RULE_NAMES.find(({ names }) => names.includes((league?.[1] ?? "").toLowerCase()));
  const rule = told?.rule ?? fallback.rule ?? 0;
  const game = new Game({ size, rule });
  let at = 1;
  for (; at < lines.length; at++) {
    const move = PSQ_MOVE.exec(lines[at]);
    if (!move) {
      const rest = lines.slice(at + 1);
      if (/^\s*-?\d+,/.test(lines[at]) || rest.some((line) => PSQ_MOVE.test(line)))
        throw new FormatError("psqMove", { text: lines[at].slice(0, 30) }, at + 1);
      break;
    }
    const x = Number(move[1]) - 1;
    const y = Number(move[2]) - 1;
    // a game may end with a move beside the board: the move is not played
    if (x < 0 || y < 0 || x >= size || y >= size) continue;
    game.play([x, y]).timeMs = Number(move[3]);
  }
  const names = lines.slice(at).filter((line) => line.trim() && !/^-?\d+(,|$)/.test(line.trim()));
  game.head.black = (names[0] ?? "").trim();
  game.head.white = (names[1] ?? "").trim();
  game.start();
  return game;
}

/**
 * The main line as Piskvork writes it.
 *
 * @param {Game} game
 * @returns {string}
 */
export function writePsq(game) {
  const { size, rule, black, white } = game.head;
  const moves = game.root
    .end()
    .path()
    .map((node) => {
      const [x, y] = /** @type {Square} */ (node.move);
      return `${x + 1},${y + 1},${Math.round(node.timeMs ?? 0)}`;
    });
  const lines = [`Piskvorky ${size}x${size}, 11:11, 0`, ...moves, black || "Black"];
  const name = RULE_NAMES.find((known) => known.rule === rule)?.names[0] ?? "";
  return `${[...lines, white || "White", "-1", `?,${name}`].join("\r\n")}\r\n`;
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
