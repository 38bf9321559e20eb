"""Add JupyterLab to the site: it runs in the reader's browser, with the learner's edition."""

import base64
import contextlib
import hashlib
import json
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from importlib.metadata import version
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from posenc_book import learn
from posenc_book.cache_keys import digest
from posenc_book.edition.exercises import ExerciseError
from posenc_book.edition.notebook import NOTEBOOKS, learners
from posenc_book.edition.workfolder import zipped
from posenc_book.live import labfiles, runtime
from posenc_book.live.labfiles import KERNEL, STAND_INS, WHEELS

LAB = Path(__file__).parent / "lab"
EXTENSIONS = Path(sysconfig.get_path("data")) / "share/jupyter/labextensions"
MADE_WITH = ("jupyterlite-core", "jupyterlite-pyodide-kernel", "jupyterlab-myst")
BUILD = {
    "apps": ["lab"],
    "ignore_sys_prefix": True,  # which has nbgrader, and extensions that need a server
    "federated_extensions": [str(EXTENSIONS / name) for name in (KERNEL, "jupyterlab-myst")],
    "no_libarchive": True,
    "no_sourcemaps": True,
    "no_unused_shared_packages": True,
}
# Browsers load fonts as woff2; the rest is for developers of JupyterLite.
UNUSED = (
    "doc",
    "build/*.eot",
    "build/*.svg",
    "build/*.ttf",
    "extensions/jupyterlab-myst/static/*.ttf",
    "extensions/jupyterlab-myst/static/*.woff",
    "rspack.config*",
    "*.schema.v0.json",
    f"{WHEELS}/all.json",
    f"{WHEELS}/piplite-*",
    f"{WHEELS}/widgetsnbextension-*",
)
# No other host is contacted, whatever a notebook shows. JupyterLab needs "eval" to compile the
# schemas of its settings, and its kernel to load Pyodide.
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-eval' 'sha256-{}'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "media-src 'self' data: blob:; object-src 'none'; base-uri 'self'; form-action 'self'"
)
# Without JavaScript, JupyterLab's pages would stay blank.
NO_SCRIPT = (
    '<noscript><p style="margin: 2rem; font: 1.25rem sans-serif">JupyterLab needs JavaScript, '
    "which is turned off here. The same chapters can be read "
    '<a href="{}index.html">as pages</a>.</p></noscript>'
)
# What lab/figures.js draws with, and what the template of pages is made of, in JupyterLab's theme.
FIGURES = """\
  <link rel="stylesheet" href="{0}_static/look.css">
  <style>
    body {{
      --pst-color-text-base: var(--jp-content-font-color1);
      --pst-color-text-muted: var(--jp-content-font-color2);
      --pst-color-border: var(--jp-border-color2);
      --pst-color-surface: var(--jp-layout-color1);
      --font-interface: var(--jp-content-font-family);
    }}
  </style>
  <script defer src="{0}_static/figures.js" data-bundles="{{}}"></script>"""
STAMP = "made-of.txt"


def build(root: Path, site: Path, cache: Path) -> None:
    """Update `site`/lite, which uses the runtime in `site`/live, unless it is up to date."""
    target = site / "lite"
    lock = json.loads((site / "live/pyodide/pyodide-lock.json").read_text("utf-8"))
    made = _application(cache)
    now = f"{made.name} {digest(root, learn.SOURCES)} {_hash(json.dumps(lock).encode())}"
    stamp = target / STAMP
    if stamp.is_file() and stamp.read_text("utf-8") == now:
        return
    try:
        notebooks = learners(root)
    except ExerciseError as problem:
        raise ExtensionError(str(problem)) from None
    shutil.rmtree(target, ignore_errors=True)
    # Without the archive's timestamps: browsers cache for long what seems forty years old.
    shutil.copytree(made, target, copy_function=shutil.copyfile)
    files = labfiles.contents(notebooks) | labfiles.configuration(target, lock)
    for name, content in files.items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes(content)
    stamp.write_text(now, "utf-8")


def finish(app: Sphinx) -> None:
    """Add JupyterLab to the site."""
    root = Path(app.srcdir)
    if app.config.live and any(root.glob(NOTEBOOKS)):
        build(root, Path(app.outdir), runtime.cache(root))


def _application(cache: Path) -> Path:
    """The folder of JupyterLab without contents, made anew if its parts changed."""
    parts = [path for path in sorted(LAB.rglob("*")) if path.is_file() and path.suffix != ".pyc"]
    parts += [Path(__file__), Path(labfiles.__file__)]
    made_of = [version(package) for package in MADE_WITH]
    made_of += [path.read_text("utf-8") for path in parts]
    made = cache / f"lite-{_hash(json.dumps(made_of).encode())}"
    if made.is_dir():
        return made
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".lite-", dir=cache) as folder:
        fresh = Path(folder) / "site"
        _run_jupyterlite(Path(folder), fresh)
        for pattern in UNUSED:
            for path in fresh.glob(pattern):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        (fresh / "extensions/posenc-figures").mkdir()
        shutil.copy(LAB / "figures.js", fresh / "extensions/posenc-figures")
        _complete(fresh / "index.html", "../")
        _complete(fresh / "lab/index.html", "../../")
        for name in STAND_INS:
            (fresh / WHEELS / f"{name}-0-py3-none-any.whl").write_bytes(_stand_in(name))
        with contextlib.suppress(OSError):  # another build was faster
            fresh.rename(made)
    return made


def _run_jupyterlite(folder: Path, target: Path) -> None:
    (folder / "jupyter_lite_config.json").write_text(json.dumps({"LiteBuildConfig": BUILD}))
    command = [sys.executable, "-m", "jupyterlite_core", "build", f"--output-dir={target}"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode or not (target / "lab/index.html").is_file():
        output = f"{done.stdout}\n{done.stderr}".strip().splitlines()[-1:]
        raise ExtensionError(
            f"JupyterLite can't be built ({' '.join(output)}). "
            "Run make book again, or build without it: make book LIVE=0"
        )


def _complete(page: Path, home: str) -> None:
    """Add to a page what JupyterLite leaves out; `home` leads to the site's own pages."""
    text = re.sub(r"<noscript>.*?</noscript>", "", page.read_text("utf-8"), flags=re.S)
    if "</body>" not in text:
        text = text.replace("</html>", "<body></body>\n</html>")
    text = text.replace("</body>", f"{NO_SCRIPT.format(home)}\n</body>", 1)
    # If a page names no icon, browsers request one from the host's root.
    icon = f'<link rel="icon" href="{home}_static/favicon.svg" type="image/svg+xml">'
    text = text.replace("</head>", f"  {icon}\n{FIGURES.format(home)}\n</head>", 1)
    # JupyterLab's own page gets a policy, with the hash of its inline script.
    if page.parent.name == "lab":
        script = text.split("<script>")[1].split("</script>")[0]
        known = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        meta = f'<meta http-equiv="Content-Security-Policy" content="{POLICY.format(known)}">'
        text = text.replace("<head>", f"<head>\n    {meta}", 1)
    page.write_text(text, "utf-8")


def _stand_in(name: str) -> bytes:
    """A stand-in's wheel: piplite's has all modules of lab/python, the others are empty."""
    about = f"Metadata-Version: 2.1\nName: {name}\nVersion: 0\n"
    kind = "Wheel-Version: 1.0\nGenerator: posenc_book\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files = {
        f"{name}-0.dist-info/{file}": text.encode()
        for file, text in {"METADATA": about, "WHEEL": kind}.items()
    }
    if name == "piplite":
        folder = LAB / "python"
        files |= {
            path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.py")
        }
    return zipped(files)


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
