// @ts-check
/**
 * The worker: it owns one Core and answers one request at a time.
 *
 * A request is `{id, call, ...}`; its answer is `{id, value}` or `{id, error}`. While a search runs,
 * views `{id, view}` come before the answer: the search asks for the time again and again, and then
 * the worker reads how far it is. A search is cut into slices that keep the table and double in
 * length: a request that arrives between two slices (a stop, or another search) is seen there. Inside
 * a slice nothing can be received, so the page ends the worker when a stop takes too long (engine.js).
 *
 * @typedef {import("./core.js").Square} Square
 * @typedef {{size: number, rule: number, moves: Square[], setup?: import("./core.js").Setup}} Position
 * @typedef {{timeMs?: number, depth?: number, nodes?: number, lines?: number, level?: number,
 *            excluded?: Square[], analysis?: boolean}} Request
 */
import { MAX_LEVEL } from "./constants.js";
import { BLACK, Core, CoreError, WHITE } from "./core.js";
import { Progress } from "./progress.js";

/** A slice in milliseconds: the first, and the longest. */
const FIRST_SLICE = 40;
const LAST_SLICE = 600000;
const MAX_DEPTH = 250;
/** A view is posted no more often than that. */
const VIEW_MS = 150;

/** @typedef {import("./core.js").Outcome & {legal: string}} Step */

/** @type {Core | null} */
let core = null;
/** What the core holds: the board and setup as text, the moves, and what each of them did. */
let heldBoard = "";
/** @type {Square[]} */
let heldMoves = [];
/** @type {Step[]} */
let steps = [];
let running = 0;

/** A move that cannot even be put on the board; `index` counts from 0. */
class MoveError extends Error {
  /**
   * @param {number} index
   * @param {string} code
   */
  constructor(index, code) {
    super(`move ${index + 1}: ${code}`);
    this.index = index;
    this.code = code;
  }
}

/** @param {Position} position */
function load({ size, rule, setup, moves }) {
  if (!core) throw new Error("the core is not ready");
  const board = JSON.stringify([size, rule, setup ?? null]);
  if (heldBoard !== board) {
    heldBoard = "";
    heldMoves = [];
    steps = [];
    core.reset(size, rule);
    if (setup) core.setPosition(setup);
    heldBoard = board;
  }
  // the core keeps what both games share
  let same = 0;
  const most = Math.min(heldMoves.length, moves.length);
  while (same < most && heldMoves[same].join() === moves[same].join()) same++;
  try {
    for (; heldMoves.length > same; heldMoves.pop(), steps.pop()) core.undo();
  } catch (error) {
    if (!(error instanceof CoreError) || error.code !== "NO_UNDO") throw error;
    // the core forgets the first moves of a game that continues long after its end
    heldBoard = "";
    load({ size, rule, setup, moves });
    return;
  }
  for (let i = same; i < moves.length; i++) {
    const legal = core.legal(moves[i]);
    if (legal === "OCCUPIED" || legal === "OFF_BOARD") throw new MoveError(i, legal);
    steps.push({ legal, ...core.place(moves[i]) });
    heldMoves.push(moves[i]);
  }
}

/**
 * Reads what the rules say of a position and of the moves that lead to it.
 *
 * @param {Position} position
 */
function inspect(position) {
  load(position);
  const c = /** @type {Core} */ (core);
  const forbidden = c.forbidden();
  const reasons = forbidden.map((square) => c.whyForbidden(square));
  return { steps: [...steps], outcome: c.outcome(), forbidden, reasons, breaks: c.breaks() };
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 0));

/**
 * Posts what a running search knows, from time to time.
 *
 * @param {number} id
 * @param {Core} c
 * @param {Progress} progress
 */
function postViews(id, c, progress) {
  let posted = 0;
  const look = (/** @type {number} */ ms) => {
    if (ms - posted < VIEW_MS) return;
    posted = ms;
    const view = progress.take(c.progress(progress.seq));
    if (view) postMessage({ id, view });
  };
  return look;
}

/**
 * A search with a level, which ends by its own limits.
 *
 * @param {number} id
 * @param {Core} c
 * @param {Request} request
 */
function searchLevel(id, c, { level = MAX_LEVEL, timeMs = 5000, excluded }) {
  c.setLevel(level);
  c.host.onClock = postViews(id, c, new Progress(performance.now()));
  try {
    return c.search({ timeMs, excluded });
  } finally {
    c.host.onClock = undefined;
    c.setLevel(MAX_LEVEL);
  }
}

/**
 * Searches in growing slices until a limit, a proof or a newer request ends it.
 *
 * @param {number} id
 * @param {Position} position
 * @param {Request} request
 */
async function search(id, position, request) {
  const c = /** @type {Core} */ (core);
  load(position);
  if ((request.level ?? MAX_LEVEL) < MAX_LEVEL) return searchLevel(id, c, request);
  const { lines = 1, depth = -1, nodes = -1, timeMs = Infinity, excluded } = request;
  const { analysis = timeMs === Infinity } = request;
  const began = performance.now();
  const progress = new Progress(began);
  let slice = FIRST_SLICE;
  /** @type {import("./core.js").Result | null} */
  let best = null;
  for (;;) {
    const left = timeMs - (performance.now() - began);
    if (best && left <= 1) return best;
    const last = left <= slice * 1.5;
    const limit = Math.max(1, Math.round(last ? left : slice));
    progress.beginSlice();
    c.host.onClock = postViews(id, c, progress);
    const sliceBegan = performance.now();
    let result;
    try {
      const leftNodes = nodes < 0 ? -1 : Math.max(1, nodes - progress.nodes);
      result = c.search({ timeMs: limit, depth, nodes: leftNodes, lines, excluded, analysis });
    } finally {
      c.host.onClock = undefined;
    }
    // A later slice begins anew: it counts when it comes as deep as the one before.
    if (!best || result.line.depth >= best.line.depth || result.line.mate !== 0) best = result;
    progress.take(c.progress(progress.seq));
    const view = progress.endSlice(result);
    if (view) postMessage({ id, view });
    const { line } = result;
    // what ends long before its time has nothing left to find
    const early = performance.now() - sliceBegan < limit / 2;
    const done =
      last ||
      early ||
      (lines === 1 && line.mate !== 0) ||
      line.depth >= MAX_DEPTH ||
      (depth >= 0 && line.depth >= depth) ||
      (nodes >= 0 && progress.nodes >= nodes);
    if (done) return best;
    slice = Math.min(LAST_SLICE, slice * 2);
    await pause();
    if (running !== id) return best;
  }
}

/** Runs the bench; its signature is that of the native core. */
async function bench() {
  const c = /** @type {Core} */ (core);
  let hash = 0xcbf29ce484222325n;
  let nodes = 0;
  let timeUs = 0;
  for (let index = 0; ; index++) {
    const row = c.bench(index);
    if (!row) break;
    const text = `${index}:${row.nodes}:${row.move[0]},${row.move[1]}:${row.score}\n`;
    for (const byte of new TextEncoder().encode(text))
      hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
    nodes += row.nodes;
    timeUs += row.timeUs;
    await pause();
  }
  const signature = `0x${hash.toString(16).padStart(16, "0")}`;
  return { signature, nodes, nodesPerSecond: Math.round((nodes * 1e6) / timeUs) };
}

/** @param {any} message */
async function answer(message) {
  const { id, call } = message;
  switch (call) {
    case "start":
      core = await Core.create(message.wasm, message.config);
      return { memoryBytes: core.memoryBytes };
    case "inspect":
      return inspect(message.position);
    case "search":
      return search(id, message.position, message.request);
    case "stop":
      return null; // the running search has seen it by now
    case "vcf":
      load(message.position);
      return /** @type {Core} */ (core).vcf(message.nodes);
    case "vct":
      load(message.position);
      return /** @type {Core} */ (core).vct(message.nodes, message.timeMs);
    case "threats": {
      load(message.position);
      const c = /** @type {Core} */ (core);
      return [c.threats(BLACK), c.threats(WHITE)];
    }
    case "memory":
      return /** @type {Core} */ (core).memoryBytes;
    case "bench":
      return bench();
    default:
      throw new Error(`no such call: ${call}`);
  }
}

self.onmessage = async ({ data }) => {
  running = data.id;
  try {
    postMessage({ id: data.id, value: await answer(data) });
  } catch (error) {
    const known = error instanceof CoreError || error instanceof MoveError;
    const code = known ? error.code : "ERROR";
    const index = error instanceof MoveError ? error.index : undefined;
    postMessage({ id: data.id, error: { code, index, text: String(error) } });
  }
};
