"""Fit waves to columns: the frequency of each, and how much a ladder of them leaves unexplained."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from posenc_clinic._sample import Sample
from posenc_clinic._table_model import Array, Recipe


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
    error[~(error < 0.1) | (omega < 0.051 / span)] = np.inf
    mean = weights[-1] if len(weights) % 2 else np.zeros_like(omega)
    return Spectrum(omega, error, mean, left, 1.5 * np.median(np.abs(rest), axis=1))


@lru_cache(maxsize=8)
def _grid(rows: tuple[float, ...], highest: float, by_row: bool) -> tuple[Array, Array]:
    """Return frequencies to start from, (g,), and their orthogonal waves, (w, g, n)."""
    span = rows[-1] - rows[0]
    grid = np.arange(0.3 / span, highest, 0.5 / span)
    basis, _ = _orthogonal(_waves(np.array(rows), grid, by_row))
    return grid, basis


def _waves(rows: Array, omega: Array, by_row: bool) -> Array:
    """Return a sine, a cosine and, if there are rows enough, a constant for each frequency."""
    angle = np.outer(omega, rows)  # (d, n)
    waves = [np.sin(angle), np.cos(angle)]
    if by_row:
        waves = [wave * mask for wave in waves for mask in (1 - rows % 2, rows % 2)]
    if rows.size > len(waves) + 3:
        waves.append(np.ones_like(angle))
    return np.stack(waves)  # (w, d, n)


def _orthogonal(waves: Array) -> tuple[Array, Array]:
    """Return orthogonal waves of length 1, (w, d, n), and what each gives to others, (w, w, d).

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
    """Return the best weights of the waves, (w, d), what else a frequency adds, and what is left.

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
    """Return the sum of waves, each by its share: (d, n)."""
    part: Array = (basis * shares[..., np.newaxis]).sum(axis=0)
    return part


def unexplained(sample: Sample, ladder: Recipe, by_row: bool) -> float:
    """Return the share of the squares that no phases and amplitudes explain."""
    rows = sample.rows.astype(np.float64)
    basis, _ = _orthogonal(_waves(rows, ladder.omega(sample.columns), by_row))  # (w, d, n)
    explained = (np.vecdot(basis, sample.values.T) ** 2).sum()
    return float(1 - explained / (sample.values**2).sum())
