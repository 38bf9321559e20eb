"""Tables without a ladder: octaves, Fourier features, and what training leaves in numbers."""

from collections.abc import Iterator
from itertools import permutations
from typing import get_args

import numpy as np

from posenc._arguments import Layout
from posenc._layout import columns
from posenc_clinic.families.recognised import MAX_OUTLIER_SHARE, RecognisedTable
from posenc_clinic.fitting.closed_forms import Complex, turns_per_row
from posenc_clinic.fitting.preparation import Table, views
from posenc_clinic.fitting.sample import rounding_error
from posenc_clinic.fitting.table_model import Array

MAX_OCTAVES = 32  # octaves; of more, no digits are left
AXES = {"k": "octave", "f": "function", "m": "coordinate"}


def octaves(seen: Table) -> RecognisedTable | None:
    """Recognise waves that each turn twice as fast as the one before, as in NeRF.

    In shapes, n counts rows, k octaves, and m coordinates.
    """
    table = seen.values
    near = 8 * rounding_error(table[:64])
    for m, raw, order, sines_first in _orders(table.shape[1]):
        few = _as_complex(table[:: len(table) // 16 + 1, raw:], m, order, sines_first)
        if not _angles_double(few, near):
            continue
        z = _as_complex(table[:, raw:], m, order, sines_first)  # (n, k, m)
        if m == 1 and np.abs(z[:, 0, 0] - np.exp(1j * np.arange(len(z)))).max() < 0.01:
            return None  # positions of words, on a ladder that rises
        right = [z[:, -1] / np.abs(z[:, -1])]  # (n, m) each
        for wave in z[:, -2::-1].swapaxes(0, 1):
            root = np.sqrt(right[-1])
            right.append(np.where(np.abs(root - wave) < np.abs(root + wave), root, -root))
        values, error = table.copy(), np.zeros_like(table)
        _as_complex(values[:, raw:], m, order, sines_first, np.stack(right[::-1], axis=1))
        slow = 2.0 ** np.arange(z.shape[1])[:, np.newaxis] * 2.0**-20 * (1 + 1j)  # (k, 1)
        _as_complex(error[:, raw:], m, order, sines_first, np.broadcast_to(slow, z.shape))
        given = f" after the coordinate{'s' * (m > 1)} as given" if raw else ""
        names = ", then ".join(AXES[axis] for axis in order if m > 1 or axis != "m")
        said = f"It holds {z.shape[1]} octaves of {m} coordinate{'s' * (m > 1)}{given}; columns go "
        said += f"by {names}, {'sines' if sines_first else 'cosines'} first. Angles "
        first = np.angle(z[:, 0])
        said += f"of the first octave go from {first.min():.4g} to {first.max():.4g}."
        kind = RecognisedTable("octaves", said, values, near + error)
        if kind.gives(table):
            return kind
    return None


def _orders(d: int) -> Iterator[tuple[int, int, tuple[str, ...], bool]]:
    """Yield how many coordinates there may be, how many columns as given, and which order."""
    for m in (1, 2, 3):
        orders = {
            tuple(axis for axis in order if m > 1 or axis != "m"): order
            for order in permutations("kfm")
        }
        for raw in (0, m):
            if (d - raw) % (2 * m) == 0 and 6 * m <= d - raw <= MAX_OCTAVES * 2 * m:
                for order in orders.values():
                    yield m, raw, order, True
                    yield m, raw, order, False


def _as_complex(
    part: Array, m: int, order: tuple[str, ...], sines_first: bool, new: Complex | None = None
) -> Complex:
    """Cosines and sines as complex numbers, (n, k, m), after writing new ones, if given."""
    sizes = {"k": part.shape[1] // (2 * m), "f": 2, "m": m}
    seen = part.reshape(len(part), *(sizes[axis] for axis in order))
    seen = seen.transpose(0, *(1 + order.index(axis) for axis in "fkm"))  # (n, 2, k, m)
    sine, cosine = (0, 1) if sines_first else (1, 0)
    if new is not None:
        seen[:, sine], seen[:, cosine] = new.imag, new.real
    turned: Complex = seen[:, cosine] + 1j * seen[:, sine]
    return turned


def _angles_double(z: Complex, near: float) -> bool:
    """Check whether most of the angles are twice the one before, and none of them stands still."""
    reach = near + 2.0 ** np.arange(z.shape[1] - 1)[:, np.newaxis] * 2.0**-19  # (k - 1, 1)
    off = (np.abs(z[:, 1:] - z[:, :-1] ** 2) > reach) | (np.abs(np.abs(z[:, 1:]) - 1) > near)
    return bool(off.mean() < 0.1 and np.ptp(z.real, axis=0).max() > 0.1)


def own_frequencies(seen: Table) -> RecognisedTable | None:
    """Recognise pairs that turn steadily, along rows or over a grid, each as fast as it likes."""
    table, n, d, near = seen.values, seen.n, seen.d, seen.near
    half = d // 2
    for layout in get_args(Layout):
        one, other = columns(table, layout)
        z = one + 1j * other  # (n, d / 2)
        if (np.abs(np.abs(z) - 1) > near + 1e-5).mean() > MAX_OUTLIER_SHARE:
            continue
        for h in (h for h in (1, *range(2, n // 2 + 1)) if n % h == 0):
            cells = z.reshape(h, n // h, half)
            down, across = turns_per_row(cells[:, 0]), turns_per_row(cells[0])  # (d / 2,) each
            some = slice(None, None, half // 16 + 1)  # of the pairs, which most tables fail by
            right = _steady_turns(cells[0, 0, some], down[some], across[some], h, n // h)
            if (np.abs(right - z[:, some]) > 1e-3).mean() > MAX_OUTLIER_SHARE:
                continue
            right = _steady_turns(cells[0, 0], down, across, h, n // h)
            along = ((down, h), (across, n // h))
            if h == 1 and any(_is_ladder(rate, near / size) for rate, size in along if size > 1):
                return None
            values = np.empty_like(table)
            first, second = columns(values, layout)
            first[...], second[...] = right.real, right.imag
            over = f"over {h} rows of {n // h} cells" if h > 1 else "from row to row"
            slow, fast = np.abs(across).min(), np.abs(across).max()
            said = f"Its {half} pairs, in the order {layout}, rotate steadily {over}, each at a "
            said += f"rate of its own: {slow:.3g} to {fast:.3g} radians a step."
            kind = RecognisedTable("fourier-features", said, values, near + 1e-4, layout)
            return kind if kind.gives(table) else None
    return None


def _steady_turns(start: Complex, down: Array, across: Array, h: int, w: int) -> Complex:
    """Steady turns over cells: (n, d / 2)."""
    angles = np.multiply.outer(np.arange(h), down)[:, np.newaxis]  # (h, 1, d / 2)
    angles = angles + np.multiply.outer(np.arange(w), across)  # (h, w, d / 2)
    right: Complex = start / np.abs(start) * np.exp(1j * angles)
    return right.reshape(h * w, -1)


def _is_ladder(turns_per_row: Array, error: float) -> bool:
    """Check whether rates form a ladder, or some neighbours do, or all steps are alike."""
    speeds = np.abs(turns_per_row)
    if turns_per_row.size < 4 or (speeds < 4 * error).mean() > 0.2:
        return True
    steps = np.exp(1j * np.diff(turns_per_row))  # full turns are not seen
    if np.median(np.abs(np.diff(steps))) < 1e-3 + 4 * error:
        return True
    bends = np.abs(np.diff(np.log(np.maximum(speeds, error)), 2))
    slow = np.min([speeds[:-2], speeds[1:-1], speeds[2:]], axis=0)
    straight = bends < 2e-4 + 4 * error / np.maximum(slow, error)
    return bool(straight.sum() > 1 or np.median(bends) < 0.02)


def _likeness(table: Array) -> tuple[float, float, float]:
    """The mean cosine between neighbouring rows, and between those half the table apart.

    The third number is how far from 0 the mean of as many random ones may lie.
    """
    rows = table[:512, :512]
    rows = rows - rows.mean(axis=0)
    rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)
    steps = (1, len(rows) // 2)
    near, far = ((rows[k:] * rows[: len(rows) - k]).sum(axis=1).mean() for k in steps)
    return float(near), float(far), 5 / np.sqrt(rows.size)


def learned(seen: Table) -> RecognisedTable | None:
    """Recognise a table that training made: smooth from row to row, but no wave in any column."""
    table = seen.values
    if table.any(axis=1).sum() >= len(table) - 2:  # rows kept for padding
        table = table[table.any(axis=1)]
    if min(table.shape) < 16 or (table == np.rint(table)).all():
        return None
    if not _is_bell_shaped(table) or not _is_noisy(table):
        return None
    if _is_wavelike(table):
        return None
    lengths = np.linalg.norm(table, axis=1)  # (n,)
    if lengths.max() > 20 * np.median(lengths):  # a row of other numbers is no training
        return None
    near, far, chance = _likeness(table)
    if near < max(0.1, far + 0.1, chance):
        return None
    said = f"Its standard deviation is {table.std():.3g}; neighbouring rows are alike "
    said += f"({near:.2f}, as the cosine of the angle between them, less the mean row), but "
    said += f"rows half the table apart are not ({far:.2f})."
    return RecognisedTable("learned", said)


def no_structure(table: Array) -> str:
    """Describe what a table of zeros or of noise is, and nothing of any other."""
    if not np.isfinite(table).all():
        return ""
    if not table.any():
        return " All values are 0: nothing was written."
    near, far, chance = _likeness(table)
    random = max(abs(near), abs(far)) < chance and min(table.shape) >= 8
    if not random or not _is_bell_shaped(table):
        return ""
    return (
        f" Neighbouring rows are no more alike than distant ones, and the standard deviation is "
        f"{table.std():.2g}. So nothing distinguishes the table from one that is random or freshly "
        "initialised."
    )


def _is_bell_shaped(table: Array) -> bool:
    """Check whether values are spread as in a normal distribution, not as those of a wave.

    A smooth column of few rows is hardly spread so, but rows are: what counts is the mean of both.
    """
    some = table[:512, :512]
    tails = (np.median(kurtosis(some)) + np.median(kurtosis(some.T))) / 2
    return bool((some == 0).mean() < 0.01 and tails > 2)


def _is_wavelike(table: Array) -> bool:
    """Check whether waves explain nearly all of the loudest columns, or all but a few values."""
    for view in views(table, 10_000.0, turned=False):
        size = view.near.values.std(axis=0)  # (d,)
        seen, loud = view.spectrum, 2 * size >= size.max()
        share, tails = (np.median((seen.typical / of)[loud]) for of in (size, seen.left))
        return bool(share < 0.1 or tails < 0.65)
    return False


def kurtosis(table: Array) -> Array:
    """The kurtosis of each column: 3 in a normal distribution, 1.5 in a wave."""
    values = table - table.mean(axis=0)
    tails: Array = (values**4).mean(axis=0) / np.maximum((values**2).mean(axis=0), 1e-300) ** 2
    return tails


def _is_noisy(table: Array) -> bool:
    """Check whether every column has noise in it, as those that training made have."""
    bends = np.diff(table[:512, :512], 2, axis=0).std(axis=0)
    return bool(np.quantile(bends / table[:512, :512].std(axis=0), 0.1) > 0.005)
