// @ts-check
/**
 * The rules by number and name, as files write them. They are those of records/rules.py;
 * tests/records/test_rule_names.py compares them.
 */

/** What this program writes for a rule. @type {Record<number, string>} */
const NAMES = {
  0: "freestyle",
  1: "standard",
  4: "renju",
  8: "caro",
  9: "caro standard",
  16: "ninuki",
  32: "pente",
  64: "keryo",
};

/**
 * Names in files of others. Some files name an opening rule only, which implies a rule: RIF's
 * openings belong to renju.
 *
 * @type {Record<string, number>}
 */
const ALIASES = {
  free: 0,
  "free style": 0,
  gomoku: 0,
  fastgame: 0,
  "five in a row": 0,
  "gomoku standard": 1,
  "gomoku free": 0,
  "gomoku freestyle": 0,
  "exactly five": 1,
  "exact five": 1,
  unlimited: 1,
  experimental: 1,
  rif: 4,
  sakata: 4,
  soosorv: 4,
  soosyrv: 4,
  tarannikov: 4,
  taraguchi: 4,
  yamaguchi: 4,
  "standard caro": 9,
  "ninuki renju": 16,
  "keryo pente": 64,
};

/** @type {Map<string, number>} */
const KNOWN = new Map([
  ...Object.entries(ALIASES),
  .../** @type {[string, number][]} */ (
    Object.entries(NAMES).map(([number, name]) => [name, Number(number)])
  ),
]);

/** The name of a rule. @param {number} rule */
export function ruleName(rule) {
  return NAMES[rule] ?? String(rule);
}

/**
 * The rule in a text, which may be its number; undefined if there is none. Text after a name is
 * ignored, as in `Freestyle15_1` of Gomocup, `Soosyrv-8` or `Renju (RIF)`.
 *
 * @param {string} text
 * @returns {number | undefined}
 */
export function ruleNamed(text) {
  const number = text.trim();
  if (/^\d{1,3}$/.test(number)) return Number(number) in NAMES ? Number(number) : undefined;
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  for (let count = words.length; count > 0; count--) {
    const found = KNOWN.get(words.slice(0, count).join(" "));
    if (found !== undefined) return found;
  }
  return undefined;
}
