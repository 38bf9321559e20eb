"""Fit waves to columns: the frequency of each, and the ladders that they may form."""

from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from posenc._arguments import Layout
from posenc_clinic.fitting.sample import Sample
from posenc_clinic.fitting.table_model import Array, Recipe

MAX_ERROR = 0.03  # of a rate, as a share of it, up to which it is known
POOR = 10.0  # misfit of the best ladder, in errors of rates, from which others are tried
MIN_KNOWN = 8  # rates; fewer form many a ladder


class Spectrum(NamedTuple):
    """What is known of the wave in each column: (d,) each."""

    omega: Array  # radians a row
    error: Array  # of omega, relative; infinite where it can't be told from the arc that it turns
    mean: Array
    left: Array  # unexplained, as a root of the mean square
    typical: Array  # what is left of a typical value, however far a few are off


def spectrum(sample: Sample, by_row: bool) -> Spectrum:
    """Fit a wave to each column.

    In shapes, n counts rows, d columns, g the frequencies of the grid, and w the waves that
    `_waves` returns.
    """
    rows = sample.rows.astype(np.float64)
    span = np.ptp(rows)
    # Every second row alone can't tell omega from pi - omega.
    highest = np.pi / 2 if by_row else np.pi
    grid, basis = _grid(tuple(rows.tolist()), highest, by_row)  # (g,), (w, g, n)
    explained = ((basis @ sample.values) ** 2).sum(axis=0)  # (g, d)
    omega = grid[explained.argmax(axis=0)]  # (d,)
    values = sample.values.T  # (d, n)
    for _ in range(8):
        _, own, left = _tangent(rows, omega, by_row, values)
        with np.errstate(divide="ignore", invalid="ignore"):
            step = np.nan_to_num(np.vecdot(own, left) / np.vecdot(own, own))  # (d,)
        omega = np.clip(omega + np.clip(step, -0.3 / span, 0.3 / span), 0.05 / span, highest)
        if np.abs(step).max() < 1e-12:
            break
    weights, own, rest = _tangent(rows, omega, by_row, values)
    left = np.sqrt((rest**2).mean(axis=1))  # (d,)
    with np.errstate(divide="ignore", invalid="ignore"):
        error = (left + sample.noise / 4) / np.linalg.norm(own, axis=1) / omega
    error[~(error < MAX_ERROR) | (omega < 0.051 / span)] = np.inf
    mean = weights[-1] if len(weights) % 2 else np.zeros_like(omega)
    return Spectrum(omega, error, mean, left, 1.5 * np.median(np.abs(rest), axis=1))


@lru_cache(maxsize=8)
def _grid(rows: tuple[float, ...], highest: float, by_row: bool) -> tuple[Array, Array]:
    """Frequencies to start from, (g,), and their orthogonal waves, (w, g, n)."""
    span = rows[-1] - rows[0]
    grid = np.arange(0.3 / span, highest, 0.5 / span)
    basis, _ = _orthogonal(_waves(np.array(rows), grid, by_row))
    return grid, basis


def _waves(rows: Array, omega: Array, by_row: bool) -> Array:
    """A sine, a cosine and, if there are rows enough, a constant for each frequency."""
    angle = np.outer(omega, rows)  # (d, n)
    waves = [np.sin(angle), np.cos(angle)]
    if by_row:
        waves = [wave * mask for wave in waves for mask in (1 - rows % 2, rows % 2)]
    if rows.size > len(waves) + 3:
        waves.append(np.ones_like(angle))
    return np.stack(waves)  # (w, d, n)


def _orthogonal(waves: Array) -> tuple[Array, Array]:
    """Orthogonal waves of length 1, (w, d, n), and what each gives to others, (w, w, d).

    By Gram and Schmidt, twice each, which is enough. What hardly differs from others is left out.
    """
    basis, shares = np.zeros_like(waves), np.zeros((len(waves), *waves.shape[:2]))
    least = 1e-13 * np.sqrt(np.vecdot(waves, waves).max(axis=0))  # (d,)
    for number, rest in enumerate(waves):
        for other in (*range(number), *range(number)):
            share = np.vecdot(basis[other], rest)
            rest = rest - share[:, np.newaxis] * basis[other]
            shares[other, number] += share
        left = np.sqrt(np.vecdot(rest, rest))
        left[left <= least] = np.inf
        basis[number], shares[number, number] = rest / left[:, np.newaxis], left
    return basis, shares


def _tangent(rows: Array, omega: Array, by_row: bool, values: Array) -> tuple[Array, Array, Array]:
    """The best weights of the waves, (w, d), what else a frequency adds, and the residual.

    What a change of the frequency adds, (d, n), is that part which no weights could stand in for.
    """
    waves = _waves(rows, omega, by_row)  # (w, d, n)
    basis, shares = _orthogonal(waves)
    counts = np.vecdot(basis, values)  # (w, d)
    weights = np.zeros_like(counts)
    for number in reversed(range(len(waves))):
        known = (shares[number, number + 1 :] * weights[number + 1 :]).sum(axis=0)
        weights[number] = (counts[number] - known) / shares[number, number]
    # Of the sine the cosine, and of the cosine minus the sine, both by the row.
    half = (len(waves) - len(waves) % 2) // 2
    turned = (weights[:half, :, np.newaxis] * waves[half : 2 * half]).sum(axis=0)
    turned -= (weights[half : 2 * half, :, np.newaxis] * waves[:half]).sum(axis=0)
    slope = rows * turned  # (d, n)
    own = slope - _part(basis, np.vecdot(basis, slope))
    return weights, own, values - _part(basis, counts)


def _part(basis: Array, shares: Array) -> Array:
    """The sum of waves, each by its share: (d, n)."""
    part: Array = (basis * shares[..., np.newaxis]).sum(axis=0)
    return part


def unexplained(sample: Sample, ladder: Recipe, by_row: bool) -> float:
    """The share of the squares that no phases and amplitudes explain."""
    rows = sample.rows.astype(np.float64)
    basis, _ = _orthogonal(_waves(rows, ladder.omega(sample.columns), by_row))  # (w, d, n)
    explained = (np.vecdot(basis, sample.values.T) ** 2).sum()
    return float(1 - explained / (sample.values**2).sum())


def ladders(sample: Sample, omega: Array, error: Array, base: float) -> list[Recipe]:
    """The ladders that the known frequencies may form, the likeliest first.

    Where they are too few to tell, neighbouring pairs are assumed to differ as they should.
    """
    known = np.isfinite(error)
    weight, logs = 1 / (error[known] + np.median(error[known]) + 1e-9), np.log(omega[known])
    found = []
    likely = [2 * np.log(base) / width for width in (sample.width, max(2, sample.width - 2))]
    odds = (0.0, 0.5, 1.0, 0.25) if sample.width > 2 else (0.0, 0.5, 1.0)
    for layout, odd, assumed in product(get_args(Layout), odds, likely):
        recipe = Recipe(sample.width, assumed, odd_column_offset=odd, layout=layout)
        steps = recipe.exponents(sample.columns)[known]
        if np.ptp(steps) and assumed != likely[0]:
            continue
        design = np.stack([np.ones_like(steps), -steps], axis=1)  # (columns known, 2)
        goal = logs
        if np.ptp(steps) == 0:
            design, goal = design[:, :1], logs + steps * recipe.log_ratio
        solved = np.linalg.lstsq(design * weight[:, None], goal * weight, rcond=None)[0]
        misfit = np.sqrt((((goal - design @ solved) * weight) ** 2).mean())
        unit, *drop = solved
        if odd and drop and abs(drop[0]) < 1e-6:  # which shows where frequencies differ
            continue
        recipe = replace(recipe, first_frequency=float(np.exp(np.clip(unit, -60, 60))))
        found.append((misfit, replace(recipe, log_ratio=float(drop[0])) if drop else recipe))
    if min(found, key=lambda item: item[0])[0] > POOR:
        found += _two_base_ladders(sample, logs, known, weight)
    found.sort(key=lambda item: item[0])
    close = [recipe for misfit, recipe in found if misfit < 3 * found[0][0] + 3]
    if found[0][0] > POOR or known.sum() < MIN_KNOWN:
        close += _rising_ladders(sample, omega, error)
    return close


def _two_base_ladders(
    sample: Sample, logs: Array, known: NDArray[np.bool_], weight: Array
) -> list[tuple[float, Recipe]]:
    """Ladders whose first and second columns fall each by a base of its own."""
    found = []
    for layout in get_args(Layout):
        recipe = Recipe(sample.width, 1.0, layout=layout)
        pair, second = (each[known] for each in recipe.members(sample.columns))
        if min(np.unique(pair[second == place]).size for place in range(2)) < 2:
            continue
        design = np.stack([np.ones_like(logs), -pair * (1 - second), -pair * second], axis=1)
        (unit, drop, other), *_ = np.linalg.lstsq(
            design * weight[:, np.newaxis], logs * weight, rcond=None
        )
        misfit = np.sqrt((((logs - design @ (unit, drop, other)) * weight) ** 2).mean())
        if abs(drop) > 1e-6 and 0.01 < other / drop < 100 and abs(other / drop - 1) > 1e-3:
            recipe = replace(recipe, log_ratio=float(drop), odd_base_ratio=float(other / drop))
            unit = float(np.exp(np.clip(unit, -60, 60)))
            found.append((float(misfit), replace(recipe, first_frequency=unit)))
    return found


def _rising_ladders(sample: Sample, omega: Array, error: Array) -> list[Recipe]:
    """Ladders that rise, followed from pair to pair as they fold back."""
    found = []
    for layout in get_args(Layout):
        pair, _ = Recipe(sample.width, 0.0, layout=layout).members(sample.columns)
        seen = {}
        for each in range(sample.width // 2):
            columns = np.flatnonzero((pair == each) & np.isfinite(error))
            if columns.size:
                seen[each] = float(omega[columns[error[columns].argmin()]])
        if 0 not in seen or 1 not in seen or seen[1] <= seen[0]:
            continue
        first = seen.pop(0)
        rise = np.log(seen[1] / first)
        for each, turn in seen.items():
            asked = first * np.exp(rise * each)
            turns = 2 * np.pi * np.round((asked + np.array([-turn, turn])) / (2 * np.pi))
            unfolded = turns + np.array([turn, -turn])
            rise = np.log(unfolded[np.abs(unfolded - asked).argmin()] / first) / each
        found.append(Recipe(sample.width, -float(rise), first_frequency=first, layout=layout))
    return found
