"""A page of its own for each figure with a handle, to be framed by others.

It is the figure as its page has it, with its caption, and says what it is taken from.
"""

import re
from html import escape
from pathlib import Path

from bs4 import BeautifulSoup
from sphinx.application import Sphinx

from posenc_book.images import touch
from posenc_book.theme import pages

FOLDER = "embed"
FIGURE = re.compile(r'<figure class="[^"]*" id="(fig-[\w-]+)"[^>]*>.*?</figure>', re.S)
LINK = re.compile(r'<a\b[^>]* href="\.\./[^"]*"')
LICENCE = "https://creativecommons.org/licenses/by/4.0/"
PAGE = """<!DOCTYPE html>
<html lang="{language}" data-content_root="../" data-fonts="{fonts}" data-theme="light">
<head>
<meta charset="utf-8" />
{policy}
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="robots" content="noindex" />
<script>{first}</script>
<title>{shown}</title>
<link rel="icon" href="../_static/favicon.svg" />
<link rel="stylesheet" href="../_static/site.css?v={version}" />
{scripts}
</head>
<body class="bd-article embed"><main>
{figure}
<p class="from">From <a href="../{page}.html#{name}" target="_top">{title}</a>, \
<i>{project}</i>. <a href="{licence}" target="_top">CC BY 4.0</a></p>
</main></body>
</html>
"""


def write(app: Sphinx) -> None:
    """Write the pages, and remove those of figures that are gone."""
    site, folder = Path(app.outdir), Path(app.outdir) / FOLDER
    folder.mkdir(exist_ok=True)
    written = set()
    for name in sorted(app.env.found_docs):
        text = (site / f"{name}.html").read_text("utf-8")
        for match in FIGURE.finditer(text):
            if has_handle(match[0]):
                made = page(app, name, match[1], match[0])
                (folder / f"{match[1]}.html").write_text(made, "utf-8")
                written.add(match[1])
    for file in folder.glob("*.html"):
        if file.stem not in written:
            file.unlink()


def has_handle(figure: str) -> bool:
    """Whether a figure can be moved: it is touched, or has a slider or a menu."""
    return bool(touch.KIND.search(figure)) or 'class="controls"' in figure


def title_of(figure: str) -> str:
    """The first sentence of a figure's caption, or of what it shows (as in share.js)."""
    parsed = BeautifulSoup(figure, "html.parser")
    for twice in parsed.select(".katex-html, annotation"):
        twice.decompose()
    caption, plot = parsed.select_one(".caption-text"), parsed.select_one(".plot")
    text = caption.get_text() if caption else str(plot and plot["aria-label"])
    return re.split(r"(?<=[.?:]) ", text)[0].rstrip(".:")


def page(app: Sphinx, name: str, figure: str, markup: str) -> str:
    """The page of one figure of the page called `name`."""
    version = app.config.writing_key[:8]
    scripts = [f'"../_static/{one}.js?v={version}"' for one in touch.scripts(markup)]
    if 'data-bundle="' in markup:
        scripts.append(f'"../_static/figures.js?v={version}"')
    return PAGE.format(
        language=app.config.language,
        fonts=pages.fonts(markup),
        policy=pages.META,
        first=pages.INLINE_SCRIPT,
        name=figure,
        title=escape(app.env.titles[name].astext()),
        shown=escape(title_of(markup)),
        version=version,
        scripts="\n".join(f"<script defer src={one}></script>" for one in scripts),
        figure=LINK.sub(r'\g<0> target="_top"', pages.relinked(markup, name, FOLDER)),
        page=name,
        project=escape(app.config.html_title),
        licence=LICENCE,
    )
