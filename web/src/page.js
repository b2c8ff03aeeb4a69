// @ts-check
/**
 * The page around the board: header, players, status, tools and the panels.
 *
 * @typedef {import("./app.js").App} App
 */
import { BoardView } from "./board.js";
import { analysePanel } from "./analyse.js";
import { h } from "./dom.js";
import { newGameDialog, openDialog, saveDialog, settingsDialog, shareGame } from "./dialogs.js";
import { handleKeys } from "./keys.js";
import { pictureOf } from "./picture.js";
import { playPanel } from "./play.js";
import { reviewPanel } from "./review.js";
import { clockText } from "./score.js";
import { t } from "./strings.js";
import { treePanel } from "./tree.js";

/** @param {App} app @param {string} text */
export function toast(app, text) {
  void app;
  document.querySelector(".toast")?.remove();
  const box = h("div", { class: "toast", role: "status", text });
  document.body.append(box);
  setTimeout(() => box.remove(), 4500);
}

/** @param {string} key @param {() => void} action @param {Record<string, any>} [more] */
function button(key, action, more = {}) {
  return h("button", { type: "button", text: t(key), on: { click: action }, ...more });
}

/** @param {App} app */
function header(app) {
  return h("header", {}, [
    h("h1", { text: t("title") }),
    h("span", { class: "spring" }),
    button("new", () => newGameDialog(app), { class: "primary", id: "new-game" }),
    button("open", () => openDialog(app)),
    button("save", () => saveDialog(app)),
    button("share", () => shareGame(app)),
    button("settings", () => settingsDialog(app)),
  ]);
}

/**
 * A player's name, captured pairs and clock.
 *
 * @param {App} app
 * @param {number} color
 */
function player(app, color) {
  const engine = app.tab === "play" && app.enginePlays(color);
  const names = [app.game.head.black, app.game.head.white];
  const name = engine ? "Tengen" : names[color - 1] || t(color === 1 ? "black" : "white");
  const parts = [h("span", { class: "disc", "aria-hidden": "true" }), h("span", { text: name })];
  if (app.game.head.rule === 16) {
    const count = app.board.pairs[color - 1];
    parts.push(h("span", { class: "pairs", text: t("captured", { count }) }));
  }
  if (app.tab === "play") {
    const turn = app.game.toMove === color && !app.over ? performance.now() - app.turnBegan : 0;
    parts.push(h("span", { class: "clock", text: clockText(app.usedMs[color - 1] + turn) }));
  }
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
function tools(app) {
  const atStart = !app.game.current.parent;
  const atEnd = !app.game.current.children.length;
  /** @type {[string, string, () => void, boolean][]} */
  const steps = [
    ["⏮", "first", () => app.step("start"), atStart],
    ["◀", "back", () => app.step("back"), atStart],
    ["▶", "forward", () => app.step("forward"), atEnd],
    ["⏭", "last", () => app.step("end"), atEnd],
  ];
  const made = steps.map(([text, key, action, disabled]) =>
    h("button", {
      type: "button",
      text,
      title: t(key),
      "aria-label": t(key),
      disabled,
      on: { click: action },
    }),
  );
  if (app.tab === "play") {
    made.push(
      button("undo", () => app.undo(), { disabled: atStart }),
      button("hint", () => app.showHint(), { disabled: app.thinking || app.over }),
      button("swap", () => app.swapSides()),
    );
    if (app.thinking) made.push(button("moveNow", () => app.moveNow()));
  }
  return made;
}

/** @param {App} app */
function tabs(app) {
  const every = /** @type {const} */ (["play", "analyse", "review"]);
  return h(
    "div",
    { class: "tabs", role: "group" },
    every.map((tab) =>
      button(`tab.${tab}`, () => app.openTab(tab), {
        "aria-pressed": String(app.tab === tab),
        id: `tab-${tab}`,
      }),
    ),
  );
}

/**
 * Builds the page once; every change draws its parts anew.
 *
 * @param {App} app
 * @param {HTMLElement} host
 */
export function buildPage(app, host) {
  const boardHost = h("div", { class: "board-host" });
  const players = h("div", { class: "players" });
  const status = h("div", { class: "status", id: "status" });
  const toolbar = h("div", { class: "tools", id: "tools" });
  const side = h("div", { class: "panel", id: "panel" });
  const live = h("div", { class: "visually-hidden", "aria-live": "polite", id: "live" });
  const top = h("div", { style: "display:contents" });
  const boardSide = h("section", { class: "board-side" }, [players, boardHost, status, toolbar]);
  host.replaceChildren(top, boardSide, side, live);
  const view = new BoardView(boardHost, {
    onSquare: (square) => app.choose(square),
    onHover: (square) => {
      view.svg.style.cursor = square && !app.thinking ? "pointer" : "default";
    },
  });
  const draw = () => {
    document.documentElement.dataset.theme = app.settings.theme;
    top.replaceChildren(header(app));
    players.replaceChildren(player(app, 1), player(app, 2));
    view.draw(pictureOf(app));
    const { text, tone } = app.status;
    status.textContent = text;
    status.dataset.tone = tone;
    keepFocus(toolbar, () => toolbar.replaceChildren(...tools(app)));
    const panels = { play: playPanel, analyse: analysePanel, review: reviewPanel };
    keepFocus(side, () =>
      side.replaceChildren(tabs(app), ...panels[app.tab](app), ...treePanel(app)),
    );
  };
  app.onChange(draw);
  app.changedBoard = () => view.draw(pictureOf(app));
  app.announcers.push((text) => {
    live.textContent = text;
  });
  handleKeys(app, view);
  setInterval(() => {
    if (app.tab === "play" && !app.over && app.game.current.parent)
      players.replaceChildren(player(app, 1), player(app, 2));
  }, 1000);
  draw();
}

/**
 * Draws a part anew and gives the focus back to the control that had it.
 *
 * @param {HTMLElement} part
 * @param {() => void} draw
 */
function keepFocus(part, draw) {
  const active = document.activeElement;
  const had = active instanceof HTMLElement && part.contains(active) ? active : null;
  const place = had ? [...part.querySelectorAll("button,select,input,textarea")].indexOf(had) : -1;
  const scroll = [...part.querySelectorAll(".tree")].map((tree) => tree.scrollTop);
  if (had instanceof HTMLTextAreaElement || had instanceof HTMLSelectElement) return;
  draw();
  [...part.querySelectorAll(".tree")].forEach((tree, i) => (tree.scrollTop = scroll[i] ?? 0));
  const next = part.querySelectorAll("button,select,input,textarea")[place];
  if (next instanceof HTMLElement) next.focus();
}
