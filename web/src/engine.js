// @ts-check
/**
 * The engine as the page uses it: promises in front of the worker.
 *
 * One search runs at a time; a new call stops the running one first. When the worker is inside a
 * slice and does not answer a stop within STOP_MS, it is ended and another one is started. Its table
 * is lost, the best line so far is not.
 *
 * @typedef {import("./core.js").Square} Square
 * @typedef {import("./core.js").Line} Line
 * @typedef {import("./core.js").Outcome} Outcome
 * @typedef {import("./core.js").Result} Result
 * @typedef {import("./worker.js").Position} Position
 * @typedef {import("./worker.js").Request} Request
 * @typedef {{steps: import("./worker.js").Step[], outcome: Outcome, forbidden: Square[],
 *            breaks: Square[]}} Facts
 * @typedef {{lines: Line[], depth: number, nodes: number, timeMs: number, hashPermille: number}} View
 */

const STOP_MS = 80;

/** A search that was stopped before it had any result. */
export class StoppedError extends Error {}

export class Engine {
  /**
   * @param {() => Worker} makeWorker
   * @param {WebAssembly.Module} wasm
   * @param {{memoryKib?: number}} options
   */
  constructor(makeWorker, wasm, { memoryKib = 65536 } = {}) {
    this.makeWorker = makeWorker;
    this.wasm = wasm;
    this.memoryKib = memoryKib;
    this.nextId = 1;
    /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void,
     *                      onView?: (view: View) => void}>} */
    this.waiting = new Map();
    this.search_ = 0;
    /** @type {View | null} */
    this.lastView = null;
    this.restarts = 0;
    this.spawn();
  }

  spawn() {
    this.worker = this.makeWorker();
    this.worker.onmessage = ({ data }) => this.receive(data);
    this.worker.onerror = (event) => this.fail(new Error(event.message || "the engine crashed"));
    const config = { size: 15, rule: 0, memoryKib: this.memoryKib };
    this.ready = this.send({ call: "start", wasm: this.wasm, config });
    this.ready.catch(() => {}); // every call waits for it, and fails with it
  }

  /** @param {Error} error */
  fail(error) {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
    this.search_ = 0;
  }

  /** @param {any} message */
  receive(message) {
    const entry = this.waiting.get(message.id);
    if (!entry) return;
    if (message.view) {
      this.lastView = message.view;
      entry.onView?.(message.view);
      return;
    }
    this.waiting.delete(message.id);
    if (message.id === this.search_) this.search_ = 0;
    if (message.error) {
      const { code, index, text } = message.error;
      entry.reject(Object.assign(new Error(text), { code, index }));
    } else entry.resolve(message.value);
  }

  /**
   * @param {any} message
   * @param {(view: View) => void} [onView]
   * @returns {Promise<any>}
   */
  send(message, onView) {
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, onView });
      this.worker?.postMessage({ ...message, id });
    });
  }

  /** @param {any} message */
  async call(message) {
    await this.stop();
    await this.ready;
    return this.send(message);
  }

  /**
   * What the rules say of a position: what each move did, the outcome, forbidden squares, answers to
   * a pending five. A move that cannot be put on the board rejects with `index` and `code`.
   *
   * @param {Position} position
   * @returns {Promise<Facts>}
   */
  inspect(position) {
    return this.call({ call: "inspect", position });
  }

  /**
   * Searches until a limit or a proof ends it, or another call.
   *
   * @param {Position} position
   * @param {Request} request
   * @param {(view: View) => void} [onView]
   * @returns {Promise<Result>} StoppedError when it was stopped before it had a result
   */
  async search(position, request, onView) {
    await this.stop();
    await this.ready;
    this.lastView = null;
    const done = this.send({ call: "search", position, request }, onView);
    this.search_ = this.nextId - 1;
    return done;
  }

  get searching() {
    return this.search_ !== 0;
  }

  /** Ends a running search; its promise gets the best result so far. */
  async stop() {
    const id = this.search_;
    if (!id) return;
    const entry = this.waiting.get(id);
    const stopped = this.send({ call: "stop" });
    stopped.catch(() => {});
    const late = new Promise((resolve) => setTimeout(() => resolve("late"), STOP_MS));
    if ((await Promise.race([stopped.catch(() => "gone"), late])) !== "late") return;
    if (this.search_ !== id) return;
    this.worker?.terminate();
    this.restarts++;
    const view = this.lastView;
    const others = [...this.waiting.entries()].filter(([key]) => key !== id);
    this.waiting.clear();
    this.search_ = 0;
    for (const [, other] of others) other.resolve(null);
    this.spawn();
    const line = view?.lines[0];
    if (view && line) {
      entry?.resolve({ move: line.pv[0], stage: 7, hashPermille: view.hashPermille, line });
    } else entry?.reject(new StoppedError("stopped before the first result"));
  }

  /**
   * @param {Position} position
   * @param {number} nodes
   * @returns {Promise<Square[]>} a proven win by continuous fours, empty when none was found
   */
  vcf(position, nodes = 500000) {
    return this.call({ call: "vcf", position, nodes });
  }

  /**
   * @param {Position} position
   * @param {{nodes?: number, timeMs?: number}} limits
   * @returns {Promise<Square[]>} a proven win by continuous fours and threes, likewise
   */
  vct(position, { nodes = 2000000, timeMs = 5000 } = {}) {
    return this.call({ call: "vct", position, nodes, timeMs });
  }

  /** @returns {Promise<{signature: string, nodes: number, nodesPerSecond: number}>} */
  bench() {
    return this.call({ call: "bench" });
  }

  /** @returns {Promise<number>} bytes that the engine's module holds */
  memoryBytes() {
    return this.call({ call: "memory" });
  }

  close() {
    this.worker?.terminate();
    this.fail(new Error("closed"));
  }
}
