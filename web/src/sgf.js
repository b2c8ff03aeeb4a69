// @ts-check
/**
 * SGF (FF[4], GM[4]): reading and writing games with variations and comments.
 *
 * @typedef {import("./core.js").Square} Square
 * @typedef {{name: string, values: string[], raws: string[]}} Property raws: as in the file
 */
import { Game } from "./game.js";
import { ruleName, ruleNamed } from "./rules.js";
import { LARGEST, SMALLEST } from "./squares.js";
import { t } from "./strings.js";

/**
 * The supported games (GM), and the rule of a file that names none. Programs of renju servers write
 * 5 for renju.
 *
 * @type {Record<string, number>}
 */
const GAMES = { 4: 0, 5: 4 };

/** The properties that this file writes: in each node, and at the root. */
const OWN = ["B", "W", "C", "PL"];
const OWN_AT_ROOT = [...OWN, "FF", "GM", "CA", "AP", "SZ", "RU", "PB", "PW", "RE", "AB", "AW"];

/** The properties of FF[4] with one value. A node may have each once. */
const SINGLE = (
  "AN AP BL BM BR BT CA CP DM DO DT EV FF FG GB GC GM GN GW HA HO IT KM KO MN N OB ON OT OW PB " +
  "PC PM PW RE RO RU SO ST SZ TE TM UC US V WL WR WT"
).split(" ");

/** A text that cannot be read: the message names the line. */
export class FormatError extends Error {
  /**
   * @param {string} key of the reason, after "bad."
   * @param {Record<string, string | number>} [values]
   * @param {number} [line] 0 where there is none
   */
  constructor(key, values = {}, line = 0) {
    const what = t(`bad.${key}`, values);
    super(line ? t("bad.line", { line, what }) : what);
  }
}

class Reader {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  /** @param {string} key @param {Record<string, string | number>} [values] */
  fail(key, values) {
    return new FormatError(key, values, this.text.slice(0, this.at).split("\n").length);
  }

  /** What comes next, for a message. */
  get found() {
    return this.peek() || t("bad.end");
  }

  peek() {
    while (/\s/.test(this.text[this.at] ?? "")) this.at++;
    return this.text[this.at] ?? "";
  }

  /** @param {string} letter */
  expect(letter) {
    const found = this.peek();
    if (found !== letter) throw this.fail("expected", { wanted: letter, found: this.found });
    this.at++;
  }

  /**
   * In FF[4] a name has only letters, but the renju server ORC writes `5A` for the fifth moves.
   *
   * @returns {Property}
   */
  property() {
    this.peek();
    const name = /^[0-9]?[A-Za-z]+/.exec(this.text.slice(this.at, this.at + 64))?.[0] ?? "";
    if (!name) throw this.fail("property", { found: this.found });
    this.at += name.length;
    /** @type {string[]} */
    const values = [];
    /** @type {string[]} */
    const raws = [];
    while (this.peek() === "[") {
      const begin = this.at++;
      let value = "";
      for (;;) {
        const letter = this.text[this.at++];
        if (letter === undefined) throw this.fail("noEnd", { name });
        if (letter === "]") break;
        if (letter !== "\\") value += letter;
        else if (this.text[this.at] === "\n") this.at++;
        else value += this.text[this.at++] ?? "";
      }
      values.push(value);
      raws.push(this.text.slice(begin, this.at));
    }
    if (!values.length) throw this.fail("noValue", { name });
    // lower-case letters of old files do not count
    return { name: name.replace(/[a-z]/g, "") || name, values, raws };
  }
}

/**
 * @param {Reader} reader
 * @param {string} value
 * @param {number} size
 * @returns {Square | null} null for a pass
 */
function point(reader, value, size) {
  const text = value.trim();
  if (text === "" || (text === "tt" && size <= 19)) return null;
  const x = text.toLowerCase().charCodeAt(0) - 97;
  const y = text.toLowerCase().charCodeAt(1) - 97;
  if (text.length !== 2 || !(x >= 0 && x < size && y >= 0 && y < size))
    throw reader.fail("square", { text: value });
  return [x, y];
}

/**
 * Reads the properties of the game. Some programs write them into several nodes before the moves.
 *
 * @param {Reader} reader
 * @param {Game} game
 * @param {Property[]} node
 */
function readHead(reader, game, node) {
  const { head } = game;
  /** @param {string} name */
  const value = (name) => node.find((p) => p.name === name)?.values[0] ?? "";
  const kind = value("GM").trim();
  if (kind && !Object.hasOwn(GAMES, kind)) throw reader.fail("game", { value: kind });
  const size = Number(value("SZ") || head.size);
  if (!(Number.isInteger(size) && size >= SMALLEST && size <= LARGEST))
    throw reader.fail("sgfSize", { value: value("SZ"), least: SMALLEST, most: LARGEST });
  game.head = {
    ...head,
    size,
    rule: ruleNamed(value("RU")) ?? (kind ? GAMES[kind] : head.rule),
    black: value("PB") || head.black,
    white: value("PW") || head.white,
    result: value("RE") || head.result,
  };
}

/**
 * @param {Reader} reader
 * @param {Game} game
 * @param {Property[]} node
 */
function readSetup(reader, game, node) {
  const { size } = game.head;
  /** @param {string} name */
  const squares = (name) =>
    node
      .filter((p) => p.name === name)
      .flatMap((p) => p.values)
      .flatMap((v) => {
        const square = point(reader, v, size);
        return square ? [square] : [];
      });
  const black = squares("AB");
  const white = squares("AW");
  if (node.some((p) => p.name === "AE")) throw reader.fail("remove");
  const turn = node.find((p) => p.name === "PL")?.values[0]?.trim().toUpperCase();
  if (!black.length && !white.length && !turn) return;
  if (game.current !== game.root || game.root.children.length) {
    if (black.length || white.length || turn !== (game.toMove === 1 ? "B" : "W"))
      throw reader.fail("middle");
    return;
  }
  const known = game.head.setup;
  black.unshift(...(known?.black ?? []));
  white.unshift(...(known?.white ?? []));
  const toMove = turn === "W" ? 2 : turn === "B" ? 1 : black.length > white.length ? 2 : 1;
  game.head.setup = { black, white, toMove };
}

/**
 * Keeps the properties that the board does not know, to write them again. A node of the board can
 * be two nodes of the file: the first value of a property with one value stays.
 *
 * @param {import("./game.js").Node} to
 * @param {Property[]} node
 * @returns {string[]} further values, for the comment
 */
function keepProperties(to, node) {
  const own = to.parent ? OWN : OWN_AT_ROOT;
  const further = [];
  for (const { name, values, raws } of node) {
    if (own.includes(name)) continue;
    for (const [i, raw] of raws.entries()) {
      const known = to.properties.get(name);
      if (!known || !SINGLE.includes(name)) to.properties.set(name, (known ?? "") + raw);
      else if (known !== raw) further.push(`${name}: ${values[i]}`);
    }
  }
  return further;
}

/**
 * @param {Reader} reader
 * @param {Game} game
 * @param {boolean} isHead whether it is the first node of the file
 */
function readNode(reader, game, isHead) {
  /** @type {Property[]} */
  const node = [];
  while (/[0-9A-Za-z]/.test(reader.peek())) node.push(reader.property());
  if (game.current === game.root && !game.root.children.length) readHead(reader, game, node);
  readSetup(reader, game, node);
  for (const { name, values } of node) {
    if (name !== "B" && name !== "W") continue;
    if (values.length > 1) throw reader.fail("moves", { name, count: values.length });
    const square = point(reader, values[0], game.head.size);
    if (!square) throw reader.fail("pass");
    const first = game.current === game.root && !game.root.children.length && !game.head.setup;
    if (first && name === "W") game.head.setup = { black: [], white: [], toMove: 2 };
    if ((name === "B" ? 1 : 2) !== game.toMove) throw reader.fail("twice", { name });
    game.append(square);
  }
  const further = keepProperties(isHead ? game.root : game.current, node);
  const comments = node.filter((p) => p.name === "C").flatMap((p) => p.values);
  comments.push(...further);
  // a node without a move belongs to the one before
  if (game.current.comment) comments.unshift(game.current.comment);
  game.current.comment = comments.filter((text) => text).join("\n");
}

/**
 * @param {Reader} reader
 * @param {Game} game
 * @param {number} depth
 */
function readTree(reader, game, depth = 0) {
  if (depth > 2000) throw reader.fail("deep");
  reader.expect("(");
  const from = game.current;
  if (reader.peek() !== ";") throw reader.fail("expected", { wanted: ";", found: reader.found });
  for (let isHead = depth === 0; reader.peek() === ";"; isHead = false) {
    reader.at++;
    readNode(reader, game, isHead);
  }
  while (reader.peek() === "(") readTree(reader, game, depth + 1);
  reader.expect(")");
  game.current = from;
}

/**
 * @param {string} text
 * @returns {Game} the first game of the file, at its start
 */
export function readSgf(text) {
  const reader = new Reader(text.replace(/\r\n?/g, "\n"));
  const game = new Game();
  readTree(reader, game);
  return game;
}

/** @param {string} text */
const escaped = (text) => text.replace(/[\]\\]/g, "\\$&");

/** @param {Square} square */
const letters = ([x, y]) => String.fromCharCode(97 + x, 97 + y);

/**
 * The comment of a node, and its properties that the board does not know.
 *
 * @param {import("./game.js").Node} node
 */
function toldOf({ comment, properties }) {
  const kept = [...properties].map(([name, values]) => name + values).join("");
  return (comment ? `C[${escaped(comment)}]` : "") + kept;
}

/**
 * @param {Game} game
 * @returns {string}
 */
export function writeSgf(game) {
  const { size, rule, black, white, result, setup } = game.head;
  let text = `(;FF[4]GM[4]CA[UTF-8]AP[Tengen]SZ[${size}]RU[${ruleName(rule)}]`;
  if (black) text += `PB[${escaped(black)}]`;
  if (white) text += `PW[${escaped(white)}]`;
  if (result) text += `RE[${escaped(result)}]`;
  if (setup?.black.length) text += `AB${setup.black.map((s) => `[${letters(s)}]`).join("")}`;
  if (setup?.white.length) text += `AW${setup.white.map((s) => `[${letters(s)}]`).join("")}`;
  if (setup) text += `PL[${setup.toMove === 1 ? "B" : "W"}]`;
  const first = setup?.toMove ?? 1;
  text += toldOf(game.root);
  const many = game.root.children.length > 1;
  const lines = game.root.children.map((child) => writeLine(child, first));
  const out = many ? lines.map((line) => `(${line})`).join("\n") : (lines[0] ?? "");
  return `${text}\n${out})\n`;
}

/**
 * @param {import("./game.js").Node} node
 * @param {number} first the colour of the first move
 * @returns {string}
 */
function writeLine(node, first) {
  let out = "";
  let color = node.ply % 2 === 1 ? first : 3 - first;
  for (;;) {
    const move = /** @type {Square} */ (node.move);
    out += `;${color === 1 ? "B" : "W"}[${letters(move)}]${toldOf(node)}`;
    if (node.children.length !== 1) break;
    node = node.children[0];
    color = 3 - color;
  }
  for (const child of node.children) out += `\n(${writeLine(child, first)})`;
  return out;
}
