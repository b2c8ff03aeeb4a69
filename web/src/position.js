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

/**
 * @param {Setup | null} setup
 * @param {Square[]} moves
 * @param {Step[]} steps what each move did
 * @returns {{stones: Stone[], captured: Stone[], pairs: [number, number]}} captured: by the last move;
 *   pairs: taken by Black and by White
 */
export function boardOf(setup, moves, steps) {
  /** @type {Map<string, Stone>} */
  const stones = new Map();
  for (const square of setup?.black ?? []) stones.set(square.join(), { square, color: 1 });
  for (const square of setup?.white ?? []) stones.set(square.join(), { square, color: 2 });
  /** @type {[number, number]} */
  const pairs = [setup?.blackPairs ?? 0, setup?.whitePairs ?? 0];
  /** @type {Stone[]} */
  let captured = [];
  let color = setup?.toMove ?? 1;
  moves.forEach((square, i) => {
    captured = [];
    for (const taken of steps[i]?.captured ?? []) {
      const stone = stones.get(taken.join());
      if (stone) captured.push(stone);
      stones.delete(taken.join());
    }
    pairs[color - 1] += captured.length / 2;
    stones.set(square.join(), { square, color, number: i + 1, last: i === moves.length - 1 });
    color = 3 - color;
  });
  return { stones: [...stones.values()], captured, pairs };
}
