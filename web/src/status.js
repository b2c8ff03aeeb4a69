// @ts-check
/**
 * What the page says of the position, and the clocks.
 *
 * @typedef {import("./app.js").App} App
 */
import { BLACK, DRAW, PENDING, WIN } from "./core.js";
import { captureKey } from "./position.js";
import { t } from "./strings.js";

const REASONS = ["", "five", "captures", "notBroken", "draw", "noMove"];

/** @param {number} color */
export const colorName = (color) => t(color === BLACK ? "black" : "white");

/** @param {App} app @returns {{text: string, tone: "" | "end" | "warn"}} */
export function statusOf(app) {
  const outcome = app.facts?.outcome;
  if (app.tab === "match" && app.match) return app.match.status;
  if (app.swap2.on) return { text: app.swap2.text, tone: app.message ? "warn" : "" };
  if (!outcome) return { text: "", tone: "" };
  if (outcome.status === WIN) {
    const reason = REASONS[outcome.reason] || "win";
    const key = `end.${reason}`;
    const { rule } = app.game.head;
    return { text: t(reason === "captures" ? captureKey(key, rule) : key, { color: colorName(outcome.winner) }), tone: "end" };
  }
  if (outcome.status === DRAW)
    return { text: t(outcome.reason === 5 ? "end.noMove" : "end.draw"), tone: "end" };
  if (app.message) return { text: app.message, tone: "warn" };
  if (outcome.status === PENDING && !app.thinking) return { text: t("pending"), tone: "warn" };
  if (app.thinking) return { text: t("turn.engine"), tone: "" };
  if (app.waits) return { text: t("waits"), tone: "" };
  if (app.tab === "play" && !app.enginePlays(app.game.toMove) && app.settings.side !== "both")
    return { text: t("turn.you"), tone: "" };
  return { text: t(app.game.toMove === BLACK ? "turn.black" : "turn.white"), tone: "" };
}

/** @param {App} app @returns {[number, number]} ms that Black and White have used up to here */
export function usedMsOf(app) {
  /** @type {[number, number]} */
  const used = [0, 0];
  let color = app.game.head.setup?.toMove ?? BLACK;
  for (const { timeMs } of app.game.current.path()) {
    used[color - 1] += timeMs ?? 0;
    color = 3 - color;
  }
  const { match } = app;
  if (app.tab === "match" && match?.turn && match.shown && app.game.current === match.last)
    used[app.game.toMove - 1] += performance.now() - match.turnBegan;
  if (app.tab === "play" && !app.over && !app.waits && app.game.current.parent)
    used[app.game.toMove - 1] += performance.now() - app.turnBegan;
  return used;
}
