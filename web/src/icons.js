// @ts-check
/** Icons as paths on 24 by 24 units, so that no font has to know them. */
import { s } from "./dom.js";

const PATHS = {
  first: "M6 5v14M19 5 9 12l10 7z",
  back: "M17 5 7 12l10 7z",
  forward: "M7 5l10 7-10 7z",
  last: "M18 5v14M5 5l10 7-10 7z",
  new: "M12 5v14M5 12h14",
  open: "M3 7V5h7l2 3h9v11H3z",
  save: "M12 4v11m-5-5 5 5 5-5M4 20h16",
  share: "M10 14 14 10M9 8l3-3a4 4 0 0 1 6 6l-3 3M15 16l-3 3a4 4 0 0 1-6-6l3-3",
  settings: "M4 7h9m5 0h2M4 17h2m5 0h9M13 4v6M8 14v6",
  undo: "M8 5 4 9l4 4M4 9h10a6 6 0 0 1 0 11h-3",
  redo: "M16 5l4 4-4 4M20 9H10a6 6 0 0 0 0 11h3",
  hint: "M9 18h6m-5 3h4M8.5 14.5a6 6 0 1 1 7 0L15 16H9z",
  swap: "M7 4 3 8l4 4M3 8h14M17 12l4 4-4 4M21 16H7",
  go: "M7 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
};

/** @param {string} name */
export function icon(name) {
  const d = PATHS[/** @type {keyof typeof PATHS} */ (name)];
  return s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, [
    s("path", { d }),
  ]);
}
