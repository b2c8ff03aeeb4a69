// @ts-check
/**
 * The swap2 opening. The first player places three stones; the second takes a colour or places two
 * more, and then the first takes a colour. White is to move after three and after five stones.
 *
 * Tengen as the second takes the side that stands better, and never places two more: the choice
 * would then be the other player's.
 *
 * @typedef {import("./core.js").Square} Square
 * @typedef {import("./app.js").App} App
 */
import { StoppedError } from "./engine.js";
import { t } from "./strings.js";

/** Time for each opening that Tengen thinks of, and for its choice. */
const LOOK_MS = 200;
const CHOICE_MS = 1500;

/** @returns {Square[][]} openings that the engine may offer, as its protocol does */
function everyOpening() {
  return JSON.parse(document.getElementById("openings")?.textContent ?? "[]");
}

export class Swap2 {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {"" | "three" | "choose" | "two" | "last"} last: the choice after five stones */
    this.phase = "";
    /** @type {"person" | "engine"} who placed the three stones */
    this.first = "person";
    /** Whether two persons play: then nobody's choice is the engine's. */
    this.persons = false;
    this.note = "";
  }

  get on() {
    return this.phase !== "";
  }

  end() {
    this.phase = "";
    this.note = "";
  }

  get stones() {
    return this.phase === "three" ? 3 : 5;
  }

  get left() {
    return this.stones - this.app.game.current.ply;
  }

  /** Whether a person places stones now. */
  get mayPlace() {
    if (this.phase === "three") return this.persons || this.first === "person";
    return this.phase === "two";
  }

  /** Whether a person chooses a side now. */
  get mayChoose() {
    if (this.phase === "choose") return this.persons || this.first === "engine";
    return this.phase === "last" && (this.persons || this.first === "person");
  }

  get text() {
    const { app, left } = this;
    if (app.message) return app.message;
    if (app.thinking) return t("turn.engine");
    const note = this.note ? `${this.note} ` : "";
    if (this.phase === "three") return t("swap2.place3", { left });
    if (this.phase === "two") return t("swap2.place2", { left });
    return note + t(this.phase === "choose" ? "swap2.choose" : "swap2.last");
  }

  /** Begins an opening on the empty board. */
  async begin() {
    const { app } = this;
    this.phase = "three";
    this.persons = app.settings.side === "both";
    this.first = app.settings.side === "white" || app.settings.side === "none" ? "engine" : "person";
    await app.moved();
  }

  /** Runs something of the engine; null when something else came first. @param {() => Promise<any>} job */
  async think(job) {
    const { app } = this;
    const { token } = app;
    app.thinking = true;
    app.changed();
    try {
      const value = await job();
      return token === app.token ? value : null;
    } catch (error) {
      if (!(error instanceof StoppedError) && token === app.token)
        app.message = t("engineFailed", { reason: String(error) });
      return null;
    } finally {
      if (token === app.token) app.thinking = false;
      app.changed();
    }
  }

  /** Tengen places the three stones of the opening that is nearest to even. */
  async propose() {
    const { app } = this;
    const { size, rule } = app.game.head;
    const fits = (/** @type {Square[]} */ moves) => Math.max(...moves.flat()) < size;
    const openings = everyOpening().filter(fits);
    const middle = size >> 1;
    if (!openings.length) openings.push([[0, 0], [middle, middle], [0, size - 1]]);
    const { token } = app;
    const moves = await this.think(async () => {
      let best = openings[0];
      let least = Infinity;
      for (const opening of openings) {
        const position = { size, rule, moves: opening };
        const { line } = await app.engine.search(position, { timeMs: LOOK_MS });
        // a change has ended the search; goOn() starts a new one
        if (token !== app.token) return null;
        if (Math.abs(line.score) < least) [best, least] = [opening, Math.abs(line.score)];
      }
      return best;
    });
    if (!moves) return;
    for (const move of moves) app.game.promote(app.game.play(move));
    await app.moved();
  }

  /**
   * Does the next step of the opening. Called after each change of the position, which ends the
   * search of the engine.
   */
  async goOn() {
    const { app } = this;
    if (this.phase === "three" || this.phase === "two") {
      if (this.left > 0) {
        if (!this.mayPlace) await this.propose();
        return;
      }
      this.phase = this.phase === "three" ? "choose" : "last";
    }
    if (this.mayChoose) {
      if (this.first === "engine" && this.phase === "choose") this.note = t("swap2.engineOffers");
      app.announce(this.text);
      app.changed();
      return;
    }
    const result = await this.think(() =>
      app.engine.search(app.game.position, { timeMs: CHOICE_MS }),
    );
    if (!result) return;
    const takes = result.line.score >= 0 ? "white" : "black";
    const person = takes === "white" ? "black" : "white";
    const told = t("swap2.engineChose", { color: t(takes) });
    await this.take(app.settings.side === "none" ? "none" : person);
    app.announce(told);
    app.told(told);
  }

  /** Ends the opening: a person plays that side. @param {string} side */
  async take(side) {
    const { app } = this;
    const kept = this.persons ? "both" : app.settings.side === "none" ? "none" : side;
    this.end();
    app.set({ side: kept });
    await app.moved();
  }

  /** A person places two more stones. */
  async placeTwo() {
    this.phase = "two";
    this.note = "";
    await this.app.moved();
  }
}
