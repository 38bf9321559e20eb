"""What turns notebooks into a site: a Sphinx extension, and a tool that keeps notebooks tidy."""

import os
from typing import Any

from sphinx.application import Sphinx

from posenc_book import assets, formulas, freshness, theme


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the parts, each of which says itself at which event it acts."""
    # Figures travel as JSON alone: the default would add a copy of plotly.js to each of them.
    os.environ.setdefault("PLOTLY_RENDERER", "plotly_mimetype")
    for part in (assets, formulas, freshness, theme):
        part.setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
