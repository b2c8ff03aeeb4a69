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
import { field, h, select } from "./dom.js";
import { chance, percent } from "./score.js";
import { nameOf, same } from "./squares.js";
import { t } from "./strings.js";

const TIMES = [100, 250, 500, 1000, 3000];
/** A loss of so much of the chance to win is a turning point. */
const TURNING = 0.15;

export class Review {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.running = false;
    /** @type {(Verdict | null)[]} by the number of moves played */
    this.verdicts = [];
    /** @type {Node[]} the line that is reviewed */
    this.line = [];
  }

  get total() {
    return this.line.length;
  }

  get done() {
    return this.verdicts.filter(Boolean).length;
  }

  /** Whether the review is of the game that is shown. */
  get isCurrent() {
    const now = this.app.game.root.end().path();
    return now.length === this.line.length && now.every((node, i) => node === this.line[i]);
  }

  async run() {
    const { app } = this;
    if (!this.isCurrent) {
      this.line = app.game.root.end().path();
      this.verdicts = [];
    }
    this.running = true;
    const { size, rule, setup } = app.game.head;
    const moves = this.line.map((node) => /** @type {Square} */ (node.move));
    for (let i = 0; i < moves.length && this.running; i++) {
      if (this.verdicts[i]) continue;
      const position = { size, rule, setup: setup ?? undefined, moves: moves.slice(0, i) };
      try {
        const result = await app.engine.search(position, { timeMs: app.settings.reviewMs });
        const { score, mate, pv } = result.line;
        this.verdicts[i] = { chance: chance(score, mate), best: result.move, line: pv, mate };
        this.line[i].chance = this.verdicts[i]?.chance ?? null;
      } catch {
        this.running = false;
      }
      app.changed();
    }
    this.running = false;
    app.changed();
  }

  async stop() {
    this.running = false;
    await this.app.engine.stop();
    this.app.changed();
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

  /** The mean of what a side kept, in percent; null before anything is known. @param {0 | 1} side */
  accuracy(side) {
    let sum = 0;
    let count = 0;
    for (let i = side; i + 1 < this.verdicts.length; i += 2) {
      if (!this.verdicts[i] || !this.verdicts[i + 1]) continue;
      sum += 1 - this.lossOf(i);
      count++;
    }
    return count ? sum / count : null;
  }

  /** Writes comments and better moves into the game's tree. */
  annotate() {
    const { size } = this.app.game.head;
    for (const [i, node] of this.line.entries()) {
      const before = this.verdicts[i];
      if (!before) continue;
      const share = percent(before.chance);
      if (!node.comment.includes("Tengen:"))
        node.comment = `${node.comment}${node.comment ? "\n" : ""}Tengen: ${share}`;
    }
    for (const turn of this.turns) {
      const parent = turn.node.parent;
      const line = this.verdicts[turn.ply - 1]?.line ?? [];
      if (!parent || !line.length) continue;
      const better = nameOf(turn.better, size);
      turn.node.comment += `\n${t("review.lost")} ${percent(turn.lost)}; ${t("review.better")} ${better}`;
      this.app.game.add(parent, line);
    }
    this.app.changed();
  }
}

/** @param {App} app @returns {Review} */
export function reviewOf(app) {
  app.review ??= new Review(app);
  return app.review;
}

/** The curve of Black's chance. @param {App} app @param {Review} review */
function graph(app, review) {
  const NS = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(NS, "svg");
  const count = Math.max(1, review.total - 1);
  svg.setAttribute("class", "graph");
  svg.setAttribute("viewBox", `0 0 ${count} 100`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", t("tab.review"));
  const first = app.game.head.setup?.toMove ?? 1;
  const points = review.verdicts.flatMap((verdict, i) => {
    if (!verdict) return [];
    const black = (i % 2 === 0) === (first === 1) ? verdict.chance : 1 - verdict.chance;
    return [`${i} ${(100 * (1 - black)).toFixed(1)}`];
  });
  const here = app.game.current.ply;
  const last = points.length ? points[points.length - 1].split(" ")[0] : "0";
  const paths = [
    ["half", "M0 50H9999"],
    ...(points.length
      ? [
          ["area", `M0 100L${points.join("L")}L${last} 100Z`],
          ["curve", `M${points.join("L")}`],
        ]
      : []),
    ["here", `M${here} 0V100`],
  ];
  for (const [kind, d] of paths) {
    const path = document.createElementNS(NS, "path");
    path.setAttribute("class", kind);
    path.setAttribute("d", d);
    svg.append(path);
  }
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const ply = Math.round(((event.clientX - box.left) / box.width) * count);
    app.goTo(ply > 0 ? review.line[ply - 1] : app.game.root);
  });
  return svg;
}

/** @param {App} app @param {Review} review */
function turnsTable(app, review) {
  const { turns } = review;
  if (!turns.length) return h("p", { text: review.done ? t("noBlunders") : "" });
  const { size } = app.game.head;
  const head = ["move", "played", "better", "lost", "missed"];
  const row = (/** @type {Turn} */ turn) =>
    h("tr", {}, [
      h("td", {}, [
        h("button", {
          type: "button",
          text: String(turn.ply),
          on: { click: () => app.goTo(/** @type {Node} */ (turn.node.parent)) },
        }),
      ]),
      h("td", { text: nameOf(/** @type {Square} */ (turn.node.move), size) }),
      h("td", { text: nameOf(turn.better, size) }),
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
        select(times, app.settings.reviewMs, (ms) => app.set({ reviewMs: Number(ms) })),
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
  if (!current) return made;
  const bar = h("progress", { max: review.total, value: review.done, "aria-label": t("tab.review") });
  const shares = /** @type {const} */ ([0, 1]).map((side) => review.accuracy(side));
  const accuracy = shares.map((share, i) => {
    const name = t(i === 0 ? "black" : "white");
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
