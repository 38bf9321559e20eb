"""Colour is a word: sines and cosines look alike in prose, formulas, code and figures."""

import re

NAMES = {"sin": "sine", "sine": "sine", "sines": "sine"}
NAMES |= {"cos": "cosine", "cosine": "cosine", "cosines": "cosine"}
# In formulas and in code a name stands in an element of its own.
ALONE = re.compile(r'(<span class="(?:mop|n))(">(sin|cos)</span>)')
TAG = re.compile(r"(<[^>]*>)")
WORD = re.compile(r"\b(sines?|cosines?)\b(?! similarit)", re.I)  # that one is a measure
# Words in these have a colour already, or are no prose.
UNCOLOURED = {
    "a",
    "code",
    "pre",
    "script",
    "style",
    "svg",
    "h1",
    "h2",
    "h3",
    "h4",
    "summary",
    "button",
}


def colour(body: str) -> str:
    """Colour the sines and cosines in a page's text, or in slides."""
    pieces = TAG.split(ALONE.sub(lambda found: f"{found[1]} {NAMES[found[3]]}{found[2]}", body))
    inside = 0
    for at, piece in enumerate(pieces):
        if at % 2:
            name = re.match(r"</?(\w+)", piece)
            if name and name[1] in UNCOLOURED:
                inside += -1 if piece.startswith("</") else 1
        elif not inside:
            pieces[at] = WORD.sub(_span, piece)
    return "".join(pieces)


def _span(found: re.Match[str]) -> str:
    return f'<span class="{NAMES[found[1].lower()]}">{found[1]}</span>'
