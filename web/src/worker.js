// @ts-check
/**
 * The worker: it owns one Core and answers one request at a time.
 *
 * A request is `{id, call, ...}`; its answer is `{id, value}` or `{id, error}`. While a search runs,
 * views `{id, view}` come before the answer. A search is cut into slices that keep the table: a
 * request that arrives between two slices (a stop, or another search) is seen there. Inside a slice
 * nothing can be seen, so the page ends the worker when a stop takes too long (engine.js).
 *
 * @typedef {import("./core.js").Square} Square
 * @typedef {import("./core.js").Line} Line
 * @typedef {{size: number, rule: number, moves: Square[], setup?: import("./core.js").Setup}} Position
 * @typedef {{timeMs?: number, depth?: number, nodes?: number, lines?: number, level?: number,
 *            excluded?: Square[]}} Request
 */
import { Core, CoreError } from "./core.js";

/** A slice in milliseconds: the first, and the longest. */
const FIRST_SLICE = 40;
const LAST_SLICE = 1000;
const MAX_DEPTH = 250;

/** @type {Core | null} */
let core = null;
/** @type {string} the game that the core holds */
let held = "";
let running = 0;

/** @param {Position} position */
function load(position) {
  if (!core) throw new Error("the core is not ready");
  const key = JSON.stringify([position.size, position.rule, position.setup ?? null]);
  const [heldKey, heldMoves] = held ? held.split("\n") : ["", ""];
  const moves = position.moves.map(([x, y]) => `${x},${y}`);
  const before = heldMoves ? heldMoves.split(" ") : [];
  if (heldKey !== key) {
    core.reset(position.size, position.rule);
    if (position.setup) core.setPosition(position.setup);
    before.length = 0;
  }
  // the core keeps what both games share
  let same = 0;
  while (same < before.length && same < moves.length && before[same] === moves[same]) same++;
  for (let i = before.length; i > same; i--) core.undo();
  held = "";
  for (const move of position.moves.slice(same)) core.place(move);
  held = `${key}\n${moves.join(" ")}`;
}

/**
 * Reads what the rules say of a position.
 *
 * @param {Position} position
 */
function inspect(position) {
  load(position);
  const c = /** @type {Core} */ (core);
  const outcome = c.outcome();
  return { outcome, forbidden: c.forbidden(), breaks: c.breaks() };
}

/**
 * Plays the moves of a game one after the other, and returns what each of them did.
 *
 * @param {Position} position
 */
function replay(position) {
  load({ ...position, moves: [] });
  const c = /** @type {Core} */ (core);
  held = "";
  const outcomes = position.moves.map((move) => {
    const legal = c.legal(move);
    return { legal, ...c.place(move) };
  });
  held = `${JSON.stringify([position.size, position.rule, position.setup ?? null])}\n${position.moves
    .map(([x, y]) => `${x},${y}`)
    .join(" ")}`;
  return outcomes;
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 0));

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
  const level = request.level ?? 10;
  c.setLevel(level);
  const lines = request.lines ?? 1;
  if (level < 10) {
    // a level ends by its own limits, long before a slice would
    const { excluded } = request;
    const result = c.search({ timeMs: request.timeMs ?? 5000, excluded });
    c.setLevel(10);
    return result;
  }
  const began = performance.now();
  let slice = FIRST_SLICE;
  let nodes = 0;
  /** @type {import("./core.js").Result | null} */
  let best = null;
  for (;;) {
    const left = (request.timeMs ?? Infinity) - (performance.now() - began);
    if (best && left <= 1) return best;
    const last = left <= slice * 1.5;
    const result = c.search({
      timeMs: Math.max(1, Math.round(last ? left : slice)),
      depth: request.depth ?? -1,
      nodes: request.nodes ?? -1,
      lines,
      excluded: request.excluded,
    });
    nodes += result.line.nodes;
    /** @type {Map<number, Line>} */
    const newest = new Map();
    for (const line of c.progress()) newest.set(line.line, line);
    // A later slice begins anew: it counts when it comes as deep as the one before.
    if (!best || result.line.depth >= best.line.depth || result.line.mate !== 0) best = result;
    const elapsed = performance.now() - began;
    postMessage({
      id,
      view: {
        lines: [...newest.values()].sort((a, b) => a.line - b.line),
        depth: result.line.depth,
        nodes,
        timeMs: elapsed,
        hashPermille: result.hashPermille,
      },
    });
    const { line } = result;
    const done =
      last ||
      (lines === 1 && line.mate !== 0) ||
      line.depth >= MAX_DEPTH ||
      (request.depth !== undefined && line.depth >= request.depth) ||
      (request.nodes !== undefined && nodes >= request.nodes);
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
    case "replay":
      return replay(message.position);
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
    const code = error instanceof CoreError ? error.code : "ERROR";
    postMessage({ id: data.id, error: { code, text: String(error) } });
  }
};
