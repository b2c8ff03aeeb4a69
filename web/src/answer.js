// @ts-check
/**
 * The engine's move in a game.
 *
 * @typedef {import("./app.js").App} App
 */
import { StoppedError } from "./engine.js";
import { t } from "./strings.js";

/** The least time to an answer. A person would overlook a faster one. */
const LEAST_ANSWER_MS = 350;
/** The time of the second search if the first one was ended before it had a move. */
const AT_ONCE_MS = 50;

/**
 * Searches for the engine's move, with the time and the squares that the game allows.
 *
 * @param {App} app
 */
async function searchMove(app) {
  const { token } = app;
  const { level, turnMs } = app.settings;
  const excluded = app.refused;
  const first = app.engine.search(app.game.position, { level, timeMs: turnMs, excluded });
  return first.catch((error) => {
    // "move now" ended the search before it had a move
    if (!(error instanceof StoppedError && app.hurried && token === app.token)) throw error;
    return app.engine.search(app.game.position, { level, timeMs: AT_ONCE_MS, excluded });
  });
}

/**
 * Lets the engine move when it is its turn.
 *
 * @param {App} app
 */
export async function answer(app) {
  if (!app.enginePlays(app.game.toMove)) return;
  const { token } = app;
  app.thinking = true;
  app.hurried = false;
  app.changed();
  const began = performance.now();
  try {
    const result = await searchMove(app);
    const wait = LEAST_ANSWER_MS - (performance.now() - began);
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    if (token !== app.token) return;
    app.thinking = false;
    await app.play(result.move);
  } catch (error) {
    if (token !== app.token) return;
    app.thinking = false;
    if (!(error instanceof StoppedError)) app.message = t("engineFailed", { reason: String(error) });
    app.changed();
  }
}
