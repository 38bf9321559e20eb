"""Format values as Jupyter does."""

import base64
import contextlib
import json
from itertools import islice
from typing import Any

LINE = 79  # characters; a longer list gets one line per item
ITEMS = 1000  # shown of a longer list
BRACKETS: dict[type, tuple[str, str]] = {
    list: ("[", "]"),
    tuple: ("(", ")"),
    dict: ("{", "}"),
    set: ("{", "}"),
}
RICH = {"text/html": "_repr_html_", "image/png": "_repr_png_"}
PLOTLY = "application/vnd.plotly.v1+json"


def pretty(value: Any, indent: int = 0) -> str:
    """The text that Jupyter shows for a value: a long container gets one line per item."""
    if type(value) in BRACKETS:
        return _container(value, indent)
    if isinstance(value, type):
        name: str = value.__qualname__
        return name if value.__module__ == "builtins" else f"{value.__module__}.{name}"
    return repr(value)


def _container(value: Any, indent: int) -> str:
    if not value:
        return repr(value)
    left, right = BRACKETS[type(value)]
    inner = indent + len(left)
    if isinstance(value, dict):
        first = [(key, f"{pretty(key, inner)}: ") for key in _some(value)]
        items = [name + pretty(value[key], inner + len(name)) for key, name in first]
    else:
        items = [pretty(item, inner) for item in _some(value)]
    if len(value) > ITEMS:
        items.append("...")
    end = "," if isinstance(value, tuple) and len(value) == 1 else ""
    line = left + ", ".join(items) + end + right
    if "\n" not in line and indent + len(line) <= LINE:
        return line
    return left + (",\n" + " " * inner).join(items) + end + right


def _some(value: Any) -> list[Any]:
    if isinstance(value, set):
        with contextlib.suppress(TypeError):
            value = sorted(value)
    return list(islice(value, ITEMS))


def mime_bundle(value: Any) -> dict[str, str]:
    """A value's representations, by MIME type."""
    if hasattr(value, "to_plotly_json") and hasattr(value, "to_json"):
        return {PLOTLY: value.to_json()}
    data: dict[str, str] = {}
    whole = _ask(value, "_repr_mimebundle_")
    if isinstance(whole, tuple):
        whole = whole[0]
    for mime, shown in (whole or {}).items():
        data[mime] = _text(shown)
    for mime, method in RICH.items():
        shown = _ask(value, method)
        if shown is not None:
            data.setdefault(mime, _text(shown[0] if isinstance(shown, tuple) else shown))
    data.setdefault("text/plain", pretty(value))
    return data


def _ask(value: Any, method: str) -> Any:
    if isinstance(value, type) or not callable(getattr(type(value), method, None)):
        return None
    return getattr(value, method)()


def _text(shown: Any) -> str:
    if isinstance(shown, bytes):
        return base64.b64encode(shown).decode()
    return shown if isinstance(shown, str) else json.dumps(shown)
