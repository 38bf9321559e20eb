"""What the clinic's tests share: forms of a table, caches for rotations, and checks of a report."""

import io
import math
from itertools import product

import numpy as np
import pytest

from posenc_clinic import diagnose
from posenc_clinic.mistakes.wrong_tables import arranged

FORMS = [np.asarray, np.float32, lambda table: table.round(4)]


def some(*choices, rounds=1):
    """Cases of the product, drawn so that every entry of every choice occurs in each round."""
    columns, cases = [[*each] for each in choices], []
    most = max(map(len, columns))
    if rounds * most >= math.prod(map(len, columns)):
        return [*product(*columns)]
    draw = np.random.default_rng(0)
    for _ in range(rounds):
        drawn = [draw.permutation(np.arange(most) % len(each)) for each in columns]
        for row in zip(*drawn, strict=True):
            cases.append([each[at] for each, at in zip(columns, row, strict=True)])
    return cases


def many(*choices):
    """Cases of the product, in four rounds."""
    return some(*choices, rounds=4)


# A test with this mark is given some cases of a product, and in the sweep many.
some_or_many = pytest.mark.parametrize("cases", [some, pytest.param(many, marks=pytest.mark.sweep)])


def names(diagnosis):
    """The names of all findings."""
    return [finding.mistake for finding in diagnosis.findings]


def cache(omega, n=200, holds="cos cos", halves=True, scale=1.0):
    """A cache for rotations by these frequencies, whose pairs hold these functions."""
    positions = np.arange(n, dtype=omega.dtype) if np.ndim(n) == 0 else n
    angles = np.outer(positions, omega)
    return arranged(*(scale * getattr(np, name)(angles) for name in holds.split()), halves)


def octaves(x, count, unit=np.pi, order=(0, 1, 2), sines_first=True):
    """Waves at 2**k times each coordinate, (n, m); columns by octave, function and coordinate."""
    angles = unit * x[:, np.newaxis] * 2.0 ** np.arange(count)[:, np.newaxis]  # (n, count, m)
    waves = np.sin(angles), np.cos(angles)
    both = np.stack(waves if sines_first else waves[::-1], axis=2)  # (n, count, 2, m)
    return both.transpose(0, *(1 + axis for axis in order)).reshape(len(x), -1)


def trained(draw, n, d, width=8, noise=0.3):
    """Numbers that are smooth over so many rows, with noise in each."""
    drawn = draw.standard_normal((n + width, d))
    smooth = np.mean([drawn[at : at + n] for at in range(width)], axis=0) * np.sqrt(width)
    return 0.02 * (smooth + noise * draw.standard_normal((n, d)))


def with_entries(table, place, value):
    """A copy of a table with this value at a place."""
    table = np.array(table)
    table[place] = value
    return table


def npy(array):
    """The bytes of a .npy file."""
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


def npz(arrays):
    """The bytes of a .npz file with arrays by name."""
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def check_mistakes(table, *mistakes, case="", **given):
    """Diagnose a table that must have these mistakes, in this order, and no others."""
    diagnosis = diagnose(table, **given)
    assert names(diagnosis) == [*mistakes], f"{names(diagnosis)}, not {mistakes}: {case}"
    return diagnosis


def check_recipe(table, recipe, /, *said, case="", **given):
    """Diagnose a table that must be right by this recipe, and whose report must say all this."""
    diagnosis = diagnose(table, **given)
    found = diagnosis.correct, diagnosis.recipe
    assert found == (True, recipe), f"{found}, not {recipe}: {case}"
    for each in said:
        assert each in str(diagnosis), f"{each!r} is not in {diagnosis}: {case}"
    return diagnosis
