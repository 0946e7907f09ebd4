// Run a Python file in CPython for WebAssembly, with wheels unpacked beside it.
//
//   node wasm.mjs ROOM FILE
//
// ROOM has the package pyodide in node_modules, and the wheels. The file's standard output is ours.
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [room, file] = process.argv.slice(2);
const pyodide = createRequire(join(room, "package.json")).resolve("pyodide/pyodide.mjs");
const { loadPyodide } = await import(pathToFileURL(pyodide));
const python = await loadPyodide();
for (const name of readdirSync(room).filter((name) => name.endsWith(".whl"))) {
  python.unpackArchive(new Uint8Array(readFileSync(join(room, name))), "wheel");
}
python.globals.set("TEXTS", readFileSync(join(room, "texts.json"), "utf-8"));
try {
  python.runPython(readFileSync(file, "utf-8"));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
