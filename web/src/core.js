// @ts-check
/**
 * The engine core as the page sees it: one object whose methods mirror the functions of
 * csrc/include/tengen.h. This is the only file that knows how WebAssembly passes values.
 *
 * Squares are `[x, y]` from 0: x is the column from the left, y the row from the top. Scores are
 * integers from the side to move's view. A refused call throws CoreError.
 *
 * @typedef {[number, number]} Square
 * @typedef {{size: number, rule: number, memoryKib: number}} Config
 * @typedef {{status: number, winner: number, reason: number, captured: Square[]}} Outcome
 * @typedef {{seq: number, line: number, depth: number, seldepth: number, score: number,
 *            mate: number, timeMs: number, nodes: number, pv: Square[]}} Line
 * @typedef {{line: Square[], answer: "NOT_FOUND" | "NO_WIN" | "WIN"}} Proof line: a win, both sides'
 *   moves; NO_WIN is proved, NOT_FOUND is not
 * @typedef {{move: Square, stage: number, hashPermille: number, line: Line}} Result
 * @typedef {{black: Square[], white: Square[], neutral?: Square[], blackCaptures?: number,
 *            whiteCaptures?: number, toMove: number}} Setup
 * @typedef {{timeMs?: number, depth?: number, lines?: number, nodes?: number,
 *            excluded?: Square[], analysis?: boolean}} Limits
 */

/** Answers of a proof search (TgProof of tengen.h), by number. */
export const PROOF = /** @type {const} */ (["NOT_FOUND", "NO_WIN", "WIN"]);

/** Status codes of tengen.h (TgStatus), by number. */
export const STATUS = [
  "OK",
  "ARGUMENT",
  "SIZE",
  "RULE",
  "MEMORY",
  "OFF_BOARD",
  "OCCUPIED",
  "FORBIDDEN",
  "GAME_OVER",
  "NO_UNDO",
  "NO_MOVE",
  "OPTION",
  "WEIGHTS",
];

/** Why a square is forbidden (TgForbidden of tengen.h), by number. */
export const FORBIDDEN = ["NONE", "OVERLINE", "DOUBLE_FOUR", "DOUBLE_THREE"];

export const BLACK = 1;
export const WHITE = 2;
export const ONGOING = 0;
export const PENDING = 1;
export const WIN = 2;
export const DRAW = 3;

/** A refused call: `code` is a name of STATUS. */
export class CoreError extends Error {
  /**
   * @param {string} call
   * @param {number} status
   */
  constructor(call, status) {
    super(`${call}: ${STATUS[status] ?? status}`);
    this.code = STATUS[status] ?? String(status);
  }
}

/**
 * What the compiled core asks of its host: a clock. A search looks at it again and again.
 *
 * @param {() => WebAssembly.Memory} memory
 * @param {{onClock?: (ms: number) => void}} host
 */
function imports(memory, host) {
  return {
    wasi_snapshot_preview1: {
      clock_time_get(/** @type {number} */ _id, /** @type {bigint} */ _p, /** @type {number} */ at) {
        const ms = performance.now();
        host.onClock?.(ms);
        const now = BigInt(Math.round(ms * 1000)) * 1000n;
        new DataView(memory().buffer).setBigUint64(at, now, true);
        return 0;
      },
    },
  };
}

export class Core {
  /**
   * Compiles and starts the core, and makes one engine.
   *
   * @param {BufferSource | WebAssembly.Module} wasm
   * @param {Config} config
   * @returns {Promise<Core>}
   */
  static async create(wasm, config) {
    const module = wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(wasm);
    /** @type {WebAssembly.Instance | undefined} */
    let instance;
    /** @type {{onClock?: (ms: number) => void}} */
    const host = {};
    const memory = () => /** @type {WebAssembly.Memory} */ (instance?.exports.memory);
    instance = await WebAssembly.instantiate(module, imports(memory, host));
    return new Core(/** @type {any} */ (instance.exports), config, host);
  }

  /**
   * @param {any} exports
   * @param {Config} config
   * @param {{onClock?: (ms: number) => void}} host `onClock` is called while a search runs, and may
   *   call `progress`
   */
  constructor(exports, config, host) {
    this.host = host;
    this.wasm = exports;
    this.wasm._initialize();
    this.size = config.size;
    this.handle = this.wasm.web_new(config.size, config.rule, config.memoryKib);
    this.check("new", this.handle ? 0 : this.read(0));
  }

  /** Bytes of memory that the module holds. */
  get memoryBytes() {
    return this.wasm.memory.buffer.byteLength;
  }

  /**
   * @param {string} call
   * @param {number} status
   */
  check(call, status) {
    if (status !== 0) throw new CoreError(call, status);
  }

  /** @param {number} index */
  read(index) {
    return this.out()[index];
  }

  /** The result buffer; views do not survive a growth of the memory. */
  out() {
    return new Int32Array(this.wasm.memory.buffer, this.wasm.web_out(), this.wasm.web_out_size());
  }

  /**
   * @param {number} which
   * @param {Square[]} squares
   */
  push(which, squares) {
    for (const [x, y] of squares)
      if (!this.wasm.web_push(which, x, y)) throw new CoreError("push", 1);
  }

  /**
   * @param {Int32Array} out
   * @param {number} at
   * @returns {{squares: Square[], next: number}}
   */
  static squares(out, at) {
    /** @type {Square[]} */
    const squares = [];
    const count = out[at++];
    for (let i = 0; i < count; i++, at += 2) squares.push([out[at], out[at + 1]]);
    return { squares, next: at };
  }

  /**
   * @param {Int32Array} out
   * @param {number} at
   */
  static long(out, at) {
    return (out[at] >>> 0) + out[at + 1] * 2 ** 32;
  }

  /**
   * @param {Int32Array} out
   * @param {number} at
   * @returns {{line: Line, next: number}}
   */
  static line(out, at) {
    const [seq, line, depth, seldepth, score, mate, timeMs] = out.subarray(at, at + 7);
    const nodes = Core.long(out, at + 7);
    const { squares: pv, next } = Core.squares(out, at + 9);
    return { line: { seq, line, depth, seldepth, score, mate, timeMs, nodes, pv }, next };
  }

  /** @returns {Outcome} */
  takeOutcome() {
    const out = this.out();
    const [status, winner, reason] = out;
    return { status, winner, reason, captured: Core.squares(out, 3).squares };
  }

  /**
   * @param {number} size
   * @param {number} rule
   */
  reset(size, rule) {
    this.check("reset", this.wasm.web_reset(this.handle, size, rule));
    this.size = size;
  }

  /** @param {number} level 1 to 10 */
  setLevel(level) {
    this.check("level", this.wasm.web_level(this.handle, level));
  }

  /** @param {number} memoryKib */
  resizeTable(memoryKib) {
    this.check("resizeTable", this.wasm.web_resize_table(this.handle, memoryKib));
  }

  /** @param {Setup} setup */
  setPosition(setup) {
    this.push(0, setup.black);
    this.push(1, setup.white);
    this.push(2, setup.neutral ?? []);
    const { blackCaptures = 0, whiteCaptures = 0, toMove } = setup;
    this.check(
      "setPosition",
      this.wasm.web_set_position(this.handle, blackCaptures, whiteCaptures, toMove),
    );
  }

  /**
   * @param {Square} square
   * @returns {Outcome}
   */
  play([x, y]) {
    this.check("play", this.wasm.web_play(this.handle, x, y));
    return this.takeOutcome();
  }

  /**
   * Puts a stone that was played elsewhere: forbidden squares and the end of the game do not matter.
   *
   * @param {Square} square
   * @returns {Outcome}
   */
  place([x, y]) {
    this.check("place", this.wasm.web_place(this.handle, x, y));
    return this.takeOutcome();
  }

  undo() {
    this.check("undo", this.wasm.web_undo(this.handle));
  }

  /** @returns {Outcome} */
  outcome() {
    this.check("outcome", this.wasm.web_outcome(this.handle));
    return this.takeOutcome();
  }

  /**
   * @param {Square} square
   * @returns {string} a name of STATUS
   */
  legal([x, y]) {
    return STATUS[this.wasm.web_legal(this.handle, x, y)];
  }

  /** @returns {Square[]} */
  forbidden() {
    this.check("forbidden", this.wasm.web_forbidden(this.handle));
    return Core.squares(this.out(), 0).squares;
  }

  /**
   * @param {Square} square
   * @returns {string} a name of FORBIDDEN: why the side to move may not play there
   */
  whyForbidden([x, y]) {
    this.check("whyForbidden", this.wasm.web_why_forbidden(this.handle, x, y));
    return FORBIDDEN[this.read(0)];
  }

  /**
   * What a stone of a colour would make on each square, row by row; numbers of TgThreat.
   *
   * @param {number} color
   * @returns {number[]}
   */
  threats(color) {
    this.check("threats", this.wasm.web_threats(this.handle, color, this.size));
    return [...this.out().subarray(0, this.size * this.size)];
  }

  /**
   * The answers that do not lose at once while a five of the other side is pending.
   *
   * @returns {Square[]}
   */
  breaks() {
    this.check("breaks", this.wasm.web_breaks(this.handle, this.size));
    return Core.squares(this.out(), 0).squares;
  }

  /** @returns {number} the static score */
  evaluate() {
    this.check("evaluate", this.wasm.web_evaluate(this.handle));
    return this.read(0);
  }

  /**
   * Blocks until a limit or a proof ends the search.
   *
   * @param {Limits} limits
   * @returns {Result}
   */
  search({ timeMs = -1, depth = -1, lines = 1, nodes = -1, excluded = [], analysis = false }) {
    this.push(0, excluded);
    const { wasm, handle } = this;
    const asked = Number(analysis);
    this.check("search", wasm.web_search(handle, timeMs, depth, lines, nodes, asked));
    const out = this.out();
    const [x, y, stage, hashPermille] = out;
    return { move: [x, y], stage, hashPermille, line: Core.line(out, 4).line };
  }

  /**
   * The finished iterations of the last search with a number above `after`, oldest first.
   *
   * @param {number} after
   * @returns {Line[]}
   */
  progress(after = 0) {
    /** @type {Line[]} */
    const lines = [];
    for (;;) {
      this.check("progress", this.wasm.web_progress(this.handle, lines.at(-1)?.seq ?? after));
      const out = this.out();
      const count = out[0];
      if (count === 0) return lines;
      let at = 1;
      for (let i = 0; i < count; i++) {
        const read = Core.line(out, at);
        lines.push(read.line);
        at = read.next;
      }
    }
  }

  /** What a proof search has left. @returns {Proof} */
  proof() {
    const { squares, next } = Core.squares(this.out(), 0);
    return { line: squares, answer: PROOF[this.out()[next]] };
  }

  /**
   * @param {number} nodes
   * @returns {Proof} of a win by continuous fours
   */
  vcf(nodes) {
    this.check("vcf", this.wasm.web_vcf(this.handle, nodes));
    return this.proof();
  }

  /**
   * @param {number} nodes
   * @param {number} timeMs
   * @returns {Proof} of a win by continuous threats
   */
  vct(nodes, timeMs) {
    this.check("vct", this.wasm.web_vct(this.handle, nodes, timeMs));
    return this.proof();
  }

  /**
   * @param {number} index
   * @returns {{size: number, rule: number, depth: number, move: Square, score: number,
   *            nodes: number, timeUs: number} | null} null after the last position
   */
  bench(index) {
    if (this.wasm.web_bench(index) !== 0) return null;
    const out = this.out();
    return {
      size: out[0],
      rule: out[1],
      depth: out[2],
      move: [out[3], out[4]],
      score: out[5],
      nodes: Core.long(out, 6),
      timeUs: Core.long(out, 8),
    };
  }
}
