// @ts-check
/**
 * The panel for games of the server: who plays, the clocks, the verdict, the conversation.
 *
 * @typedef {import("./app.js").App} App
 * @typedef {import("./match.js").Match} Match
 */
import { field, h, select } from "./dom.js";
import { RULES } from "./play.js";
import { FIRST_BRAIN } from "./settings.js";
import { short } from "./score.js";
import { LARGEST, SMALLEST } from "./squares.js";
import { t } from "./strings.js";

const TURNS = [0, 50, 100, 300, 1000, 5000, 10000, 30000, 60000];
const TOTALS = [0, 60000, 180000, 300000, 600000, 1200000];
const MEMORIES = [0, 70, 350, 1024, 4096];
/** So many lines of the conversation are drawn. */
const SHOWN_LINES = 150;

const seconds = (/** @type {number} */ ms) => (ms ? `${ms / 1000} s` : t("match.noLimit"));
const mebibytes = (/** @type {number} */ mib) => (mib ? `${mib} MiB` : t("match.noLimit"));

/** The brain of a setting, where the server has it. @param {Match} match @param {string} name */
function known(match, name) {
  const wanted = name === FIRST_BRAIN ? match.brains[0]?.name : name;
  return match.brains.find((brain) => brain.name === wanted)?.name ?? "";
}

/** @param {App} app */
function wishes(app) {
  const { settings } = app;
  const match = /** @type {Match} */ (app.match);
  const here = settings.matchHere && !app.game.head.setup;
  const { rule, size } = here ? app.game.head : settings;
  return {
    black: known(match, settings.matchBlack),
    white: known(match, settings.matchWhite),
    rule,
    size,
    turnMs: settings.matchTurnMs,
    matchMs: settings.matchTotalMs,
    memoryMib: settings.matchMemoryMib,
    level: settings.matchLevel,
    moves: here ? app.game.moves : [],
  };
}

/** @param {App} app */
function matchFields(app) {
  const { settings } = app;
  const match = /** @type {Match} */ (app.match);
  const sides = [
    { value: "", text: t("human") },
    ...match.brains.map(({ name }) => ({ value: name, text: name })),
  ];
  /**
   * @param {string} name
   * @param {string} id
   * @param {{value: string | number, text: string}[]} options
   * @param {string | number} chosen
   * @param {(value: string) => Partial<import("./settings.js").Settings>} change
   */
  const choice = (name, id, options, chosen, change) =>
    field(
      name,
      select(options, chosen, (value) => app.set(change(value))),
      `match-${id}`,
    );
  const numbers = (/** @type {number[]} */ of, /** @type {(n: number) => string} */ text) =>
    of.map((value) => ({ value, text: text(value) }));
  const sizes = Array.from({ length: LARGEST - SMALLEST + 1 }, (_, i) => SMALLEST + i);
  const { black, white, rule, size } = wishes(app);
  const own = match.brains.find((brain) => brain.own && [black, white].includes(brain.name));
  const levels = numbers([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], (n) => t(`level.${n}`));
  const made = [
    ...choice(t("black"), "black", sides, black, (matchBlack) => ({ matchBlack })),
    ...choice(t("white"), "white", sides, white, (matchWhite) => ({ matchWhite })),
    ...choice(
      t("rule"),
      "rule",
      numbers(RULES, (n) => t(`rule.${n}`)),
      rule,
      (value) => ({ rule: Number(value), matchHere: false }),
    ),
    ...choice(
      t("size"),
      "size",
      numbers(sizes, (n) => `${n}×${n}`),
      size,
      (value) => ({ size: Number(value), matchHere: false }),
    ),
    ...choice(t("time"), "turn", numbers(TURNS, seconds), settings.matchTurnMs, (value) => ({
      matchTurnMs: Number(value),
    })),
    ...choice(
      t("match.total"),
      "total",
      numbers(TOTALS, seconds),
      settings.matchTotalMs,
      (value) => ({
        matchTotalMs: Number(value),
      }),
    ),
    ...choice(
      t("match.memory"),
      "memory",
      numbers(MEMORIES, mebibytes),
      settings.matchMemoryMib,
      (value) => ({ matchMemoryMib: Number(value) }),
    ),
  ];
  if (own)
    made.push(
      ...choice(`${t("level")}: ${own.name}`, "level", levels, settings.matchLevel, (value) => ({
        matchLevel: Number(value),
      })),
    );
  const here = h("input", {
    type: "checkbox",
    checked: settings.matchHere && !app.game.head.setup,
    disabled: app.game.head.setup !== null,
    on: {
      change: (/** @type {any} */ event) => app.set({ matchHere: event.currentTarget.checked }),
    },
  });
  const from = h("p", { class: "tick" }, field(t("match.here"), here, "match-here").reverse());
  return [h("div", { class: "fields" }, made), from];
}

/** @param {string} id @param {string} key @param {() => void} click @param {boolean} [primary] */
function action(id, key, click, primary = false) {
  const type = primary ? { class: "primary" } : {};
  return h("button", { type: "button", id: `match-${id}`, text: t(key), ...type, on: { click } });
}

/** @param {App} app @param {Match} match */
function actions(app, match) {
  if (match.lost) return [action("again", "match.again", () => match.again(), true)];
  const made = [];
  const person = (match.head?.people.length ?? 0) > 0;
  if (match.running) {
    if (person) made.push(action("undo", "undo", () => match.undo()));
    if (person) made.push(action("resign", "match.resign", () => match.resign()));
    made.push(action("stop", "match.stop", () => match.stop()));
    if (!match.shown || app.game.current !== match.last)
      made.push(action("show", "match.show", () => showGame(app, match)));
  } else made.push(action("start", "match.start", () => match.start(wishes(app)), true));
  return made;
}

/** @param {App} app @param {Match} match */
function showGame(app, match) {
  if (!match.game || !match.last) return;
  match.game.current = match.last;
  app.show(match.game);
}

/** The referee's verdict in its own words, and where the game is kept. @param {Match} match */
function verdict({ end }) {
  if (!end) return [];
  const lines = [end.verdict, ...end.notes, end.problem].filter((line) => line);
  const made = lines.map((text) => h("p", { class: "help", lang: "en", text }));
  if (end.files.length)
    made.push(
      h("p", { class: "help files", text: t("match.saved", { files: end.files.join(", ") }) }),
    );
  return [h("div", { id: "match-verdict" }, made)];
}

/** What the last brain told of its move. @param {Match} match */
function thought({ played }) {
  if (!played || played.depth === null) return [];
  const parts = [t(played.color), `${t("depth")} ${played.depth}`];
  if (played.nodes !== null) parts.push(`${short(played.nodes)} ${t("nodes")}`);
  if (played.score !== null) parts.push(t("match.score", { score: played.score }));
  return [h("p", { class: "help", id: "match-thought", text: parts.join(" · ") })];
}

/** The lines to the brains (>), from them (<) and on their stderr (!). @param {Match} match */
function talk(match) {
  const shown = match.said.slice(-SHOWN_LINES);
  const lines = shown.map(([color, mark, text]) =>
    h("div", { class: `said ${color}` }, [
      h("span", { class: "disc", "aria-hidden": "true" }),
      h("span", { class: "visually-hidden", text: t(color) }),
      h("code", { text: `${mark} ${text}` }),
    ]),
  );
  const cut = match.dropped
    ? [h("p", { class: "help", text: t("match.dropped", { count: match.dropped }) })]
    : [];
  return [
    h("h2", { class: "part", text: t("match.talk") }),
    ...cut,
    h(
      "div",
      { class: "talk", id: "talk", role: "group", tabIndex: 0, "aria-label": t("match.talk") },
      lines,
    ),
  ];
}

/** @param {App} app */
export function matchPanel(app) {
  const { match } = app;
  if (!match) return [];
  const { head } = match;
  const fields = match.running && head ? [facts(head)] : matchFields(app);
  const help = match.head ? [] : [h("p", { class: "help", text: t("match.help") })];
  return [
    ...help,
    ...fields,
    h("div", { class: "tools" }, actions(app, match)),
    ...verdict(match),
    ...thought(match),
    ...(match.head ? talk(match) : []),
  ];
}

/** @param {import("./match.js").Head} head */
function facts({ rule, size, turn_ms, match_ms }) {
  return h("div", { class: "facts" }, [
    h("b", { text: t(`rule.${rule}`) }),
    h("span", { text: `${size}×${size}` }),
    h("span", { text: `${t("time")}: ${seconds(turn_ms ?? 0)}` }),
    h("span", { text: `${t("match.total")}: ${seconds(match_ms ?? 0)}` }),
  ]);
}

/** Keeps the end of the conversation in view, unless a person has scrolled up. @param {HTMLElement} panel */
export function followTalk(panel) {
  const log = panel.querySelector("#talk");
  const bottom = log ? log.scrollHeight - log.clientHeight - log.scrollTop < 40 : true;
  return () => {
    const now = panel.querySelector("#talk");
    if (now && bottom) now.scrollTop = now.scrollHeight;
  };
}
