"""Estimate from the data: each column's frequency, the ladder they form, phases and the start."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from operator import itemgetter
from typing import Any, get_args

import numpy as np

from posenc._diagnosis._fit import polish
from posenc._diagnosis._ladders import ladders
from posenc._diagnosis._recipe import Array, Functions, Recipe
from posenc._diagnosis._sample import Sample

# Of each column: its frequency, the relative error of that, the mean, and what is left unexplained.
Spectrum = tuple[Array, Array, Array, Array]
# One recipe for each name of functions, to ask it for its kind.
WAYS = [Recipe(2, 0.0, functions=name) for name in get_args(Functions)]


def estimates(near: Sample, base: float, spectra: Callable[[bool], Spectrum]) -> list[Recipe]:
    """Return recipes with all their numbers estimated from the first rows, the likeliest first.

    `spectra` gives the frequencies of columns, or of rows that take turns.
    """
    # Rows that take turns fit whatever plain ones do, so they must fit clearly better.
    left = np.median(spectra(False)[3])
    better = left >= 2 * near.noise and left >= 2 * np.median(spectra(True)[3])
    found: list[Recipe] = []
    for turn in [False, True] if better else [False]:
        omega, error, means, _ = spectra(turn)
        known = np.isfinite(error)
        if not known.any():
            continue
        mean = float(np.median(means[known]))
        size = float(np.sqrt(2 * ((near.values[:, known] - mean) ** 2).mean()))
        scales = (1.0,) if 0.8 < size < 1.25 else (1.0, size)
        likely = ladders(near, omega, error, base)
        for far in (False, True):
            if far:  # for most ladders, far starts are not worth a search
                likely = _promising(replace(near, values=near.values - mean), likely, turn)
                scales = scales[-1:]
            exact = False
            for ladder, scale in product(likely, scales):
                centred = replace(near, values=(near.values - mean) / scale)
                for miss, recipe in _starts(centred, ladder, turn, far):
                    exact |= miss <= 1
                    # All columns come round together where they have one frequency.
                    if abs(ladder.drop) * near.width < 1e-3 and abs(recipe.start) > near.last + 2:
                        start = math.remainder(recipe.start, 2 * math.pi / ladder.unit)
                        recipe = replace(recipe, start=start)
                    found.append(replace(recipe, scale=recipe.scale * scale, mean=mean))
            if exact:
                break
    misses = sorted(((near.excess(recipe), recipe) for recipe in found), key=lambda one: one[0])
    found = [polish(near, one) for miss, one in misses[:8] if miss < 2 * misses[0][0] + 0.05]
    best = sorted(((near.excess(recipe), recipe) for recipe in found), key=lambda item: item[0])
    kinds: dict[tuple[object, ...], Recipe] = {}
    for excess, recipe in best:
        if excess < 3 * max(best[0][0], near.noise) and excess < 0.3:
            way = (recipe.sign, round(recipe.start), recipe.drop > 0, recipe.unit > math.pi)
            kind = (recipe.layout, recipe.odd, recipe.functions, *way)
            kinds.setdefault(kind, recipe)
    return list(kinds.values())[:6]


def spectrum(sample: Sample, by_row: bool) -> Spectrum:
    """Return each column's frequency, its relative error, the mean, and what is left unexplained.

    A frequency too low to be told from the arc that it turns has an infinite error. In shapes, n
    counts rows, d columns, g the frequencies of the grid, and w the waves that `_waves` returns.
    """
    rows = sample.rows.astype(np.float64)
    span = np.ptp(rows)
    # Every second row alone can't tell omega from pi - omega.
    highest = np.pi / 2 if by_row else np.pi
    grid = np.arange(0.3 / span, highest, 0.5 / span)  # (g,)
    basis = np.linalg.qr(_waves(rows, grid, by_row)).Q  # (g, n, w)
    explained = ((basis.swapaxes(1, 2) @ sample.values) ** 2).sum(axis=1)  # (g, d)
    omega = grid[explained.argmax(axis=0)]  # (d,)
    values = sample.values.T  # (d, n)
    for _ in range(8):
        _, own, left = _tangent(rows, omega, by_row, values)
        with np.errstate(divide="ignore", invalid="ignore"):
            step = np.nan_to_num((own * left).sum(axis=1) / (own**2).sum(axis=1))  # (d,)
        omega = np.clip(omega + np.clip(step, -0.3 / span, 0.3 / span), 0.05 / span, highest)
    weights, own, rest = _tangent(rows, omega, by_row, values)
    left = np.sqrt((rest**2).mean(axis=1))  # (d,)
    with np.errstate(divide="ignore", invalid="ignore"):
        error = (left + sample.noise / 4) / np.linalg.norm(own, axis=1) / omega
    error[~(error < 0.1) | (omega < 0.051 / span)] = np.inf
    mean = weights[:, -1] if weights.shape[1] % 2 else np.zeros_like(omega)
    return omega, error, mean, left


def _waves(rows: Array, omega: Array, by_row: bool) -> Array:
    """Return a sine, a cosine and, if there are rows enough, a constant for each frequency."""
    angle = omega[..., np.newaxis] * rows  # (d, n)
    waves = [np.sin(angle), np.cos(angle)]
    if by_row:
        waves = [wave * mask for wave in waves for mask in (1 - rows % 2, rows % 2)]
    if rows.size > len(waves) + 3:
        waves.append(np.ones_like(angle))
    return np.stack(waves, axis=-1)  # (d, n, w)


def _tangent(rows: Array, omega: Array, by_row: bool, values: Array) -> tuple[Array, Array, Array]:
    """Return the best weights of the waves, what else a frequency adds, and what is left: (d, n).

    What a change of the frequency adds is that part which no weights could stand in for.
    """
    waves = _waves(rows, omega, by_row)  # (d, n, w)
    n, w = waves.shape[1:]
    padded = np.pad(waves, ((0, 0), (0, max(0, w - n)), (0, 0)))
    basis, mixed = np.linalg.qr(padded)  # (d, n or w, w), (d, w, w)
    size = np.abs(np.diagonal(mixed, axis1=1, axis2=2))  # (d, w)
    lost = size <= 1e-13 * size.max(axis=1, keepdims=True)
    basis = np.where(lost[:, np.newaxis], 0, basis)[:, :n]
    mixed += np.eye(w) * np.where(lost, 1e300, 0)[:, np.newaxis]  # which weighs 0
    shares = basis.swapaxes(1, 2) @ values[..., np.newaxis]  # (d, w, 1)
    weights = np.linalg.solve(mixed, shares)
    slope = (_waves(rows, omega + 1e-6, by_row) - waves) @ weights * 1e6  # (d, n, 1)
    own = slope - basis @ (basis.swapaxes(1, 2) @ slope)
    return weights[..., 0], own[..., 0], values - (basis @ shares)[..., 0]


def _starts(sample: Sample, ladder: Recipe, by_row: bool, far: bool) -> list[tuple[float, Recipe]]:
    """Return which functions, direction and start fit best, given the frequencies.

    Each has its squared misfit, where 1 is what digits explain.
    """
    last = sample.last
    enough = sample.values.size * sample.noise**2 + 1e-9 * float((sample.values**2).sum())
    if far:
        start = np.arange(-last - 4096, 4096, 0.5)
        if last > 8192:  # only near the ends, where a start is likely
            start = start[(start < 4096 - last) | (start > -256)]
        some = sample.pick(np.linspace(0, sample.columns.size - 1, 12).astype(int))
        enough *= some.columns.size / sample.columns.size
        best = sorted(_phases(some, ladder, start, by_row), key=itemgetter(0))
    else:
        between = np.arange(min(ladder.unit, 1000.0)) / ladder.unit  # where rows skip positions
        start = np.r_[0.0, 1.0, -last, -last - 1.0, between[1:], -last - between[1:]]
        best = sorted(_phases(sample, ladder, start, by_row), key=itemgetter(0))
        if best[0][0] > enough and not by_row:
            mixed = replace(ladder, functions="mixed sin cos")
            best = sorted([*best, *_phases(sample, mixed, start, False)], key=itemgetter(0))
    likely = best[0][0]
    return [
        (cost / enough, replace(ladder, **settings))
        for cost, settings in best[:6]
        if cost < 4 * likely + 1e-6
    ]


def _promising(sample: Sample, ladders: list[Recipe], by_row: bool) -> list[Recipe]:
    """Return the few ladders that explain most, whatever the phases and amplitudes are."""
    left = [_left(sample, ladder, by_row) for ladder in ladders]
    best = sorted(zip(left, range(len(left)), strict=True))[:4]
    return [ladders[place] for share, place in best if share < 0.2]


def _left(sample: Sample, ladder: Recipe, by_row: bool) -> float:
    """Return the share of the squares that no phases and amplitudes explain."""
    rows = sample.rows.astype(np.float64)
    waves = _waves(rows, ladder.omega(sample.columns), by_row)  # (d, n, w)
    basis = np.linalg.qr(waves).Q
    explained = ((basis.swapaxes(1, 2) @ sample.values.T[..., np.newaxis]) ** 2).sum()
    return float(1 - explained / (sample.values**2).sum())


def _phases(
    sample: Sample, ladder: Recipe, start: Array, by_row: bool
) -> Iterator[tuple[float, dict[str, Any]]]:
    """Yield the squared misfit of the best start, for all functions and directions, with these."""
    omega = ladder.omega(sample.columns)  # (d,)
    second = ladder.second(sample.columns)
    # The squared misfit is a sum over columns, and linear in these products; by how much each
    # counts follows from the addition theorems for sin(x + y) and cos(x + y).
    products = np.empty((5, omega.size, start.size))
    turned = np.outer(omega, start)  # (d, starts)
    sine, cosine = np.sin(turned, out=products[0]), np.cos(turned, out=products[1])
    np.square(sine, out=products[2])
    np.square(cosine, out=products[3])
    np.multiply(sine, cosine, out=products[4])
    odd = sample.rows % 2 == 1
    masks = (~odd, odd) if by_row else (np.ones(odd.size, bool),) * 2
    costs: dict[tuple[str, int, int], Array] = {}
    for half, mask in enumerate(masks):
        angle, values = np.outer(sample.rows[mask], omega), sample.values[mask]  # (n, d) each
        sines, cosines = np.sin(angle), np.cos(angle)
        ss, cc, sc = (sines**2).sum(0), (cosines**2).sum(0), (sines * cosines).sum(0)  # (d,)
        sv, cv, vv = (sines * values).sum(0), (cosines * values).sum(0), (values**2).sum(0)
        counted = np.ones(omega.size) if by_row else second == bool(half)
        for sign in (1, -1):
            counts = {
                "sin": (-2 * sign * cv, -2 * sign * sv, cc, ss, 2 * sc),
                "cos": (2 * sign * sv, -2 * sign * cv, ss, cc, -2 * sc),
            }
            for name, count in counts.items():
                weights = np.concatenate([each * counted for each in count])  # (5 d,)
                costs[name, sign, half] = weights @ products.reshape(-1, start.size) + vv @ counted
    ways = [one.functions for one in WAYS if (one.by_row, one.mixed) == (by_row, ladder.mixed)]
    for functions, sign, scale in product(ways, (1, -1), (1.0, -1.0)):
        signs = {"sin": sign * int(scale), "cos": int(scale)}
        first, other = ((name, signs[name]) for name in functions.split()[-2:])
        cost = costs[*first, 0] + costs[*other, 1]
        if by_row:  # where the start is odd, even rows are odd positions
            cost = np.where(start % 2 < 0.5, cost, costs[*other, 0] + costs[*first, 1])
        best = int(cost.argmin())
        settings = {"functions": functions, "sign": sign, "scale": scale}
        yield float(cost[best]), settings | {"start": float(start[best])}
