// Runs the command in CPython for WebAssembly, outside of the page's own thread.

import { loadPyodide } from "./python/pyodide.mjs";

const WHEELS = ["click.whl", "fdaa.whl"];
const FILES = "/files"; // the command runs here; a file may have the name of a package

async function fetched(path) {
  const response = await fetch(new URL(path, import.meta.url));
  if (!response.ok) {
    throw new Error(`${path}: ${response.status} ${response.statusText}`);
  }
  return response;
}

async function load() {
  const python = await loadPyodide();
  for (const wheel of WHEELS) {
    const response = await fetched(`python/${wheel}`);
    python.unpackArchive(await response.arrayBuffer(), "wheel");
  }
  const source = await fetched("command.py");
  python.runPython(await source.text());
  python.FS.mkdir(FILES);
  python.FS.chdir(FILES);
  return python;
}

let loaded = null;

// What could not be loaded is loaded again by the next run.
async function loadedPython() {
  loaded ??= load();
  try {
    return await loaded;
  } catch (error) {
    loaded = null;
    throw error;
  }
}

async function answer({ args, file }) {
  const python = await loadedPython();
  const path = file === undefined ? null : `${FILES}/${file.name}`;
  if (path !== null) {
    python.FS.writeFile(path, new Uint8Array(await file.arrayBuffer()));
  }
  try {
    const run = python.globals.get("run");
    return JSON.parse(run(JSON.stringify(args)));
  } finally {
    if (path !== null) {
      python.FS.unlink(path);
    }
  }
}

self.onmessage = async ({ data }) => {
  try {
    const reply = await answer(data);
    self.postMessage({ number: data.number, ...reply });
  } catch (error) {
    self.postMessage({ number: data.number, error: String(error) });
  }
};
