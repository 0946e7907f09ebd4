// The page "Try it in the browser": a form for each command, and its output below it.

const LARGEST_FILE = 10 * 1024 * 1024; // bytes
const MOST_LINES = 1000; // of output

let worker = null;
const waiting = new Map(); // number of a request -> what to call with the reply
let requests = 0;

// The worker starts from a blob, because such a worker keeps the page's Content-Security-Policy.
function startWorker() {
  const source = `import "${new URL("worker.js", import.meta.url)}";`;
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const started = new Worker(url, { type: "module" });
  started.onmessage = ({ data }) => {
    waiting.get(data.number)(data);
    waiting.delete(data.number);
  };
  started.onerror = () => {
    for (const reply of waiting.values()) {
      reply({ error: "Python could not be loaded" });
    }
    waiting.clear();
    worker = null;
  };
  return started;
}

function run(args, file) {
  worker ??= startWorker();
  requests += 1;
  const number = requests;
  return new Promise((resolve) => {
    waiting.set(number, resolve);
    worker.postMessage({ number, args, file });
  });
}

function shortened(output) {
  const lines = output.split("\n");
  if (lines.length <= MOST_LINES) {
    return output;
  }
  const left = lines.length - MOST_LINES;
  return `${lines.slice(0, MOST_LINES).join("\n")}\n... ${left} more lines; install fdaa to see them`;
}

async function answer(form, status, output) {
  const text = form.elements.text?.value;
  const file = form.elements.file?.files[0];
  if (file !== undefined && file.size > LARGEST_FILE) {
    status.textContent = `${file.name} is larger than 10 MB: install fdaa to scan it`;
    return;
  }
  status.textContent = worker === null ? "Loading Python (about 14 MB) ..." : "Running ...";
  const args = JSON.parse(form.dataset.arguments);
  const name = file?.name === "-" ? "./-" : file?.name; // "-" is standard input
  const texts = "words" in form.dataset ? text.trim().split(/\s+/) : [text ?? name];
  const reply = await run([...args, "--", ...texts], file);
  if (reply.error !== undefined) {
    status.textContent = `Not done: ${reply.error}`;
    return;
  }
  output.textContent = shortened(reply.output);
  output.hidden = false;
  status.textContent = `Exit status ${reply.status}`;
  if (file !== undefined && reply.status === 1) {
    status.textContent += `: no private address in ${file.name}`;
  }
}

function prepare(form) {
  const status = document.createElement("p");
  status.setAttribute("role", "status");
  const output = document.createElement("pre");
  output.className = "try-output";
  output.tabIndex = 0;
  output.hidden = true;
  output.setAttribute("role", "region");
  output.setAttribute("aria-label", `Output of ${form.dataset.shown}`);
  form.after(output, status);

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    button.disabled = true;
    output.hidden = true;
    try {
      await answer(form, status, output);
    } finally {
      button.disabled = false;
    }
  });
  form.addEventListener("dragover", (event) => event.preventDefault());
  form.addEventListener("drop", (event) => {
    if (form.elements.file !== undefined && event.dataTransfer.files.length > 0) {
      event.preventDefault();
      form.elements.file.files = event.dataTransfer.files;
      form.requestSubmit();
    }
  });
}

document.querySelectorAll("form.try").forEach(prepare);
