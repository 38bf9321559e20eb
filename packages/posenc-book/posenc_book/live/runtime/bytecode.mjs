// Run bytecode.py in Pyodide, with the packages in a folder of archives. Usage:
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
  console.error(error.message); // uncaught, Node would print Pyodide's source, too
  process.exit(1);
}
