"""Positions with any step and start: found where a table is right but for which they are."""

from dataclasses import replace
from itertools import product
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from posenc._arguments import Layout
from posenc._layout import columns
from posenc_clinic._refine import polish
from posenc_clinic._sample import Sample
from posenc_clinic._table_model import Array, Functions, Recipe, folded

Complex = NDArray[np.complex128]

# Bases of caches for rotations that are known, and factors by which those are scaled.
BASES = (10_000.0, 500_000.0, 1_000_000.0, 100_000.0, 150_000.0, 5_000_000.0, 10_000_000.0)
FACTORS = (2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 1.5, 3.0, 6.0, 10.0, 20.0, 40.0)

TURNS = np.arange(-200, 201)  # whole turns that the slowest pair may have made
FASTEST = 5000.0  # radians a row


def steady(sample: Sample, base: float) -> list[Recipe]:
    """Return recipes with the right ladder or Tensor2Tensor's, whatever the step and the start.

    Both columns of a pair tell its angle, but for whole turns. Those are found from pair to pair:
    what a slow one says is exact enough to count the turns of the next.
    """
    first, last = _longest_run(sample.rows)
    last = min(last, first + 2048)
    if sample.columns.size != sample.width or last - first < 2:
        return []
    found = []
    orders: tuple[Functions, ...] = ("sin cos", "cos sin")
    for layout, functions, reaching in product(get_args(Layout), orders, (False, True)):
        half = sample.width // 2
        if half == 1 and (reaching or layout == "halves"):
            continue
        pairs = np.unique(np.linspace(0, half - 1, 64).astype(int))  # enough of them
        one, other = (part[:, pairs] for part in columns(sample.values[first : last + 1], layout))
        z: Complex = one + 1j * other if functions == "cos sin" else other + 1j * one
        scale = float(np.median(np.abs(z)))
        off = np.abs(np.abs(z) - scale) > sample.noise + 1e-5 * scale
        if scale <= 4 * sample.noise or off.mean() > 0.01:
            continue
        drop = float(np.log(base) / (half - reaching))
        ladder = np.exp(-drop * pairs)  # (pairs,)
        error = sample.noise / scale + 1e-12
        turn = rates(z)
        blur = sample.slack / 16  # of a radian, where angles are in float32, too
        exact, blurred = error / (last - first), error / (last - first) + 20 * blur
        units = [
            *_unfolded(ladder, turn, exact),
            *(unit for unit in _unfolded(ladder, turn, blurred) if abs(unit) < 50),
        ]
        for unit in dict.fromkeys(units):
            if not 1e-9 < abs(unit) < FASTEST:
                continue
            rows = sample.rows[first : last + 1, np.newaxis]
            begun = np.angle((z * np.exp(-1j * rows * unit * ladder)).mean(axis=0))  # (pairs,)
            far = blur * abs(unit) * float(rows.max())
            for start in _unfolded(ladder * abs(unit), begun, error + far):
                way = int(np.copysign(1, unit))
                recipe = Recipe(
                    sample.width,
                    drop,
                    unit=float(abs(unit)),
                    layout=layout,
                    functions=functions,
                    sign=way,
                    start=float(way * start),
                    scale=scale,
                )
                found.append(recipe)
    whole, near = sample.whole, sample.near
    fits = [(whole.excess(recipe), recipe) for recipe in found]
    moved = [polish(whole, one, ("unit", "start"), 3) for excess, one in fits if 0 < excess < 0.1]
    # Where rounding grows with the angle, the first rows tell the start best.
    likely = [one for one in found + moved if 0 < near.excess(one) < 0.1]
    moved += [polish(near, one, ("start",), 3) for one in likely]
    fits += [(whole.excess(recipe), recipe) for recipe in moved]
    fits.sort(key=lambda fit: (fit[0] > 0, float(f"{fit[1].unit:.2g}"), abs(fit[1].start)))
    return [recipe for excess, recipe in fits if excess < 1e-3][:6]


def slowed(sample: Sample, base: float) -> list[Recipe]:
    """Return recipes of caches for rotations, whose positions are divided by a common factor."""
    if sample.columns.size != sample.width or sample.width < 8:
        return []
    near, found = sample.near, []
    first = near.pick(np.arange(1))
    functions: tuple[Functions, ...] = ("cos cos", "sin sin", "cos sin")
    for layout, name in product(get_args(Layout), functions):
        one, other = columns(sample.values[:9], layout)
        apart = np.hypot(one, other) - 1 if name == "cos sin" else one - other
        if (np.abs(apart) > sample.noise).any():
            continue
        cache = Recipe(sample.width, 0.0, layout=layout, functions=name)
        # The first pair turns as fast whatever the base is.
        slow = [replace(cache, unit=1 / factor) for factor in FACTORS]
        slow = [recipe for recipe in slow if first.excess(recipe) <= 0]
        for root, recipe in product(dict.fromkeys((base, *BASES)), slow):
            found.append(replace(recipe, drop=2 * float(np.log(root)) / sample.width))
    return [recipe for recipe in found if near.excess(recipe) <= 0][:4]


def rates(z: Complex) -> Array:
    """Return by how much each pair turns from row to row, more and more exactly: (d / 2,)."""
    turn, step = np.zeros(z.shape[1]), 1
    while step < len(z):
        rest = z[step] * np.conj(z[0]) * np.exp(-1j * step * turn)
        turn = turn + np.angle(rest) / step
        step *= 2
    return turn


def uneven(waves: Array) -> Array:
    """Return how far each row but the first and the last is from waves of one step: (n - 2,).

    Of those, the rows before and after add up to a multiple of it.
    """
    both, middle = waves[2:] + waves[:-2], waves[1:-1]
    times = (both * middle).sum(axis=0) / ((middle**2).sum(axis=0) + 1e-300)
    far: Array = np.abs(both - times * middle).max(axis=1)
    return far


def _longest_run(rows: NDArray[np.intp]) -> tuple[int, int]:
    """Return where the most rows stand that follow one another."""
    cuts = np.flatnonzero(np.diff(rows) != 1)
    firsts, lasts = np.r_[0, cuts + 1], np.r_[cuts, rows.size - 1]
    longest = int((lasts - firsts).argmax())
    return int(firsts[longest]), int(lasts[longest])


def _unfolded(ladder: Array, angles: Array, error: float) -> Array:
    """Return the likeliest factors of a falling ladder that give angles but for whole turns."""
    x = (angles[-1] + 2 * np.pi * TURNS) / ladder[-1]  # (turns,)
    spread, misfit = (error / ladder[-1]) ** 2, np.zeros(x.size)
    for rung, angle in zip(ladder[-2::-1], angles[-2::-1], strict=True):
        rest = folded(angle - x * rung)
        variance = rung**2 * spread + error**2
        misfit = np.maximum(misfit, rest**2 / variance)
        x = x + rest * rung * spread / variance
        spread *= error**2 / variance
    likely = np.argsort(np.abs(TURNS), kind="stable")
    # Two or, where angles may be rounded by more than values are, ten times the error.
    far = np.maximum(misfit[likely], 100 if error < 1e-4 else 4).round(3)
    best = likely[np.argsort(far, kind="stable")][:5]
    unfolded: Array = x[best]
    return unfolded
