// @ts-check
/**
 * Analysis by the native engine of the server of `tengen-arena board`: full speed and all threads.
 *
 * @typedef {import("./core.js").Line} Line
 * @typedef {import("./engine.js").View} View
 */
import { t } from "./strings.js";

export class Native {
  /** @param {import("./match.js").Match} match */
  constructor(match) {
    this.match = match;
    this.id = 0;
    /** @type {{onView: (view: View) => void, resolve: () => void, reject: (error: Error) => void} | null} */
    this.running = null;
  }

  /** Whether the server has Tengen, and the settings want it. */
  get isWanted() {
    const { match } = this;
    return match.app.settings.native && !match.lost && match.brains.some(({ own }) => own);
  }

  /**
   * Analyses the shown position until it is halted.
   *
   * @param {(view: View) => void} onView
   * @returns {Promise<void>} settled when the analysis has ended
   */
  analyse(onView) {
    const { app } = this.match;
    const { rule, size, setup } = app.game.head;
    if (setup?.neutral?.length) return Promise.reject(new Error(t("native.blocked")));
    const { stones, taken } = app.board;
    this.match.send({
      do: "analyse",
      id: ++this.id,
      rule,
      size,
      lines: app.settings.lines,
      memory_mib: app.settings.matchMemoryMib,
      stones: stones.map(({ square: [x, y], color }) => [x, y, color]),
      to_move: app.game.toMove,
      black_captures: taken[0],
      white_captures: taken[1],
    });
    return new Promise((resolve, reject) => {
      this.running = { onView, resolve, reject };
    });
  }

  halt() {
    if (!this.running) return;
    this.running.resolve();
    this.running = null;
    this.match.send({ do: "halt" });
  }

  /** The server is gone. @param {string} reason */
  fail(reason) {
    this.running?.reject(new Error(reason));
    this.running = null;
  }

  /** @param {{is: string, id: number, lines: Line[], problem: string}} event */
  receive({ is, id, lines, problem }) {
    const { running } = this;
    if (!running || id !== this.id) return;
    if (is === "analysis") {
      const depth = Math.max(...lines.map((line) => line.depth));
      const nodes = Math.max(...lines.map((line) => line.nodes));
      const timeMs = Math.max(...lines.map((line) => line.timeMs));
      running.onView({ lines, depth, nodes, timeMs, hashPermille: null });
      return;
    }
    this.running = null;
    if (problem) running.reject(new Error(problem));
    else running.resolve();
  }
}
