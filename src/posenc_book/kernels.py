"""Start a notebook's kernel again if it died before its first cell, and end it at once."""

from collections.abc import Callable
from typing import Any

from jupyter_cache.executors import utils
from sphinx.application import Sphinx


def setup(app: Sphinx) -> None:
    """Have the cache run notebooks in this way."""
    if utils.executenb.__module__ != __name__:
        utils.executenb = patient(utils.executenb)


def patient(execute: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that runs a notebook, a second time if its kernel did not come up.

    A kernel is told its ports a moment before it uses them, and on a busy machine another program
    may take one in between. At its end it is not asked to leave, which takes one that has drawn
    figures three seconds; it has nothing to save.
    """

    def run(*given: Any, **options: Any) -> Any:
        options["shutdown_kernel"] = "immediate"
        try:
            return execute(*given, **options)
        except RuntimeError as error:
            if "died before replying" not in str(error):
                raise
            return execute(*given, **options)

    return run
