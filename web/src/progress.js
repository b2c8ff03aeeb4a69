// @ts-check
/**
 * What a search in slices shows: each slice deepens anew, the views only ever get deeper.
 *
 * @typedef {import("./core.js").Line} Line
 * @typedef {{lines: Line[], depth: number, nodes: number, timeMs: number, hashPermille: number}} View
 */

/** @param {Line} line a proven win before a score, the shorter one first; a loss after it */
function worth({ mate, score }) {
  if (mate > 0) return 1e9 - mate;
  return mate < 0 ? -1e9 - mate : score;
}

export class Progress {
  /** @param {number} began in milliseconds */
  constructor(began) {
    this.began = began;
    /** The number of the last line that was read in this slice. */
    this.seq = 0;
    /** Nodes of the finished slices. */
    this.nodes = 0;
    /** @type {Map<number, Line>} the newest of each line in this slice */
    this.newest = new Map();
    /** @type {Line[]} the deepest full set so far */
    this.shown = [];
    this.hashPermille = 0;
  }

  beginSlice() {
    this.seq = 0;
    this.newest.clear();
  }

  /**
   * @param {Line[]} lines
   * @returns {View | null} what is to be shown; null before the first line
   */
  take(lines) {
    let told = 0;
    for (const line of lines) {
      this.seq = line.seq;
      this.newest.set(line.line, line);
      told = Math.max(told, line.nodes);
      this.keep();
    }
    return this.view(told);
  }

  /** Keeps the newest lines when they are of one depth, and as deep and as many as those shown. */
  keep() {
    const lines = [...this.newest.values()];
    const { depth } = lines[0];
    const before = this.shown[0]?.depth ?? 0;
    const full = lines.every((line) => line.depth === depth);
    if (!full || depth < before || lines.length < this.shown.length) return;
    this.shown = lines.sort((a, b) => worth(b) - worth(a));
  }

  /**
   * @param {import("./core.js").Result} result
   * @returns {View | null}
   */
  endSlice({ line, hashPermille }) {
    this.nodes += line.nodes;
    this.hashPermille = Math.max(this.hashPermille, hashPermille);
    // a move that was found without a search has told no line
    if (!this.shown.length && line.pv.length) this.shown = [line];
    return this.view(0);
  }

  /**
   * @param {number} running nodes of the running slice
   * @returns {View | null}
   */
  view(running) {
    if (!this.shown.length) return null;
    return {
      lines: this.shown,
      depth: this.shown[0].depth,
      nodes: this.nodes + running,
      timeMs: performance.now() - this.began,
      hashPermille: this.hashPermille,
    };
  }
}
