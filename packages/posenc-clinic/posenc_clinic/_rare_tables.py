"""See a table in ways that few are made: rows that grow, and cosines of sines."""

from collections.abc import Iterator
from dataclasses import replace
from operator import itemgetter

import numpy as np

from posenc_clinic._preparation import View, views
from posenc_clinic._table_model import Array


def unlikely(likely: list[View]) -> Iterator[View]:
    """Yield views of a table whose rows grow, or whose cosines are those of sines."""
    plain = likely[-1:]  # without columns of zeros
    for usual in likely[-1:]:
        for grown in _growths(usual.table, usual.run, usual.block):
            risen = views(usual.table, usual.base, usual.turned, grown)
            yield from risen
            plain += risen[-1:]
    for view in plain:
        yield from _nested(view)


def _growths(table: Array, run: int, block: int) -> list[Array]:
    """Return what rows may be multiplied by, if they grow as positions do: (n,) each."""
    size = np.sqrt((np.nan_to_num(table) ** 2).mean(axis=1))[1 : block * run]  # (rows,)
    early, late = (np.median(part) for part in np.array_split(size, 2))
    found = []
    for first in (0, 1):
        grown: Array = (np.arange(len(table)) // run % block + first).astype(np.float64)
        each = size / grown[1 : block * run]
        first_half, second_half = (np.median(part) for part in np.array_split(each, 2))
        if late > 1.5 * early and 0.7 < second_half / first_half < 1.4:
            found.append((float(each.std() / each.mean()), grown))
    # Where there is a sine for each cosine, rows are even, and tell where positions start.
    most = min([0.6, *(10 * uneven for uneven, _ in found)])
    return [grown for uneven, grown in sorted(found, key=itemgetter(0)) if uneven <= most]


def _nested(view: View) -> Iterator[View]:
    """Yield views without the columns that may be cosines of sines."""
    columns, values = view.sample.columns, view.sample.values
    size, ends = np.ptp(values, axis=0), (values.min(axis=0), values.max(axis=0))  # (d,) each
    for first in (columns % 2 == 0, columns < (view.table.shape[1] + 1) // 2):
        if first.all():
            continue
        # The cosine of a sine lies between cos(1) and 1, and is 1 where the sine is 0.
        some = 0.05 < size[~first].max() / size.max() < 0.5
        if some and min(np.ptp(end[~first]) for end in ends) < 0.2 * size.max():
            yield replace(
                view, sample=view.sample.pick(np.flatnonzero(first)), nested=columns[~first]
            )
