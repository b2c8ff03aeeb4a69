// @ts-check
/**
 * The state of the page and what can be done with it. Panels draw it and call its methods; the only
 * question about the rules that it answers itself is whose turn it is.
 *
 * @typedef {import("./core.js").Square} Square
 * @typedef {import("./engine.js").Facts} Facts
 * @typedef {import("./engine.js").View} View
 * @typedef {import("./game.js").Node} Node
 */
import { BLACK, DRAW, PENDING, WHITE, WIN } from "./core.js";
import { StoppedError } from "./engine.js";
import { Game } from "./game.js";
import { boardOf } from "./position.js";
import { storeSettings } from "./settings.js";
import { nameOf } from "./squares.js";
import { t } from "./strings.js";

/** A person needs that long to see an answer. */
const LEAST_ANSWER_MS = 350;

const REASONS = ["", "five", "captures", "notBroken", "draw", "noMove"];

/** @param {number} color */
export const colorName = (color) => t(color === BLACK ? "black" : "white");

export class App {
  /**
   * @param {import("./engine.js").Engine} engine
   * @param {import("./settings.js").Settings} settings
   */
  constructor(engine, settings) {
    this.engine = engine;
    this.settings = settings;
    this.game = new Game({ rule: settings.rule, size: settings.size });
    /** @type {Facts | null} */
    this.facts = null;
    /** @type {"play" | "analyse" | "review"} */
    this.tab = "play";
    this.thinking = false;
    this.analysing = false;
    /** @type {View | null} */
    this.view = null;
    /** @type {Square[]} a line shown on the board, of both sides' moves from here */
    this.shownLine = [];
    /** @type {Square | null} */
    this.cursor = null;
    /** @type {Square | null} */
    this.hint = null;
    /** @type {{phase: "three" | "choose" | "two", by: "human" | "engine"} | null} */
    this.swap2 = null;
    this.message = "";
    /** What the search for a forced win says, and its line. */
    this.winText = "";
    /** @type {Square[]} */
    this.winLine = [];
    /** @type {import("./review.js").Review | undefined} */
    this.review = undefined;
    /** @type {(() => void) | undefined} draws the board alone */
    this.changedBoard = undefined;
    this.usedMs = [0, 0];
    this.turnBegan = performance.now();
    this.token = 0;
    /** @type {(() => void)[]} */
    this.listeners = [];
    /** @type {((text: string) => void)[]} */
    this.announcers = [];
  }

  /** @param {() => void} listener */
  onChange(listener) {
    this.listeners.push(listener);
  }

  changed() {
    for (const listener of this.listeners) listener();
  }

  /** Says a sentence to screen readers. @param {string} text */
  announce(text) {
    for (const say of this.announcers) say(text);
  }

  /** @param {Partial<import("./settings.js").Settings>} change */
  set(change) {
    Object.assign(this.settings, change);
    storeSettings(this.settings);
    this.changed();
  }

  // ---- what the page shows

  get over() {
    const status = this.facts?.outcome.status;
    return status === WIN || status === DRAW;
  }

  /** Whether the engine plays a colour in this game. @param {number} color */
  enginePlays(color) {
    const { side } = this.settings;
    if (side === "both") return false;
    if (side === "none") return true;
    return side !== (color === BLACK ? "black" : "white");
  }

  get board() {
    const { setup } = this.game.head;
    return boardOf(setup, this.game.moves, this.facts?.steps ?? []);
  }

  /** @returns {{text: string, tone: "" | "end" | "warn"}} */
  get status() {
    const outcome = this.facts?.outcome;
    if (this.swap2) return { text: this.message, tone: "" };
    if (!outcome) return { text: "", tone: "" };
    if (outcome.status === WIN) {
      const key = `end.${REASONS[outcome.reason] || "win"}`;
      return { text: t(key, { color: colorName(outcome.winner) }), tone: "end" };
    }
    if (outcome.status === DRAW)
      return { text: t(outcome.reason === 5 ? "end.noMove" : "end.draw"), tone: "end" };
    if (this.message) return { text: this.message, tone: "warn" };
    if (outcome.status === PENDING && !this.thinking) return { text: t("pending"), tone: "warn" };
    if (this.thinking) return { text: t("turn.engine"), tone: "" };
    if (this.tab === "play" && !this.enginePlays(this.game.toMove) && this.settings.side !== "both")
      return { text: t("turn.you"), tone: "" };
    return { text: t(this.game.toMove === BLACK ? "turn.black" : "turn.white"), tone: "" };
  }

  // ---- the game

  /** @param {Game} game */
  async show(game) {
    this.game = game;
    this.usedMs = [0, 0];
    this.swap2 = null;
    await this.moved();
  }

  /**
   * Asks the core about the current position after a change, and goes on with what was on.
   *
   * @returns {Promise<void>}
   */
  async moved() {
    const token = ++this.token;
    this.thinking = false;
    this.view = null;
    this.shownLine = [];
    this.hint = null;
    this.winText = "";
    this.winLine = [];
    this.message = this.swap2 ? this.message : "";
    this.turnBegan = performance.now();
    try {
      const facts = await this.engine.inspect(this.game.position);
      if (token !== this.token) return;
      this.facts = facts;
    } catch (error) {
      if (token !== this.token) return;
      this.message = t("engineFailed", { reason: String(error) });
    }
    this.changed();
    if (this.over || this.swap2) return;
    if (this.analysing) this.runAnalysis();
    else if (this.tab === "play") this.answer();
  }

  /** Plays a move for whoever is to move. @param {Square} square */
  async play(square) {
    const color = this.game.toMove;
    this.usedMs[color - 1] += performance.now() - this.turnBegan;
    this.game.play(square).timeMs ??= Math.round(performance.now() - this.turnBegan);
    this.announce(
      t("played", { color: colorName(color), square: nameOf(square, this.game.head.size) }),
    );
    await this.moved();
    if (this.status.tone) this.announce(this.status.text);
  }

  /** A person means a square. @param {Square} square */
  async choose(square) {
    if (this.thinking || !this.facts) return;
    if (this.swap2) return;
    const why = this.refusal(square);
    if (why) {
      this.message = t(`why.${why}`);
      this.announce(this.message);
      this.changed();
      return;
    }
    await this.play(square);
  }

  /**
   * Why a square cannot be played now: a name of a status, or "" when it can.
   *
   * @param {Square} square
   */
  refusal(square) {
    const is = (/** @type {Square} */ other) => other[0] === square[0] && other[1] === square[1];
    if (this.board.stones.some((stone) => is(stone.square))) return "OCCUPIED";
    if (this.over) return "GAME_OVER";
    if (this.facts?.forbidden.some(is)) return "BARRED";
    return "";
  }

  /** Lets the engine move when it is its turn. */
  async answer() {
    if (!this.enginePlays(this.game.toMove) || this.game.current.children.length) return;
    const token = this.token;
    this.thinking = true;
    this.changed();
    const began = performance.now();
    const { level, turnMs } = this.settings;
    try {
      const result = await this.engine.search(this.game.position, { level, timeMs: turnMs });
      const wait = LEAST_ANSWER_MS - (performance.now() - began);
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      if (token !== this.token) return;
      this.thinking = false;
      await this.play(result.move);
    } catch (error) {
      if (token !== this.token) return;
      this.thinking = false;
      if (!(error instanceof StoppedError))
        this.message = t("engineFailed", { reason: String(error) });
      this.changed();
    }
  }

  /** Ends the engine's search; its best move so far is played. */
  async moveNow() {
    if (this.thinking) await this.engine.stop();
  }

  /** Takes back to the person's own last move. */
  async undo() {
    this.game.back();
    if (this.tab === "play" && this.settings.side !== "both" && this.settings.side !== "none")
      while (this.game.current.parent && this.enginePlays(this.game.toMove)) this.game.back();
    await this.moved();
  }

  async redo() {
    this.game.forward();
    if (this.tab === "play" && this.settings.side !== "both" && this.settings.side !== "none")
      while (this.game.current.children.length && this.enginePlays(this.game.toMove))
        this.game.forward();
    await this.moved();
  }

  /** Goes to a node of the tree. @param {Node} node */
  async goTo(node) {
    this.game.current = node;
    await this.moved();
  }

  /** @param {"start" | "back" | "forward" | "end"} where */
  async step(where) {
    this.game[where]();
    await this.moved();
  }

  async swapSides() {
    const { side } = this.settings;
    const now = side === "black" ? "white" : side === "white" ? "black" : side;
    this.set({ side: now });
    await this.moved();
  }

  async showHint() {
    if (this.thinking || this.over) return;
    const token = this.token;
    try {
      const result = await this.engine.search(this.game.position, { timeMs: 700 });
      if (token === this.token) this.hint = result.move;
    } catch {
      // another call came first
    }
    this.changed();
  }

  // ---- analysis

  /** @param {"play" | "analyse" | "review"} tab */
  async openTab(tab) {
    this.tab = tab;
    if (tab !== "analyse") this.analysing = false;
    await this.moved();
  }

  async toggleAnalysis() {
    this.analysing = !this.analysing;
    await this.moved();
  }

  async runAnalysis() {
    const token = this.token;
    this.changed();
    try {
      await this.engine.search(this.game.position, { lines: this.settings.lines }, (view) => {
        if (token !== this.token) return;
        this.view = view;
        this.changed();
      });
    } catch {
      // stopped by another call
    }
  }
}

export { WHITE };
