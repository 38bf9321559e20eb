// The one Python of a page. Messages ask it to "warm" up or to "run" a cell.
import { Files, Refusal } from "./loading.js";

const root = new URL(".", import.meta.url).href;
const CORE = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"];
const HOME = "/home/pyodide";
const OURS = "/lib/ours"; // where Python finds the modules of this folder, as the package `live`
const say = (kind, more) => self.postMessage({ kind, ...more });

// WebKit terminates a worker only when that calls a function of the browser's own, which a loop in
// Python never does: Stop would leave it running for good. Given an interrupt buffer, Python reads
// it every 50 jumps of its bytecode; this one is always 0, but reading it calls JSON.parse. (An
// array is read without a call: loops over matrices then outlived Stop.) Loops take 1 to 1.8 times
// as long, and str() a microsecond more, so other browsers go without.
const WEBKIT = /AppleWebKit(?!.*Chrome)/.test(navigator.userAgent);
const NO_SIGNAL = {
  get 0() {
    return JSON.parse("0");
  },
  set 0(_) {},
};

let told = 0;
const tell = (bytes) => {
  if (performance.now() - told < 100 && bytes) return;
  told = performance.now();
  say("loading", { bytes });
};

const imported = (source) => {
  const lines = [...source.matchAll(/^[ \t]*(?:from|import)[ \t]+([\w., \t]+)/gm)];
  const names = lines.flatMap(([, list]) => list.split(","));
  return new Set(names.map((name) => name.trim().match(/^\w*/)[0]));
};

// Fetch the wheels that a cell needs, and their dependencies, while Python is still starting.
const wantWheels = (files, { packages }, source) => {
  const wanted = new Set();
  const want = (name) => {
    if (wanted.has(name) || !packages[name]) return;
    wanted.add(name);
    files.want(`pyodide/${packages[name].file_name}`);
    packages[name].depends.forEach(want);
  };
  const modules = imported(source);
  for (const [name, { imports }] of Object.entries(packages)) {
    if (imports.some((module) => modules.has(module))) want(name);
  }
};

const start = async ({ folder, source }) => {
  // Throws if the page forbids WebAssembly.
  new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
  const answer = await fetch(`${root}runtime.json`, { cache: "no-cache" }).catch(() => ({}));
  if (!answer.ok) throw new Refusal("runtime.json did not arrive");
  const { files: listed } = await answer.json();
  const files = new Files(root, listed, tell);
  const begin = async () => {
    for (const name of CORE) files.want(`pyodide/${name}`);
    const ours = Object.keys(listed).filter((path) => /^\w+\.py$/.test(path));
    for (const path of [...ours, "notebooks.zip"]) files.want(path);
    const lock = JSON.parse(
      new TextDecoder().decode(await files.want("pyodide/pyodide-lock.json")),
    );
    wantWheels(files, lock, source);
    const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all(
      CORE.slice(0, 2).map(async (name) => {
        await files.want(`pyodide/${name}`);
        return import(`${root}pyodide/${name}`);
      }),
    );
    const python = await loadPyodide({
      indexURL: `${root}pyodide/`,
      packageBaseUrl: `${root}pyodide/`,
      createPyodideModule,
      lockFileContents: lock,
      env: { HOME, MPLBACKEND: "module://live.backend" },
    });
    if (WEBKIT) python.setInterruptBuffer(NO_SIGNAL);
    python.FS.mkdirTree(`${OURS}/live`);
    for (const path of ours) python.FS.writeFile(`${OURS}/live/${path}`, await files.want(path));
    python.FS.mkdirTree(`${HOME}/notebooks/${folder}`);
    python.unpackArchive(await files.want("notebooks.zip"), "zip", {
      extractDir: `${HOME}/notebooks`,
    });
    python.FS.chdir(`${HOME}/notebooks/${folder}`);
    python.runPython(`import sys; sys.path.append("${OURS}"); del sys`);
    const session = python
      .pyimport("live.kernel")
      .start((message) => say("output", { output: JSON.parse(message) }));
    return { python, session, files, lock };
  };
  // Pyodide would only log that it can't be compiled, and wait forever.
  const instantiate = WebAssembly.instantiateStreaming;
  WebAssembly.instantiateStreaming = (...given) => instantiate(...given).catch(files.refuse);
  return Promise.race([begin(), files.failure]);
};

// Files that a reader has chosen are read where they are, part by part.
const GIVEN = "/given";
const mount = ({ FS }, given) => {
  if (FS.analyzePath(GIVEN).exists) FS.unmount(GIVEN);
  else FS.mkdirTree(GIVEN);
  FS.mount(FS.filesystems.WORKERFS, { files: given }, GIVEN);
};

let started;
const handle = async (message) => {
  started ??= start(message);
  const { python, session, files, lock } = await started;
  wantWheels(files, lock, message.source);
  await python.loadPackagesFromImports(message.source, {
    messageCallback() {},
    errorCallback() {},
  });
  if (files.failed) throw files.failed;
  const { kind, source, cell, ratio, width, given } = message;
  if (kind === "warm") {
    const names = new Set(Object.values(lock.packages).flatMap(({ imports }) => imports));
    for (const name of imported(source)) if (names.has(name)) python.pyimport(name).destroy();
    for (const name of message.modules) python.pyimport(name).destroy();
    return say("warm");
  }
  if (given) mount(python, given);
  say("began");
  return say("done", { fine: await session.run(source, cell, ratio, width) });
};

let last = Promise.resolve();
self.onmessage = ({ data }) => {
  last = last
    .then(() => handle(data))
    .catch((error) => {
      console.error(error);
      say("broken", { refused: error instanceof Refusal, reason: error.message });
    });
};
