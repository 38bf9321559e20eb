"""Caches for rotations in which each pair is slowed down by its own factor, or stands still."""

from itertools import product

import numpy as np
from numpy.typing import NDArray

from posenc._layout import columns
from posenc._scaling import Method, scale_frequencies
from posenc._table import frequencies
from posenc_clinic._closed_forms import ROPE_BASES, ROPE_FACTORS, deviation_from_one_step
from posenc_clinic._findings import finding
from posenc_clinic._report import RecognisedTable
from posenc_clinic._rope_caches import FUNCTIONS, HOLDS, ORIGINALS, Cache
from posenc_clinic._sample import to_bfloat16
from posenc_clinic._table_model import Array, wrap_angle
from posenc_clinic._waves import round_number
from posenc_clinic.mistakes.others import OTHERS

MAX_FACTOR_ERROR = 0.01  # how exact a factor must be, as a share of it


def cache_scaled_by_pair(table: Array, cache: Cache, base: float) -> RecognisedTable | None:
    """Recognise a cache by a known base, none of whose pairs turns faster than it should."""
    n, d = table.shape
    layout, functions, scale, digits = cache
    if np.abs(table[:8]).max() < 0.5:
        return None
    for rows, by in ((256, d // 128 + 1), (1024, 1)):  # few tell that most ladders are straight
        parts = [part[:, ::by] for part in columns(table[:rows], layout)]
        slack = 2.0**-23 * len(parts[0]) * (digits > 2.0**-40)  # angles may be in float32, too
        omega, error = _turns_per_row(parts[0], 8 * digits, slack)
        still = np.ptp(parts[0], axis=0) == 0
        if deviation_from_one_step(parts[0]).max() > 4 * (cache.near + slack):
            return None
        sure = np.flatnonzero(error < MAX_FACTOR_ERROR * omega)
        off = 4 * error[sure] / omega[sure] + 1e-12
        straight = sure.size < 4 or _is_geometric(sure, np.log(omega[sure]), off)
        if straight and (sure.size < 4 or not still.any()):
            return None
    if not straight and _frequencies_were_rounded(omega[sure], off):
        return None
    if scale is None:  # of sines, which begin with 0
        sines = np.sin(np.arange(len(parts[1]))[:, np.newaxis] * omega[sure])
        scale = float((sines * parts[1][:, sure]).sum() / (sines**2).sum())
    scale = 1.0 if abs(scale - 1) <= cache.near else scale
    omega = _refine_frequencies(parts[1] / scale, functions[1], omega)
    found = []
    fast = _base_of_fast_pairs(sure, omega[sure], off, d // 2)
    roots = [*dict.fromkeys((base, *ROPE_BASES, *([fast] if fast else [])))]
    seen = sure, omega[sure], off
    if not straight and (wrong := _wrong_settings(d, [fast] if fast else roots, seen)):
        name, said, rates = wrong
        right, allowed = cache.made(rates, scale, n)
        mistake = finding(name, f"{OTHERS[name].what} {said}")
        kind = RecognisedTable(
            "rope-factors", "", right, allowed + 2 * cache.near, layout, None, scale, (mistake,)
        )
        if kind.gives(table):
            return kind
    for root in roots:
        plain = frequencies(d, base=root)
        factor = plain[sure] / omega[sure]
        factor[np.abs(factor - 1) <= off] = 1.0
        if (factor < 1).any() or (np.diff(factor) < -off[1:] - off[:-1]).any():
            continue
        shows = 1 - np.cos(np.minimum(plain * (n - 1), 1)) > 4 * cache.near  # where a pair turns
        stopped = np.flatnonzero(still & shows & (factor.max() == 1))
        moving = int(stopped[0]) if stopped.size > 1 and still[stopped[0] :].all() else d // 2
        if moving < d // 2 or not straight:
            found.append((factor.max() > 2, root, plain, factor, moving))
    for _, root, plain, factor, moving in sorted(found, key=lambda one: (one[1] != fast, one[0])):
        slow = np.where(np.arange(d // 2) < moving, omega, 0.0)
        slow[sure] = plain[sure] / factor
        right, allowed = cache.made(slow, scale, n)
        said = f"It holds {HOLDS[functions]}, for the base {root:.6g}"
        said += f", values enlarged by {scale:.6g}" if scale != 1 else ""
        if moving < d // 2:
            said += f"; {moving} of {d // 2} pairs rotate, and the others do not"
        if factor.max() > 1:
            said += f"; each pair is slowed down by a factor of its own, {factor[0]:.4g} to "
            said += f"{factor[-1]:.4g}{', as far as the values show' * (sure.size < moving)}"
        allowed += 2 * cache.near
        name, settings = "rope-factors", ""
        if factor.max() > 1 and moving == d // 2:
            name, settings = _settings(plain, seen) or (name, settings)
        kind = RecognisedTable(name, f"{said}.{settings}", right, allowed, layout, root, scale)
        if (kind.misses(table) <= 0).all():
            return kind
    return None


Seen = tuple[NDArray[np.intp], Array, Array]  # pairs whose rates are sure, those, and their errors


def _base_of_fast_pairs(sure: NDArray[np.intp], omega: Array, off: Array, half: int) -> float:
    """The base by which the first pairs fall, or 0 if fewer than 4 do so."""
    if sure.size < 4 or omega[0] < 0.99:
        return 0.0
    logs = np.log(omega)
    for size in range(sure.size, 3, -1):
        slope = (logs[:size] * sure[:size]).sum() / (sure[:size] ** 2).sum()
        if (np.abs(logs[:size] - slope * sure[:size]) <= off[:size] + 1e-7 * sure[:size]).all():
            base = float(np.exp(-slope * half))
            return round_number(base) or float(f"{base:.6g}") if base > 2 else 0.0
    return 0.0


def _near(rates: Array, seen: Seen) -> bool:
    sure, omega, off = seen
    return bool((np.abs(rates[sure] / omega - 1) <= off + 1e-6).all())


def _settings(plain: Array, seen: Seen) -> tuple[str, str] | None:
    """The method and the settings that slow pairs down like this."""
    for (name, slow, fast), original, factor in product(METHODS, LENGTHS, FACTORS):
        for truncate in (True, False)[: 1 + (name == "yarn")]:
            rates = scale_frequencies(
                plain, factor, name, original=original, slow=slow, fast=fast, truncate=truncate
            )
            if _near(rates, seen):
                return f"rope-{name}", (
                    f" Its factor may be {factor:g}, its original length {original}, and its ramp "
                    f"from {slow:g} turn to {fast:g}."
                )
    return None


def _wrong_settings(d: int, roots: list[float], seen: Seen) -> tuple[str, str, Array] | None:
    """The mistake in scaling that gives these rates, what is said of it, and all rates."""
    for root, original, factor in product(roots, LENGTHS, FACTORS):
        plain = frequencies(d, base=root)
        said = f"The base is {root:.6g}, the factor {factor:g}, the original length {original}."
        for truncate in (True, False):
            slowed = scale_frequencies(plain, 2, "yarn", original=original, truncate=truncate)
            kept = 2 * slowed / plain - 1
            rates = kept * plain + (1 - kept) * frequencies(d, base=root * factor)
            if kept.min() < 0.5 and _near(rates, seen):
                return "rope-yarn-factor", said, rates
    return None


def wrong_ramp(table: Array, cache: Cache, base: float) -> RecognisedTable | None:
    """Recognise Llama 3's scaling with a ramp over wavelengths, turned round."""
    n, d = table.shape
    rows = np.unique(np.geomspace(1, n - 1, 12).astype(int))
    held, name = columns(table[rows], cache.layout)[0], cache.functions[0]
    scale = cache.scale or 1.0

    def fits(rates: Array) -> bool:
        angles = np.outer(rows, rates)
        off = np.abs(scale * FUNCTIONS[name](angles) - held)
        return bool((off <= cache.near + 2.0**-20 * angles).all())

    for root in dict.fromkeys((base, *ROPE_BASES)):
        plain = frequencies(d, base=root)
        if fits(plain):
            return None
        for original, factor in product(LENGTHS, FACTORS):
            turns = original * plain / (2 * np.pi)
            share = np.clip((4 / turns - 1) / 3, 0, 1)  # of wavelengths
            slowed = plain / np.where(turns > 4, 1, (1 - share) * factor + share)
            rates = np.where(turns < 1, plain / factor, slowed)
            if fits(rates):
                if fits(scale_frequencies(plain, factor, "llama3", original=original)):
                    continue
                said = f"The base is {root:.6g}, the factor {factor:g}, the original length "
                said += f"{original}."
                right, allowed = cache.made(rates, scale, n)
                wrong = finding("rope-llama3-ramp", f"{OTHERS['rope-llama3-ramp'].what} {said}")
                return RecognisedTable(
                    "rope-llama3",
                    "",
                    right,
                    allowed + 2 * cache.near,
                    cache.layout,
                    root,
                    scale,
                    (wrong,),
                )
    return None


METHODS: tuple[tuple[Method, float, float], ...] = (
    ("llama3", 1, 4),
    *(("yarn", 1, fast) for fast in (32, 4, 16, 64)),
    ("by-parts", 1, 32),
)
LENGTHS = (*ORIGINALS, 131_072)
FACTORS = (*ROPE_FACTORS, 256.0, 2048.0)


def _refine_frequencies(waves: Array, name: str, omega: Array) -> Array:
    """Refine frequencies until waves fit best; for cosines, by their squares."""
    rows = np.arange(len(waves))[:, np.newaxis]
    power = 1 if name == "sin" else 2
    for _ in range(4):
        angle = rows * omega
        slope = rows * np.cos(angle) if power == 1 else -0.5 * rows**2 * np.sinc(angle / np.pi)
        step = ((waves - FUNCTIONS[name](angle)) * slope).sum(axis=0) / (slope**2).sum(axis=0)
        omega = np.maximum(omega**power + step, 0) ** (1 / power)
    return omega


def _is_geometric(pairs: NDArray[np.intp], logs: Array, off: Array) -> bool:
    """Check whether logarithms of frequencies, each this far off, fall along a line."""
    weights = off**-2.0
    across, down = (each - np.average(each, weights=weights) for each in (pairs, logs))
    slope = (weights * across * down).sum() / (weights * across**2).sum()
    return bool((np.abs(down - slope * across) <= off).all())


def _frequencies_were_rounded(omega: Array, off: Array) -> bool:
    """Check whether frequencies were rounded to bfloat16 or float16, as those known best show."""
    for kind, step in ((to_bfloat16, 2.0**-8), (np.float16, 2.0**-11)):
        known = off < step / 8
        rounded = np.asarray(kind(omega[known].astype(np.float32)), np.float64)
        if known.sum() >= 4 and (np.abs(omega[known] / rounded - 1) <= off[known] + 1e-7).all():
            return True
    return False


def _turns_per_row(waves: Array, near: float, slack: float) -> tuple[Array, Array]:
    """The turn of each wave from row to row, and its error: (d / 2,) each.

    The rows so many steps before and after a row add up to it times 2 cos(steps * turn). Values may
    be off by `near`, and by `slack` times the turn.
    """
    turn, error, steps = np.zeros(waves.shape[1]), np.full(waves.shape[1], np.inf), 1
    while 2 * steps < len(waves):
        middle = waves[steps:-steps]
        squares = (middle**2).sum(axis=0) + 1e-300
        both = (middle * (waves[2 * steps :] + waves[: -2 * steps])).sum(axis=0)
        angle = np.arccos(np.clip(both / (2 * squares), -1, 1))
        off_by = near + slack * (turn if steps > 1 else angle)
        blur = off_by / np.sqrt(squares / len(middle))  # of the cosine
        blur = blur / np.maximum(np.sin(angle), np.sqrt(blur)) / steps
        if steps > 1:
            off = [wrap_angle(side * angle - steps * turn) for side in (1, -1)]  # (d / 2,) each
            apart = np.abs(off[0]) - np.abs(off[1])
            angle = steps * turn + np.where(apart <= 0, *off)
            blur[np.abs(apart) <= 4 * steps * error] = np.inf
        better = blur < error
        turn, error = np.where(better, angle / steps, turn), np.where(better, blur, error)
        steps *= 2
    return turn, error
