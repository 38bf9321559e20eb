"""Waves without a ladder: octaves, and frequencies of their own."""

from collections.abc import Iterator
from itertools import permutations
from typing import get_args

import numpy as np

from posenc._arguments import Layout
from posenc._layout import columns
from posenc_clinic._preparation import exactness
from posenc_clinic._recognised import FEW, Kind
from posenc_clinic._step_and_start import Complex, rates
from posenc_clinic._table_model import Array

MOST = 32  # octaves; of more, no digits are left
AXES = {"k": "octave", "f": "function", "m": "coordinate"}


def octaves(table: Array) -> Kind | None:
    """Recognise waves that each turn twice as fast as the one before, as in NeRF.

    In shapes, n counts rows, k octaves, and m coordinates.
    """
    near = 8 * exactness(table[:64])
    for m, raw, order, sines_first in _orders(table.shape[1]):
        few = _turned(table[:: len(table) // 16 + 1, raw:], m, order, sines_first)
        if not _doubles(few, near):
            continue
        z = _turned(table[:, raw:], m, order, sines_first)  # (n, k, m)
        if m == 1 and np.abs(z[:, 0, 0] - np.exp(1j * np.arange(len(z)))).max() < 0.01:
            return None  # positions of words, on a ladder that rises
        right = [z[:, -1] / np.abs(z[:, -1])]  # (n, m) each
        for wave in z[:, -2::-1].swapaxes(0, 1):
            root = np.sqrt(right[-1])
            right.append(np.where(np.abs(root - wave) < np.abs(root + wave), root, -root))
        values, error = table.copy(), np.zeros_like(table)
        _turned(values[:, raw:], m, order, sines_first, np.stack(right[::-1], axis=1))
        slow = 2.0 ** np.arange(z.shape[1])[:, np.newaxis] * 2.0**-20 * (1 + 1j)  # (k, 1)
        _turned(error[:, raw:], m, order, sines_first, np.broadcast_to(slow, z.shape))
        given = f" after the coordinate{'s' * (m > 1)} as given" if raw else ""
        names = ", then ".join(AXES[axis] for axis in order if m > 1 or axis != "m")
        said = f"It holds {z.shape[1]} octaves of {m} coordinate{'s' * (m > 1)}{given}; columns go "
        said += f"by {names}, {'sines' if sines_first else 'cosines'} first."
        kind = Kind("octaves", said, values, near + error)
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
            if (d - raw) % (2 * m) == 0 and 6 * m <= d - raw <= MOST * 2 * m:
                for order in orders.values():
                    yield m, raw, order, True
                    yield m, raw, order, False


def _turned(
    part: Array, m: int, order: tuple[str, ...], sines_first: bool, new: Complex | None = None
) -> Complex:
    """Return cosines and sines as complex numbers, (n, k, m), after writing new ones, if given."""
    sizes = {"k": part.shape[1] // (2 * m), "f": 2, "m": m}
    seen = part.reshape(len(part), *(sizes[axis] for axis in order))
    seen = seen.transpose(0, *(1 + order.index(axis) for axis in "fkm"))  # (n, 2, k, m)
    sine, cosine = (0, 1) if sines_first else (1, 0)
    if new is not None:
        seen[:, sine], seen[:, cosine] = new.imag, new.real
    turned: Complex = seen[:, cosine] + 1j * seen[:, sine]
    return turned


def _doubles(z: Complex, near: float) -> bool:
    """Tell whether most of the angles are twice the one before, and none of them stands still."""
    reach = near + 2.0 ** np.arange(z.shape[1] - 1)[:, np.newaxis] * 2.0**-19  # (k - 1, 1)
    off = (np.abs(z[:, 1:] - z[:, :-1] ** 2) > reach) | (np.abs(np.abs(z[:, 1:]) - 1) > near)
    return bool(off.mean() < 0.1 and np.ptp(z.real, axis=0).max() > 0.1)


def own_frequencies(table: Array) -> Kind | None:
    """Recognise pairs that turn steadily, along rows or over a grid, each as fast as it likes."""
    n, d = table.shape
    if n < 8 or d < 8 or d % 2:
        return None
    near = 4 * exactness(table[: 2 * n : n // 200 + 1])
    half = d // 2
    for layout in get_args(Layout):
        one, other = columns(table, layout)
        z = one + 1j * other  # (n, d / 2)
        if (np.abs(np.abs(z) - 1) > near + 1e-5).mean() > FEW:
            continue
        for h in (h for h in (1, *range(2, n // 2 + 1)) if n % h == 0):
            cells = z.reshape(h, n // h, half)
            down, across = rates(cells[:, 0]), rates(cells[0])  # (d / 2,) each
            some = slice(None, None, half // 16 + 1)  # of the pairs, which most tables fail by
            right = _steady(cells[0, 0, some], down[some], across[some], h, n // h)
            if (np.abs(right - z[:, some]) > 1e-3).mean() > FEW:
                continue
            right = _steady(cells[0, 0], down, across, h, n // h)
            along = ((down, h), (across, n // h))
            if any(_laddered(rate, near / size) for rate, size in along if size > 1):
                return None
            values = np.empty_like(table)
            first, second = columns(values, layout)
            first[...], second[...] = right.real, right.imag
            over = f"over {h} rows of {n // h} cells" if h > 1 else "from row to row"
            slow, fast = np.abs(across).min(), np.abs(across).max()
            said = f"Its {half} pairs, in the order {layout}, turn steadily {over}, each at a rate "
            said += f"of its own: {slow:.3g} to {fast:.3g} radians a step."
            kind = Kind("fourier-features", said, values, near + 1e-4, layout)
            return kind if kind.gives(table) else None
    return None


def _steady(start: Complex, down: Array, across: Array, h: int, w: int) -> Complex:
    """Return steady turns over cells: (n, d / 2)."""
    angles = np.multiply.outer(np.arange(h), down)[:, np.newaxis]  # (h, 1, d / 2)
    angles = angles + np.multiply.outer(np.arange(w), across)  # (h, w, d / 2)
    right: Complex = start / np.abs(start) * np.exp(1j * angles)
    return right.reshape(h * w, -1)


def _laddered(rates: Array, error: float) -> bool:
    """Tell whether rates form a ladder, or some neighbours do, or all steps are alike."""
    speeds = np.abs(rates)
    if rates.size < 4 or (speeds < 4 * error).mean() > 0.2:
        return True
    steps = np.exp(1j * np.diff(rates))  # full turns are not seen
    if np.median(np.abs(np.diff(steps))) < 1e-3 + 4 * error:
        return True
    bends = np.abs(np.diff(np.log(np.maximum(speeds, error)), 2))
    slow = np.min([speeds[:-2], speeds[1:-1], speeds[2:]], axis=0)
    straight = bends < 2e-4 + 4 * error / np.maximum(slow, error)
    return bool(straight.sum() > 1 or np.median(bends) < 0.02)
