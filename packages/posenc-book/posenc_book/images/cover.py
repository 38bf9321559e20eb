"""Open a chapter with its picture: of the cell tagged `opening`, at rest, under the title.

What the picture shows is described where the figure itself stands; a screen reader meets the
caption at the top, with a link there, and the description once.
"""

import re
from typing import Any

from sphinx.application import Sphinx

CELL = re.compile(r'<div class="cell [^"]*\btag_opening\b')
FIGURE = re.compile(
    r'<figure class="[^"]*" id="([^"]+)">\n?(.*?)<figcaption>\n?(.*?)</figcaption>', re.S
)
CAPTION = re.compile(
    r'<p>(?:<span class="caption-number">(.*?)\s*</span>)?<span class="caption-text">(.*)</span>'
    r'(?:<a class="headerlink".*?</a>)?</p>',
    re.S,
)


def add_picture(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], *_: Any
) -> None:
    """Add the picture under the title, before any link."""
    body = context.get("body", "")
    cell = CELL.search(body)
    if cell and (found := FIGURE.search(body, cell.start())):
        context["body"] = body.replace("</h1>", f"</h1>\n{_picture(*found.groups())}", 1)


def _picture(name: str, shown: str, caption: str) -> str:
    parts = CAPTION.search(caption)
    number, words = parts.groups() if parts else (None, "")
    words = re.sub(r'\sid="[^"]*"', "", words)
    link = f'<a href="#{name}">{number or "the figure below"}</a>'
    key = re.search(r'data-key="(\w+)"', shown)
    image = re.search(r"<img [^>]*>", shown)
    if key:  # stills.py fills the place, and shows it
        still, hidden = f'<div class="still" data-key="{key[1]}"></div>', " hidden"
        leads = f"It moves in {link}."
    else:
        first = image[0].replace("<img ", '<img fetchpriority="high" ', 1) if image else ""
        still, hidden = f'<div class="still" aria-hidden="true">{first}</div>', ""
        leads = f"This is {link}."
    return (
        f'<figure class="frontispiece"{hidden}>{still}\n'
        f"<figcaption><p>{words} {leads}</p></figcaption></figure>\n"
    )
