"""Turn notebooks into a site: a Sphinx extension, and commands that work without Sphinx."""

from typing import Any

from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the steps of the build."""
    # Imported here, so that the commands don't wait for MyST-NB.
    from posenc_book import build

    return build.setup(app)
