// @ts-check
/** Starts the page: unpacks the core, makes the engine, builds the page around it. */
import { App } from "./app.js";
import { buildPage } from "./page.js";
import { Engine } from "./engine.js";
import { acceptGames, openLink } from "./incoming.js";
import { h, toast } from "./dom.js";
import { Match, isServed } from "./match.js";
import { loadSettings } from "./settings.js";
import { chooseLanguage, t, useLanguage } from "./strings.js";

/** A module of one function with a SIMD instruction: whether the browser can run the core. */
const SIMD_PROBE = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15,
  253, 98, 11,
];

function canRun() {
  return (
    typeof WebAssembly === "object" &&
    typeof DecompressionStream === "function" &&
    WebAssembly.validate(new Uint8Array(SIMD_PROBE))
  );
}

/** @param {string} id */
function textOf(id) {
  return document.getElementById(id)?.textContent ?? "";
}

async function compileCore() {
  const packed = Uint8Array.from(atob(textOf("core-bytes").trim()), (letter) =>
    letter.charCodeAt(0),
  );
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

async function begin() {
  const settings = loadSettings();
  useLanguage(chooseLanguage(settings.language));
  const host = /** @type {HTMLElement} */ (document.getElementById("app"));
  if (!canRun()) {
    host.replaceChildren(h("p", { class: "fatal", role: "alert", text: t("noWasm") }));
    return;
  }
  const module = await compileCore();
  const source = new Blob([textOf("worker-source")], { type: "text/javascript" });
  const url = URL.createObjectURL(source);
  const memoryKib = settings.memoryMib * 1024;
  const engine = new Engine(() => new Worker(url), module, { memoryKib });
  const app = new App(engine, settings);
  app.told = toast;
  if (isServed()) app.match = new Match(app);
  const view = buildPage(app, host);
  acceptGames(app);
  await app.moved();
  await openLink(app);
  window.addEventListener("hashchange", () => openLink(app));
  document.body.dataset.ready = String(Math.round(performance.now()));
  // for tests and for curious people in the console
  Object.assign(window, { tengen: app, tengenBoard: view });
}

begin().catch((error) => {
  const host = document.getElementById("app");
  host?.replaceChildren(
    h("p", { class: "fatal", role: "alert", text: t("engineFailed", { reason: String(error) }) }),
  );
});
