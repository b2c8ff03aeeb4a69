// @ts-check
/**
 * Games that come from outside: dropped files, pasted text, share links.
 *
 * @typedef {import("./app.js").App} App
 */
import { decoded, openText } from "./dialogs.js";
import { toast } from "./dom.js";
import { fromLink } from "./formats.js";
import { t } from "./strings.js";

/** Opens the game in the page's address, if there is one. @param {App} app */
export async function openLink(app) {
  try {
    const linked = await fromLink(location.hash);
    if (linked) await openText(app, linked, { quiet: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    toast(t("open.failed", { reason }));
  }
}

/** @param {EventTarget | null} target */
function writes(target) {
  return target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
}

/** Opens files that are dropped on the page, and text that is pasted into it. @param {App} app */
export function acceptGames(app) {
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.dataset.drop = "true";
  });
  document.addEventListener("dragleave", () => delete document.body.dataset.drop);
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    delete document.body.dataset.drop;
    const file = event.dataTransfer?.files[0];
    const text = file ? await decoded(file) : (event.dataTransfer?.getData("text/plain") ?? "");
    if (text.trim()) await openText(app, text);
  });
  document.addEventListener("paste", (event) => {
    if (writes(event.target) || document.querySelector("dialog[open]")) return;
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text.trim()) openText(app, text);
  });
}
