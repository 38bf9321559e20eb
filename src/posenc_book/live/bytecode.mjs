// Run bytecode.py in Pyodide, with the packages that are in a folder of archives. Called as:
// node bytecode.mjs <folder of pyodide> <folder of archives>
import { readdirSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, archives] = process.argv.slice(2);
try {
  const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
  const python = await loadPyodide({ indexURL: pyodide });
  const wheels = readdirSync(archives).filter((name) => name.endsWith(".whl"));
  const addresses = wheels.map((name) => pathToFileURL(`${archives}/${name}`).href);
  await python.loadPackage(addresses, { messageCallback: () => {} });
  python.mountNodeFS("/archives", archives);
  python.runPython(readFileSync(new URL("bytecode.py", import.meta.url), "utf8"));
} catch (error) {
  console.error(error.message); // without it, Node would print the source of Pyodide, too
  process.exit(1);
}
