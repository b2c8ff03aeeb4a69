// @ts-check
/**
 * The page around the board: header, players, status, tools and the panels.
 *
 * @typedef {import("./app.js").App} App
 * @typedef {import("./core.js").Square} Square
 */
import { BoardView } from "./board.js";
import { analysePanel } from "./analyse.js";
import { h, update } from "./dom.js";
import { newGameDialog, openDialog, saveDialog, settingsDialog, shareGame } from "./dialogs.js";
import { icon } from "./icons.js";
import { handleKeys } from "./keys.js";
import { followTalk, matchPanel } from "./matchpanel.js";
import { pictureOf } from "./picture.js";
import { playPanel } from "./play.js";
import { CAPTURES, captureKey, capturesToWin } from "./position.js";
import { reviewPanel } from "./review.js";
import { clockText } from "./score.js";
import { t } from "./strings.js";
import { treePanel } from "./tree.js";

/**
 * A button with an icon and its name; on a narrow screen the name is left to screen readers.
 *
 * @param {string} image
 * @param {string} key of its name
 * @param {() => void} action
 * @param {Record<string, any>} [more]
 */
function button(image, key, action, more = {}) {
  const name = h("span", { class: "name", text: t(key) });
  return h("button", { type: "button", title: t(key), on: { click: action }, ...more }, [
    icon(image),
    name,
  ]);
}

/** @param {App} app */
function header(app) {
  return [
    h("h1", { text: t("title") }),
    h("span", { class: "spring" }),
    button("new", "new", () => newGameDialog(app), { class: "primary", id: "new-game" }),
    button("open", "open", () => openDialog(app), { id: "open" }),
    button("save", "save", () => saveDialog(app), { id: "save" }),
    button("share", "share", () => shareGame(app), { id: "share" }),
    button("settings", "settings", () => settingsDialog(app), { id: "settings" }),
  ];
}

/**
 * A player's name, captures and clock.
 *
 * @param {App} app
 * @param {number} color
 */
function player(app, color) {
  const playing = app.tab === "play" && !app.swap2.on;
  const names = [app.game.head.black, app.game.head.white];
  const own = names[color - 1] || t(color === 1 ? "black" : "white");
  const name = playing && app.enginePlays(color) ? "Tengen" : own;
  const parts = [h("span", { class: "disc", "aria-hidden": "true" }), h("span", { text: name })];
  const { rule } = app.game.head;
  if (CAPTURES.includes(rule)) {
    const count = app.board.taken[color - 1];
    const id = `captures-${color}`;
    const label = t(captureKey("captured", rule), { count, of: capturesToWin(rule) });
    parts.push(
      h("span", { class: "captures", id, role: "img", "aria-label": label, title: label }, [
        h("span", { class: "wide", text: label }),
        h("span", { class: "narrow", text: `\u00d7${count}` }),
      ]),
    );
  }
  if (playing || app.tab === "match")
    parts.push(h("span", { class: "clock", text: clockText(app.usedMs[color - 1]) }));
  return h(
    "div",
    {
      class: `player ${color === 1 ? "black" : "white"}`,
      "data-turn": String(app.game.toMove === color && !app.over),
    },
    parts,
  );
}

/** @param {App} app */
function stepButtons(app) {
  const atStart = !app.game.current.parent || app.swap2.on;
  const atEnd = !app.game.current.children.length || app.swap2.on;
  /** @type {["first" | "back" | "forward" | "last", "start" | "back" | "forward" | "end", boolean][]} */
  const steps = [
    ["first", "start", atStart],
    ["back", "back", atStart],
    ["forward", "forward", atEnd],
    ["last", "end", atEnd],
  ];
  return steps.map(([key, where, disabled]) =>
    button(key, key, () => app.step(where), { class: "bare", id: `step-${key}`, disabled }),
  );
}

/** @param {App} app */
function tools(app) {
  if (app.swap2.mayChoose) return [];
  const made = stepButtons(app);
  if (app.tab !== "play" || app.swap2.on) return made;
  const still = app.thinking || app.over;
  made.push(
    button("undo", "undo", () => app.undo(), { id: "undo", disabled: !app.game.current.parent }),
    button("redo", "redo", () => app.redo(), {
      id: "redo",
      disabled: !app.game.current.children.length,
    }),
    button("hint", "hint", () => app.showHint(), { id: "hint", disabled: still || app.waits }),
    button("swap", "swap", () => app.swapSides(), { id: "swap" }),
  );
  if (app.thinking) {
    made.push(button("forward", "moveNow", () => app.moveNow(), { id: "move-now" }));
    if (app.settings.side === "none")
      made.push(button("pause", "pause", () => app.pause(), { id: "pause" }));
  } else if (app.waits) made.push(button("go", "goOn", () => app.goOn(), { id: "go-on" }));
  return made;
}

/** What a person may choose in the swap2 opening. @param {App} app */
function choices(app) {
  const { swap2 } = app;
  if (!swap2.mayChoose || app.thinking) return [];
  const choice = (/** @type {string} */ key, /** @type {() => void} */ action) =>
    h("button", {
      type: "button",
      class: "primary",
      id: key.replace(".", "-"),
      text: t(key),
      on: { click: action },
    });
  const made = [
    choice("swap2.black", () => swap2.take("black")),
    choice("swap2.white", () => swap2.take("white")),
  ];
  if (swap2.phase === "choose") made.push(choice("swap2.two", () => swap2.placeTwo()));
  return made;
}

/** @param {App} app */
function tabs(app) {
  /** @type {import("./app.js").Tab[]} */
  const every = ["play", "analyse", "review"];
  if (app.match) every.push("match");
  return h(
    "div",
    { class: "tabs", role: "group" },
    every.map((tab) =>
      h("button", {
        type: "button",
        text: t(`tab.${tab}`),
        "aria-pressed": String(app.tab === tab),
        id: `tab-${tab}`,
        on: { click: () => app.openTab(tab) },
      }),
    ),
  );
}

/** What the page says of a square that is pointed at. @param {App} app @param {Square | null} square */
function titleOf(app, square) {
  const reason = square ? app.whyForbidden(square) : "";
  return reason ? t(`why.${reason}`) : "";
}

/** Scrolls the tree, and not the page, to the current move. @param {HTMLElement} panel */
function showCurrentMove(panel) {
  const tree = panel.querySelector(".tree");
  const current = tree?.querySelector('[aria-current="true"]');
  if (!tree || !current) return;
  const outer = tree.getBoundingClientRect();
  const inner = current.getBoundingClientRect();
  if (inner.top < outer.top) tree.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) tree.scrollTop += inner.bottom - outer.bottom;
}

/**
 * Builds the page once; every change updates its parts.
 *
 * @param {App} app
 * @param {HTMLElement} host
 */
export function buildPage(app, host) {
  const boardHost = h("div", { class: "board-host" });
  const players = h("div", { class: "players" });
  const status = h("div", { class: "status", id: "status" });
  const swap2 = h("div", { class: "tools choices", id: "choices" });
  const toolbar = h("div", { class: "tools", id: "tools" });
  const panel = h("div", { class: "panel", id: "panel" });
  const live = h("div", { class: "visually-hidden", "aria-live": "polite", id: "live" });
  const top = h("header");
  const below = h("div", { class: "below" }, [status, swap2, toolbar]);
  host.replaceChildren(
    top,
    h("section", { class: "board-side" }, [players, boardHost, below]),
    panel,
    live,
  );
  const view = new BoardView(boardHost, {
    onSquare: (square) => app.choose(square),
    onHover: (square) => {
      view.svg.style.cursor = square && app.mayPlay ? "pointer" : "default";
      boardHost.title = titleOf(app, square);
    },
  });
  const drawPlayers = () => update(players, [player(app, 1), player(app, 2)]);
  const panels = { play: playPanel, analyse: analysePanel, review: reviewPanel, match: matchPanel };
  const draw = () => {
    document.documentElement.dataset.theme = app.settings.theme;
    update(top, header(app));
    drawPlayers();
    view.draw(pictureOf(app));
    const { text, tone } = app.status;
    status.textContent = text;
    status.dataset.tone = tone;
    update(swap2, choices(app));
    update(toolbar, tools(app));
    const scroll = followTalk(panel);
    update(panel, [tabs(app), ...panels[app.tab](app), ...treePanel(app)]);
    showCurrentMove(panel);
    scroll();
  };
  app.onChange(draw);
  app.changedBoard = () => view.draw(pictureOf(app));
  app.announcers.push((text) => {
    live.textContent = text;
  });
  handleKeys(app, view);
  setInterval(drawPlayers, 500);
  draw();
  return view;
}
