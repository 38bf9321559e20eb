"""What the clinic's tests share: forms of a table, caches for rotations, and checks of a report."""

import numpy as np

from posenc_clinic import diagnose
from posenc_clinic.wrong_tables import arranged

FORMS = [np.asarray, np.float32, lambda table: table.round(4)]


def names(diagnosis):
    """The names of all findings."""
    return [finding.mistake for finding in diagnosis.findings]


def cache(omega, n=200, holds="cos cos", halves=True, scale=1.0):
    """A cache for rotations by these frequencies, whose pairs hold these functions."""
    positions = np.arange(n, dtype=omega.dtype) if np.ndim(n) == 0 else n
    angles = np.outer(positions, omega)
    return arranged(*(scale * getattr(np, name)(angles) for name in holds.split()), halves)


def check_mistakes(table, *mistakes, case="", **given):
    """Diagnose a table that must have these mistakes, in this order, and no others."""
    diagnosis = diagnose(table, **given)
    assert names(diagnosis) == [*mistakes], f"{names(diagnosis)}, not {mistakes}: {case}"
    return diagnosis


def check_recipe(table, recipe, *said, case="", **given):
    """Diagnose a table that must be right by this recipe, and whose report must say all this."""
    diagnosis = diagnose(table, **given)
    found = diagnosis.correct, diagnosis.recipe
    assert found == (True, recipe), f"{found}, not {recipe}: {case}"
    for each in said:
        assert each in str(diagnosis), f"{each!r} is not in {diagnosis}: {case}"
    return diagnosis
