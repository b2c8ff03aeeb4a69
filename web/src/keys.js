// @ts-check
/**
 * Keyboard and wheel. On the board the arrows move a cursor and Enter plays; elsewhere the arrows go
 * through the game.
 *
 * @typedef {import("./app.js").App} App
 */
import { describe } from "./board.js";
import { pictureOf } from "./picture.js";
import { t } from "./strings.js";

const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {EventTarget | null} target */
function isTyping(target) {
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  );
}

/** Whether the space bar presses the element. @param {EventTarget | null} target */
function isPressed(target) {
  return target instanceof Element && target.closest("button, summary, a[href]") !== null;
}

/**
 * @param {App} app
 * @param {import("./board.js").BoardView} view
 */
export function handleKeys(app, view) {
  view.svg.addEventListener("keydown", (event) => onBoard(app, /** @type {KeyboardEvent} */ (event)));
  view.svg.addEventListener("blur", () => {
    app.cursor = null;
    app.changedBoard?.();
  });
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || isTyping(event.target) || document.querySelector("dialog[open]"))
      return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " " && isPressed(event.target)) return;
    if (through(app, event.key)) event.preventDefault();
  });
  let wheel = 0;
  view.svg.addEventListener(
    "wheel",
    (event) => {
      const { deltaY } = /** @type {WheelEvent} */ (event);
      event.preventDefault();
      wheel += deltaY;
      if (Math.abs(wheel) < 40) return;
      app.step(wheel > 0 ? "forward" : "back");
      wheel = 0;
    },
    { passive: false },
  );
}

/**
 * @param {App} app
 * @param {KeyboardEvent} event
 */
function onBoard(app, event) {
  const move = MOVES[/** @type {keyof typeof MOVES} */ (event.key)];
  if (move && !event.altKey && !event.ctrlKey && !event.metaKey) {
    const { size } = app.game.head;
    const [x, y] = app.cursor ?? [(size - 1) >> 1, (size - 1) >> 1];
    const clip = (/** @type {number} */ n) => Math.max(0, Math.min(size - 1, n));
    app.cursor = app.cursor ? [clip(x + move[0]), clip(y + move[1])] : [x, y];
    const words = { black: t("black"), white: t("white"), empty: t("empty") };
    const reason = app.whyForbidden(app.cursor);
    const what = describe(pictureOf(app), app.cursor, words, app.nameOf(app.cursor));
    app.announce(reason ? `${what}. ${t(`why.${reason}`)}` : what);
    app.changed();
    event.preventDefault();
  } else if ((event.key === "Enter" || event.key === " ") && app.cursor) {
    app.choose(app.cursor);
    event.preventDefault();
  }
}

/**
 * @param {App} app
 * @param {string} key
 * @returns {boolean} whether the key meant something
 */
function through(app, key) {
  switch (key) {
    case "ArrowLeft":
      app.step("back");
      return true;
    case "ArrowRight":
      app.step("forward");
      return true;
    case "Home":
      app.step("start");
      return true;
    case "End":
      app.step("end");
      return true;
    case "ArrowUp":
    case "ArrowDown":
      app.sideways(key === "ArrowUp" ? -1 : 1);
      return true;
    case " ":
      if (app.tab !== "analyse") return false;
      app.toggleAnalysis();
      return true;
    default:
      return false;
  }
}
