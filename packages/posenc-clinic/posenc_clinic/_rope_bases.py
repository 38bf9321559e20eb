"""Ladders of rotations: whether their base is known, and what scaling made of them."""

import math
from dataclasses import replace

from posenc_clinic._mistake import FittedTable
from posenc_clinic._step_and_start import BASES, FACTORS


def rotary(fitted: FittedTable) -> bool:
    """Tell whether a ladder has a known base, or one that NTK-aware scaling made of it."""
    return fitted.base in (*BASES, fitted.view.base) or _of_ntk(fitted) is not None


def scaling(fitted: FittedTable) -> str:
    """Say which base a ladder of rotations has, and how it was scaled."""
    by_step = 1 / fitted.step
    factor = float(f"{by_step:.6g}")
    linear = factor > 1 and math.isclose(factor, by_step, rel_tol=1e-6) and factor * 2 % 1 == 0
    ntk = _of_ntk(fitted) if fitted.base not in BASES else None
    said = f"Its base is {fitted.base:.6g}"
    if ntk:
        base, times = ntk
        power = f"({_head(fitted)} / {_head(fitted) - 2})"
        said += f", which is {base:.6g} * {times:g} ** {power}: NTK-aware scaling by {times:g}"
    if linear:
        said += f"; positions are divided by {factor:g}: linear scaling"
    return f"{said}."


def _of_ntk(fitted: FittedTable) -> tuple[float, float] | None:
    """Return the base and the factor that NTK-aware scaling had, to the digits of the table."""
    head = _head(fitted)
    if head < 4:
        return None
    whole = fitted.view.sample.whole
    for base in BASES:
        for factor in FACTORS:
            scaled = base * factor ** (head / (head - 2))
            if math.isclose(scaled, fitted.base, rel_tol=0.2):
                drop = 2 * math.log(scaled) / fitted.recipe.width
                if whole.excess(replace(fitted.recipe, drop=drop)) <= 0:
                    return base, factor
    return None


def _head(fitted: FittedTable) -> int:
    """Return the width of what is rotated: twice that of a cache with one column for each pair."""
    return fitted.recipe.width * (2 if fitted.recipe.odd else 1)
