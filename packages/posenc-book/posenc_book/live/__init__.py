"""Live pages: readers run code cells in place, with a Python that the site itself serves.

LIVE=0 in the environment leaves all of this out.
"""

import html
import re
import shutil
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from posenc_book import execute
from posenc_book.cache_keys import digest
from posenc_book.live import runtime, site

# Packages that no browser can run, by import name.
MISSING = {
    "torch": "PyTorch",
    "transformers": "transformers",
    "gensim": "gensim",
    "positional_encodings": "positional-encodings",
}
IMPORT = re.compile(r"^\s*(?:import|from) (\w+)", re.M)
CODE = "cell_code_source"  # MyST-NB's name for the code of a visible cell
# The line above a page's first cell: a button that runs all of them, or why they can't be run here.
START = '<div class="live-start noprint">\n{}</div>\n'
RUNS = """\
<noscript><p class="live-absence">To run cells here, turn JavaScript on; without it, download the \
notebook to run them.</p></noscript>
<button type="button" class="live-button" data-runs disabled>{}</button>
<p>{} here, in your browser.<span class="live-keys"> {}; Shift+Enter runs it.</span></p>
"""
ONE = ("Run the cell", "It runs", "To change it, click into it")
ALL = ("Run all {} cells", "They run", "To change one, click into it")
NEEDS = """\
<p class="live-absence">The cells of this page need {}, which a browser can't run: to try them, \
download the notebook.</p>
"""


def prepare(app: Sphinx) -> None:
    """Prepare the runtime before the pages are read, because that can fail."""
    if app.config.live:
        runtime.prepare(Path(app.srcdir))


def add_script(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Add the script that makes a page's cells live, if it has any."""
    root = Path(app.srcdir)
    if not (app.config.live and doctree):
        return
    cells = [node for node in doctree.findall(nodes.container) if node.get("nb_element") == CODE]
    code = "\n".join(cell.astext() for cell in cells)
    if not code:
        return
    needs = [MISSING[name] for name in IMPORT.findall(code) if name in MISSING]
    script, style = (
        f"{context['pathto'](file, resource=True)}?v={digest(root, site.PAGE)}"
        for file in (site.SCRIPT, site.STYLE)
    )
    attributes = {
        "src": script,
        "data-notebook": pagename,
        # A reader's edits come back only for the same version.
        "data-version": digest(
            root,
            (str(app.env.doc2path(pagename, base=False)), *execute.depends_on(root, pagename)),
        ),
    }
    words = ALL if len(cells) > 1 else ONE
    line = RUNS.format(words[0].format(len(cells)), *words[1:])
    if needs:
        attributes["data-needs"] = " and ".join(dict.fromkeys(needs))
        line = NEEDS.format(attributes["data-needs"])
    markup = " ".join(f'{name}="{html.escape(value)}"' for name, value in attributes.items())
    context["metatags"] = (
        f"{context.get('metatags', '')}\n"
        f'<link rel="stylesheet" href="{style}">\n<script {markup} defer></script>'
    )
    first = '<div class="cell '
    context["body"] = context["body"].replace(first, f"{START.format(line)}{first}", 1)


def finish(app: Sphinx) -> None:
    """Add the runtime to the site, or remove an earlier build's."""
    if app.config.live:
        site.update(Path(app.srcdir), Path(app.outdir))
    else:
        for name in site.FOLDERS:
            shutil.rmtree(Path(app.outdir) / name, ignore_errors=True)
