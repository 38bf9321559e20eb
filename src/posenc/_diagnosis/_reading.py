"""Read a table: set aside what is plainly broken, and explain the rest."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc._diagnosis._explain import Explanation, explain
from posenc._diagnosis._recipe import Array
from posenc._diagnosis._sample import Sample


@dataclass(frozen=True)
class Reading:
    """A table, as it was read: rows are positions, and some are set aside."""

    table: Array  # turned, if it was transposed
    rows: NDArray[np.intp]  # that were explained
    columns: NDArray[np.intp]
    broken: tuple[str, ...] = ()  # mistakes other than those of the recipe
    block: int = 0  # after how many rows it starts again
    run: int = 1  # how many rows in a row are equal
    explanations: tuple[Explanation, ...] = ()
    strays: tuple[tuple[int, int], ...] = ()  # entries that don't follow


def read(table: Array, base: float, digits: float, rounded: bool) -> Reading:
    """Return what can be said of a table whose rows are positions; `digits` is from `exactness`."""
    n, d = table.shape
    finite = np.isfinite(table)
    rows, columns = np.arange(n), np.arange(d)
    if finite.all(axis=1).mean() >= 0.5:
        rows = rows[finite.all(axis=1)]
    else:
        columns = columns[finite.all(axis=0)]
    run, block = repetition(table)
    rows = rows[(rows < block * run) & (rows % run == 0)]
    broken = (
        *["not-finite"] * (not finite.all()),
        *["repeated-row-block"] * (block * run < n or run > 1),
    )
    reading = Reading(table, rows, columns, broken, block, run)
    values = table[np.ix_(rows, columns)]
    flat = np.ptp(values, axis=1) == 0 if columns.size > 1 else np.ones(rows.size, bool)
    flat[1:-1] = False  # only the first row; or the last, if they are reversed
    kept = rows[~flat]
    if kept.size < 3:
        return reading
    single = digits > 2.0**-40
    zero = columns.size > 2 and columns[-1] == d - 1 and not table[kept, -1].any()
    for across in (columns, columns[:-1]) if zero else (columns,):
        sample = Sample(
            values=table[np.ix_(kept, across)],
            rows=kept // run,
            columns=across,
            width=int(across[-1] + 2) // 2 * 2,
            last=block - 1,
            noise=4 * digits,
            slack=2.0**-22 if single else 2.0**-50,
        )
        padded = across.size < columns.size
        widths = (d, d - 1) if padded else (d, d + 1) if d % 2 else (d,)
        found = explain(sample, base, tuple(width for width in widths if width > 1), rounded)
        if found:
            break
    else:
        return reading
    recipe = found[0].recipe
    size = 0.01 * abs(recipe.scale)
    if (
        np.abs(recipe.values(rows[flat] // run, across) - values[flat][:, : across.size]) > size
    ).any():
        broken += ("zeroed-first-row",)
    if padded:
        broken += ("zero-column",)
    elif d % 2:
        broken += ("missing-column",)
    strays: tuple[tuple[int, int], ...] = ()
    if found[0].precision == "float64":
        off = np.abs(sample.values - recipe.values(sample.rows, across)) > 4 * sample.allowed(
            recipe
        )
        strays = tuple((int(kept[row]), int(across[j])) for row, j in np.argwhere(off))
        if len(strays) > 0.25 * off.size:
            return reading
    return replace(
        reading, broken=broken, rows=kept, columns=across, explanations=tuple(found), strays=strays
    )


def exactness(table: NDArray[Any]) -> float:
    """Return how exact the values of a table can be, judged by how many digits they have."""
    values = table[np.isfinite(table)].astype(np.float64)
    size = np.abs(values).max(initial=0.0) or 1.0
    with np.errstate(all="ignore"):
        single, half = values.astype(np.float32), values.astype(np.float16)
    if (half == values).all():
        step = size * 2.0**-11
    elif (single != values).any():
        step = size * 2.0**-50
    elif (single.view(np.uint32) & 0xFFFF).any():
        step = size * 2.0**-23
    else:  # bfloat16: the upper half of a float32
        step = size * 2.0**-8
    for decimals in range(1, 9):
        error = 0.5 * 10.0**-decimals
        if error > 2 * step and np.abs(values - values.round(decimals)).max(initial=0) <= step:
            return error
    return float(step)


def repetition(table: Array) -> tuple[int, int]:
    """Return how many rows in a row are equal, and how many such runs it takes to start again."""
    n = len(table)

    def same(one: Array, other: Array) -> Any:
        return ((one == other) | np.isnan(one) | np.isnan(other)).all(axis=-1)

    like_first = same(table, table[0])
    run = n if like_first.all() else int(like_first.argmin())
    if n > run > 1 and not same(table, table[np.arange(n) // run * run]).all():
        run = 1
    firsts = table[::run]
    if run < n:
        for block in np.flatnonzero(like_first[::run])[1:]:
            if 2 * block <= len(firsts) and same(firsts[block:], firsts[:-block]).all():
                return run, int(block)
    return run, len(firsts)
