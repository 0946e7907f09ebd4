"""Run the wheel in CPython for WebAssembly, and compare its answers with those of this Python.

There `inet_pton` raises for every text, and no process or socket can be opened. Needs npm and node.
"""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
INSIDE = HERE / "wasm_inside.py"


def main() -> None:
    """Compare, and print how many texts were compared; the status is 1 after a difference."""
    rows = (ROOT / "docs/vectors/addresses.jsonl").read_text("ascii").splitlines()
    texts = [json.loads(row)["text"] for row in rows]
    texts += [f"peer=[{text}]:53 up" for text in texts]
    with tempfile.TemporaryDirectory() as directory:
        room = Path(directory)
        pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--wheel-dir", str(room)]
        subprocess.run([*pip, str(ROOT)], check=True)
        npm = ["npm", "install", "--silent", "--prefix", str(room), "pyodide@^314"]
        subprocess.run(npm, check=True, stdout=subprocess.DEVNULL)
        (room / "texts.json").write_text(json.dumps(texts), "ascii")
        node = ["node", str(HERE / "wasm.mjs"), str(room), str(INSIDE)]
        there = subprocess.run(node, check=True, stdout=subprocess.PIPE, text=True).stdout
    here = runpy.run_path(str(INSIDE))["main"](json.dumps(texts))
    if json.loads(here) != json.loads(there):
        print(f"here:  {here}\nthere: {there}")
        sys.exit("CPython for WebAssembly gives other answers")
    print(f"{len(texts)} texts and the command: the same answers")


if __name__ == "__main__":
    main()
