// @ts-check
/**
 * Dialogs: new game, open, save, settings; and the share link.
 *
 * @typedef {import("./app.js").App} App
 */
import { download, field, h, select, toast } from "./dom.js";
import { readGame, toLink, writeMoves, writePsq, writeSgf } from "./formats.js";
import { Game } from "./game.js";
import { gifOf, pngOf, svgOf } from "./image.js";
import { RULES, playFields } from "./play.js";
import { hasOpening } from "./opening.js";
import { CAPTURES } from "./position.js";
import { LARGEST, SMALLEST, nameFor } from "./squares.js";
import { LANGUAGES, chooseLanguage, t, useLanguage } from "./strings.js";

/**
 * Opens a dialog that removes itself.
 *
 * @param {string} title
 * @param {(Node | string)[]} content
 * @param {HTMLElement[]} buttons
 */
function dialog(title, content, buttons) {
  const form = h("form", { method: "dialog" }, [
    h("h2", { text: title }),
    ...content,
    h("div", { class: "row" }, buttons),
  ]);
  const made = h("dialog", { "aria-label": title }, [form]);
  made.addEventListener("close", () => made.remove());
  document.body.append(made);
  made.showModal();
  return made;
}

const closing = (/** @type {string} */ key) =>
  h("button", { type: "submit", value: "", text: t(key) });

/** @param {App} app */
export function newGameDialog(app) {
  let { rule, size, swap2, opening } = app.settings;
  const { side, level, turnMs } = app.settings;
  const wishes = { side, level, turnMs };
  const rules = RULES.map((value) => ({ value, text: t(`rule.${value}`) }));
  const sizes = Array.from({ length: LARGEST - SMALLEST + 1 }, (_, i) => ({
    value: SMALLEST + i,
    text: `${SMALLEST + i}×${SMALLEST + i}`,
  }));
  const sizeBox = select(sizes, size, (value) => {
    size = Number(value);
    openingBox.disabled = !hasOpening(rule, size);
  });
  const ruleBox = select(rules, rule, (value) => {
    rule = Number(value);
    if (CAPTURES.includes(rule)) size = 19;
    else if (size === 19) size = 15;
    sizeBox.value = String(size);
    openingBox.disabled = !hasOpening(rule, size);
  });
  const start = h("button", {
    type: "submit",
    class: "primary",
    text: t("start"),
    id: "start-game",
    on: {
      click: () => {
        app.set({ rule, size, swap2, opening, ...wishes });
        app.tab = "play";
        app.analysing = false;
        const first = opening && !swap2 && hasOpening(rule, size);
        const shown = app.show(new Game({ rule, size }), { opening: first });
        if (swap2) shown.then(() => app.swap2.begin());
      },
    },
  });
  const swap2Box = h("input", { type: "checkbox", checked: swap2, id: "swap2" });
  swap2Box.addEventListener("change", () => (swap2 = swap2Box.checked));
  const openingBox = h("input", { type: "checkbox", checked: opening, id: "opening" });
  openingBox.disabled = !hasOpening(rule, size);
  openingBox.addEventListener("change", () => (opening = openingBox.checked));
  const fields = [
    ...field(t("rule"), ruleBox, "new-rule"),
    ...field(t("size"), sizeBox, "new-size"),
    ...playFields(wishes, (change) => Object.assign(wishes, change), "new-"),
  ];
  const tick = h("p", { class: "tick" }, field(t("swap2.use"), swap2Box).reverse());
  const help = h("p", { class: "help", text: t("swap2.help") });
  const other = h("p", { class: "tick" }, field(t("opening.use"), openingBox).reverse());
  const more = h("p", { class: "help", text: t("opening.help") });
  const parts = [h("div", { class: "fields" }, fields), tick, help, other, more];
  dialog(t("new"), parts, [closing("cancel"), start]);
  start.focus();
}

/**
 * Reads a game and shows it up to its first illegal move; a text that cannot be read leaves the
 * present game.
 *
 * @param {App} app
 * @param {string} text
 * @param {{quiet?: boolean}} [options] quiet: nothing is said of a game that is opened whole
 */
export async function openText(app, text, { quiet = false } = {}) {
  let game;
  try {
    game = readGame(text, app.game.head);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    toast(t("open.failed", { reason }));
    return;
  }
  const count = game.root.end().ply;
  let cut;
  try {
    cut = await firstIllegal(app, game);
  } catch (error) {
    toast(t("engineFailed", { reason: String(error) }));
    return;
  }
  app.tab = app.tab === "play" ? "analyse" : app.tab;
  app.analysing = false;
  if (quiet || app.tab === "analyse") game.end();
  await app.show(game);
  if (cut || !quiet) toast(cut ?? t("open.opened", { count }));
}

/**
 * Cuts every line of a game behind its first move that cannot be put on the board.
 *
 * @param {App} app
 * @param {Game} game
 * @returns {Promise<string | null>} what was cut off the main line
 */
async function firstIllegal(app, game) {
  /** @type {string | null} */
  let said = null;
  const { size, rule, setup } = game.head;
  const main = game.root.end();
  for (const end of game.root.ends()) {
    // an earlier cut has removed this line
    if (!game.has(end)) continue;
    const path = end.path();
    const moves = path.map((node) => /** @type {import("./core.js").Square} */ (node.move));
    try {
      await app.engine.inspect({ size, rule, setup: setup ?? undefined, moves });
    } catch (error) {
      const { index } = /** @type {{index?: number}} */ (error);
      if (index === undefined) throw error;
      const square = nameFor(moves[index], size, app.settings.counting);
      if (end === main) said = t("open.illegal", { number: index + 1, square });
      game.remove(path[index]);
    }
  }
  return said;
}

/** @param {App} app */
export function openDialog(app) {
  const area = h("textarea", { "aria-label": t("open.paste"), placeholder: t("open.paste") });
  const input = h("input", { type: "file", accept: ".sgf,.psq,.txt,.pos,.rec" });
  input.addEventListener("change", async () => {
    const file = input.files?.[0];
    if (!file) return;
    made.close();
    await openText(app, await decoded(file));
  });
  const read = h("button", {
    type: "submit",
    class: "primary",
    text: t("open.read"),
    on: { click: () => area.value.trim() && openText(app, area.value) },
  });
  const label = h("label", { class: "file" }, [`${t("open.file")} `, input]);
  const help = h("p", { text: t("open.help") });
  const made = dialog(t("open"), [help, label, area], [closing("cancel"), read]);
}

/** The byte order marks, and the charsets that they show. @type {[number[], string][]} */
const MARKS = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];
const NAMED_CHARSET = /\(\s*;[^(]*?\bCA\s*\[\s*([\w.:+-]{1,40})\s*\]/;
const HEAD_BYTES = 4096;

/**
 * The text of a file. The charset is that of a byte order mark, else that named by an .sgf (CA), else
 * UTF-8, else Windows-1252, in which no byte is wrong.
 *
 * @param {Blob} file
 */
export async function decoded(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  for (const [mark, charset] of MARKS)
    if (mark.every((byte, i) => bytes[i] === byte)) return new TextDecoder(charset).decode(bytes);
  const head = new TextDecoder("windows-1252").decode(bytes.subarray(0, HEAD_BYTES));
  const named = NAMED_CHARSET.exec(head)?.[1];
  for (const charset of named ? [named, "utf-8"] : ["utf-8"])
    try {
      return new TextDecoder(charset, { fatal: true }).decode(bytes);
    } catch {
      // the charset is unknown, or the bytes do not fit it
    }
  return new TextDecoder("windows-1252").decode(bytes);
}

/** @param {App} app */
export function saveDialog(app) {
  const hasSetup = Boolean(app.game.head.setup);
  const save = (
    /** @type {string} */ key,
    /** @type {() => void} */ action,
    /** @type {boolean} */ disabled = false,
  ) => {
    const id = key.replace(".", "-");
    return h("button", { type: "submit", text: t(key), id, disabled, on: { click: action } });
  };
  const made = [
    save("save.sgf", () => download("game.sgf", writeSgf(app.game), "application/x-go-sgf")),
    // these two have moves only: the stones that were set up would be lost
    save("save.psq", () => download("game.psq", writePsq(app.game), "text/plain"), hasSetup),
    save(
      "save.moves",
      () => download("game.txt", `${writeMoves(app.game)}\n`, "text/plain"),
      hasSetup,
    ),
    save("save.png", async () => {
      const blob = await pngOf();
      if (blob) download("board.png", blob, "image/png");
    }),
    save("save.svg", () => download("board.svg", svgOf(), "image/svg+xml")),
    save("save.gif", async () => {
      toast(t("gif.drawing"));
      try {
        download("game.gif", await gifOf(app), "image/gif");
      } catch (error) {
        toast(t("engineFailed", { reason: String(error) }));
      }
    }),
  ];
  const notes = hasSetup ? [h("p", { text: t("save.setup") })] : [];
  dialog(t("save"), [h("div", { class: "tools" }, made), ...notes], [closing("cancel")]);
}

/** @param {App} app */
export async function shareGame(app) {
  const link = `${location.href.split("#")[0]}#${await toLink(writeSgf(app.game))}`;
  history.replaceState(null, "", link);
  try {
    await navigator.clipboard.writeText(link);
    toast(t("share.copied"));
  } catch {
    const area = h("textarea", { readOnly: true, value: link, "aria-label": t("share") });
    dialog(t("share"), [h("p", { text: t("share.shown") }), area], [closing("close")]);
    area.select();
  }
}

/** @param {App} app */
export function settingsDialog(app) {
  const { settings } = app;
  const languages = [
    { value: "", text: t("theme.system") },
    ...Object.entries(LANGUAGES).map(([value, texts]) => ({ value, text: texts.language })),
  ];
  const themes = ["system", "wood", "light", "dark"].map((value) => ({
    value,
    text: t(`theme.${value}`),
  }));
  const memories = [16, 32, 64, 128, 256].map((mib) => ({ value: mib, text: `${mib} MiB` }));
  const tick = (/** @type {"numbers" | "counting" | "sound"} */ name) => {
    const box = h("input", { type: "checkbox", checked: settings[name] });
    box.addEventListener("change", () => app.set({ [name]: box.checked }));
    return field(t(name), box);
  };
  const fields = [
    ...field(
      t("languageName"),
      select(languages, settings.language, (language) => {
        useLanguage(chooseLanguage(language));
        app.set({ language });
      }),
    ),
    ...field(
      t("theme"),
      select(themes, settings.theme, (theme) => app.set({ theme })),
    ),
    ...field(
      t("memory"),
      select(memories, settings.memoryMib, (mib) => {
        app.set({ memoryMib: Number(mib) });
        app.engine.setMemory(Number(mib) * 1024).then(() => app.moved());
      }),
    ),
    ...tick("numbers"),
    ...tick("counting"),
    ...tick("sound"),
  ];
  const version = document.getElementById("core-bytes")?.dataset.version ?? "";
  const about = h("p", { class: "facts", text: t(app.match ? "aboutServed" : "about", { version }) });
  dialog(t("settings"), [h("div", { class: "fields" }, fields), about], [closing("close")]);
}
