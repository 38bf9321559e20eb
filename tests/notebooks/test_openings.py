"""The picture that a chapter opens with asks or shows the set-up: it gives away no prediction."""

import re

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell
from test_chapters import CHAPTERS, read

from posenc_book.chapters.captions import ACTS
from posenc_book.notebook import draws

# Where a sentence tells a reader to do something with a figure; nothing moves in a picture.
ACT = re.compile(rf"(?:^|(?<=[.?!:]\s))\W*((?:{ACTS})\b)", re.I)


@pytest.fixture(params=CHAPTERS, ids=lambda path: path.stem)
def cells(request):
    """The cells of a chapter that are on its page."""
    return [cell for cell in read(request.param).cells if "remove-cell" not in tags(cell)]


def tags(cell):
    return cell.metadata.get("tags", [])


def shows(cell):
    hidden = {"remove-output", "hide-output"} & {*tags(cell)}
    return cell.cell_type == "code" and bool(draws(cell) or cell.outputs) and not hidden


def covered(cells):
    """The cells whose output a prediction covers, by the rule of predictions.js."""
    for at, box in enumerate(cells):
        if "\n:class: tip\n" not in box.source:
            continue
        below = iter(cells[at + 1 :])
        first = next((cell for cell in below if shows(cell)), None)
        if first is None:
            continue
        yield first
        for cell in below:
            if cell.cell_type != "code":
                break
            if shows(cell):
                yield cell


def test_it_is_no_figure_that_a_prediction_covers(cells):
    for cell in covered(cells):
        assert "opening" not in tags(cell), (
            f"the page shows at its top what a prediction covers further down: tag another figure "
            f"`opening`, not {cell.metadata['mystnb']['figure']['name']}"
        )


def test_its_caption_asks_for_no_action(cells):
    (opening,) = (cell for cell in cells if "opening" in tags(cell))
    if re.search(r"^show\(", opening.source, re.M):
        asks = opening.metadata["opening"]["question"]
        assert re.fullmatch(r"[^\d]*\?", asks), (
            f"ask what the figure answers, without numbers: {asks}"
        )
        return  # the figure itself stands at the top, in another state
    caption = opening.metadata["mystnb"]["figure"]["caption"]
    assert ACT.findall(caption) == [], (
        f"put the invitation into the text above the figure: {caption}"
    )


def test_a_cover_ends_at_the_next_prose():
    def code(source, **metadata):
        return new_code_cell(source, metadata=metadata)

    words, figure = new_markdown_cell("Words."), {"mystnb": {"image": {"alt": "a line"}}}
    page = [
        code("plt.show()", **figure),
        new_markdown_cell(":::{admonition} Predict\n:class: tip\n:::"),
        code("x = 1"),
        words,
        code("plt.show()", **figure),
        code("x = 2"),
        code("plt.show()", **figure),
        words,
        code("plt.show()", **figure),
    ]
    assert [*covered(page)] == [page[4], page[6]]


def test_invitations_are_found():
    assert ACT.findall("What stays? *Turn* the dial. Turned so, try it: move it.") == [
        "Turn",
        "move",
    ]
