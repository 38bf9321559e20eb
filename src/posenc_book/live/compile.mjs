// Compile the modules in archives for Pyodide's Python, by Pyodide itself: a browser that has to
// do so loses seconds. Called as: node compile.mjs <folder of pyodide> <folder of archives>
import { pathToFileURL } from "node:url";

const [pyodide, archives] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: pyodide, stdout: console.log });
python.mountNodeFS("/archives", archives);
python.runPython(`
import importlib.util, marshal, pathlib, sys, zipfile

# Flag 1 without 2: trusted as it is, as there is no source to compare it with.
HEADER = importlib.util.MAGIC_NUMBER + bytes([1, 0, 0, 0]) + bytes(8)
LIBRARY = "python_stdlib.zip"
PLACES = {LIBRARY: "/lib/python314.zip/"}
version = "%d.%d.%d" % sys.version_info[:3]

for archive in sorted(pathlib.Path("/archives").iterdir()):
    place = PLACES.get(archive.name, "/lib/python3.14/site-packages/")
    with zipfile.ZipFile(archive) as opened:
        files = {name: opened.read(name) for name in opened.namelist() if not name.endswith("/")}
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as into:
        for name, content in sorted(files.items()):
            if name.endswith(".py"):
                code = compile(content, place + name, "exec", dont_inherit=True, optimize=0)
                name, content = name + "c", HEADER + marshal.dumps(code)
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            into.writestr(entry, content)
print(version)
`);
