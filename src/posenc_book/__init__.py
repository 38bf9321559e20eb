"""What turns notebooks into a site: a Sphinx extension, and a tool that keeps notebooks tidy."""

from typing import Any

from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the steps of the build."""
    # Imported here, so that tidy can be run by itself, and without waiting for MyST-NB.
    from posenc_book import build

    return build.setup(app)
