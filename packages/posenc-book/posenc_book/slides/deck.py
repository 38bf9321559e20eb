"""Write slides as a page: what it loads, what it may run, and where its links lead."""

import base64
import hashlib
import html
import posixpath
import re
from pathlib import Path

from sphinx.application import Sphinx

from posenc_book.images import touch
from posenc_book.slides.cut import Slide
from posenc_book.theme import pages
from posenc_book.theme.colours import colour

HERE = Path(__file__).parent
NOTES = "reveal.js/dist/plugin/notes.js"  # in node_modules
SHEETS = (
    "../_static/look.css",
    "../_static/reveal/reveal.css",
    "../_static/katex/katex.min.css",
    "../_static/pygments.css",
    f"../_static/{touch.STYLE}",
    "deck.css",
)
SCRIPTS = ("../_static/reveal/reveal.js", "../_static/reveal/notes.js")
PAGE = """<!DOCTYPE html>
<html lang="{language}" data-content_root="../" data-fonts="{fonts}">
<head>
<meta charset="utf-8" />
{policy}
<meta name="viewport" content="width=device-width, initial-scale=1" />
<script>{first}</script>
<title>{title}: slides</title>
<link rel="icon" href="../_static/favicon.svg" type="image/svg+xml" />
{sheets}
{scripts}
</head>
<body>
<noscript><p>Slides need JavaScript, which is turned off here. All that is on them is in
<a href="{chapter}">the chapter</a>, too.</p></noscript>
<main>
<div class="reveal">
<div class="slides">
{slides}
</div>
<nav class="bar" aria-label="This deck">
<a href="{chapter}">To the chapter</a>
<button type="button" class="colours" title="Key: D">Light or dark</button>
<button type="button" class="speaker" title="Key: S">Speaker notes</button>
<span class="turn">
<button type="button" class="navigate-prev" aria-label="Previous slide">‹</button>
<button type="button" class="navigate-next" aria-label="Next slide">›</button>
</span>
</nav>
</div>
</main>
</body>
</html>
"""


def write(app: Sphinx, slides: list[Slide], *, name: str, above: str) -> str:
    """The deck of the page called `name`."""
    version = app.config.writing_key
    notes = (Path(app.srcdir) / "node_modules" / NOTES).read_text("utf-8")
    body = colour(
        "\n".join(
            _section(slide, f"{at} of {len(slides)}", "" if at > 1 else above)
            for at, slide in enumerate(slides, start=1)
        )
    )
    return PAGE.format(
        language=app.config.language,
        fonts=pages.fonts(body),
        policy=policy(notes),
        first=pages.INLINE_SCRIPT,
        title=html.escape(app.env.titles[name].astext()),
        sheets="\n".join(
            f'<link rel="stylesheet" href="{sheet}?v={version}" />' for sheet in SHEETS
        ),
        scripts="\n".join(
            [
                *(f'<script defer src="{script}?v={version}"></script>' for script in SCRIPTS),
                f'<script defer src="../_static/figures.js?v={version}"></script>',
                *(
                    f'<script defer src="../_static/{name}.js?v={version}"></script>'
                    for name in touch.scripts(body)
                ),
                f'<script defer src="deck.js?v={version}"></script>',
            ]
        ),
        chapter=posixpath.relpath(f"{name}.html", "slides"),
        slides=pages.relinked(body, name, "slides"),
    )


def _section(slide: Slide, place: str, above: str) -> str:
    level = "h1" if above else "h2"
    first, *later = slide.steps
    kicker = above or slide.further
    body = first + "".join(f'<div class="fragment">{step}</div>\n' for step in later)
    if above:
        body += '<div class="front"></div>\n'
    # A figure has the slide to itself: what its caption says, its speaker says.
    said = [html.escape(line) for line in slide.notes.splitlines() if line]
    said += [f"<i>{caption}</i>" for caption in slide.captions]
    notes = "".join(f"<p>{line}</p>" for line in said)
    label = html.escape(f"{place}: {slide.label}")
    return (
        f'<section aria-roledescription="slide" aria-label="{label}">\n'
        f'<div class="slide{" opening" if above else ""}">\n'
        + (f'<p class="above">{html.escape(kicker)}</p>\n' if kicker else "")
        + (f"<{level}>{slide.title}</{level}>\n" if slide.title else "")
        + f'<div class="body">\n{body}</div>\n</div>\n'
        + (f'<aside class="notes">{notes}</aside>\n' if notes else "")
        + "</section>"
    )


def policy(notes: str) -> str:
    """The policy of the site's pages, which also lets the speaker's window run its script.

    The plug-in writes that window, script and all, and browsers hold it to its deck's policy.
    """
    script = re.search(r"<script>(.*?)<\\/script>", notes, re.S)
    assert script, f"{NOTES} has another script for the speaker's window than package-lock.json's"
    written = re.sub(r"\\(.)", r"\1", script[1])  # as it stands in a template literal
    known = base64.b64encode(hashlib.sha256(written.encode()).digest()).decode()
    return pages.META.replace("script-src 'self'", f"script-src 'self' 'sha256-{known}'")
