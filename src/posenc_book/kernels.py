"""Start a notebook's kernel again if it died before its first cell."""

from collections.abc import Callable
from typing import Any

from jupyter_cache.executors import utils
from sphinx.application import Sphinx


def setup(app: Sphinx) -> None:
    """Have the cache run notebooks patiently."""
    if utils.executenb.__module__ != __name__:
        utils.executenb = patient(utils.executenb)


def patient(execute: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that runs a notebook, a second time if its kernel did not come up.

    A kernel is told its ports a moment before it uses them, and on a busy machine another program
    may take one in between.
    """

    def run(*given: Any, **options: Any) -> Any:
        try:
            return execute(*given, **options)
        except RuntimeError as error:
            if "died before replying" not in str(error):
                raise
            return execute(*given, **options)

    return run
