"""Check the positions of words, pictures and videos in one sequence (*m-rope*)."""

from collections.abc import Callable, Sequence

import numpy as np

from posenc_checks._answer import Answer, Array, right
from posenc_checks._judge import Mistake, judge

__all__ = ["three_positions"]

Parts = Sequence[int | tuple[int, int, int]]
# How a part is laid out from 0, by (frames, rows, columns), and where the next one begins.
Block = Callable[[int, int, int], Array]
Following = Callable[[Array, int, tuple[int, int, int]], int]

CASES: list[tuple[Parts]] = [
    ([3, (1, 2, 3), 2],),
    ([(1, 3, 2), 4],),
    ([4],),
    ([2, (1, 2, 2), (1, 4, 3), 1],),
    ([1, (5, 2, 3), 3, (1, 1, 1), 2],),
    ([(2, 3, 4), 2, (9, 1, 2), 1, (3, 5, 4), 2],),
]


def three_positions(answer: Answer) -> None:
    """Check `three_positions(parts)`: the time, row and column of each token of a sequence.

    Parameters
    ----------
    answer : callable
        `three_positions(parts)`, which gets a list of texts, each an int, its length, and of
        pictures or videos, each a tuple (frames, rows, columns), and returns an array of shape
        (3, n). Each part begins one after the largest position before it.

    Raises
    ------
    NotYet
        If the shape is another one, or a position is off. The message names the likely mistake.

    Examples
    --------
    >>> three_positions(lambda parts: np.zeros((2, 11)))
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: three_positions([3, (1, 2, 3), 2]) should have the shape \
(3, 11), but its shape is (2, 11). I can't tell which slip it is; this is the first case I tried \
that fails. Write down the largest position of each part: where does the next begin?
    """
    judge(
        answer,
        _positions,
        CASES,
        MISTAKES,
        name="three_positions",
        describe_entry=_entry,
        hint="Write down the largest position of each part: where does the next begin?",
    )
    right(
        "A picture takes as many positions as its longer side, and a text after it is later than "
        "every patch."
    )


def _entry(place: tuple[int, int]) -> str:
    return f"the {('time', 'row', 'column')[place[0]]} of token {place[1]}"


def _grid(frames: int, rows: int, columns: int) -> Array:
    return np.asarray(np.indices((frames, rows, columns)).reshape(3, -1))


def _after(block: Array, start: int, size: tuple[int, int, int]) -> int:
    return int(block.max()) + 1


def _positions(
    parts: Parts, grid: Block = _grid, after: Following = _after, lift: Sequence[int] = (1, 1, 1)
) -> Array:
    """The positions of all tokens; `lift` says which axes of a picture begin where it begins."""
    start, blocks = 0, []
    for part in parts:
        if isinstance(part, int):
            block, size = start + np.tile(np.arange(part), (3, 1)), (part, part, part)
            following = start + part
        else:
            size = part
            block = grid(*part) + start * np.array(lift)[:, np.newaxis]
            following = after(block, start, size)
        blocks.append(block)
        start = following
    return np.hstack(blocks)


def _with(
    grid: Block = _grid, after: Following = _after, lift: Sequence[int] = (1, 1, 1)
) -> Callable[[Parts], Array]:
    return lambda parts: _positions(parts, grid, after, lift)


MISTAKES: list[Mistake] = [
    (_with(after=lambda block, start, size: start + size[0] * size[1] * size[2]),
     "After a picture your count goes on by the number of patches: the next position is the "
     "largest one, plus 1."),
    (_with(after=lambda block, start, size: int(block.max())),
     "After a picture your count goes on at its largest position: begin one after it."),
    (_with(after=lambda block, start, size: start + max(size[1:])),
     "Your count goes on after the larger of rows and columns and forgets the frames, of which a "
     "long video has more."),
    (_with(after=lambda block, start, size: start + sum(size)),
     "It adds frames, rows and columns up: they are counted in parallel, so take the largest of "
     "them."),
    (_with(lift=(1, 0, 0)),
     "Rows and columns begin again at 0 in each picture: here they begin where the picture "
     "does, as its time does."),
    (_with(lift=(0, 0, 0)),
     "Each picture begins again at 0: its positions begin one after the largest before it."),
    (_with(grid=lambda frames, rows, columns: _grid(frames, columns, rows)[[0, 2, 1]]),
     "It reads patches column by column: they are read row by row, so the column changes first."),
    (_with(grid=lambda *size: _grid(*size)[[0, 2, 1]]),
     "Rows and columns have changed places: the order is time, row, column."),
    (_with(grid=lambda *size: np.tile(np.arange(np.prod(size)), (3, 1))),
     "It numbers patches like words, one after the other on every axis: a patch has its time, its "
     "row and its column."),
]  # fmt: skip
