// @ts-check
/**
 * What the board shows of the app's state.
 *
 * @typedef {import("./app.js").App} App
 * @typedef {import("./board.js").Mark} Mark
 * @typedef {import("./board.js").Stone} Stone
 */
import { PENDING } from "./core.js";
import { chance } from "./score.js";
import { t } from "./strings.js";

/**
 * A candidate's colour by what it loses against the best one.
 *
 * @param {number} loss a share of the chance to win, 0 to 1
 * @returns {Mark["tone"]}
 */
export function toneOf(loss) {
  if (loss < 0.02) return "good";
  return loss < 0.1 ? "fair" : "bad";
}

/** @param {App} app @returns {Mark[]} */
function marksOf(app) {
  if (app.hint) return [{ square: app.hint, text: "★", tone: "best" }];
  if (!app.view || app.shownLine.length) return [];
  const best = app.view.lines[0];
  if (!best) return [];
  const top = chance(app.game.head.rule, best.score, best.mate);
  return app.view.lines.map((line, i) => {
    const rate = chance(app.game.head.rule, line.score, line.mate);
    return {
      square: line.pv[0],
      text: String(i + 1),
      sub: `${Math.round(100 * rate)}`,
      tone: i === 0 ? "best" : toneOf(top - rate),
    };
  });
}

/** @param {App} app @returns {Stone[]} */
function ghostsOf(app) {
  let color = app.shownFrom || app.game.toMove;
  return app.shownLine.map((square, i) => {
    const stone = { square, color, number: i + 1 };
    color = 3 - color;
    return stone;
  });
}

/** @param {App} app @returns {import("./board.js").Picture} */
export function pictureOf(app) {
  const { stones, captured } = app.board;
  const { size } = app.game.head;
  return {
    size,
    stones,
    captured,
    forbidden: app.over ? [] : (app.facts?.forbidden ?? []),
    targets: app.facts?.outcome.status === PENDING ? app.facts.breaks : [],
    threats: app.threats?.list,
    marks: marksOf(app),
    ghosts: ghostsOf(app),
    cursor: app.cursor,
    numbers: app.settings.numbers,
    counting: app.settings.counting,
    label: t("board", { size }),
  };
}
