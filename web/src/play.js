// @ts-check
/**
 * The panel for playing.
 *
 * @typedef {import("./app.js").App} App
 */
import {
  MAX_LEVEL,
  RULE_CARO,
  RULE_CARO_STANDARD,
  RULE_FREESTYLE,
  RULE_KERYO,
  RULE_NINUKI,
  RULE_PENTE,
  RULE_RENJU,
  RULE_STANDARD,
} from "./constants.js";
import { field, h, select } from "./dom.js";
import { t } from "./strings.js";

export const RULES = [
  RULE_FREESTYLE,
  RULE_STANDARD,
  RULE_RENJU,
  RULE_CARO,
  RULE_CARO_STANDARD,
  RULE_NINUKI,
  RULE_PENTE,
  RULE_KERYO,
];
export const TIMES = [200, 500, 1000, 2000, 5000, 10000, 30000];

/** Elo of each level above the first one, by the matches of docs/levels.md. */
const ELO = [0, 346, 628, 874, 1120, 1351, 1581, 1927, 2250, 2464];

/**
 * @typedef {Pick<import("./settings.js").Settings, "side" | "level" | "turnMs">} Wishes
 */

/**
 * Who plays, how strong, how long.
 *
 * @param {Wishes} wishes
 * @param {(change: Partial<Wishes>) => void} change takes what a person chooses
 * @param {string} id what the names of the controls begin with
 * @param {boolean} [isFixed] whether the sides cannot be chosen now
 */
export function playFields(wishes, change, id, isFixed = false) {
  const sides = [
    { value: "black", text: t("black") },
    { value: "white", text: t("white") },
    { value: "both", text: t("both") },
    { value: "none", text: t("nobody") },
  ];
  const levels = Array.from({ length: MAX_LEVEL }, (_, i) => ({
    value: i + 1,
    text: i ? `${t(`level.${i + 1}`)} · +${ELO[i]} Elo` : t("level.1"),
  }));
  const times = TIMES.map((ms) => ({ value: ms, text: `${ms / 1000} s` }));
  const side = select(sides, wishes.side, (value) => change({ side: value }));
  side.disabled = isFixed;
  return [
    ...field(t("you"), side, `${id}side`),
    ...field(
      t("level"),
      select(levels, wishes.level, (level) => change({ level: Number(level) })),
      `${id}level`,
    ),
    ...field(
      t("time"),
      select(times, wishes.turnMs, (turnMs) => change({ turnMs: Number(turnMs) })),
      `${id}time`,
    ),
  ];
}

/** @param {App} app */
export function playPanel(app) {
  const { rule, size } = app.game.head;
  const change = (/** @type {Partial<Wishes>} */ wishes) => {
    app.set(wishes);
    if (wishes.side) app.moved();
  };
  return [
    h("div", { class: "facts" }, [
      h("b", { text: t(`rule.${rule}`) }),
      h("span", { text: `${size}×${size}` }),
    ]),
    // a swap2 opening decides who plays which side
    h("div", { class: "fields" }, playFields(app.settings, change, "play-", app.swap2.on)),
  ];
}
