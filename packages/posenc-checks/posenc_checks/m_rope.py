"""Check the positions of words, pictures and videos in one sequence (*m-rope*)."""

from collections.abc import Callable, Sequence

import numpy as np

from posenc_checks._answer import Answer, Array, right
from posenc_checks._judge import Hint, Mistake, Results, judge

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
        observe=_seen,
        fallback_hint="Write down the largest position of each part: where does the next begin?",
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
    (_with(after=lambda block, start, size: start + sum(size[1:])),
     "It adds rows and columns up: they are counted in parallel, so take the largest axis."),
    (_with(after=lambda block, start, size: start + size[0]),
     "After a picture your count goes on after the last frame: rows or columns may be larger."),
    (_with(after=lambda block, start, size: start + size[1]),
     "After a picture your count goes on after the last row: columns or frames may be larger."),
    (_with(after=lambda block, start, size: start + size[2]),
     "After a picture your count goes on after the last column: rows or frames may be larger."),
    (_with(after=lambda block, start, size: int(block[:, -1].min()) + 1),
     "It continues one after the smallest position of the last patch: take the largest."),
    (_with(after=lambda block, start, size: start + 1),
     "It continues as if a picture were a single token: count on from its largest position."),
    (_with(after=lambda block, start, size: start),
     "The count doesn't go on after a picture: the next position is one after its largest."),
    (_with(grid=lambda *size: np.concatenate([1 + _grid(*size)[:1], _grid(*size)[1:]])),
     "It counts the frames of a picture from 1: the first frame is where the picture begins."),
    *((_with(grid=lambda *size: 1 + _grid(*size), after=after),
       "A picture begins one position late: you add one when a part ends, and another one where "
       "frames, rows and columns begin.")
      for after in (_after, lambda block, start, size: start + max(size))),
    *((_with(lift=lift, after=after), said) for lift, said in (
        ((1, 0, 0),
         "Rows and columns begin again at 0 in each picture: here they begin where the picture "
         "does, as its time does."),
        ((0, 1, 1), "The times of a picture begin again at 0: they begin where the picture does."),
        ((0, 0, 0),
         "Each picture begins again at 0: its positions begin one after the largest before it."),
    ) for after in (_after, lambda block, start, size: start + max(size))),
    (_with(grid=lambda frames, rows, columns: _grid(frames, columns, rows)[[0, 2, 1]]),
     "It reads patches column by column: they are read row by row, so the column changes first."),
    (_with(grid=lambda frames, rows, columns: _grid(rows, columns, frames)[[2, 0, 1]]),
     "In a video it lists all frames of one patch and then those of the next: read it frame by "
     "frame."),
    (_with(grid=lambda *size: _grid(*size)[[0, 2, 1]]),
     "Rows and columns have changed places: the order is time, row, column."),
    (_with(grid=lambda *size: _grid(*size)[[2, 1, 0]]),
     "Time and column have changed places: the order is time, row, column."),
    (_with(grid=lambda *size: np.tile(np.arange(np.prod(size)), (3, 1))),
     "It numbers patches like words, one after the other on every axis: a patch has its time, its "
     "row and its column."),
    (_with(grid=lambda *size: np.stack([np.arange(np.prod(size)), *_grid(*size)[1:]]),
           after=lambda block, start, size: int(block.max()) + 1),
     "It gives each patch a time of its own: all patches of a frame share one."),
]  # fmt: skip


def _seen(found: Results) -> str:
    """Say what a shape shows."""
    if all(one.shape == (3, len(*case)) for one, case in zip(found, CASES, strict=False)):
        return "It has one position for each part: give three to each of its tokens."
    if len(found) > 2 and np.array_equal(found[2], _positions([4])):
        return Hint("A text alone is right, so look at pictures, and at what follows them.")
    return ""
