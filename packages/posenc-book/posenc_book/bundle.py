"""Bundle the built site in one zip to read offline: pages, slides, the PDF and the notebooks.

`python -m posenc_book.bundle` writes _build/posenc-site.zip. The same site gives the same bytes.
"""

import argparse
import json
import shutil
import sys
import zipfile
from pathlib import Path

from posenc_book.edition.workfolder import entry
from posenc_book.learn import ZIP
from posenc_book.paper import MANIFEST, download

NAME = "posenc-site.zip"
FOLDER = "posenc-site"
START = "START-HERE.txt"
# To compress these again would take time and save nothing.
COMPRESSED = {".gz", ".jpg", ".png", ".webp", ".whl", ".woff2", ".zip"}
# What Sphinx keeps for its next run.
LEFT_OUT = {".buildinfo", ".buildinfo.bak", ".nojekyll"}
TEXT = """{title}: the whole course, to read offline

Unpack this archive. Then there are two ways to read.

1. Double-click {folder}/index.html.
   Pages, figures, search and slides work.
   {cells}

2. Run a web server of your own, with Python 3. In a terminal, type

       cd {folder}
       python -m http.server --bind localhost 8000

   and open http://localhost:8000 in a browser.
   {served}

What is in the folder:

{parts}
Text under CC BY 4.0, code under the BSD 3-Clause License.
"""
LIVE = (
    "Cells can't be run that way: a page opened from a file may not start Python.",
    "Cells run as well, and each chapter opens in JupyterLab; nothing is installed.",
)
STILL = ("Cells can't be run: this copy was built without Python.",) * 2


class BundleError(Exception):
    """The site can't be bundled; the message says what is missing."""


def main(arguments: list[str]) -> int:
    """Write the zip beside the folder of the site; return 1 if that fails."""
    parser = argparse.ArgumentParser(prog="python -m posenc_book.bundle", description=__doc__)
    parser.add_argument("site", nargs="?", type=Path, default=Path("_build/html"))
    site = parser.parse_args(arguments).site
    target = site.parent / NAME
    fresh = target.with_name(f".{NAME}.new")
    try:
        write(site, fresh)
        fresh.replace(target)
    except BundleError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{target} can't be written: {error.strerror or error}.", file=sys.stderr)
        return 1
    finally:
        fresh.unlink(missing_ok=True)
    print(f"The course is bundled: {target} ({target.stat().st_size / 1e6:.0f} MB).")
    return 0


def write(site: Path, target: Path) -> None:
    """Write the archive, one chunk at a time."""
    text = start(site)
    names = sorted(path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file())
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as into:
        into.writestr(_entry(START), text)
        for name in names:
            if name not in LEFT_OUT:
                made = _entry(f"{FOLDER}/{name}")
                made.file_size = (site / name).stat().st_size
                with (site / name).open("rb") as file, into.open(made, "w") as opened:
                    shutil.copyfileobj(file, opened, 1 << 20)


def start(site: Path) -> str:
    """The text of START-HERE.txt; raises BundleError if the site is incomplete."""
    try:
        manifest = json.loads((site.parent / MANIFEST).read_text("utf-8"))
    except (OSError, ValueError):
        raise BundleError(f"There is no site in {site} to bundle: run `make book` first.") from None
    pdf = site / download.PDF
    if download.printed_from(pdf) != manifest["made_of"]:
        raise BundleError(f"{pdf} is missing or older than the pages: run `make pdf`.")
    live = (site / "live/runtime.json").is_file()
    parts = {
        "index.html": "the course; begin here",
        "slides/index.html": "slides for each chapter",
        download.PDF: "the course as one PDF, to print",
        ZIP: "notebooks to work in, without the solutions",
    }
    present = {name: what for name, what in parts.items() if (site / name).is_file()}
    cells, served = LIVE if live else STILL
    return TEXT.format(
        title=manifest["title"],
        folder=FOLDER,
        cells=cells,
        served=served,
        parts="".join(f"   {name:20} {what}\n" for name, what in present.items()),
    )


def _entry(name: str) -> zipfile.ZipInfo:
    made = entry(name)
    if Path(name).suffix in COMPRESSED:
        made.compress_type = zipfile.ZIP_STORED
    return made


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
