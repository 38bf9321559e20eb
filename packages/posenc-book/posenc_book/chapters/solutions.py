"""Show a solution as <details>, which browsers open without a script."""

from typing import Any

from docutils import nodes


def write(writer: Any, node: nodes.Element) -> None:
    """Write a solution, with its title as the line that opens it."""
    title, *parts = node.children
    # The title's link to the exercise, which is right above, can't be clicked in such a line.
    for link in list(title.findall(nodes.reference)):
        link.replace_self(link.children)
    node["classes"] = [name for name in node["classes"] if name != "dropdown"]
    writer.body.append(writer.starttag(node, "details", CLASS="admonition"))
    writer.body.append('<summary class="admonition-title">')
    for word in title.children:
        word.walkabout(writer)
    writer.body.append("</summary>\n")
    for part in parts:
        part.walkabout(writer)
    writer.body.append("</details>\n")
    raise nodes.SkipNode
