// @ts-check
/**
 * The panel for analysis: lines of play while the engine searches, and the search for a forced win.
 *
 * @typedef {import("./app.js").App} App
 * @typedef {import("./core.js").Square} Square
 */
import { field, h, select } from "./dom.js";
import { StoppedError } from "./engine.js";
import { chance, inPercent, percent, short, wdl } from "./score.js";
import { t } from "./strings.js";
import { lookForThreats } from "./threats.js";

/** @param {number} rule @param {{score: number, mate: number}} line */
export function scoreText(rule, { score, mate }) {
  if (mate > 0) return t("winIn", { plies: mate });
  if (mate < 0) return t("lossIn", { plies: -mate });
  return percent(chance(rule, score));
}

/** @param {App} app @param {Square[]} line */
function namesOf(app, line) {
  return line.map((square) => app.nameOf(square)).join(" ");
}

/**
 * Shows a line on the board while it is pointed at.
 *
 * @param {App} app
 * @param {Square[]} line
 * @param {number} [from] who has its first move; 0 is the side to move
 */
function showing(app, line, from = 0) {
  const show = (/** @type {Square[]} */ squares) => () => {
    app.shownLine = squares;
    app.shownFrom = squares.length ? from : 0;
    app.changedBoard?.();
  };
  return { pointerenter: show(line), pointerleave: show([]), focus: show(line), blur: show([]) };
}

/** @param {App} app */
function linesList(app) {
  const lines = app.view?.lines ?? [];
  return h(
    "ol",
    { class: "lines-list", id: "lines" },
    lines.map((line) =>
      h("li", {}, [
        h(
          "button",
          {
            type: "button",
            on: { ...showing(app, line.pv), click: () => app.play(line.pv[0]) },
          },
          [
            h("span", { class: "rate", text: scoreText(app.game.head.rule, line) }),
            h("span", { text: namesOf(app, line.pv.slice(0, 12)) }),
          ],
        ),
      ]),
    ),
  );
}

/** @param {App} app @param {{score: number, mate: number}} line @returns win, draw and loss */
function chancesOf(app, line) {
  const { head, placed } = app.game;
  return wdl(head.rule, line, { size: head.size, placed });
}

/**
 * The best line's score, and as a bar Black's chance to win, then that of a draw.
 *
 * @param {App} app
 * @param {{score: number, mate: number}} best
 */
function scoreBox(app, best) {
  const [win, draw, loss] = chancesOf(app, best);
  const black = app.game.toMove === 1 ? win : loss;
  const score = best.mate === 0 ? ` (${best.score > 0 ? "+" : ""}${best.score})` : "";
  const name = t(app.game.toMove === 1 ? "black" : "white");
  return h("div", { class: "score-box" }, [
    h("div", { class: "score", id: "score" }, [
      h("span", { text: `${name} ` }),
      h("b", { text: scoreText(app.game.head.rule, best) }),
      h("span", { text: score }),
    ]),
    h("div", { class: "bar", "aria-hidden": "true" }, [
      h("span", { style: `width:${(100 * black).toFixed(1)}%` }),
      h("span", { class: "draw", style: `width:${(100 * draw).toFixed(1)}%` }),
    ]),
  ]);
}

/** @param {App} app */
function factsOf(app) {
  const { view } = app;
  const best = view?.lines[0];
  if (!view || !best) return h("div", { class: "facts" });
  const speed = view.timeMs > 0 ? (view.nodes * 1000) / view.timeMs : 0;
  const facts = [
    [t("wdl"), inPercent(chancesOf(app, best))],
    [t("depth"), `${view.depth}-${best.seldepth}`],
    [t("nodes"), short(view.nodes)],
    [t("speed"), short(speed)],
  ];
  if (view.hashPermille !== null)
    facts.push([t("hash"), `${Math.round(view.hashPermille / 10)} %`]);
  return h(
    "div",
    { class: "facts", id: "facts" },
    facts.map(([name, value]) => h("span", {}, [`${name} `, h("b", { text: value })])),
  );
}

/**
 * What the searches for a win have found, as the key of its text.
 *
 * @param {import("./core.js").Proof} fours of a win by continuous fours
 * @param {import("./core.js").Proof} found of a win of either kind
 */
function verdictOf(fours, found) {
  if (found.answer === "WIN") return fours.answer === "WIN" ? "foundVcf" : "foundVct";
  return found.answer === "NO_WIN" ? "foundNone" : "foundLimit";
}

/** @param {App} app */
async function findWin(app) {
  app.analysing = false;
  app.match?.native.halt();
  const { token } = app;
  const { position } = app.game;
  app.winText = t("searchingWin");
  app.winLine = [];
  app.changed();
  try {
    const fours = await app.engine.vcf(position);
    if (token !== app.token) return;
    const found = fours.answer === "WIN" ? fours : await app.engine.vct(position);
    if (token !== app.token) return;
    const { line } = found;
    app.winText = t(verdictOf(fours, found), { plies: line.length, line: namesOf(app, line) });
    app.winLine = line;
  } catch (error) {
    if (token !== app.token) return;
    app.winText = error instanceof StoppedError ? "" : t("engineFailed", { reason: String(error) });
  }
  app.changed();
}

/** @param {App} app */
function winBox(app) {
  const parts = [];
  if (app.winText) parts.push(h("p", { id: "win", role: "status", text: app.winText }));
  if (app.winLine.length)
    parts.push(
      h("button", {
        type: "button",
        text: t("showLine"),
        on: {
          click: () => {
            app.shownLine = app.shownLine.length ? [] : app.winLine;
            app.changedBoard?.();
          },
        },
      }),
      h("button", {
        type: "button",
        id: "keep-line",
        text: t("keepLine"),
        on: {
          click: () => {
            app.game.add(app.game.current, app.winLine);
            app.changed();
          },
        },
      }),
    );
  return parts;
}

/** The switch of the threat map, what its marks mean, and the other side's win. @param {App} app */
function threatBox(app) {
  const box = h("input", {
    type: "checkbox",
    checked: app.settings.threats,
    on: {
      change: (/** @type {any} */ event) => {
        app.set({ threats: event.currentTarget.checked });
        lookForThreats(app).then(() => app.changed());
      },
    },
  });
  const made = [h("p", { class: "tick" }, field(t("threats"), box, "threats").reverse())];
  if (!app.threats) return made;
  made.push(h("p", { class: "help", text: t("threats.help") }));
  const { vcf } = app.threats;
  if (!vcf.length) return made;
  const color = t(app.game.toMove === 1 ? "white" : "black");
  const text = t("threats.vcf", { color, line: namesOf(app, vcf) });
  const on = showing(app, vcf, 3 - app.game.toMove);
  return [...made, h("button", { type: "button", id: "threat-vcf", class: "line", text, on })];
}

/** Who analyses, where the server has a native engine. @param {App} app */
function engineField(app) {
  if (!app.match?.brains.some(({ own }) => own)) return [];
  const choices = ["native", "page"].map((value) => ({ value, text: t(`by.${value}`) }));
  const change = (/** @type {string} */ value) => {
    app.set({ native: value === "native" });
    app.moved();
  };
  const chosen = app.settings.native ? "native" : "page";
  return field(t("analysisBy"), select(choices, chosen, change, "analysis-by"));
}

/** @param {App} app */
export function analysePanel(app) {
  const best = app.view?.lines[0];
  const counts = Array.from({ length: 10 }, (_, i) => ({ value: i + 1, text: String(i + 1) }));
  const many = (/** @type {string} */ lines) => {
    app.set({ lines: Number(lines) });
    app.moved();
  };
  return [
    h("div", { class: "tools" }, [
      h("button", {
        type: "button",
        id: "analysis",
        class: "primary",
        text: t(app.analysing ? "analyseOff" : "analyseOn"),
        on: { click: () => app.toggleAnalysis() },
      }),
      h("button", {
        type: "button",
        id: "find-win",
        text: t("findWin"),
        disabled: app.over,
        on: { click: () => findWin(app) },
      }),
    ]),
    h(
      "div",
      { class: "fields" },
      [...engineField(app), ...field(t("lines"), select(counts, app.settings.lines, many, "line-count"))],
    ),
    ...(best ? [scoreBox(app, best)] : []),
    factsOf(app),
    linesList(app),
    ...winBox(app),
    ...threatBox(app),
  ];
}
