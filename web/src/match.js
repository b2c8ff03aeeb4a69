// @ts-check
/**
 * A game that the server of `tengen-arena board` runs: native engines, other brains, or a person at
 * this page. The server judges and keeps the clocks; this side shows what it tells and sends moves.
 *
 * @typedef {import("./core.js").Square} Square
 * @typedef {{name: string, own: boolean}} Player a brain; `own` marks Tengen
 * @typedef {{at: Square, color: string, ms: number, depth: number | null, nodes: number | null,
 *            score: number | null}} Played
 * @typedef {{game: number, black: string, white: string, people: string[], rule: number,
 *            size: number, turn_ms: number | null, match_ms: number | null, opening: Square[],
 *            follows?: number | null}} Head follows: the game that an undo goes on with
 * @typedef {{winner: string | null, reason: string | null, forfeit: boolean, verdict: string,
 *            notes: string[], files: string[], problem: string, undone: boolean}} End undone: the
 *   game ended because a move was taken back; a new game continues it
 * @typedef {[string, string, string]} Said colour, mark and text of a line
 */
import { Game } from "./game.js";
import { Native } from "./native.js";
import { captureKey } from "./position.js";
import { t } from "./strings.js";

const TRIES = 10;
const AGAIN_MS = 400;
/** So many lines of the conversation are kept. */
const LINES = 300;
/** The close code of a server that ends. */
const GOING_AWAY = 1001;

/** Texts for the referee's reasons. @type {Record<string, string>} */
const ENDS = { five: "end.five", captures: "end.captures", five_not_broken: "end.notBroken" };
/** @type {Record<string, string>} */
const DRAWS = { board_full: "end.draw", draw: "end.draw", no_legal_move: "end.noMove" };

/** Whether this page came from the server. */
export function isServed() {
  const mark = document.querySelector('meta[name="tengen-server"]');
  return mark?.getAttribute("content") === "socket";
}

export class Match {
  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
    /** @type {Player[]} */
    this.brains = [];
    /** @type {Head | null} the game that the server runs or has run last */
    this.head = null;
    /** @type {Game | null} */
    this.game = null;
    /** @type {import("./game.js").Node | null} the newest position of the game */
    this.last = null;
    /** @type {Played | null} */
    this.played = null;
    /** @type {{color: string, left_ms: number | null} | null} */
    this.turn = null;
    this.turnBegan = 0;
    /** @type {End | null} */
    this.end = null;
    /** @type {Said[]} */
    this.said = [];
    this.dropped = 0;
    this.native = new Native(this);
    /** "" while connected */
    this.lost = t("match.connecting");
    this.tries = 0;
    this.connect();
  }

  connect() {
    const url = new URL("socket", location.href.split("#")[0]);
    url.protocol = "ws:";
    const socket = new WebSocket(url);
    this.socket = socket;
    socket.onmessage = ({ data }) => this.receive(JSON.parse(data));
    socket.onclose = ({ code }) => this.closed(code);
  }

  /** Tries again after a moment: the window before this one may just be closing. @param {number} code */
  closed(code) {
    const hasEnded = code === GOING_AWAY;
    if (!hasEnded && this.tries++ < TRIES) {
      this.lost = t("match.connecting");
      setTimeout(() => this.connect(), AGAIN_MS);
    } else this.lost = t(hasEnded ? "match.ended" : "match.lost");
    this.turn = null;
    this.native.fail(this.lost);
    this.app.changed();
  }

  again() {
    this.tries = 0;
    this.connect();
  }

  /** @param {Record<string, any>} message */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
    else this.app.told(this.lost);
  }

  // ---- what the server tells

  /** @param {any} event */
  receive(event) {
    switch (event.is) {
      case "hello":
        this.lost = "";
        this.tries = 0;
        this.brains = event.brains;
        if (event.game) this.takeUp(event.game);
        break;
      case "game":
        this.begin(event, []);
        return;
      case "move":
        this.add(event);
        return;
      case "turn":
        this.setTurn(event);
        break;
      case "said":
        this.said = [...this.said, ...event.lines].slice(-LINES);
        this.dropped += event.dropped;
        break;
      case "end":
        this.finish(event);
        break;
      case "analysis":
      case "analysed":
        this.native.receive(event);
        return;
      case "refused":
        this.app.message = t("match.refused", { reason: event.why });
        break;
    }
    this.app.changed();
  }

  /** Shows a game that was on before this page was loaded. @param {any} state */
  takeUp(state) {
    this.begin(state, state.moves);
    this.said = state.said.slice(-LINES);
    if (state.turn) this.setTurn(state.turn);
    if (state.end) this.finish(state.end);
  }

  /** @param {Head} head @param {Played[]} moves */
  begin(head, moves) {
    const { rule, size } = head;
    const names = { black: this.named(head, "black"), white: this.named(head, "white") };
    const follows = this.game !== null && head.follows != null && head.follows === this.head?.game;
    // after an undo the tree stays, with its comments and the moves that were taken back
    const game = follows && this.game ? this.game : new Game({ rule, size, ...names });
    game.head.result = "";
    this.last = game.add(game.root, head.opening);
    Object.assign(this, { head, game, played: null, turn: null, end: null, said: [], dropped: 0 });
    for (const move of moves) this.put(move);
    game.current = this.last;
    this.app.tab = "match";
    this.app.analysing = false;
    this.app.show(game);
  }

  /** @param {Head} head @param {"black" | "white"} color */
  named(head, color) {
    return head.people.includes(color) ? t("human") : head[color];
  }

  /** @param {Played} move */
  put(move) {
    if (!this.game || !this.last) return;
    this.last = this.game.add(this.last, [move.at]);
    this.last.timeMs = move.ms;
    this.game.promote(this.last);
    this.played = move;
  }

  /** A move of the running game; who looks at its last position goes with it. @param {Played} move */
  add(move) {
    const { app } = this;
    const follows = app.game === this.game && app.game.current === this.last;
    this.put(move);
    this.turn = null;
    if (!follows || !this.last) return app.changed();
    app.game.current = this.last;
    app.arrived(move.at, move.color === "black" ? 1 : 2);
  }

  /** @param {{color: string, left_ms: number | null}} turn */
  setTurn(turn) {
    this.turn = turn;
    this.turnBegan = performance.now();
  }

  /** @param {End} end */
  finish(end) {
    this.end = end;
    this.turn = null;
    // a game that was stopped has no result
    const drawn = (end.reason ?? "") in DRAWS ? "0" : "?";
    // moves that were taken back may follow the last one
    if (this.game && this.last && !end.undone) this.game.endWith(this.last);
    if (this.game) this.game.head.result = end.winner ? `${end.winner[0].toUpperCase()}+` : drawn;
    this.app.announce(this.status.text);
  }

  // ---- what the page shows and does

  get running() {
    return this.head !== null && this.end === null;
  }

  /** Whether the game that the server runs is the one on the board. */
  get shown() {
    return this.game !== null && this.app.game === this.game;
  }

  /** Whether the running game is played below a node of the tree. @param {import("./game.js").Node} node */
  needs(node) {
    return this.running && this.shown && (this.last?.path().includes(node) ?? false);
  }

  /** Whether the person at the page is to move, and sees the position. */
  get mayMove() {
    const { turn, head } = this;
    const mine = turn !== null && head !== null && head.people.includes(turn.color);
    return mine && this.shown && this.app.game.current === this.last;
  }

  /** @returns {{text: string, tone: "" | "end" | "warn"}} */
  get status() {
    if (this.lost) return { text: this.lost, tone: "warn" };
    if (this.app.message) return { text: this.app.message, tone: "warn" };
    if (!this.head) return { text: t("match.none"), tone: "" };
    if (this.end) return { text: this.verdict(this.end), tone: "end" };
    if (this.mayMove) return { text: t("turn.you"), tone: "" };
    const { turn, head } = this;
    if (!turn) return { text: t("match.starting"), tone: "" };
    const name = turn.color === "black" ? head.black : head.white;
    const mine = head.people.includes(turn.color);
    return { text: mine ? t("match.last") : t("match.thinks", { name }), tone: "" };
  }

  /** @param {End} end */
  verdict({ winner, forfeit, reason }) {
    if (winner) {
      const color = t(winner);
      if (forfeit) return t("match.forfeit", { color });
      const key = ENDS[reason ?? ""] ?? "end.win";
      const { rule } = this.app.game.head;
      return t(reason === "captures" ? captureKey(key, rule) : key, { color });
    }
    return t(DRAWS[reason ?? ""] ?? "match.stopped");
  }

  /**
   * @param {{black: string, white: string, rule: number, size: number, turnMs: number,
   *          matchMs: number, memoryMib: number, level: number, moves: Square[]}} wanted 0 is no
   *   limit; a side "" is a person's
   */
  start({ black, white, rule, size, turnMs, matchMs, memoryMib, level, moves }) {
    this.app.message = "";
    this.send({
      do: "start",
      black: black || null,
      white: white || null,
      rule,
      size,
      level,
      moves,
      turn_ms: turnMs || null,
      match_ms: matchMs || null,
      memory_mib: memoryMib,
    });
  }

  /** @param {Square} at */
  move(at) {
    this.send({ do: "move", at, ply: this.app.game.current.ply });
  }

  undo() {
    this.send({ do: "undo" });
  }

  stop() {
    this.send({ do: "stop" });
  }

  resign() {
    this.send({ do: "resign" });
  }
}
