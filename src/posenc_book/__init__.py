"""What turns notebooks into a site: a Sphinx extension, and a tool that keeps notebooks tidy."""

import os
from typing import Any

from sphinx.application import Sphinx

from posenc_book import assets, formulas, freshness, repository, theme


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the parts, each of which says itself at which event it acts."""
    # Imported here, so that tidy can be run by itself, and without waiting for MyST-NB.
    from myst_nb.core import render

    from posenc_book import figures, kernels, learn, live, mistakes, paper, reference, slides
    from posenc_book.tidy import merged

    # Figures travel as JSON alone: the default would add a copy of plotly.js to each of them.
    os.environ.setdefault("PLOTLY_RENDERER", "plotly_mimetype")
    # What a cell prints may arrive in pieces; MyST-NB would break the line between two of them.
    join = render.coalesce_streams
    render.coalesce_streams = lambda outputs: join(merged(outputs))
    app.connect("build-finished", lambda *_: setattr(render, "coalesce_streams", join))
    parts = assets, figures, formulas, freshness, kernels, learn, live, mistakes, paper
    for part in (*parts, reference, repository, slides, theme):
        part.setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
