"""RoPE frequencies: recognise the base and the scaling method."""

import math
from dataclasses import replace

from posenc_clinic.fitting.closed_forms import ROPE_BASES, ROPE_FACTORS
from posenc_clinic.fitting.fitted_table import FittedTable
from posenc_clinic.reading.rotations import LEAST_BASE


def has_rope_base(fitted: FittedTable) -> bool:
    """Check whether a ladder has a base of RoPE: any, where rotations are known to be held.

    Of one function alone, a table hardly holds anything else. Where it holds both, and nothing
    else tells, its base is a known one, or one that NTK-aware scaling made of it.
    """
    known = fitted.base in (*ROPE_BASES, fitted.view.base) or _ntk_scaling(fitted) is not None
    if fitted.is_of_one_function or fitted.view.rotates:
        return known or (fitted.base >= LEAST_BASE and not fitted.odd_divisor)
    return known


def describe_scaling(fitted: FittedTable) -> str:
    """Describe which base a ladder of rotations has, and how it was scaled."""
    by_step = 1 / fitted.step
    factor = float(f"{by_step:.6g}")
    linear = factor > 1 and math.isclose(factor, by_step, rel_tol=1e-6) and factor * 2 % 1 == 0
    ntk = _ntk_scaling(fitted) if fitted.base not in ROPE_BASES else None
    said = f"Its base is {fitted.base:.6g}"
    if ntk:
        base, times = ntk
        power = f"({_head_width(fitted)} / {_head_width(fitted) - 2})"
        said += f", which is {base:.6g} * {times:g} ** {power}: NTK-aware scaling by {times:g}"
    if linear:
        said += f"; positions are divided by {factor:g}: linear scaling"
    return f"{said}."


def _ntk_scaling(fitted: FittedTable) -> tuple[float, float] | None:
    """The base and the factor that NTK-aware scaling had, to the digits of the table."""
    head = _head_width(fitted)
    if head < 4:
        return None
    whole = fitted.view.sample.whole
    for base in ROPE_BASES:
        for factor in ROPE_FACTORS:
            scaled = base * factor ** (head / (head - 2))
            if math.isclose(scaled, fitted.base, rel_tol=0.2):
                drop = 2 * math.log(scaled) / fitted.recipe.width
                if whole.excess(replace(fitted.recipe, log_ratio=drop)) <= 0:
                    return base, factor
    return None


def _head_width(fitted: FittedTable) -> int:
    """The width of what is rotated: twice that of a cache with one column for each pair."""
    return fitted.recipe.width * (2 if fitted.recipe.odd_column_offset else 1)
