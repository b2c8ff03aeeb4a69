// @ts-check
/**
 * Every text of the page, by language. A language that lacks a text shows the English one.
 *
 * `{name}` in a text is replaced by a value.
 */

import { cs } from "./languages/cs.js";
import { ja } from "./languages/ja.js";
import { ko } from "./languages/ko.js";
import { ru } from "./languages/ru.js";
import { zh } from "./languages/zh.js";

/** @type {Record<string, string>} */
const en = {
  language: "English",
  title: "Tengen",
  "tab.play": "Play",
  "tab.analyse": "Analyse",
  "tab.review": "Review",
  new: "New game",
  open: "Open",
  save: "Save",
  share: "Share",
  settings: "Settings",
  undo: "Undo",
  redo: "Redo",
  hint: "Hint",
  moveNow: "Move now",
  pause: "Pause",
  goOn: "Go on",
  waits: "Tengen is to move. Press Go on, or step forward.",
  hintIs: "Hint: {square}.",
  swap: "Swap sides",
  first: "First move",
  back: "Back",
  forward: "Forward",
  last: "Last move",
  rule: "Rule",
  size: "Board",
  you: "You play",
  level: "Level",
  time: "Time a move",
  black: "Black",
  white: "White",
  both: "Both sides",
  nobody: "Neither: watch",
  human: "You",
  empty: "empty",
  start: "Start",
  cancel: "Cancel",
  close: "Close",
  "rule.0": "Freestyle",
  "rule.1": "Standard",
  "rule.4": "Renju",
  "rule.8": "Caro",
  "rule.9": "Caro standard",
  "rule.16": "Ninuki (captures)",
  "rule.32": "Pente (captures)",
  "level.1": "1 · after the first lessons",
  "level.2": "2 · beginner",
  "level.3": "3 · beginner",
  "level.4": "4 · casual",
  "level.5": "5 · casual",
  "level.6": "6 · club",
  "level.7": "7 · club",
  "level.8": "8 · strong",
  "level.9": "9 · very strong",
  "level.10": "10 · full strength",
  "turn.you": "Your move.",
  "turn.engine": "Tengen is thinking …",
  "turn.black": "Black to move.",
  "turn.white": "White to move.",
  "end.win": "{color} wins.",
  "end.five": "{color} wins with five in a row.",
  "end.captures": "{color} wins with five captured pairs.",
  "end.notBroken": "{color} wins: the five was not broken.",
  "end.draw": "Draw: the board is full.",
  "end.noMove": "Draw: no legal move is left.",
  pending: "A five stands. Break it by a capture on a marked square, or lose.",
  "why.OVERLINE": "Forbidden: an overline.",
  "why.DOUBLE_FOUR": "Forbidden: a double four.",
  "why.DOUBLE_THREE": "Forbidden: a double three.",
  "why.OCCUPIED": "There is a stone already.",
  "why.GAME_OVER": "The game is over.",
  captured: "{count} captured",
  played: "{color} plays {square}.",
  analyseOn: "Start analysis",
  analyseOff: "Stop analysis",
  analysisBy: "Engine",
  "by.native": "Tengen, native",
  "by.page": "Tengen in this page",
  "native.blocked": "The native engine does not take a position with blocked squares.",
  lines: "Lines",
  depth: "depth",
  nodes: "nodes",
  speed: "nodes/s",
  hash: "hash",
  findWin: "Find a win",
  searchingWin: "Searching for a forced win …",
  foundVcf: "A win by continuous fours, {plies} moves: {line}",
  foundVct: "A win by fours and threes, {plies} moves: {line}",
  foundNone: "There is no win by continuous threats: this is proved.",
  foundLimit: "No forced win was found within the limit.",
  showLine: "Show it on the board",
  keepLine: "Keep it as a variation",
  winIn: "win in {plies}",
  lossIn: "loss in {plies}",
  reviewStart: "Review this game",
  reviewStop: "Stop the review",
  reviewGoOn: "Go on",
  reviewTime: "Time for each move",
  annotate: "Write comments into the game",
  reviewDone: "Review finished.",
  accuracy: "Accuracy",
  blunders: "Turning points",
  noBlunders: "No turning points.",
  "review.graph": "Black's chance to win by move",
  "review.move": "Move",
  "review.played": "Played",
  "review.better": "Better",
  "review.lost": "Lost",
  "review.missed": "Missed",
  missedWin: "a forced win",
  missedDefence: "the defence",
  comment: "Comment on this move",
  moves: "Moves",
  delete: "Delete from here",
  promote: "Make main line",
  "save.sgf": "SGF with variations",
  "save.psq": "Piskvork (.psq)",
  "save.moves": "Plain moves",
  "save.png": "Picture (PNG)",
  "save.svg": "Picture (SVG)",
  "save.gif": "Animated GIF",
  "save.setup": "Only SGF keeps stones that were set up.",
  "gif.drawing": "The game is being drawn …",
  "share.copied": "The link is copied. It holds the whole game.",
  "share.shown": "Copy this link. It holds the whole game.",
  "open.help": "Choose a file (.sgf, .psq, text), or paste a game.",
  "open.file": "Choose a file",
  "open.paste": "Paste a game",
  "open.read": "Read",
  "open.opened": "{count} moves opened.",
  "open.failed": "The game cannot be read. {reason}",
  "open.illegal": "Move {number}, {square}, is not legal under this rule. The game is opened up to there.",
  "bad.line": "line {line}: {what}",
  "bad.psqHead": "\"Piskvorky 15x15, 11:11, 0\" expected",
  "bad.notSquare": "the board is not square",
  "bad.size": "the board is not {least}x{least} to {most}x{most}",
  "bad.psqMove": "\"{text}\" is no move \"x,y,time\"",
  "bad.beside": "{text} is beside the board",
  "bad.square": "\"{text}\" is no square of this board",
  "bad.noMoves": "no moves",
  "bad.link": "the link is damaged",
  "bad.expected": "\"{wanted}\" expected, \"{found}\" found",
  "bad.property": "a property expected, \"{found}\" found",
  "bad.end": "the end",
  "bad.noEnd": "{name}[ has no end",
  "bad.noValue": "{name} has no value",
  "bad.game": "GM[{value}] is not Gomoku or renju (GM[4])",
  "bad.sgfSize": "SZ[{value}] is not {least} to {most}",
  "bad.remove": "AE (taking stones off) is not supported",
  "bad.middle": "stones set up in the middle of a game",
  "bad.moves": "{name} has {count} moves in one node",
  "bad.pass": "a pass is not supported",
  "bad.twice": "{name} moves twice running",
  "bad.deep": "variations too deep",
  theme: "Theme",
  "theme.system": "as the system",
  "theme.wood": "wood",
  "theme.light": "plain",
  "theme.dark": "dark",
  numbers: "Move numbers on stones",
  counting: "Count squares as Piskvork does",
  sound: "Sounds",
  memory: "Memory for analysis",
  languageName: "Language",
  about: "Tengen {version}. Everything runs in this page: nothing is sent anywhere.",
  aboutServed:
    "Tengen {version}. This page talks to the server on this machine alone: nothing is sent anywhere else.",
  "swap2.use": "Swap2 opening",
  "swap2.help":
    "Swap2: if you play Black or both sides, you place the first three stones. If you play White, Tengen places them and you choose.",
  "swap2.place3": "Swap2: place black, white, black. {left} left.",
  "swap2.choose": "Choose a side, or place two more stones.",
  "swap2.last": "Choose a side.",
  "swap2.black": "Play Black",
  "swap2.white": "Play White",
  "swap2.two": "Place two more",
  "swap2.place2": "Swap2: place white, then black. {left} left.",
  "swap2.engineChose": "Tengen plays {color}.",
  "swap2.engineOffers": "Tengen placed three stones.",
  "tab.match": "Engines",
  "match.help":
    "Two engines play each other, or one plays you, under the clocks and the referee of a match.",
  "match.none": "Choose two players and start the game.",
  "match.here": "Begin from the shown position",
  "match.total": "Time a game",
  "match.memory": "Memory of an engine",
  "match.noLimit": "no limit",
  "match.start": "Start the game",
  "match.stop": "Stop the game",
  "match.resign": "Resign",
  "match.show": "Show the running game",
  "match.starting": "The engines are starting …",
  "match.thinks": "{name} is thinking …",
  "match.last": "It is your move in the running game.",
  "match.forfeit": "{color} wins: the other side forfeits.",
  "match.stopped": "The game was stopped.",
  "match.refused": "The server refuses: {reason}.",
  "match.saved": "Saved as {files}",
  "match.talk": "Conversation",
  "match.score": "score {score}",
  "match.dropped": "{count} lines are left out.",
  "match.connecting": "Connecting to the server …",
  "match.lost": "The server cannot be reached. Is the board open in another window?",
  "match.ended": "The server has ended.",
  "match.again": "Connect again",
  noWasm:
    "This browser cannot run the engine: it lacks WebAssembly with SIMD. Any browser since 2023 has it.",
  engineFailed: "The engine stopped: {reason}",
  board: "Board of {size} by {size}. Arrow keys move the cursor, Enter plays.",
  threats: "Threat map",
  "threats.help":
    "What a stone makes on each square: 5 five, 4+ open four, 4 four, 3 open three. Dark marks are Black's, light marks are White's.",
  "threats.vcf": "{color} threatens to win by continuous fours: {line}",
};

/** @type {Record<string, Record<string, string>>} */
export const LANGUAGES = { en, ko, ja, zh, ru, cs };

let current = en;

/** @param {string} code */
export function useLanguage(code) {
  current = LANGUAGES[code] ?? en;
  document.documentElement.lang = LANGUAGES[code] ? code : "en";
}

/**
 * @param {string} wanted a code, or "" for what the browser asks for
 * @returns {string} a code of LANGUAGES
 */
export function chooseLanguage(wanted) {
  const codes = [wanted, ...navigator.languages.map((code) => code.slice(0, 2))];
  return codes.find((code) => LANGUAGES[code]) ?? "en";
}

/**
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
  const text = current[key] ?? en[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}
