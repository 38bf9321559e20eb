"""Compile the modules that a page imports, which would take a browser seconds.

bytecode.mjs runs this in Pyodide, as only Pyodide's Python can write its own bytecode. Modules
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


def compile_modules(archive: Path, place: Path, wanted: set[str]) -> int:
    """Replace an archive's modules that are wanted with their bytecode; return how many.

    They are wanted by the path that they have in a browser, which begins with `place`.
    """
    with zipfile.ZipFile(archive) as opened:
        files = {name: opened.read(name) for name in opened.namelist() if name[-1] != "/"}
    compiled = 0
    with zipfile.ZipFile(archive, "w") as into:
        for name, content in sorted(files.items()):
            file = str(place / name)
            if name.endswith(".py") and file in wanted:
                code = compile(content, file, "exec", dont_inherit=True)
                name, content = f"{name}c", HEADER + marshal.dumps(code)
                compiled += 1
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            into.writestr(entry, content)
    return compiled


def compile_archives(folder: Path) -> None:
    """Compile what a folder has of Python's library (a .zip) and of packages (.whl)."""
    use()
    imported = {getattr(module, "__file__", None) or "" for module in sys.modules.values()}
    library, packages = (
        Path(zipfile.__file__).parents[1],
        Path(str(sys.modules["numpy"].__file__)).parents[1],
    )
    for suffix, place in {".zip": library, ".whl": packages}.items():
        archives = folder.glob(f"*{suffix}")
        if not sum(compile_modules(archive, place, imported) for archive in archives):
            raise RuntimeError(f"no module of {place} was found in a {suffix}")


if __name__ == "__main__":
    compile_archives(Path("/archives"))
    print(".".join(map(str, sys.version_info[:3])))
