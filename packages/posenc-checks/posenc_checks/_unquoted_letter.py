"""Reply to a choice that was typed without quotes, which Python takes for a name."""

import re
import sys
from types import TracebackType
from typing import Any

__all__ = ["watch"]

CALL = r"\bchecks\.(?:predict|answer)\([^,()]+,\s*{}\s*\)"


def watch() -> None:
    """Have Jupyter say how to fix such a NameError. Other errors stay as they are."""
    ipython = sys.modules.get("IPython")
    shell = ipython and ipython.get_ipython()
    if shell:
        shell.set_custom_exc((NameError,), _show)


def _show(
    shell: Any,
    kind: type[NameError],
    error: NameError,
    traceback: TracebackType,
    tb_offset: int | None = None,
) -> None:
    name, typed = error.name or "", [*shell.user_ns.get("In", []), ""]
    if re.fullmatch("[A-Ha-h]", name) and re.search(CALL.format(name), "".join(typed[-2:])):
        said = f'Not yet. Type the letter in quotes: "{name}".'
        error._render_traceback_ = lambda: [said]  # type: ignore[attr-defined]
    shell.showtraceback((kind, error, traceback), tb_offset=tb_offset)
