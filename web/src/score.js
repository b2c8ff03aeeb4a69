// @ts-check
/** Scores as people read them. */

/**
 * The curve of each rule: the score of even chances, and the points that make odds of e to 1. The
 * numbers are those of records/winrate.py, and a test compares them.
 *
 * @type {Record<number, [number, number]>}
 */
const CURVES = {
  0: [6, 212],
  1: [5, 214],
  4: [6, 211],
  8: [4, 239],
  9: [4, 230],
  16: [19, 269],
  32: [10, 181],
  64: [7, 185],
};

/**
 * @param {number} rule the rule's number
 * @param {number} score from the side to move's view
 * @param {number} mate plies to a proven end, negative when losing, 0 when none is seen
 * @returns {number} the chance to win, 0 to 1
 */
export function chance(rule, score, mate = 0) {
  if (mate !== 0) return mate > 0 ? 1 : 0;
  const [even, odds] = CURVES[rule];
  return 1 / (1 + Math.exp(-(score - even) / odds));
}

/** @param {number} share @returns {string} as "63.4 %" */
export function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}

/** @param {number} count @returns {string} as "1.25M" */
export function short(count) {
  if (count >= 1e6) return `${(count / 1e6).toFixed(2)}M`;
  if (count >= 1e3) return `${(count / 1e3).toFixed(1)}k`;
  return String(Math.round(count));
}

/** @param {number} ms @returns {string} as "1:05" */
export function clockText(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
