"""Figures that readers touch: their markup on a page and their scripts, made by posenc_figures.

The build keeps a picture of each, as SVG for two widths (placeholders.py); its script draws the
figure in the picture's place.
"""

import hashlib
import json
import posixpath
import re
from html import escape
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

import posenc_figures

FOLDER = "touch"  # in _static
STYLE = f"{FOLDER}/{posenc_figures.STYLE}"
KIND = re.compile(r'<div class="figure"[^>]*? data-kind="([\w-]+)"')
# The one that a page opens with: its kind, and the picture that the build has put there.
OPENING = re.compile(
    r'\btag_opening\b(?:(?!</figure>).)*?<div class="figure" (data-kind="[\w-]+")'
    r'(?:(?!</figure>).)*?<div class="f-wide">(<svg.*?</svg>)',
    re.S,
)
# Comes before the alt text of a figure that is not drawn, and of which there is no picture;
# figures.js has similar sentences.
UNDRAWN = "This figure is drawn by JavaScript, which is turned off here. It shows:"
MARKUP = """<div class="figure" data-kind="{kind}" data-key="{key}" data-state="{state}">\
<div class="f-body"><div class="plot" role="img" aria-label="{alt}"></div></div>{data}\
<noscript><p class="undrawn">{undrawn} {alt}</p></noscript></div>"""
NUMBERS = '<script type="application/json" data-inline>{}</script>'


def figure(kind: str, state: dict[str, Any], data: Any, alt: str) -> nodes.raw:
    """The HTML of a figure, which its script and the build complete."""
    numbers = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    about = json.dumps(state)
    key = hashlib.sha256(f"{kind} {about} {numbers}".encode()).hexdigest()[:16]
    text = MARKUP.format(
        kind=kind,
        key=key,
        state=escape(about, quote=True),
        alt=escape(alt, quote=True),
        data="" if data is None else NUMBERS.format(numbers),
        undrawn=UNDRAWN,
    )
    return nodes.raw("", text, format="html", key=key, shown=(kind, state, data))


class Touch(SphinxDirective):
    """A figure on a page that is no notebook: its kind, then its state, caption, name and alt.

    Those that follow show one position, which moves with any of them.
    """

    has_content = True
    required_arguments = 1
    option_spec = {  # noqa: RUF012
        "state": directives.unchanged,
        "alt": directives.unchanged_required,
        "name": directives.unchanged,
        "follows": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        """The figure, with a caption if there is one."""
        shown = posenc_figures.show(
            self.arguments[0], **json.loads(self.options.get("state", "{}"))
        )
        state = shown.state | ({"follows": True} if "follows" in self.options else {})
        framed = nodes.figure("", figure(shown.kind, state, shown.data, self.options["alt"]))
        self.add_name(framed)
        if self.content:
            words, _ = self.parse_inline("\n".join(self.content), lineno=self.content_offset)
            framed += nodes.caption("", "", *words)
        self.set_source_info(framed)
        return [framed]


def in_state(shown: nodes.raw, state: dict[str, Any], alt: str) -> nodes.raw:
    """A figure once more, in another state."""
    kind, begins, data = shown["shown"]
    return figure(kind, begins | state, data, alt)


def opening(page: str, text: str, root: str) -> str:
    """The picture of the figure with which a page opens, for one from which the root is `root`."""
    found = OPENING.search(text)
    if not found:
        return ""
    up = posixpath.relpath(".", posixpath.dirname(page))
    drawing = found[2].replace(f'"{up}/', f'"{root}')
    return f'<span class="figure" {found[1]} data-drawn="yes">{drawing}</span>'


def scripts(body: str) -> list[str]:
    """The scripts of the figures in a page's text, in order and without their ending."""
    kinds = sorted(set(KIND.findall(body)))
    return [f"{FOLDER}/{name}" for name in (*(["parts"] if kinds else []), *kinds)]
