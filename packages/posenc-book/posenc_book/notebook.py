"""What is stored of a notebook: its metadata, and the outputs of cells that print."""

from nbformat import NotebookNode

from posenc_figures import MIME as TOUCH

METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
FIGURES = {"image/png", "image/svg+xml", "application/vnd.plotly.v1+json"} | {TOUCH}


def draws(cell: NotebookNode) -> bool:
    """Whether a cell draws a figure."""
    return bool(cell.metadata.get("mystnb", {}).get("image", {}).get("alt"))


def merged(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Merge what a cell printed in pieces: where it is split is a matter of timing."""
    joined: list[NotebookNode] = []
    for output in outputs:
        if joined and output.output_type == "stream" and joined[-1].get("name") == output.name:
            joined[-1].text += output.text
        else:
            joined.append(output)
    return joined
