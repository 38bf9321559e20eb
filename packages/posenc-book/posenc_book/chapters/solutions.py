"""Show a solution as <details>, which browsers open without a script."""

import re
from typing import Any

from docutils import nodes


def open_details(writer: Any, node: nodes.Element) -> None:
    """Begin a solution."""
    node["classes"] = [name for name in node["classes"] if name != "dropdown"]
    writer.body.append(writer.starttag(node, "details", CLASS="admonition"))
    node["begins"] = len(writer.body)


def close_details(writer: Any, node: nodes.Element) -> None:
    """End a solution, and make its title the summary."""
    inside = "".join(writer.body[node["begins"] :])
    writer.body[node["begins"] :] = [
        re.sub(r'<p class="admonition-title">(.*?)</p>', _summary, inside, count=1, flags=re.S)
    ]
    writer.body.append("</details>\n")


def _summary(title: re.Match[str]) -> str:
    # Its link to the exercise, which is right above, can't be clicked in a summary.
    text = re.sub(r"</?a\b[^>]*>", "", title[1])
    return f'<summary class="admonition-title">{text}</summary>'
