// @ts-check
/**
 * Review: the engine goes through the main line, and the page shows what each move was worth.
 *
 * @typedef {import("./app.js").App} App
 * @typedef {import("./game.js").Node} Node
 * @typedef {import("./core.js").Square} Square
 * @typedef {{chance: number, best: Square, line: Square[], mate: number}} Verdict the position
 *   before a move, as its side to move sees it
 * @typedef {{node: Node, ply: number, lost: number, better: Square, missed: string}} Turn
 */
import { DRAW, WIN } from "./core.js";
import { field, h, s, select } from "./dom.js";
import { chance, percent } from "./score.js";
import { nameOf, same } from "./squares.js";
import { t } from "./strings.js";

const TIMES = [100, 250, 500, 1000, 3000];
/** A loss of so much of the chance to win is a turning point. */
const TURNING = 0.15;
/** What a comment of a review begins with. */
const MARK = "Tengen: ";

export class Review {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.running = false;
    /** Counts the runs: one that was stopped knows it. */
    this.runs = 0;
    this.error = "";
    /** @type {import("./engine.js").Engine | undefined} */
    this.engine_ = undefined;
    /** @type {(Verdict | null)[]} by the number of moves played */
    this.verdicts = [];
    /** @type {Node[]} the line that is reviewed */
    this.line = [];
    /** The head of its game. */
    this.head = app.game.head;
  }

  /** Positions to judge: one before each move, and the last. */
  get total() {
    return this.line.length + 1;
  }

  get done() {
    return this.verdicts.filter(Boolean).length;
  }

  /** Whether the review is of the game that is shown. */
  get isCurrent() {
    const { head, root } = this.app.game;
    const now = root.end().path();
    if (head !== this.head) return false;
    return now.length === this.line.length && now.every((node, i) => node === this.line[i]);
  }

  /** The review's own engine: a person may go through the game meanwhile. */
  get engine() {
    this.engine_ ??= this.app.engine.another();
    return this.engine_;
  }

  async run() {
    const { app } = this;
    if (!this.isCurrent) {
      this.line = app.game.root.end().path();
      this.head = app.game.head;
      this.verdicts = [];
    }
    const run = ++this.runs;
    this.running = true;
    this.error = "";
    app.changed();
    for (let i = 0; i <= this.line.length && run === this.runs; i++) {
      if (this.verdicts[i]) continue;
      try {
        const verdict = await this.judge(i);
        if (run !== this.runs) return;
        this.verdicts[i] = verdict;
      } catch (error) {
        if (run !== this.runs) return;
        this.error = t("engineFailed", { reason: String(error) });
        break;
      }
      app.changed();
    }
    if (run !== this.runs) return;
    this.running = false;
    this.close();
    if (!this.error) app.announce(t("reviewDone"));
    app.changed();
  }

  /**
   * What the position before move `i` is worth.
   *
   * @param {number} i
   * @returns {Promise<Verdict>}
   */
  async judge(i) {
    const { size, rule, setup } = this.head;
    const moves = this.line.slice(0, i).map((node) => /** @type {Square} */ (node.move));
    const position = { size, rule, setup: setup ?? undefined, moves };
    const { outcome } = await this.engine.inspect(position);
    if (outcome.status === WIN || outcome.status === DRAW) {
      const mover = this.isBlackBefore(i) ? 1 : 2;
      const share = outcome.status === DRAW ? 0.5 : outcome.winner === mover ? 1 : 0;
      return { chance: share, best: [-1, -1], line: [], mate: 0 };
    }
    const { move, line } = await this.engine.search(position, {
      timeMs: this.app.settings.reviewMs,
      analysis: true,
    });
    const share = chance(rule, line.score, line.mate);
    return { chance: share, best: move, line: line.pv, mate: line.mate };
  }

  stop() {
    this.runs++;
    this.running = false;
    this.close();
    this.app.changed();
  }

  close() {
    this.engine_?.close();
    this.engine_ = undefined;
  }

  /**
   * What the mover of a move lost by it, 0 to 1.
   *
   * @param {number} i the moves before it
   */
  lossOf(i) {
    const before = this.verdicts[i];
    const after = this.verdicts[i + 1];
    if (!before || !after || same(before.best, /** @type {Square} */ (this.line[i].move))) return 0;
    return Math.max(0, before.chance - (1 - after.chance));
  }

  /** @returns {Turn[]} */
  get turns() {
    /** @type {Turn[]} */
    const made = [];
    for (const [i, node] of this.line.entries()) {
      const lost = this.lossOf(i);
      const before = this.verdicts[i];
      if (!before || lost < TURNING) continue;
      const after = /** @type {Verdict} */ (this.verdicts[i + 1]);
      const missed = before.mate > 0 ? "missedWin" : after.mate > 0 ? "missedDefence" : "";
      made.push({ node, ply: i + 1, lost, better: before.best, missed });
    }
    return made;
  }

  /** Whether Black is to move before move `i`. @param {number} i */
  isBlackBefore(i) {
    return (i % 2 === 0) === ((this.head.setup?.toMove ?? 1) === 1);
  }

  /**
   * The accuracy of a colour, 0 to 1: one minus its mean loss. Null without judged moves.
   *
   * @param {boolean} black
   */
  accuracy(black) {
    let sum = 0;
    let count = 0;
    for (let i = 0; i + 1 < this.verdicts.length; i++) {
      if (this.isBlackBefore(i) !== black) continue;
      if (!this.verdicts[i] || !this.verdicts[i + 1]) continue;
      sum += 1 - this.lossOf(i);
      count++;
    }
    return count ? sum / count : null;
  }

  /** The chance of Black before move `i`, or at the end; null where it is not known. @param {number} i */
  blackAt(i) {
    const share = this.verdicts[i]?.chance;
    if (share === undefined) return null;
    return this.isBlackBefore(i) ? share : 1 - share;
  }

  /** Writes comments and better moves into the game's tree. A second review replaces the first. */
  annotate() {
    const { app } = this;
    const turned = new Map(this.turns.map((turn) => [turn.ply, turn]));
    for (const [i, node] of this.line.entries()) {
      const black = this.blackAt(i + 1);
      if (black === null) continue;
      const told = [`${t("black")} ${percent(black)}`];
      const turn = turned.get(i + 1);
      if (turn) {
        told.push(`${t("review.lost")} ${percent(turn.lost)}`);
        told.push(`${t("review.better")} ${nameOf(turn.better, this.head.size)}`);
        if (turn.missed) told.push(`${t("review.missed")} ${t(turn.missed)}`);
        const line = this.verdicts[i]?.line ?? [];
        if (node.parent && line.length) app.game.add(node.parent, line);
      }
      const own = node.comment.split(MARK)[0].trimEnd();
      node.comment = `${own}${own ? "\n" : ""}${MARK}${told.join("; ")}`;
    }
    app.changed();
  }

  /** Shows a turning point: the position before it, and the better line. @param {Turn} turn */
  async showTurn(turn) {
    const { app } = this;
    await app.goTo(/** @type {Node} */ (turn.node.parent));
    if (app.game.current !== turn.node.parent) return;
    app.shownLine = this.verdicts[turn.ply - 1]?.line ?? [];
    app.changed();
  }
}

/** @param {App} app @returns {Review} */
export function reviewOf(app) {
  app.review ??= new Review(app);
  return app.review;
}

/**
 * The curve of Black's chance, with a dot at each turning point.
 *
 * @param {App} app
 * @param {Review} review
 */
function graph(app, review) {
  const count = Math.max(1, review.line.length);
  const height = (/** @type {number} */ i) => (100 * (1 - (review.blackAt(i) ?? 0.5))).toFixed(1);
  const known = review.verdicts.flatMap((verdict, i) => (verdict ? [i] : []));
  const points = known.map((i) => `${i} ${height(i)}`).join("L");
  const path = (/** @type {string} */ kind, /** @type {string} */ d) =>
    s("path", { class: kind, d });
  const parts = [path("half", `M0 50H${count}`)];
  if (points) {
    parts.push(path("area", `M${known[0]} 100L${points}L${known.at(-1)} 100Z`));
    parts.push(path("curve", `M${points}`));
  }
  // a line of no length with round ends is a dot, whatever the scales are
  for (const { ply } of review.turns) parts.push(path("turn", `M${ply} ${height(ply)}h0`));
  parts.push(path("here", `M${app.game.current.ply} -6V106`));
  const go = (/** @type {MouseEvent & {currentTarget: Element}} */ event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const ply = Math.round(((event.clientX - box.left) / box.width) * count);
    app.goTo(ply > 0 ? review.line[Math.min(ply, count) - 1] : app.game.root);
  };
  const frame = {
    class: "graph",
    viewBox: `0 -6 ${count} 112`,
    preserveAspectRatio: "none",
    role: "img",
    "aria-label": t("review.graph"),
  };
  return s("svg", frame, parts, { click: go });
}

/** @param {App} app @param {Review} review */
function turnsTable(app, review) {
  const { turns } = review;
  if (!turns.length) return h("p", { text: review.running ? "" : t("noBlunders") });
  const head = ["move", "played", "better", "lost", "missed"];
  const row = (/** @type {Turn} */ turn) =>
    h("tr", {}, [
      h("td", {}, [
        h("button", {
          type: "button",
          text: String(turn.ply),
          on: { click: () => review.showTurn(turn) },
        }),
      ]),
      h("td", { text: app.nameOf(/** @type {Square} */ (turn.node.move)) }),
      h("td", { text: app.nameOf(turn.better) }),
      h("td", { text: percent(turn.lost) }),
      h("td", { text: turn.missed ? t(turn.missed) : "" }),
    ]);
  return h("table", { id: "turns" }, [
    h("caption", { class: "visually-hidden", text: t("blunders") }),
    h("thead", {}, [
      h(
        "tr",
        {},
        head.map((name) => h("th", { scope: "col", text: t(`review.${name}`) })),
      ),
    ]),
    h("tbody", {}, turns.map(row)),
  ]);
}

/** @param {App} app */
export function reviewPanel(app) {
  const review = reviewOf(app);
  const current = review.isCurrent && review.done > 0;
  const key = review.running ? "reviewStop" : current && review.done < review.total ? "reviewGoOn" : "reviewStart";
  const times = TIMES.map((ms) => ({ value: ms, text: `${ms / 1000} s` }));
  const made = [
    h(
      "div",
      { class: "fields" },
      field(
        t("reviewTime"),
        select(times, app.settings.reviewMs, (ms) => app.set({ reviewMs: Number(ms) }), "review-time"),
      ),
    ),
    h("button", {
      type: "button",
      id: "review",
      class: "primary",
      text: t(key),
      disabled: !app.game.root.children.length,
      on: { click: () => (review.running ? review.stop() : review.run()) },
    }),
  ];
  if (review.error) made.push(h("p", { role: "alert", text: review.error }));
  if (!current && !review.running) return made;
  const bar = h("progress", { max: review.total, value: review.done, "aria-label": t("tab.review") });
  const accuracy = [true, false].map((black) => {
    const share = review.accuracy(black);
    const name = t(black ? "black" : "white");
    return h("span", {}, [`${name} `, h("b", { text: share === null ? "–" : percent(share) })]);
  });
  made.push(
    h("button", {
      type: "button",
      id: "annotate",
      text: t("annotate"),
      disabled: review.running,
      on: { click: () => review.annotate() },
    }),
  );
  return [
    ...made,
    bar,
    graph(app, review),
    h("div", { class: "facts", id: "accuracy" }, [t("accuracy"), ...accuracy]),
    turnsTable(app, review),
  ];
}
