// @ts-check
/**
 * The state of the page and what can be done with it. Panels draw it and call its methods; the only
 * question about the rules that it answers itself is whose turn it is.
 *
 * @typedef {import("./core.js").Square} Square
 * @typedef {import("./engine.js").Facts} Facts
 * @typedef {import("./engine.js").View} View
 * @typedef {import("./game.js").Node} Node
 * @typedef {"play" | "analyse" | "review" | "match"} Tab
 */
import { answer } from "./answer.js";
import { BLACK, DRAW, WIN } from "./core.js";
import { StoppedError } from "./engine.js";
import { Game } from "./game.js";
import { hasOpening, refusedBy, refusedSquares } from "./opening.js";
import { boardOf } from "./position.js";
import { storeSettings } from "./settings.js";
import { nameFor, same } from "./squares.js";
import { click } from "./sound.js";
import { colorName, statusOf, usedMsOf } from "./status.js";
import { t } from "./strings.js";
import { Swap2 } from "./swap2.js";
import { lookForThreats } from "./threats.js";

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
    /** @type {Tab} */
    this.tab = "play";
    /** The games of the server, where there is one. @type {import("./match.js").Match | undefined} */
    this.match = undefined;
    this.thinking = false;
    /** Whether a person wants the engine to move now. */
    this.hurried = false;
    this.analysing = false;
    /** @type {View | null} */
    this.view = null;
    /** @type {Square[]} a line shown on the board, of both sides' moves from here */
    this.shownLine = [];
    /** Who has the first move of the shown line; 0 is the side to move. */
    this.shownFrom = 0;
    /** @type {import("./threats.js").Threats | null} */
    this.threats = null;
    /** What looks for threats beside the engine. @type {import("./engine.js").Engine | undefined} */
    this.watcher = undefined;
    /** @type {Square | null} */
    this.cursor = null;
    /** @type {Square | null} */
    this.hint = null;
    this.swap2 = new Swap2(this);
    /** Whether the game begins by the tournament opening of Pente. */
    this.opening = settings.opening && !settings.swap2 && hasOpening(settings.rule, settings.size);
    this.message = "";
    /** What the search for a forced win says, and its line. */
    this.winText = "";
    /** @type {Square[]} */
    this.winLine = [];
    /** @type {import("./review.js").Review | undefined} */
    this.review = undefined;
    /** @type {(() => void) | undefined} draws the board alone */
    this.changedBoard = undefined;
    this.turnBegan = performance.now();
    this.token = 0;
    /** Whether the core has yet to say what a change means. */
    this.stale = true;
    /** The position that the last undo led to. @type {Node | null} */
    this.undone = null;
    /** Whether the engine's game against itself waits for a person. */
    this.paused = false;
    /** Shows a sentence for some seconds. @type {(text: string) => void} */
    this.told = () => {};
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

  /** Whether the engine is to move and does not, because the game goes on from here already. */
  get waits() {
    const engine = this.tab === "play" && this.enginePlays(this.game.toMove);
    return engine && !this.thinking && !this.over && !this.stale && !this.swap2.on;
  }

  /** Milliseconds that Black and White have used up to here. */
  get usedMs() {
    return usedMsOf(this);
  }

  get board() {
    const { rule, setup } = this.game.head;
    return boardOf(rule, setup, this.game.moves, this.facts?.steps ?? []);
  }

  get status() {
    return statusOf(this);
  }

  // ---- the game

  /** @param {Game} game @param {{opening?: boolean}} [options] */
  async show(game, { opening = false } = {}) {
    if (game !== this.game) this.review?.stop();
    this.game = game;
    this.opening = opening;
    this.swap2.end();
    this.paused = false;
    await this.moved();
  }

  /**
   * Asks the core about the current position after a change, and goes on with what was on.
   *
   * @returns {Promise<void>}
   */
  async moved() {
    const token = ++this.token;
    this.match?.native.halt();
    this.thinking = false;
    this.stale = true;
    this.view = null;
    this.shownLine = [];
    this.shownFrom = 0;
    this.threats = null;
    this.hint = null;
    this.winText = "";
    this.winLine = [];
    this.message = "";
    this.turnBegan = performance.now();
    try {
      const facts = await this.engine.inspect(this.game.position);
      if (token !== this.token) return;
      this.facts = facts;
    } catch (error) {
      if (token !== this.token) return;
      this.message = t("engineFailed", { reason: String(error) });
    }
    this.stale = false;
    this.changed();
    lookForThreats(this);
    if (this.swap2.on) this.swap2.goOn();
    else if (this.over) return;
    else if (this.analysing) this.runAnalysis();
    else if (this.tab === "play" && !this.paused && !this.game.current.children.length)
      answer(this);
  }

  /** Plays a move for whoever is to move. @param {Square} square */
  async play(square) {
    const color = this.game.toMove;
    const from = this.game.current;
    const timed = this.tab === "play" && from.parent;
    const node = this.game.play(square);
    node.timeMs ??= timed ? Math.round(performance.now() - this.turnBegan) : 0;
    // the main line is the game: all moves against the engine, and a move after an undo
    const isGame = this.settings.side !== "both" || from === this.undone;
    if (this.tab === "play" && isGame) this.game.promote(node);
    await this.arrived(square, color);
  }

  /** Goes on after a move that is in the game. @param {Square} square @param {number} color */
  async arrived(square, color) {
    if (this.settings.sound) click();
    this.announce(
      t("played", { color: colorName(color), square: this.nameOf(square) }),
    );
    await this.moved();
    if (this.status.tone) this.announce(this.status.text);
  }

  /** Whether a person may play now. */
  get mayPlay() {
    if (this.thinking || this.stale || !this.facts) return false;
    if (this.swap2.on) return this.swap2.mayPlace;
    if (this.tab === "match") return this.match?.mayMove ?? false;
    return this.tab !== "play" || this.over || !this.enginePlays(this.game.toMove);
  }

  /** A person means a square. @param {Square} square */
  async choose(square) {
    if (!this.mayPlay) return;
    const why = this.refusal(square);
    if (why) {
      this.message = t(`why.${why}`);
      this.announce(this.message);
      this.changed();
      return;
    }
    if (this.tab === "match") this.match?.move(square);
    else await this.play(square);
  }

  /**
   * Why a square cannot be played now: a name of a status, or "" when it can.
   *
   * @param {Square} square
   */
  refusal(square) {
    const is = (/** @type {Square} */ other) => same(other, square);
    if (this.board.stones.some((stone) => is(stone.square))) return "OCCUPIED";
    if (this.over) return "GAME_OVER";
    const { size } = this.game.head;
    const first = this.isOpening ? refusedBy(size, this.game.current.ply, square) : "";
    return first || this.whyForbidden(square);
  }

  /** Whether the next stone is one of the tournament opening. */
  get isOpening() {
    return this.opening && this.tab === "play" && this.game.current.ply < 3;
  }

  /** The squares that the tournament opening refuses to the next stone. */
  get refused() {
    return this.isOpening ? refusedSquares(this.game.head.size, this.game.current.ply) : [];
  }

  /** Why the rule forbids a square to the side to move; "" when it does not. @param {Square} square */
  whyForbidden(square) {
    const at = this.facts?.forbidden.findIndex((other) => same(other, square)) ?? -1;
    return this.over || at < 0 ? "" : (this.facts?.reasons[at] ?? "");
  }

  /** The name of a square as the settings want it. @param {Square} square */
  nameOf(square) {
    return nameFor(square, this.game.head.size, this.settings.counting);
  }

  /** Ends the engine's search; its best move so far is played. */
  async moveNow() {
    this.hurried = true;
    if (this.thinking) await this.engine.stop();
  }

  /** Stops the engine's game against itself. */
  async pause() {
    this.paused = true;
    await this.moved();
  }

  /** Lets the engine play on from here. */
  async goOn() {
    this.paused = false;
    if (this.waits) await answer(this);
  }

  /** Whether undo and redo go by two moves, to the person's own turn. */
  get byPairs() {
    return this.tab === "play" && (this.settings.side === "black" || this.settings.side === "white");
  }

  /** Takes back to the person's own last move. */
  async undo() {
    const { game } = this;
    const from = game.current;
    game.back();
    while (this.byPairs && game.current.parent && this.enginePlays(game.toMove)) game.back();
    // the engine's first move stays
    if (this.byPairs && this.enginePlays(game.toMove)) game.current = from.path()[0] ?? from;
    this.undone = game.current;
    this.paused ||= this.settings.side === "none";
    await this.moved();
  }

  async redo() {
    const { game } = this;
    game.forward();
    while (this.byPairs && game.current.children.length && this.enginePlays(game.toMove))
      game.forward();
    await this.moved();
  }

  /** Whether a person may show other positions. Not during a swap2 opening. */
  get mayStep() {
    return !this.swap2.on;
  }

  /** Shows a node of the tree. Ignores nodes of other games and removed nodes. @param {Node} node */
  async goTo(node) {
    if (!this.mayStep || !this.game.has(node)) return;
    this.game.current = node;
    await this.moved();
  }

  /** @param {"start" | "back" | "forward" | "end"} where */
  async step(where) {
    if (!this.mayStep) return;
    this.game[where]();
    await this.moved();
  }

  /** Goes to the next variation. @param {1 | -1} by */
  async sideways(by) {
    if (!this.mayStep) return;
    this.game.sideways(by);
    await this.moved();
  }

  /** Removes a node of the tree and what follows it. @param {Node} node */
  async remove(node) {
    if (!this.mayStep) return;
    this.game.remove(node);
    await this.moved();
  }

  async swapSides() {
    const { side } = this.settings;
    const now = side === "black" ? "white" : side === "white" ? "black" : side;
    this.set({ side: now });
    await this.moved();
    await this.goOn();
  }

  async showHint() {
    if (this.thinking || this.over || this.stale) return;
    const token = this.token;
    try {
      const excluded = this.refused;
      const result = await this.engine.search(this.game.position, { timeMs: 700, excluded });
      if (token !== this.token) return;
      this.hint = result.move;
      this.announce(t("hintIs", { square: this.nameOf(result.move) }));
    } catch (error) {
      if (!(error instanceof StoppedError) && token === this.token)
        this.message = t("engineFailed", { reason: String(error) });
    }
    this.changed();
  }

  // ---- analysis

  /** @param {Tab} tab */
  async openTab(tab) {
    if (tab === this.tab) return;
    this.tab = tab;
    if (tab !== "play") this.swap2.end();
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
      const onView = (/** @type {View} */ view) => {
        if (token !== this.token) return;
        this.view = view;
        this.changed();
      };
      const native = this.match?.native;
      if (native?.isWanted) await native.analyse(onView);
      else await this.engine.search(this.game.position, { lines: this.settings.lines }, onView);
    } catch (error) {
      if (token !== this.token || error instanceof StoppedError) return;
      this.analysing = false;
      this.message = t("engineFailed", { reason: String(error) });
      this.changed();
    }
  }
}
