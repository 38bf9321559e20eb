"""Recipes that follow from a table by formula, without a search.

Recover step and start of the positions of an otherwise correct table, ladders that rise, and the
numbers of a table with the position in the exponent.
"""

from dataclasses import replace
from itertools import product
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from posenc._arguments import Layout
from posenc._layout import columns
from posenc_clinic.fitting.refine import polish
from posenc_clinic.fitting.sample import Sample
from posenc_clinic.fitting.table_model import Array, Functions, Recipe, wrap_angle

Complex = NDArray[np.complex128]

# Bases of caches for rotations that are known, and factors by which those are scaled.
ROPE_BASES = (10_000.0, 500_000.0, 1_000_000.0, 100_000.0, 150_000.0, 5_000_000.0, 10_000_000.0)
ROPE_FACTORS = (2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 1.5, 3.0, 6.0, 10.0, 20.0, 40.0)

TURNS_TRIED = np.arange(-200, 201)  # whole turns that the slowest pair may have made
LEAST_RATE, MAX_RATE = 1e-9, 5000.0  # radians a row
MAX_BLURRED_RATE = 50.0  # the same, where angles may be in float32
MAX_OFF_CIRCLE, MAX_STRAYS = 1e-5, 0.01  # shares: of the radius, and of points that are farther off
CLOSE, NEARLY = 0.1, 1e-3  # excess that is worth polishing, and one that a fit of all rows may have
LIKELY = 6  # recipes that are kept at most
MISFITS = 4, 100  # squared, in errors, that show nothing: of coarse and of exact values
COARSE = 1e-4  # radians from which values are coarse
MIN_ANGLES, MIN_FALL = 16, 0.01  # times the noise, to be told, and how far logarithms fall


def any_step_and_start(sample: Sample, base: float) -> list[Recipe]:
    """Recipes with the right ladder or Tensor2Tensor's, whatever the step and the start.

    Each pair gives its angle modulo 2 pi. From the slowest pair to the fastest, each angle
    predicts the next well enough to count its turns (phase unwrapping).
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
        off = np.abs(np.abs(z) - scale) > sample.noise + MAX_OFF_CIRCLE * scale
        if scale <= 4 * sample.noise or off.mean() > MAX_STRAYS:
            continue
        drop = float(np.log(base) / (half - reaching))
        plain = Recipe(sample.width, drop, layout=layout, functions=functions, scale=scale)
        ladder = np.exp(-drop * pairs)  # (pairs,)
        error = sample.noise / scale + 1e-12
        turn = turns_per_row(z)
        blur = sample.error_per_radian / 16  # of a radian, where angles are in float32, too
        exact, blurred = error / (last - first), error / (last - first) + 20 * blur
        units = [
            *_unwrap_against_ladder(ladder, turn, exact),
            *(
                x
                for x in _unwrap_against_ladder(ladder, turn, blurred)
                if abs(x) < MAX_BLURRED_RATE
            ),
        ]
        for unit in dict.fromkeys(units):
            if not LEAST_RATE < abs(unit) < MAX_RATE:
                continue
            rows = sample.rows[first : last + 1, np.newaxis]
            begun = np.angle((z * np.exp(-1j * rows * unit * ladder)).mean(axis=0))  # (pairs,)
            far, way = blur * abs(unit) * float(rows.max()), int(np.copysign(1, unit))
            for start in _unwrap_against_ladder(ladder * abs(unit), begun, error + far):
                turned = replace(plain, first_frequency=float(abs(unit)), sign=way)
                found.append(replace(turned, start=float(way * start)))
    whole, near = sample.whole, sample.near
    fits = [(whole.excess(recipe), recipe) for recipe in found]
    close = [one for excess, one in fits if 0 < excess < CLOSE]
    moved = [polish(whole, one, ("first_frequency", "start"), 3) for one in close]
    # Where rounding grows with the angle, the first rows tell the start best.
    likely = [one for one in found + moved if 0 < near.excess(one) < CLOSE]
    moved += [polish(near, one, ("start",), 3) for one in likely]
    fits += [(whole.excess(recipe), recipe) for recipe in moved]
    fits.sort(
        key=lambda fit: (fit[0] > 0, float(f"{fit[1].first_frequency:.2g}"), abs(fit[1].start))
    )
    return [recipe for excess, recipe in fits if excess < NEARLY][:LIKELY]


def rising_by_formula(sample: Sample, base: float) -> list[Recipe]:
    """Recipes whose frequencies rise and whose numbers are all known, since few columns tell them.

    Frequencies are base ** (2 * i / d_model); or, of a lost parenthesis, exp(2 * i) times
    -log(base) / d_model.
    """
    near, rise = sample.near, 2 * float(np.log(base)) / sample.width
    few = near.with_columns(np.arange(min(8, near.columns.size)))
    ladders = (-rise, 1.0, 1), (-2.0, rise / 2, -1)
    kinds = product(ladders, (0.0, 0.5), get_args(Layout), get_args(Functions), (0.0, 1.0))
    likely = (
        Recipe(sample.width, drop, unit, 0.0, odd, 1.0, layout, name, sign, start)
        for (drop, unit, sign), odd, layout, name, start in kinds
    )
    return [one for one in likely if few.excess(one) <= 0 and near.excess(one) <= 0]


def turns_per_row(z: Complex) -> Array:
    """The turn of each pair from row to row, from ever longer distances: (d / 2,)."""
    turn, step = np.zeros(z.shape[1]), 1
    while step < len(z):
        rest = z[step] * np.conj(z[0]) * np.exp(-1j * step * turn)
        turn = turn + np.angle(rest) / step
        step *= 2
    return turn


def deviation_from_one_step(waves: Array) -> Array:
    """The deviation of each inner row from waves sampled at one step: (n - 2,).

    Of those, the rows before and after add up to a multiple of it.
    """
    both, middle = waves[2:] + waves[:-2], waves[1:-1]
    times = (both * middle).sum(axis=0) / ((middle**2).sum(axis=0) + 1e-300)
    far: Array = np.abs(both - times * middle).max(axis=1)
    return far


def _longest_run(rows: NDArray[np.intp]) -> tuple[int, int]:
    """The first and last index of the longest run of consecutive rows."""
    cuts = np.flatnonzero(np.diff(rows) != 1)
    firsts, lasts = np.r_[0, cuts + 1], np.r_[cuts, rows.size - 1]
    longest = int((lasts - firsts).argmax())
    return int(firsts[longest]), int(lasts[longest])


def _unwrap_against_ladder(ladder: Array, angles: Array, error: float) -> Array:
    """The likeliest factors of a falling ladder that give these angles modulo 2 pi."""
    x = (angles[-1] + 2 * np.pi * TURNS_TRIED) / ladder[-1]  # (turns,)
    spread, misfit = (error / ladder[-1]) ** 2, np.zeros(x.size)
    for rung, angle in zip(ladder[-2::-1], angles[-2::-1], strict=True):
        rest = wrap_angle(angle - x * rung)
        variance = rung**2 * spread + error**2
        misfit = np.maximum(misfit, rest**2 / variance)
        x = x + rest * rung * spread / variance
        spread *= error**2 / variance
    likely = np.argsort(np.abs(TURNS_TRIED), kind="stable")
    # Two or, where angles may be rounded by more than values are, ten times the error.
    far = np.maximum(misfit[likely], MISFITS[int(error < COARSE)]).round(3)
    best = likely[np.argsort(far, kind="stable")][:5]
    unfolded: Array = x[best]
    return unfolded


def position_in_exponent(sample: Sample) -> list[Recipe]:
    """Recipes in which the position stands where the number of the pair should.

    Such a table has two different columns. They are the sine and the cosine of one angle, and the
    logarithm of that, divided by the position, falls along a line.
    """
    for values in (sample.values[:16], sample.values):  # few rows tell that most tables are others
        first = (np.abs(values - values[:, :1]) <= sample.noise).all(axis=0)  # (d,)
        x, y = values[:, 0], values[:, first.argmin()]  # (n,) each
        if (np.abs(values[:, ~first] - y[:, np.newaxis]) > sample.noise).any():
            return []
    if first.all():
        return []
    # On a circle with its centre at (mean, mean), x^2 + y^2 is linear in x + y.
    design = np.stack([x + y, np.ones_like(x)], axis=1)  # (n, 2)
    (slope, rest), *_ = np.linalg.lstsq(design, x**2 + y**2, rcond=1e-9)
    mean, scale = slope / 2, np.sqrt(rest + slope**2 / 2)
    if np.median(np.abs(np.hypot(x - mean, y - mean) - scale)) > sample.noise + 1e-9 * scale:
        mean, scale = 0.0, np.median(np.hypot(x, y))
    found, circle = [], Recipe(sample.width, 0.0, scale=float(scale), mean=float(mean))
    circle = replace(circle, position_in_exponent=True)
    orders: tuple[Functions, ...] = ("sin cos", "cos sin")
    ways = [(1, 0), (1, 1), (-1, 0), (-1, 1), (-1, -sample.last), (-1, -sample.last - 1)]
    for layout, functions, (sign, start) in product(get_args(Layout), orders, ways):
        plain = replace(circle, layout=layout, functions=functions, sign=sign, start=float(start))
        if (first == plain.holds_second(sample.columns)).any():
            continue
        sine, cosine = (x, y) if functions == "sin cos" else (y, x)
        position = sample.rows + start  # (n,)
        angle = sign * np.unwrap(np.arctan2(sine - mean, cosine - mean)) * np.sign(position)
        tells = angle > MIN_ANGLES * sample.noise / scale
        if tells.sum() < 2:
            continue
        position, angle = np.abs(position[tells]), angle[tells]
        design = np.stack([np.ones_like(angle), -position], axis=1) * angle[:, np.newaxis]
        goal = np.log(angle / position) * angle  # weighed by how exact it is
        (unit, drop), *_ = np.linalg.lstsq(design, goal, rcond=1e-9)
        if drop * sample.last > MIN_FALL:
            numbers = replace(plain, log_ratio=float(drop), first_frequency=float(np.exp(unit)))
            found.append(
                polish(sample.near, numbers, ("log_ratio", "first_frequency", "scale", "mean"))
            )
    return found
