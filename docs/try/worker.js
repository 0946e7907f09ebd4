// Runs the command in CPython for WebAssembly, outside of the page's own thread.

import { loadPyodide } from "./python/pyodide.mjs";

const WHEELS = ["click.whl", "fdaa.whl"];

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
  return python;
}

const loaded = load();

async function answer({ args, file }) {
  const python = await loaded;
  if (file !== undefined) {
    python.FS.writeFile(file.name, new Uint8Array(await file.arrayBuffer()));
  }
  const run = python.globals.get("run");
  const reply = JSON.parse(run(JSON.stringify(args)));
  if (file !== undefined) {
    python.FS.unlink(file.name);
  }
  return reply;
}

self.onmessage = async ({ data }) => {
  try {
    const reply = await answer(data);
    self.postMessage({ number: data.number, ...reply });
  } catch (error) {
    self.postMessage({ number: data.number, error: error.message });
  }
};
