// @ts-check
/**
 * The threat map: what a stone of either side would make on each square, and whether the side that is
 * not to move has a win by continuous fours. An engine of its own answers, so that an analysis goes on.
 *
 * @typedef {import("./app.js").App} App
 * @typedef {import("./core.js").Square} Square
 * @typedef {{square: Square, color: number, text: string}} Threat
 * @typedef {{list: Threat[], vcf: Square[]}} Threats vcf: the line of the side that is not to move
 */
import { BLACK, WHITE } from "./core.js";
import { StoppedError } from "./engine.js";
import { t } from "./strings.js";

/** Short names of TgThreat, by number; a plus marks an open four. */
const NAMES = ["", "3", "33", "4", "43", "44", "4+", "5"];

/** The shown position with the other side to move. @param {App} app */
function passed(app) {
  const { size, rule, setup } = app.game.head;
  const { stones, taken } = app.board;
  const of = (/** @type {number} */ color) =>
    stones.filter((stone) => stone.color === color).map((stone) => stone.square);
  const turned = {
    black: of(BLACK),
    white: of(WHITE),
    neutral: setup?.neutral ?? [],
    blackCaptures: taken[0],
    whiteCaptures: taken[1],
    toMove: 3 - app.game.toMove,
  };
  return { size, rule, setup: turned, moves: [] };
}

/** @param {[number[], number[]]} map @param {number} size @returns {Threat[]} */
function listOf(map, size) {
  return map.flatMap((kinds, i) =>
    kinds.flatMap((kind, at) => {
      /** @type {Square} */
      const square = [at % size, Math.floor(at / size)];
      return kind ? [{ square, color: i + 1, text: NAMES[kind] }] : [];
    }),
  );
}

/**
 * Fills in the threats of the shown position, where they are wanted.
 *
 * @param {App} app
 */
export async function lookForThreats(app) {
  app.threats = null;
  if (!app.settings.threats || app.tab !== "analyse" || app.over) return;
  const { token } = app;
  app.watcher ??= app.engine.another();
  try {
    const map = await app.watcher.threats(app.game.position);
    if (token !== app.token) return;
    app.threats = { list: listOf(map, app.game.head.size), vcf: [] };
    app.changed();
    const { line: vcf } = await app.watcher.vcf(passed(app));
    if (token !== app.token) return;
    app.threats = { ...app.threats, vcf };
  } catch (error) {
    if (token !== app.token || error instanceof StoppedError) return;
    app.message = t("engineFailed", { reason: String(error) });
  }
  app.changed();
}
