"""Show what a student wrote in Markdown so that it neither acts nor loads in a reader's browser.

Formgrader and the pages of feedback both use this. nbconvert reads the Markdown and shows its HTML
as text; bleach then keeps only the tags and attributes that Markdown itself can make.
"""

import re
from html import escape
from typing import Any

import bleach
from bleach.css_sanitizer import CSSSanitizer
from jinja2 import pass_context
from mistune.util import striptags
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

LONGEST = 20_000  # characters; longer answers, which parsers may take minutes for, show as typed
WIDEST = 500_000  # characters of HTML besides pictures: a long link may be named a thousand times
LINK = re.compile(r"(https?://|mailto:|#)", re.IGNORECASE)  # on a disk, //host would be a file
PICTURE = re.compile(r"data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*")
TAGS = {
    *("a", "blockquote", "br", "code", "del", "div", "em", "hr", "img", "li", "ol", "p"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "input", "pre", "span", "strong", "ul"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
ATTRIBUTES = {
    "a": ["href", "title"],
    "img": ["src", "alt"],
    "input": ["type", "checked", "disabled"],  # the boxes of a list of tasks
    "ol": ["start"],
}
ALIGNMENT = CSSSanitizer(allowed_css_properties=["text-align"])


class Renderer(IPythonRenderer):
    """nbconvert's HTML, in which a picture of the cell stands once, and any other is a link."""

    def __init__(self, attachments: dict[str, dict[str, str]]) -> None:
        super().__init__(escape=True, exclude_anchor_links=True, attachments=attachments)
        self.embedded: set[str] = set()  # or a thousand references would make a page of gigabytes
        self.pictures = 0  # characters of them

    def block_mermaidjs(self, code: str) -> str:
        """Show the source of a diagram, which a script would draw."""
        return f"<pre>{escape(code)}</pre>"

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """Show a picture that the cell holds where it is named first, and name any other."""
        if url.removeprefix("attachment:") not in self.attachments:
            return str(self.link(text or escape(url), url, title))
        if url in self.embedded:
            return f"<em>{text or 'the same picture'}</em>"
        self.embedded.add(url)
        source = self._embed_image_or_attachment(url)
        self.pictures += len(source)
        return f'<img src="{escape(source)}" alt="{striptags(text)}">'


def sanitized(source: str, renderer: Renderer) -> str:
    """HTML of a text in Markdown, with nothing in it that a browser obeys."""
    if len(source) > LONGEST:
        return f"<pre>{escape(source)}</pre>"
    try:
        html = MarkdownWithMath(renderer=renderer).render(source)
    except Exception:  # whatever a parser trips over shows as it was typed
        return f"<pre>{escape(source)}</pre>"
    if len(html) - renderer.pictures > WIDEST:
        return f"<pre>{escape(source)}</pre>"
    protocols = {"http", "https", "mailto", "data"}
    return str(bleach.clean(html, TAGS, _allowed, protocols, css_sanitizer=ALIGNMENT))


def _allowed(tag: str, name: str, value: str) -> bool:
    if name == "src":
        return tag == "img" and bool(PICTURE.fullmatch(value))
    if name == "href" and not LINK.match(value):
        return False
    return name in (*ATTRIBUTES.get(tag, ()), "class", "style")


@pass_context
def markdown2html(context: Any, source: str) -> str:
    """Stand in for nbconvert's filter of this name, in Formgrader."""
    cell = context.get("cell", {})
    return sanitized(source, Renderer(cell.get("attachments", {})))
