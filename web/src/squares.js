// @ts-check
/**
 * Names of squares. Renju players count columns a, b, c, ... (i is kept) and rows from 1 at the
 * bottom; Piskvork counts both from 0 at the top left.
 *
 * @typedef {import("./core.js").Square} Square
 */

export { MIN_SIZE as SMALLEST, MAX_SIZE as LARGEST } from "./constants.js";

/**
 * @param {Square} square
 * @param {number} size
 * @returns {string} as "h8"
 */
export function nameOf([x, y], size) {
  return String.fromCharCode(97 + x) + (size - y);
}

/**
 * @param {Square} square
 * @param {number} size
 * @param {boolean} counting whether to count from 0 at the top left, as Piskvork does
 * @returns {string} as "h8", or as "7,7"
 */
export function nameFor([x, y], size, counting) {
  return counting ? `${x},${y}` : nameOf([x, y], size);
}

/**
 * @param {string} text as "h8" or "H8", or "7,7" as Piskvork writes it
 * @param {number} size
 * @returns {Square | null} null when it is no square of the board
 */
export function squareOf(text, size) {
  const letters = /^([a-z])(\d{1,2})$/i.exec(text);
  const numbers = /^(\d{1,2}),(\d{1,2})$/.exec(text);
  /** @type {Square} */
  let square;
  if (letters) {
    square = [letters[1].toLowerCase().charCodeAt(0) - 97, size - Number(letters[2])];
  } else if (numbers) square = [Number(numbers[1]), Number(numbers[2])];
  else return null;
  const [x, y] = square;
  return x >= 0 && x < size && y >= 0 && y < size ? square : null;
}

/**
 * @param {Square} a
 * @param {Square} b
 */
export function same(a, b) {
  return a[0] === b[0] && a[1] === b[1];
}

/**
 * What stands beside the columns and rows of a board.
 *
 * @param {number} size
 * @param {boolean} counting whether to count from 0 at the top left, as Piskvork does
 * @returns {{columns: string[], rows: string[]}}
 */
export function labels(size, counting) {
  const every = Array.from({ length: size }, (_, i) => i);
  return {
    columns: every.map((i) => (counting ? String(i) : String.fromCharCode(97 + i))),
    rows: every.map((i) => String(counting ? i : size - i)),
  };
}
