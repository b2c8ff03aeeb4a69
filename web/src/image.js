// @ts-check
/**
 * The board as a picture: SVG, PNG, and the whole game as an animated GIF.
 *
 * @typedef {import("./app.js").App} App
 */
import { GIFEncoder, applyPalette, quantize } from "gifenc";
import { BoardView } from "./board.js";
import { h } from "./dom.js";
import { boardOf } from "./position.js";
import { t } from "./strings.js";

const PNG_SIDE = 1200;
const GIF_SIDE = 560;
const COLORS = 128;
const MOVE_MS = 700;
const LAST_MS = 4000;

const STYLES = [
  ...["fill", "stroke", "stroke-width", "opacity", "font", "text-anchor"],
  ...["dominant-baseline", "stop-color", "stroke-linecap"],
];

/** A board as an SVG document with its colours in it. @param {Element} svg */
function documentOf(svg) {
  const copy = /** @type {SVGElement} */ (svg.cloneNode(true));
  const from = [svg, ...svg.querySelectorAll("*")];
  const to = [copy, ...copy.querySelectorAll("*")];
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    const text = STYLES.map((name) => `${name}:${style.getPropertyValue(name)}`);
    /** @type {SVGElement} */ (to[i]).setAttribute("style", text.join(";"));
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
}

/** The board of the page as an SVG document. */
export function svgOf() {
  return documentOf(/** @type {Element} */ (document.querySelector("svg.board")));
}

/**
 * @param {string} svg
 * @param {number} side pixels
 */
async function canvasOf(svg, side) {
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await picture.decode();
  const canvas = h("canvas", { width: side, height: side });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("the browser draws no pictures");
  context.drawImage(picture, 0, 0, side, side);
  return { canvas, pixels: context.getImageData(0, 0, side, side).data };
}

/** @returns {Promise<Blob | null>} */
export async function pngOf() {
  const { canvas } = await canvasOf(svgOf(), PNG_SIDE);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/**
 * The game move by move, along the line that is shown; the last position has all the colours.
 *
 * @param {App} app
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function gifOf(app) {
  const { size, rule, setup } = app.game.head;
  const path = app.game.current.end().path();
  const moves = path.map((node) => /** @type {import("./core.js").Square} */ (node.move));
  const engine = app.engine.another();
  // out of sight, but drawn with the styles of the page
  const host = h("div", { class: "visually-hidden", "aria-hidden": "true" });
  document.body.append(host);
  try {
    const { steps } = await engine.inspect({ size, rule, setup: setup ?? undefined, moves });
    const view = new BoardView(host, { onSquare: () => {} });
    const { numbers, counting } = app.settings;
    const frame = (/** @type {number} */ ply) => {
      const { stones } = boardOf(rule, setup, moves.slice(0, ply), steps);
      view.draw({ size, stones, numbers, counting, label: t("title") });
      return canvasOf(documentOf(view.svg), GIF_SIDE);
    };
    const palette = quantize((await frame(moves.length)).pixels, COLORS);
    const encoder = GIFEncoder();
    for (let ply = 0; ply <= moves.length; ply++) {
      const index = applyPalette((await frame(ply)).pixels, palette);
      const delay = ply === moves.length ? LAST_MS : MOVE_MS;
      const first = ply === 0 ? { palette, repeat: 0 } : {};
      encoder.writeFrame(index, GIF_SIDE, GIF_SIDE, { ...first, delay });
    }
    encoder.finish();
    return encoder.bytes();
  } finally {
    host.remove();
    engine.close();
  }
}
