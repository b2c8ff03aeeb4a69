// @ts-check
/**
 * The stones on the board after the moves of a game, as the core's answers tell them. Which stones a
 * move captures is the core's to say; here they are only taken off.
 *
 * @typedef {import("./core.js").Square} Square
 * @typedef {import("./core.js").Setup} Setup
 * @typedef {import("./worker.js").Step} Step
 * @typedef {import("./board.js").Stone} Stone
 */
import {
  RULES_WITH_CAPTURES,
  RULES_WITH_COUNTED_STONES,
  WIN_PAIRS,
  WIN_STONES,
} from "./constants.js";

/** The rules under which stones are captured. */
export const CAPTURES = RULES_WITH_CAPTURES;

/** Whether captures are counted in stones, not in pairs. @param {number} rule */
export function countsStones(rule) {
  return RULES_WITH_COUNTED_STONES.includes(rule);
}

/** The key of a text about captures: of pairs, or of stones. @param {string} key @param {number} rule */
export function captureKey(key, rule) {
  return countsStones(rule) ? `${key}.stones` : key;
}

/** The captures that win. @param {number} rule */
export function capturesToWin(rule) {
  return countsStones(rule) ? WIN_STONES : WIN_PAIRS;
}

/** The captures that so many stones are in the rule's count. @param {number} rule @param {number} stones */
export function countOf(rule, stones) {
  return countsStones(rule) ? stones : stones / 2;
}

/**
 * @param {number} rule
 * @param {Setup | null} setup
 * @param {Square[]} moves
 * @param {Step[]} steps what each move did
 * @returns {{stones: Stone[], captured: Stone[], taken: [number, number]}} captured: by the last move;
 *   taken: the captures of Black and of White, in the rule's count
 */
export function boardOf(rule, setup, moves, steps) {
  /** @type {Map<string, Stone>} */
  const stones = new Map();
  for (const square of setup?.black ?? []) stones.set(square.join(), { square, color: 1 });
  for (const square of setup?.white ?? []) stones.set(square.join(), { square, color: 2 });
  /** @type {[number, number]} */
  const taken = [setup?.blackCaptures ?? 0, setup?.whiteCaptures ?? 0];
  /** @type {Stone[]} */
  let captured = [];
  let color = setup?.toMove ?? 1;
  moves.forEach((square, i) => {
    captured = [];
    for (const at of steps[i]?.captured ?? []) {
      const stone = stones.get(at.join());
      if (stone) captured.push(stone);
      stones.delete(at.join());
    }
    taken[color - 1] += countOf(rule, captured.length);
    stones.set(square.join(), { square, color, number: i + 1, last: i === moves.length - 1 });
    color = 3 - color;
  });
  return { stones: [...stones.values()], captured, taken };
}
