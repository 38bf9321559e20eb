"""The `mistakes` directive: every mistake that `posenc.diagnose` can name, in the book's words."""

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from posenc._diagnosis import _catalogue


class Mistakes(SphinxDirective):
    """Write the catalogue as paragraphs, each with a link to its case in the clinic."""

    def run(self) -> list[nodes.Node]:
        """Return the paragraphs."""
        self.env.note_dependency(_catalogue.__file__)
        text = "\n\n".join(
            f"(mistake-{name})=\n**{name}.** {known.what} {known.why}\n\n"
            f"*What to do.* {known.remedy} {{ref}}`See the case <case-{name}>`."
            for name, known in sorted(_catalogue.CATALOGUE.items())
        )
        return self.parse_text_to_nodes(re.sub(r"(?<= )(\*+)(?= )", r"\\\1", text))


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("mistakes", Mistakes)
