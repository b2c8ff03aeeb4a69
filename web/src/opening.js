// @ts-check
/**
 * The tournament opening of Pente: Black's first stone goes on the centre, and the second one outside
 * the 5x5 squares in the centre. The arena calls this opening rule `pro`.
 *
 * @typedef {import("./core.js").Square} Square
 */
import { RULE_KERYO, RULE_PENTE } from "./constants.js";

/** The rules that players begin by this opening. */
const RULES = [RULE_PENTE, RULE_KERYO];
const REACH = 2;
/** The smallest board with squares outside. */
const SMALLEST = 7;

/** Whether a game may begin by the opening. @param {number} rule @param {number} size */
export function hasOpening(rule, size) {
  return RULES.includes(rule) && size >= SMALLEST;
}

/** Why the opening refuses the next stone on a square; "" if it does not. @param {number} size @param {number} ply @param {Square} square */
export function refusedBy(size, ply, [x, y]) {
  const middle = size >> 1;
  const distance = Math.max(Math.abs(x - middle), Math.abs(y - middle));
  if (ply === 0 && distance > 0) return "CENTRE";
  return ply === 2 && distance <= REACH ? "FAR" : "";
}

/** The squares that the opening refuses to the next stone. @param {number} size @param {number} ply */
export function refusedSquares(size, ply) {
  const all = Array.from({ length: size * size }, (_, i) => [i % size, Math.floor(i / size)]);
  return /** @type {Square[]} */ (all).filter((square) => refusedBy(size, ply, square));
}
