"""Compile the modules that a page imports, which would take a browser seconds.

bytecode.mjs runs this in Pyodide, as only Python 3.14 can write Python 3.14's bytecode. Modules
that the examples below don't import stay source, which is smaller.
"""

import importlib.util
import io
import marshal
import sys
import zipfile
from pathlib import Path

# Flag 1 without flag 2: an unchecked hash, since there is no source to compare with.
HEADER = importlib.util.MAGIC_NUMBER + bytes([1, 0, 0, 0]) + bytes(8)
PLACES = {".zip": "/lib/python314.zip/", ".whl": "/lib/python3.14/site-packages/"}
# What live cells, their kernel and notebooks in JupyterLite import.
LIBRARIES = (
    "numpy",
    "matplotlib.pyplot",
    "plotly.graph_objects",
    "IPython.core.interactiveshell",
)
MODULES = (
    "ast",
    "base64",
    "comm",
    "contextlib",
    "dataclasses",
    "decimal",
    "html",
    "itertools",
    "json",
    "linecache",
    "matplotlib.backends.backend_agg",
    "matplotlib_inline.backend_inline",
    "numpy.typing",
    "pathlib",
    "plotly.subplots",
    "pyodide.code",
    "timeit",
    "traceback",
)


def use() -> None:
    """Do what pages do, so that the modules they need get imported."""
    for name in MODULES:
        importlib.import_module(name)
    np, plt, go, shell = map(importlib.import_module, LIBRARIES)
    np.testing.assert_allclose(np.random.default_rng(0).random(3), 0.5, atol=1)
    axes = plt.subplots(layout="constrained")[1]
    axes.imshow(np.eye(3))
    axes.set_title("$x^2$")
    plt.colorbar(axes.contourf(np.eye(3)))
    plt.savefig(io.BytesIO(), format="png")
    figure = go.Figure(data=[go.Scatter(y=[1, 2]), go.Heatmap(z=np.eye(3))])
    figure.update_layout(updatemenus=[{"buttons": [{"label": "x"}]}], sliders=[{"steps": []}])
    figure.frames = [go.Frame(data=[go.Surface(z=np.eye(3))], name="x")]
    figure.to_json()
    shell.InteractiveShell.instance().run_cell("1 + 1;")


def compile_modules(archive: Path, wanted: set[str]) -> None:
    """Replace the modules of an archive whose files are wanted with their bytecode."""
    with zipfile.ZipFile(archive) as opened:
        files = {name: opened.read(name) for name in opened.namelist() if name[-1] != "/"}
    with zipfile.ZipFile(archive, "w") as into:
        for name, content in sorted(files.items()):
            file = PLACES[archive.suffix] + name
            if name.endswith(".py") and file in wanted:
                code = compile(content, file, "exec", dont_inherit=True)
                name, content = f"{name}c", HEADER + marshal.dumps(code)
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            into.writestr(entry, content)


if __name__ == "__main__":
    use()
    imported = {getattr(module, "__file__", None) or "" for module in sys.modules.values()}
    for each in Path("/archives").iterdir():
        compile_modules(each, imported)
    print(".".join(map(str, sys.version_info[:3])))
