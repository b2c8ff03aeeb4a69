// @ts-check
/**
 * The engine as the page uses it: promises in front of the worker.
 *
 * Calls are taken in their order. One call runs at a time; a new one ends the running one first. When
 * the worker is inside a slice or a proof and does not answer a stop within STOP_MS, it is ended and
 * another one is started. Its table is lost, the best line so far is not.
 *
 * The worker is whatever answers the requests of worker.js by messages: a native engine at the other
 * end of a socket can take its place.
 *
 * @typedef {import("./core.js").Square} Square
 * @typedef {import("./core.js").Line} Line
 * @typedef {import("./core.js").Outcome} Outcome
 * @typedef {import("./core.js").Proof} Proof
 * @typedef {import("./core.js").Result} Result
 * @typedef {import("./worker.js").Position} Position
 * @typedef {import("./worker.js").Request} Request
 * @typedef {{steps: import("./worker.js").Step[], outcome: Outcome, forbidden: Square[],
 *            reasons: string[], breaks: Square[]}} Facts reasons: why each square is forbidden
 * @typedef {{lines: Line[], depth: number, nodes: number, timeMs: number,
 *            hashPermille: number | null}} View
 */

const STOP_MS = 60;
/** Calls that take long, and can be ended. */
const LONG = ["search", "vcf", "vct", "bench"];

/** A call that was ended before it had any result. */
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
    /** The long call that runs, 0 for none. */
    this.running = 0;
    /** @type {Promise<any>} the calls before are sent when it is settled */
    this.turn = Promise.resolve();
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

  /** @returns {Engine} one more, with a worker of its own */
  another() {
    return new Engine(this.makeWorker, this.wasm, { memoryKib: this.memoryKib });
  }

  /** Starts anew with another size of the table. @param {number} memoryKib */
  async setMemory(memoryKib) {
    await this.stop();
    this.memoryKib = memoryKib;
    this.restart();
  }

  restart() {
    this.worker?.terminate();
    this.restarts++;
    this.fail(new StoppedError("ended"));
    this.spawn();
  }

  /** @param {Error} error */
  fail(error) {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
    this.running = 0;
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
    if (message.id === this.running) this.running = 0;
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

  /**
   * @param {any} message
   * @param {(view: View) => void} [onView]
   * @returns {Promise<any>}
   */
  async call(message, onView) {
    const before = this.turn;
    /** @type {Promise<any> | undefined} */
    let answer;
    this.turn = (async () => {
      await before;
      await this.stop();
      await this.ready;
      this.lastView = null;
      answer = this.send(message, onView);
      answer.catch(() => {}); // the caller gets it below
      if (LONG.includes(message.call)) this.running = this.nextId - 1;
    })();
    const sent = this.turn;
    this.turn = sent.catch(() => {});
    await sent;
    return answer;
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
  search(position, request, onView) {
    return this.call({ call: "search", position, request }, onView);
  }

  get searching() {
    return this.running !== 0;
  }

  /** Ends the running call; the promise of a search gets the best result so far. */
  async stop() {
    const id = this.running;
    if (!id) return;
    const entry = this.waiting.get(id);
    const stopped = this.send({ call: "stop" }).catch(() => "gone");
    const late = new Promise((resolve) => setTimeout(() => resolve("late"), STOP_MS));
    if ((await Promise.race([stopped, late])) !== "late" || this.running !== id) return;
    const view = this.lastView;
    this.waiting.delete(id);
    this.restart();
    const line = view?.lines[0];
    if (view && line)
      entry?.resolve({ move: line.pv[0], stage: 7, hashPermille: view.hashPermille ?? 0, line });
    else entry?.reject(new StoppedError("ended before the first result"));
  }

  /**
   * @param {Position} position
   * @param {number} nodes
   * @returns {Promise<Proof>} of a win by continuous fours
   */
  vcf(position, nodes = 500000) {
    return this.call({ call: "vcf", position, nodes });
  }

  /**
   * @param {Position} position
   * @param {{nodes?: number, timeMs?: number}} limits
   * @returns {Promise<Proof>} of a win by continuous threats
   */
  vct(position, { nodes = 2000000, timeMs = 5000 } = {}) {
    return this.call({ call: "vct", position, nodes, timeMs });
  }

  /**
   * @param {Position} position
   * @returns {Promise<[number[], number[]]>} what a stone of Black and of White would make on each
   *   square, row by row; numbers of TgThreat
   */
  threats(position) {
    return this.call({ call: "threats", position });
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
