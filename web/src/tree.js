// @ts-check
/**
 * The moves of the game as a tree, with variations and comments.
 *
 * @typedef {import("./app.js").App} App
 * @typedef {import("./game.js").Node} Node
 * @typedef {import("./core.js").Square} Square
 */
import { h } from "./dom.js";
import { t } from "./strings.js";

/** Variations deeper than that are not indented further. */
const DEEPEST = 6;

/** @param {App} app @param {Node} node @param {number} ply */
function moveButton(app, node, ply) {
  const name = app.nameOf(/** @type {Square} */ (node.move));
  return h("button", {
    type: "button",
    text: `${ply}. ${name}`,
    "aria-current": String(node === app.game.current),
    title: node.comment,
    on: { click: () => app.goTo(node) },
  });
}

/**
 * A line from a node on: its moves in a row, each variation in a block of its own.
 *
 * @param {App} app
 * @param {Node} first
 * @param {number} ply of the first move
 * @param {number} depth
 * @returns {HTMLElement[]}
 */
function lineOf(app, first, ply, depth) {
  const made = [];
  let node = first;
  for (;;) {
    made.push(moveButton(app, node, ply));
    if (node.comment && node.comment.length < 80)
      made.push(h("span", { class: "note", text: node.comment }));
    const [next, ...others] = node.children;
    for (const other of others)
      made.push(
        h(
          "span",
          { class: depth < DEEPEST ? "variation" : "" },
          lineOf(app, other, ply + 1, depth + 1),
        ),
      );
    if (!next) return made;
    node = next;
    ply++;
  }
}

/** @param {App} app */
export function treePanel(app) {
  const [main, ...others] = app.game.root.children;
  const moves = main ? lineOf(app, main, 1, 0) : [];
  for (const other of others)
    moves.push(h("span", { class: "variation" }, lineOf(app, other, 1, 1)));
  const { current } = app.game;
  const comment = h("textarea", {
    id: "comment",
    "data-key": `comment-${current.id}`,
    "aria-label": t("comment"),
    placeholder: t("comment"),
    value: current.comment,
    on: {
      input: (/** @type {any} */ event) => {
        current.comment = event.currentTarget.value;
      },
    },
  });
  return [
    h("div", { class: "tree", id: "tree", role: "group", "aria-label": t("moves") }, moves),
    comment,
    h("div", { class: "tools" }, [
      h("button", {
        type: "button",
        text: t("promote"),
        disabled: !current.parent,
        on: {
          click: () => {
            app.game.promote(current);
            app.changed();
          },
        },
      }),
      h("button", {
        type: "button",
        text: t("delete"),
        disabled: !current.parent || !app.mayStep || app.match?.needs(current),
        on: { click: () => app.remove(current) },
      }),
    ]),
  ];
}
