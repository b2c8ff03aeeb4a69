// @ts-check
/** What the page remembers between visits; a page opened from a file may not be able to. */

/** Stands for the first brain of a server; no brain is called so. */
export const FIRST_BRAIN = "\n";

export const DEFAULTS = {
  language: "",
  theme: "system",
  numbers: false,
  counting: false,
  sound: false,
  memoryMib: 64,
  rule: 0,
  size: 15,
  side: "black",
  swap2: false,
  opening: true,
  level: 4,
  turnMs: 2000,
  lines: 3,
  native: true,
  threats: false,
  reviewMs: 500,
  matchBlack: "",
  matchWhite: FIRST_BRAIN,
  matchTurnMs: 1000,
  matchTotalMs: 0,
  matchMemoryMib: 350,
  matchLevel: 10,
  matchHere: false,
};

/** @typedef {typeof DEFAULTS} Settings */

const KEY = "tengen-board";

/** @returns {Settings} */
export function loadSettings() {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    /** @type {any} */
    const settings = { ...DEFAULTS };
    for (const [name, value] of Object.entries(DEFAULTS))
      if (typeof stored[name] === typeof value) settings[name] = stored[name];
    return settings;
  } catch {
    return { ...DEFAULTS };
  }
}

/** @param {Settings} settings */
export function storeSettings(settings) {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // nothing is remembered then
  }
}
