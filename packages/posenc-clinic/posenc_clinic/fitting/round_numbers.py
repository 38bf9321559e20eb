"""Round numbers close to an estimated one: those that a program is likely to hold."""

import math

from posenc_clinic.fitting.preparation import View
from posenc_clinic.fitting.table_model import DEGREE


def candidate_divisors(about: float, view: View) -> list[float]:
    """Numbers close to this one that exponents are likely to have been divided by."""
    if not math.isfinite(about):
        return []
    n, d = view.table.shape
    round_ = [float(f"{about:.1g}"), 2.0 ** round(math.log2(about)), float(f"{about:.2g}")]
    likely = [divisor for divisor in (n, n - 1.0, *round_) if divisor not in (d, d - 1, d + 1)]
    return [divisor for divisor in likely if math.isclose(divisor, about, rel_tol=0.01)]


def candidate_steps(view: View, unit: float) -> list[float]:
    """Likely steps of positions close to the estimated one."""
    one, two, three, four = (float(f"{unit:.{digits}g}") for digits in (1, 2, 3, 4))
    degrees = float(f"{unit / DEGREE:.2g}") * DEGREE
    return _close_to(unit, [one, two, *simplest_steps(view, unit), three, four, degrees])


def simplest_steps(view: View, unit: float) -> list[float]:
    """Steps of one digit, or that divide a length evenly, close to the estimated one."""
    n = view.sample.last + 1
    likely = [top / rows for top in (1.0, 1000.0, 2 * math.pi) for rows in (n, n - 1)]
    if view.table.shape[1] == 2:  # one pair, which may come round, as months do
        likely.insert(0, 2 * math.pi / max(1, round(2 * math.pi / unit)))
    return _close_to(unit, [float(f"{unit:.1g}"), *likely])


def _close_to(unit: float, steps: list[float]) -> list[float]:
    return [step for step in dict.fromkeys(steps) if math.isclose(step, unit, rel_tol=0.01)]


def candidate_bases(view: View, log_base: float) -> list[float]:
    """Round numbers close to an estimated base, simplest first, and the estimate."""
    if not 0.001 < log_base < 70:
        return []
    base, log = math.exp(log_base), view.sample.width * math.log(view.base)
    one, two, three = (float(f"{base:.{digits}g}") for digits in (1, 2, 3))
    shares = [math.exp(log / divisor) for divisor in candidate_divisors(log / log_base, view)]
    return [each for each in dict.fromkeys([one, two, *shares, three, base]) if each > 1]


def nearest_round_ratio(base: float, ratio: float) -> float:
    """The ratio that makes the base of the second columns round, if there is one."""
    other = base**ratio
    ratios = [math.log(float(f"{other:.{digits}g}")) / math.log(base) for digits in (1, 2, 3)]
    return next((each for each in ratios if abs(each / ratio - 1) < 1e-3), ratio)
