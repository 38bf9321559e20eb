"""What the clinic's tests share: forms of a table, caches for rotations, and names of findings."""

import numpy as np

from posenc_clinic.wrong_tables import arranged

FORMS = [np.asarray, np.float32, lambda table: table.round(4)]


def names(diagnosis):
    """The names of all findings."""
    return {finding.mistake for finding in diagnosis.findings}


def cache(omega, n=200, holds="cos cos", halves=True, scale=1.0):
    """A cache for rotations by these frequencies, whose pairs hold these functions."""
    positions = np.arange(n, dtype=omega.dtype) if np.ndim(n) == 0 else n
    angles = np.outer(positions, omega)
    return arranged(*(scale * getattr(np, name)(angles) for name in holds.split()), halves)
