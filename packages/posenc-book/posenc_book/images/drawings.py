"""Show Matplotlib's figures as SVG: one file for each theme and width, with its room reserved.

What a cell drew (see svg_backend.py) is parted and recoloured, and numbers keep two decimals. A
browser loads the file that it shows, when it comes near.
"""

import base64
import io
import posixpath
import re
from html import escape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
from docutils import nodes
from PIL import Image
from sphinx.application import Sphinx

from posenc_book.images import look
from posenc_book.images.recolour import BLACK, THEMES, recolour, shown

NARROW = "(max-width: 511.98px)"  # of the window
WIDTHS = ("wide", "narrow")  # in the order of what a cell puts out
SVG, LINK = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}href"
PIXELS = 100 / 72  # CSS pixels in a point of Matplotlib: letters are as large as in moving figures
SHOWN = re.compile(r"_images/([^\"/ ]+)\"")
COLOUR = re.compile(r"#[0-9a-f]{6}\b")
LONG = re.compile(r"-?\d+\.\d{3,}")
DATA = "data:image/png;base64,"
ElementTree.register_namespace("", SVG[1:-1])
ElementTree.register_namespace("xlink", LINK[1:].partition("}")[0])


def visit_image(writer: Any, node: nodes.image) -> None:
    """Write a drawing as its files, with their sizes and lazy loading; other images as they are."""
    builder = writer.builder
    name, source = builder.images.get(node["uri"], ""), Path(builder.srcdir) / node["uri"]
    if not name.endswith(".svg") or "jupyter_execute" not in source.parts:
        type(writer).visit_image(writer, node)
        return
    file = posixpath.join(builder.imgpath, name.removesuffix(".svg"))
    both = sizes(source.read_text("utf-8"))
    wide, narrow = (f'width="{across}" height="{down}"' for across, down in both)
    for theme in THEMES:
        # Of the picture that a page opens with, the light one doesn't wait.
        first = "first" in node and theme == "light"
        waits = 'fetchpriority="high"' if first else 'loading="lazy"'
        writer.body.append(
            f'<picture><source media="{NARROW}" srcset="{file}-{theme}-narrow.svg" {narrow}>'
            f'<img alt="{escape(node.get("alt", ""))}" class="only-{theme}" '
            f'src="{file}-{theme}-wide.svg" {wide} {waits} decoding="async" /></picture>'
        )


def convert(app: Sphinx) -> None:
    """Write the files of each drawing that Sphinx has copied."""
    chosen = look.read(Path(app.srcdir))
    for file in (Path(app.outdir) / "_images").glob("*.svg"):
        drawn = file.read_text("utf-8")
        if len(parts(drawn)) == len(WIDTHS):
            for theme in THEMES:
                for width, text in zip(WIDTHS, drawings(drawn, chosen, theme), strict=True):
                    file.with_stem(f"{file.stem}-{theme}-{width}").write_text(text, "utf-8")
            file.unlink()


def remove_unused(app: Sphinx, pages: list[str]) -> None:
    """Delete the files of an earlier build that no page shows now."""
    wanted = {name for page in pages for name in SHOWN.findall(page)}
    for file in (Path(app.outdir) / "_images").glob("*"):
        if file.name not in wanted:
            file.unlink()


def parts(drawn: str) -> list[ElementTree.Element]:
    """The drawings in a cell's output."""
    return ElementTree.fromstring(drawn).findall(f"{SVG}svg")


def sizes(drawn: str) -> list[tuple[int, int]]:
    """The width and height of each drawing in a cell's output, in CSS pixels."""
    return [
        (_pixels(part.attrib["width"]), _pixels(part.attrib["height"])) for part in parts(drawn)
    ]


def drawings(drawn: str, chosen: Any, theme: str) -> list[str]:
    """The drawings in a cell's output as they are shown in a theme of this look."""
    found = parts(drawn)
    colour = shown(chosen, theme)
    for part in found:
        part.attrib |= {name: str(_pixels(part.attrib[name])) for name in ("width", "height")}
        part.set("fill", colour(BLACK))  # Matplotlib doesn't say black
        for node in part.iter():
            if node.tag == f"{SVG}g":
                node.attrib.pop("id", None)  # nothing refers to groups
            node.text = node.tail = None if node.tag != f"{SVG}style" else node.text
            if "style" in node.attrib:
                node.set("style", COLOUR.sub(lambda code: colour(code[0]), node.attrib["style"]))
            for name in ("d", "x", "y"):
                if name in node.attrib:
                    node.set(name, " ".join(LONG.sub(_short, node.attrib[name]).split()))
            if node.get(LINK, "").startswith(DATA):
                node.set(LINK, DATA + _recoloured(node.attrib[LINK], chosen, theme))
    return [ElementTree.tostring(part, "unicode") + "\n" for part in found]


def _recoloured(link: str, chosen: Any, theme: str) -> str:
    """An image, in Base64, with each of its colours translated; it keeps a palette if it can."""
    with Image.open(io.BytesIO(base64.b64decode(link.removeprefix(DATA)))) as image:
        pixels = np.asarray(image.convert("RGBA"))
    colours, where = np.unique(pixels.reshape(-1, 4), axis=0, return_inverse=True)
    colours = colours.copy()
    colours[:, :3] = recolour(colours[:, :3], chosen, theme, cells=True)
    if len(colours) <= 256 and (colours[:, 3] == 255).all():
        made = Image.fromarray(where.reshape(pixels.shape[:2]).astype(np.uint8), "P")
        made.putpalette(colours[:, :3].tobytes())
    else:
        made = Image.fromarray(colours[where].reshape(pixels.shape))
    file = io.BytesIO()
    made.save(file, "PNG", optimize=True)
    return base64.b64encode(file.getvalue()).decode()


def _pixels(points: str) -> int:
    return round(float(points.removesuffix("pt")) * PIXELS)


def _short(number: re.Match[str]) -> str:
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")
