"""Caches for rotations whose pairs are slowed down by a method or a factor each, or stand still."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from posenc._arguments import Layout
from posenc._layout import columns, to_layout
from posenc._scaling import Method, attention_temperature, scale_frequencies
from posenc._table import frequencies
from posenc_clinic.families.recognised import MAX_OUTLIER_SHARE, RecognisedTable
from posenc_clinic.families.waves import fit_waves, refined, round_number
from posenc_clinic.fitting.closed_forms import ROPE_BASES, ROPE_FACTORS
from posenc_clinic.fitting.preparation import Table
from posenc_clinic.fitting.sample import rounding_error, to_bfloat16
from posenc_clinic.fitting.table_model import Array
from posenc_clinic.mistakes.finding import seen_as

LENGTHS = (2048, 4096, 8192, 16_384, 32_768, 65_536, 131_072)
FACTORS = np.array([*ROPE_FACTORS, 256.0, 2048.0])
MAX_FACTOR_ERROR = 0.01  # how exact a factor must be, as a share of it
TOUCHED = 0.01  # share of a frequency by which a scaling must change, and leave, some pair
SCALES = 0.5, 4.0  # of values: the temperatures of YaRN lie between
FEW = 2 * MAX_OUTLIER_SHARE  # share of entries that may be off while scalings are compared
NEAREST = 32  # scalings that are compared at more rows, where many fit a few
FUNCTIONS = {"cos": np.cos, "sin": np.sin}
HOLDS = {
    ("cos", "cos"): "cosines, each twice",
    ("sin", "sin"): "sines, each twice",
    ("cos", "sin"): "cosines and sines, cosines first",
    ("sin", "cos"): "sines and cosines, sines first",
}


def _slowed(kept: Array, factor: Array) -> Array:
    """The share of its frequency that a pair has, of which a share is not slowed down."""
    share: Array = kept + (1 - kept) / factor
    return share


def _by_base(kept: Array, factor: Array) -> Array:
    share: Array = kept + (1 - kept) * factor ** -(np.arange(kept.size) / kept.size)
    return share


def _by_wavelength(kept: Array, factor: Array) -> Array:
    share = (4 / (1 + 3 * kept) - 1) / 3
    slowed = np.where(kept > 0, (1 - share) * factor + share, factor)
    return np.where(kept < 1, 1 / slowed, 1.0)


class Way(NamedTuple):
    """A way to scale frequencies by parts."""

    method: Method
    fast: float  # turns from which a pair is not slowed down
    whole: bool = True  # whether the ramp begins and ends at whole pairs
    mistake: str = ""
    share: Callable[[Array, Array], Array] = _slowed


WAYS = (  # from plain to far-fetched
    Way("llama3", 4),
    *(Way("yarn", 32, whole) for whole in (True, False)),
    Way("by-parts", 32),
    *(Way("yarn", fast, whole) for fast in (4, 16, 64) for whole in (True, False)),
    *(Way("yarn", 32, whole, "rope-yarn-factor", _by_base) for whole in (True, False)),
    Way("llama3", 4, True, "rope-llama3-ramp", _by_wavelength),
)
USUAL = 4  # ways that are more likely than the others


class Scaling(NamedTuple):
    """One of the ways to scale a ladder, with its numbers."""

    way: Way
    rank: int  # the plainest first
    base: float
    factor: float
    original: int
    scale: float  # of cosines and sines

    @property
    def said(self) -> str:
        """The way in words."""
        said = f"the base {self.base:.6g}, the factor {self.factor:g}, an original length of "
        said += f"{self.original}"
        said += f" and a ramp up to {self.way.fast:g} turns" * (self.rank > 0)
        return said + " and a ramp that may begin between pairs" * (not self.way.whole)

    def omega(self, h: int) -> Array:
        """The frequencies of h pairs."""
        kept = _kept(self.way, frequencies(2 * h, base=self.base), self.original)
        return frequencies(2 * h, base=self.base) * self.way.share(kept, np.array(self.factor))


def _kept(way: Way, plain: Array, original: int) -> Array:
    """The share of each pair that is not slowed down: (h,)."""
    halved = scale_frequencies(
        plain, 2, way.method, original=original, slow=1, fast=way.fast, truncate=way.whole
    )
    kept: Array = 2 * halved / plain - 1
    return kept


@lru_cache(maxsize=4)
def _scalings(h: int, by: int, bases: tuple[float, ...]) -> tuple[list[Scaling], Array]:
    """The ways to scale h pairs, and the frequencies they give to each `by`-th pair: (w, some)."""
    found, rungs = [], []
    for base, original, (at, way) in product(bases, LENGTHS, enumerate(WAYS)):
        plain = frequencies(2 * h, base=base)
        kept = _kept(way, plain, original)
        if kept.min() > 1 - TOUCHED or kept.max() < TOUCHED:
            continue
        omega = (plain * way.share(kept, FACTORS[:, np.newaxis]))[:, ::by]  # (factors, some)
        for factor, rates in zip(FACTORS, omega, strict=True):
            usual = at < USUAL and factor in ROPE_FACTORS and original < LENGTHS[-1]
            rank = 0 if usual else 1 if not way.mistake else 2
            scales = {1.0, attention_temperature(factor)} if way.method == "yarn" else {1.0}
            for scale in sorted(scales):
                found.append(Scaling(way, rank, base, float(factor), original, scale))
                rungs.append(rates)
    return found, np.array(rungs)


class Cache(NamedTuple):
    """What a table may hold, if it is a cache."""

    layout: Layout
    functions: tuple[str, str]
    scale: float | None  # None where only sines are held
    digits: float  # how exact values are

    @property
    def near(self) -> float:
        """How far values may lie apart that should be one."""
        return 4 * self.digits + 1e-6

    def tolerance(self, angles: Array) -> Array:
        """How far values may be off that have these angles."""
        slack = 2.0**-20 if self.digits > 2.0**-40 else 2.0**-48
        allowed: Array = 1.5 * self.digits + np.minimum(slack * np.abs(angles), 1e-3)
        return allowed

    def made(self, omega: Array, scale: float, n: int) -> tuple[Array, Array]:
        """The n rows that frequencies make, and how far they may be off: (n, d) each."""
        angles = np.outer(np.arange(n), omega)  # (n, d / 2)
        waves = np.concatenate([scale * FUNCTIONS[name](angles) for name in self.functions], axis=1)
        error = np.tile(self.tolerance(angles), 2)
        return to_layout(waves, "halves", self.layout), to_layout(error, "halves", self.layout)

    def excess(
        self, held: Array, rows: NDArray[Any], omega: Array, scales: Array | float, few: float
    ) -> Array:
        """The distance from ladders beyond the tolerance, without a few outliers: (w,)."""
        angles = rows[:, np.newaxis] * omega[:, np.newaxis]  # (w, rows, h)
        allowed, worst = self.tolerance(angles), np.full(len(omega), -np.inf)
        for name in dict.fromkeys(self.functions):
            waves = scales * FUNCTIONS[name](angles)
            off = np.abs(waves - held[self.functions.index(name)]) - allowed
            off = off.reshape(len(omega), -1)
            rank = off.shape[1] - 1 - int(off.shape[1] * few)
            worst = np.maximum(worst, np.partition(off, rank, axis=1)[:, rank])
        return worst


def as_cache(table: Array) -> Cache | None:
    """Describe a table as a RoPE cache, if it may be one."""
    n, d = table.shape
    if n < 8 or d < 16 or d % 2:
        return None
    digits = rounding_error(table[: 2 * n : n // 200 + 1])
    near = 4 * digits + 1e-6
    layouts: tuple[Layout, ...] = ("halves", "interleaved")
    for layout in layouts:
        parts = columns(table, layout)
        firsts = [float(np.median(part[0])) for part in parts]
        if any(
            (np.abs(part[0] - first) < near).mean() < 1 - 5 * MAX_OUTLIER_SHARE
            for part, first in zip(parts, firsts, strict=True)
        ):
            continue
        one, other = ("sin" if abs(first) < near else "cos" for first in firsts)
        scale = next((first for first in firsts[::-1] if abs(first) >= near), None)
        same = (np.abs(parts[0] - parts[1]) < near).mean() > 1 - MAX_OUTLIER_SHARE
        if same == (one == other) and (scale is None or SCALES[0] < scale < SCALES[1]):
            return Cache(layout, (one, other), scale, digits)
    return None


def scaled_cache(seen: Table) -> RecognisedTable | None:
    """Recognise a cache for rotations whose pairs are slowed down, or stand still."""
    table, base = seen.values, seen.base
    once = np.ptp(table[0]) < 1e-3 and as_cache(table) is None  # one column for each pair
    given = np.concatenate([table, table], axis=1) if once else table
    if not (cache := as_cache(given)):
        return None
    bases = tuple(dict.fromkeys((base, *ROPE_BASES)))
    kind = _by_parts(given, cache, base, bases)
    if (not kind or kind.findings) and (rates := _rates(given, cache)):
        if not kind and (fast := rates.base_of_fast_pairs) and fast not in bases:
            bases = *bases, fast
            kind = _by_parts(given, cache, base, (fast,))
        if not kind or (kind.findings and rates.still.any()):  # rather still than wrong
            kind = _by_pair(given, cache, bases, rates) or kind
    if not kind or not once:
        return kind
    half = table.shape[1]
    values, allowed = (np.asarray(each)[..., :half] for each in (kind.values, kind.allowed))
    detail = kind.detail.replace("each twice", "one for each pair")
    return replace(kind, values=values, allowed=allowed, detail=detail, layout=None)


def _by_parts(
    table: Array, cache: Cache, base: float, bases: tuple[float, ...]
) -> RecognisedTable | None:
    """Recognise a cache whose frequencies were scaled by parts, with this base if it may be."""
    n, d = table.shape
    by = d // 128 + 1  # of the pairs, which is enough to choose by
    rows = np.unique(np.geomspace(1, n - 1, 10).astype(int))
    held = np.stack(columns(table[rows], cache.layout))[..., ::by]  # (2, rows, at most 64)
    plain = np.array([frequencies(d, base=root) for root in bases])[:, ::by]
    few_off, none_off = (
        (cache.excess(held, rows, plain, cache.scale or 1.0, few) <= 0).any() for few in (FEW, 0.0)
    )
    if none_off:
        return None
    ways, omega = _scalings(d // 2, by, bases)
    scales, ranks = _scales(ways, cache), np.array([way.rank for way in ways])

    def misses(which: NDArray[np.intp], rows: NDArray[np.intp], few: float) -> Array:
        part = np.stack(columns(table[rows], cache.layout))[..., ::by]
        return cache.excess(part, rows, omega[which], scales[which, np.newaxis, np.newaxis], few)

    likely, off = np.flatnonzero(np.isfinite(scales)), np.empty(0)  # (w,) each
    for some, few in ((rows[-1:], 0.5), (rows, FEW)):  # most are far off in the last row
        off = misses(likely, some, few)
        likely, off = likely[off <= 0], off[off <= 0]
        if not likely.size:
            return None
    own = np.array([ways[way].base == base for way in likely])
    kept = own if own.any() else ranks[likely] == ranks[likely].min()
    likely, off = likely[kept], off[kept]
    nearest = likely[np.lexsort([off, ranks[likely]])[:NEAREST]]
    whole = misses(nearest, np.unique(np.linspace(1, n - 1, 64).astype(int)), 0.0)
    best = int(nearest[whole.argmin() if whole.min() <= 0 else 0])  # without any stray
    if few_off and misses(np.array([best]), rows, 0.0)[0] > 0:
        return None  # a few entries are off, which scaling does not explain
    found = ways[best]._replace(scale=float(scales[best]))
    turning = np.ptp(held, axis=1).max(axis=0) > cache.near
    slowed = omega[best] < (1 - TOUCHED) * frequencies(d, base=found.base)[::by]
    if found.way.mistake and not turning[slowed].any():
        return None  # the pairs it would slow down stand still at these digits
    return _scaled_by(found, table, cache, several=likely.size > 1)


def _scales(ways: list[Scaling], cache: Cache) -> Array:
    """The factor of values by each of the ways, or nan where the cache has another: (w,)."""
    scales = np.array([way.scale for way in ways])
    if cache.scale is None:
        return scales
    usual = np.abs(scales - cache.scale) <= 1.5 * cache.digits + 1e-6
    if not any(way.rank == 0 for way, on in zip(ways, usual, strict=True) if on):
        # A temperature of one's own, which only YaRN has.
        usual = np.array([way.way.method == "yarn" and way.scale == 1 for way in ways])
        scales[usual] = cache.scale
    scales[~usual] = np.nan
    return scales


def _scaled_by(found: Scaling, table: Array, cache: Cache, several: bool) -> RecognisedTable | None:
    """A cache as a way to scale frequencies gives it, if it does; `several` may."""
    n, d = table.shape
    right, allowed = cache.made(found.omega(d // 2), found.scale, n)
    said = f"It holds {HOLDS[cache.functions]}, for {found.said}"
    said += f", values enlarged by {found.scale:.6g}." if found.scale != 1 else "."
    said += " At this length and these digits, other settings fit as well." * several
    name = found.way.mistake
    kind = RecognisedTable(
        *(f"rope-{found.way.method}", "" if name else said, right, allowed, cache.layout),
        *(found.base, found.scale, (seen_as(name, said),) if name else ()),
    )
    exact = kind.gives(table) if found.rank == 0 else (kind.misses(table) <= 0).all()
    return kind if exact else None


class Rates(NamedTuple):
    """How fast pairs turn: those that show it, their rates and errors as shares of them."""

    sure: NDArray[np.intp]
    omega: Array  # of all pairs
    off: Array
    still: NDArray[np.bool_]
    straight: bool  # whether they fall by one ratio
    scale: float  # of the values

    @property
    def base_of_fast_pairs(self) -> float:
        """The base by which the first pairs fall, or 0 if fewer than 4 do so."""
        sure, omega = self.sure, self.omega[self.sure]
        if sure.size < 4 or omega[0] < 0.99:
            return 0.0
        logs = np.log(omega)
        for size in range(sure.size, 3, -1):
            slope = (logs[:size] * sure[:size]).sum() / (sure[:size] ** 2).sum()
            off = np.abs(logs[:size] - slope * sure[:size])
            if (off <= self.off[:size] + 1e-7 * sure[:size]).all():
                base = float(np.exp(-slope * self.omega.size))
                return round_number(base) or float(f"{base:.6g}") if base > 2 else 0.0
        return 0.0


def _rates(table: Array, cache: Cache) -> Rates | None:
    """How fast the pairs of a cache turn, if they form no ladder."""
    if np.abs(table[:8]).max() < 0.5:
        return None
    for rows, by in ((256, table.shape[1] // 128 + 1), (1024, 1)):  # few tell most ladders
        part = columns(table[:rows], cache.layout)[1][:, ::by]  # sines, if it has any
        waves, cosine = fit_waves(part, cache.digits), cache.functions[1] == "cos"
        exact = (waves.error * len(part) < 1e-3) & (waves.turn * len(part) > 0.5)
        if not exact.any():
            return None
        best = int(np.where(exact, waves.error, np.inf).argmin())
        scale = cache.scale or float(waves.size[best])
        scale = 1.0 if abs(scale - 1) <= cache.near else scale
        at, single = np.arange(0.0, len(part))[:, np.newaxis], cache.digits > 2.0**-40
        omega, error = np.where(exact, waves.turn, 0.0), waves.error
        for some in (len(part) // 16, len(part) // 4, len(part)):  # so that turns are counted
            omega, error, _ = refined(part[:some] / scale, at[:some], omega, cosine, 1)
        off_by = np.abs(part / scale - FUNCTIONS[cache.functions[1]](at * omega))
        if (off_by > cache.near + 2.0**-20 * at * omega).mean() > MAX_OUTLIER_SHARE:
            return None
        error = 2 * error * cache.digits / omega + (2.0**-22 if single else 1e-12)
        still = np.ptp(part, axis=0) == 0
        sure = np.flatnonzero((error < MAX_FACTOR_ERROR) & ~still)
        off = error[sure]
        straight = sure.size < 4 or _is_geometric(sure, np.log(omega[sure]), off)
        if straight and (sure.size < 4 or not still.any()):
            return None
    if not straight and _were_rounded(omega[sure], off):
        return None
    return Rates(sure, omega, off, still, straight, scale)


def _by_pair(
    table: Array, cache: Cache, bases: tuple[float, ...], rates: Rates
) -> RecognisedTable | None:
    """Recognise a cache by a known base, none of whose pairs turns faster than it should."""
    (n, d), fast = table.shape, rates.base_of_fast_pairs
    sure, omega, off, still, straight, scale = rates
    found = []
    for root in bases:
        plain = frequencies(d, base=root)
        factor = plain[sure] / omega[sure]
        factor[np.abs(factor - 1) <= off] = 1.0
        if (factor < 1).any() or (np.diff(factor) < -off[1:] - off[:-1]).any():
            continue
        turned = FUNCTIONS[cache.functions[1]](np.minimum(plain * (n - 1), 1))
        shows = np.abs(turned - (cache.functions[1] == "cos")) > 4 * cache.near  # that a pair turns
        stopped = np.flatnonzero(still & shows & (factor.max() == 1))
        moving = int(stopped[0]) if stopped.size > 1 and still[stopped[0] :].all() else d // 2
        if moving < d // 2 or not straight:
            found.append((factor.max() > 2, root, plain, factor, moving))
    for _, root, plain, factor, moving in sorted(found, key=lambda one: (one[1] != fast, one[0])):
        slow = np.where(np.arange(d // 2) < moving, omega, 0.0)
        slow[sure] = plain[sure] / factor
        right, allowed = cache.made(slow, scale, n)
        said = f"It holds {HOLDS[cache.functions]}, for the base {root:.6g}"
        said += f", values enlarged by {scale:.6g}" if scale != 1 else ""
        if moving < d // 2:
            said += f"; {moving} of {d // 2} pairs rotate, and the others do not"
        if factor.max() > 1:
            said += f"; each pair is slowed down by a factor of its own, {factor[0]:.4g} to "
            said += f"{factor[-1]:.4g}{', as far as the values show' * (sure.size < moving)}"
        allowed += 2 * cache.near
        kind = RecognisedTable(
            *("rope-factors", f"{said}.", right, allowed, cache.layout, root, scale),
            explained=bool(factor.max() == 1),  # no formula tells which factors are right
        )
        if (kind.misses(table) <= 0).all():
            return kind
    return None


def _is_geometric(pairs: NDArray[np.intp], logs: Array, off: Array) -> bool:
    """Check whether logarithms of frequencies, each this far off, fall along a line."""
    weights = off**-2.0
    across, down = (each - np.average(each, weights=weights) for each in (pairs, logs))
    slope = (weights * across * down).sum() / (weights * across**2).sum()
    return bool((np.abs(down - slope * across) <= off).all())


def _were_rounded(omega: Array, off: Array) -> bool:
    """Check whether frequencies were rounded to bfloat16 or float16, as those known best show."""
    for kind, step in ((to_bfloat16, 2.0**-8), (np.float16, 2.0**-11)):
        known = off < step / 8
        rounded = np.asarray(kind(omega[known].astype(np.float32)), np.float64)
        if known.sum() >= 4 and (np.abs(omega[known] / rounded - 1) <= off[known] + 1e-7).all():
            return True
    return False
