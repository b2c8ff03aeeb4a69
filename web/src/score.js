// @ts-check
/** Scores as people read them. */

/**
 * The curve of each rule: the score of even chances, and the points that make odds of e to 1. The
 * numbers are those of records/winrate.py, and a test compares them.
 *
 * @type {Record<number, [number, number]>}
 */
const CURVES = {
  0: [6, 214],
  1: [5, 209],
  4: [6, 207],
  8: [3, 220],
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

/**
 * Five factors of the logarithm of the odds of a draw. Its terms are 1; the share of squares on
 * which a stone was placed; the distance of the score from that of even chances, in hundreds of
 * points; the product of these two; (size - 15) / 5. The numbers are those of records/winrate.py,
 * and a test compares them.
 *
 * @type {Record<number, [number, number, number, number, number]>}
 */
const DRAWS = {
  0: [-2.69, 12.4, -0.37, -1.14, -3.27],
  1: [-2.51, 11.85, -0.35, -1.03, -2.98],
  4: [-2.62, 10.93, -0.39, -1.22, -3.47],
  8: [-1.19, 11.46, -0.46, -1.96, -3.28],
  9: [-0.88, 11.48, -0.53, -1.66, -2.55],
  16: [-6.86, -0.45, -2.65, -0.19, -0.86],
  32: [-6.66, -0.39, -2.72, -0.16, -0.9],
  64: [-7.01, -0.51, -2.58, -0.2, -0.91],
};

/**
 * The chances to win, draw and lose. Win and half the draw are the chance of `chance`.
 *
 * @param {number} rule the rule's number
 * @param {{score: number, mate: number}} line as in `chance`
 * @param {{size: number, placed: number}} board its side, and the stones that were placed
 * @returns {[number, number, number]} 0 to 1
 */
export function wdl(rule, { score, mate }, { size, placed }) {
  const rate = chance(rule, score, mate);
  const [constant, full, distance, both, larger] = DRAWS[rule];
  const share = placed / size ** 2;
  const gap = Math.abs(score - CURVES[rule][0]) / 100;
  const odds =
    constant + full * share + (distance + both * share) * gap + (larger * (size - 15)) / 5;
  const draw = Math.min(1 / (1 + Math.exp(-odds)), 2 * rate, 2 * (1 - rate));
  return [rate - draw / 2, draw, 1 - rate - draw / 2];
}

/**
 * @param {[number, number, number]} chances to win, draw and lose, 0 to 1
 * @returns {string} in percent, as "45 / 49 / 6"; the sum is 100
 */
export function inPercent([win, , loss]) {
  const [wins, losses] = [Math.round(100 * win), Math.round(100 * loss)];
  return `${wins} / ${Math.max(0, 100 - wins - losses)} / ${losses}`;
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
