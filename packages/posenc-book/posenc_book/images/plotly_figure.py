"""Render figures in notebooks: those that move as what the page draws, each with its alt text."""

import base64
import hashlib
import html
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
from docutils import nodes
from myst_nb.core.render import MimeData, NbElementRenderer
from sphinx.application import Sphinx

from posenc_book.images import touch
from posenc_figures import MIME as TOUCH

# The partial bundles of plotly.js and the traces they draw, smallest first; "full" draws all.
PLOTLY_BUNDLES = {
    "basic": ["scatter", "bar", "pie"],
    "cartesian": ["scatter", "bar", "pie", "heatmap", "contour", "histogram", "box", "violin"],
    "gl3d": ["scatter", "scatter3d", "surface", "mesh3d"],
}

PLOTLY = "application/vnd.plotly.v1+json"
PICTURES = ("image/svg+xml", "image/png")
# Figures with more characters than LARGE get files of their own, in this folder of _static.
LARGE = 4000
FOLDER = "figures"


class Figures:
    """A MyST-NB renderer of outputs that are figures."""

    mime_priority_overrides = (
        ("html", TOUCH, 4),
        ("html", PLOTLY, 5),
        ("*", "image/svg+xml", 10),
    )

    @staticmethod
    def handle_mime(
        renderer: NbElementRenderer, data: MimeData, inline: bool
    ) -> list[nodes.Element] | None:
        """The nodes of a figure that moves, or None; warn if an output can't stand there."""
        if data.mime_type not in (TOUCH, PLOTLY, *PICTURES) or inline:
            return None

        def warn(problem: str) -> None:
            text = f"the figure of cell {data.cell_index} {problem}"
            renderer.logger.warning(text, subtype="figure", line=data.line)

        about = data.cell_metadata.get("mystnb", {})
        alt = about.get("image", {}).get("alt", "")
        if not alt:
            warn(
                "has no alt text: describe it in the cell's metadata, "
                'under "mystnb": {"image": {"alt": ...}}'
            )
        if not about.get("figure", {}).get("caption"):
            warn(
                "has no caption: say what to see in it in the cell's metadata, "
                'under "mystnb": {"figure": {"caption": ..., "name": "fig-..."}}'
            )
        if data.mime_type in PICTURES:
            return None
        spec = data.content if isinstance(data.content, dict) else json.loads(data.string)
        if data.mime_type == TOUCH:
            return [touch.figure(**spec, alt=alt)]
        kinds = {trace.get("type", "scatter") for trace in spec["data"]}
        bundle = next((name for name, drawn in PLOTLY_BUNDLES.items() if kinds <= set(drawn)), None)
        if bundle is None or not spec["data"]:
            warn(f"can't be drawn: no partial bundle of plotly.js has all of {sorted(kinds)}")
            return []
        return [_figure(spec, bundle, alt)]


def _figure(spec: dict[str, Any], bundle: str, alt: str) -> nodes.raw:
    layout = {key: value for key, value in spec["layout"].items() if key != "template"}
    height = layout.setdefault("height", 420)
    drawn = _plain({"data": spec["data"], "layout": layout, "frames": spec.get("frames", [])})
    body = json.dumps(drawn, separators=(",", ":")).replace("<", "\\u003c")
    label = html.escape(alt, quote=True)
    # Room for the controls that figures.js adds; on a phone it stacks surfaces.
    scenes = len([key for key in layout if re.fullmatch(r"scene\d*", key)])
    handles = len(layout.get("sliders", [])) + (scenes > 0)
    room = ['<span class="range"></span>'] * handles
    room += ["<span></span>"] * len(layout.get("updatemenus", []))
    key = hashlib.sha256(f"{bundle} {height} {body}".encode()).hexdigest()[:16]
    text = (
        f'<div class="figure" data-bundle="{bundle}" data-key="{key}">'
        f'<div class="plot" role="img" aria-label="{label}" '
        f'style="--height:{height}px;--scenes:{max(scenes, 1)}"></div>'
        + (f'<div class="controls">{"".join(room)}</div>' if room else "")
        + f'<script type="application/json">{body}</script>'
        f'<noscript><p class="undrawn">{touch.UNDRAWN} {html.escape(alt)}</p></noscript></div>'
    )
    return nodes.raw("", text, format="html", key=key)


def extract_large(app: Sphinx, page: str) -> str:
    """Move a page's large figures into files, which are loaded when a reader comes near.

    Each is a script, because a page opened from a disk can load nothing else.
    """

    def extract(match: re.Match[str]) -> str:
        if len(match[1]) < LARGE:
            return match[0]
        name = f"{hashlib.sha256(match[1].encode()).hexdigest()[:16]}.js"
        file = Path(app.outdir) / "_static" / FOLDER / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"courseFigures.take({match[1]});\n", "utf-8")
        return f'<script type="application/json" data-file="{name}"></script>'

    return re.sub(r'<script type="application/json">(.*?)</script>', extract, page, flags=re.S)


def remove_unused(app: Sphinx, pages: list[str]) -> None:
    """Remove the files of figures that none of these pages shows any more."""
    for file in (Path(app.outdir) / "_static" / FOLDER).glob("*.js"):
        if not any(file.name in page for page in pages):
            file.unlink()


def _plain(value: Any) -> Any:
    """JSON that compresses well: no typed arrays, and no more digits than can be seen."""
    if isinstance(value, dict):
        if "bdata" in value:
            array = np.frombuffer(base64.b64decode(value["bdata"]), value["dtype"])
            shape = [int(size) for size in str(value.get("shape", "-1")).split(",")]
            return _plain(array.reshape(shape).tolist())
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        rounded = float(f"{value:.4f}" if abs(value) >= 0.001 else f"{value:.3g}")
        return int(rounded) if rounded.is_integer() else rounded
    return value
