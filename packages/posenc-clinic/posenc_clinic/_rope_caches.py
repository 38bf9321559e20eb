"""Caches for rotations whose frequencies were scaled by parts: YaRN, Llama 3 and their like."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from posenc._arguments import Layout
from posenc._layout import columns, to_layout
from posenc._scaling import Method, attention_temperature, scale_frequencies
from posenc._table import frequencies
from posenc_clinic._closed_forms import ROPE_BASES, ROPE_FACTORS
from posenc_clinic._report import MAX_OUTLIER_SHARE, RecognisedTable
from posenc_clinic._sample import rounding_error
from posenc_clinic._table_model import Array

ORIGINALS = (2048, 4096, 8192, 16_384, 32_768, 65_536)
RAMPS: tuple[tuple[Method, bool], ...] = (
    ("llama3", True),
    ("yarn", True),
    ("yarn", False),
    ("by-parts", True),
)
FUNCTIONS = {"cos": np.cos, "sin": np.sin}
HOLDS = {
    ("cos", "cos"): "cosines, each twice",
    ("sin", "sin"): "sines, each twice",
    ("cos", "sin"): "cosines and sines, cosines first",
    ("sin", "cos"): "sines and cosines, sines first",
}


@dataclass(frozen=True)
class Scaling:
    """One of the common ways to scale a ladder."""

    method: Method
    whole: bool  # whether the ramp begins and ends at whole pairs
    base: float
    factor: float
    original: int
    scale: float  # of cosines and sines

    @property
    def said(self) -> str:
        """The way in words."""
        said = f"the base {self.base:.6g}, the factor {self.factor:g}, an original "
        said += f"length of {self.original}"
        return said + " and a ramp that may begin between pairs" * (not self.whole)


@lru_cache(maxsize=4)
def common_scalings(h: int) -> tuple[list[Scaling], Array]:
    """The common ways to scale h pairs by parts, and the frequencies they give: (w, h)."""
    ways, rungs = [], []
    for base, original, (method, whole) in product(ROPE_BASES, ORIGINALS, RAMPS):
        plain = frequencies(2 * h, base=base)
        halved = scale_frequencies(plain, 2, method, original=original, truncate=whole)
        kept = 2 * halved / plain - 1  # (h,), the share of each pair that is not slowed down
        if kept.min() > 0.99 or kept.max() < 0.01:
            continue
        slowed = plain * (kept + (1 - kept) / np.array(ROPE_FACTORS)[:, np.newaxis])  # (factors, h)
        for factor, omega in zip(ROPE_FACTORS, slowed, strict=True):
            scales = {1.0, attention_temperature(factor)} if method == "yarn" else {1.0}
            for scale in sorted(scales):
                ways.append(Scaling(method, whole, base, factor, original, scale))
                rungs.append(omega)
    return ways, np.array(rungs)


class Cache(NamedTuple):
    """What a table may hold, if it is a cache."""

    layout: Layout
    functions: tuple[str, str]
    scale: float | None  # None where only sines are held
    digits: float  # how exact values are

    @property
    def near(self) -> float:
        """How far values may lie apart that should be one."""
        return _tolerance(self.digits)

    def made(self, omega: Array, scale: float, n: int) -> tuple[Array, Array]:
        """The n rows that frequencies make, and how far they may be off: (n, d) each."""
        angles = np.outer(np.arange(n), omega)  # (n, d / 2)
        waves = np.concatenate([scale * FUNCTIONS[name](angles) for name in self.functions], axis=1)
        error = np.tile(_angle_tolerance(angles, self.digits), 2)
        return to_layout(waves, "halves", self.layout), to_layout(error, "halves", self.layout)


def scaled_cache(table: Array, cache: Cache, base: float) -> RecognisedTable | None:
    """Recognise a cache whose frequencies were scaled by parts, with this base if it may be."""
    n, d = table.shape
    layout, functions, scale, digits = cache
    rows = np.unique(np.geomspace(1, n - 1, 10).astype(int))
    more = np.unique(np.linspace(1, n - 1, 64).astype(int))
    some = slice(None, None, d // 128 + 1)  # of the pairs, which is enough to choose by
    held, by_more = (  # (2, rows, at most 64)
        np.stack(columns(table[those], layout))[..., some] for those in (rows, more)
    )
    plain = np.array([frequencies(d, base=base) for base in ROPE_BASES])[:, some]
    size = scale or 1.0
    unscaled = _excess(held, functions, rows, plain, digits, size, few=2 * MAX_OUTLIER_SHARE)
    if (_excess(held, functions, rows, plain, digits, size, few=0.0) <= 0).any():
        return None
    ways, omega = common_scalings(d // 2)
    scales = np.array([way.scale for way in ways])
    if scale is not None:
        usual = np.abs(scales - scale) <= 1.5 * digits + 1e-6
        if not usual.any():  # a temperature of one's own, which only YaRN has
            usual = np.array([way.method == "yarn" and way.scale == 1 for way in ways])
            scales[usual] = scale
        scales[~usual] = np.nan

    def off(likely: NDArray[np.intp], down: Any, few: float) -> Array:
        by = scales[likely, np.newaxis, np.newaxis]
        return _excess(
            held[:, down], functions, rows[down], omega[likely][:, some], digits, by, few
        )

    likely = np.flatnonzero(np.isfinite(scales))  # (w,)
    misses = np.empty(0)
    # Most are far off in the last row.
    for down, few in (([-1], 0.5), (slice(None), 2 * MAX_OUTLIER_SHARE)):
        misses = off(likely, down, few)
        likely, misses = likely[misses <= 0], misses[misses <= 0]
        if not likely.size:
            return None
    own = np.array([ways[way].base == base for way in likely])
    if own.any():
        likely, misses = likely[own], misses[own]
    best = int(likely[misses.argmin()])
    nearest = likely[np.argsort(misses, kind="stable")[:32]]
    sizes = scales[nearest, np.newaxis, np.newaxis]
    whole = _excess(by_more, functions, more, omega[nearest][:, some], digits, sizes, few=0.0)
    if whole.min() <= 0:  # without any stray
        best = int(nearest[whole.argmin()])
    if (unscaled <= 0).any():  # but for a few entries, which scaling has to explain
        one, by = omega[best : best + 1, some], float(scales[best])
        if _excess(held, functions, rows, one, digits, by, few=0.0)[0] > 0:
            return None
    right, allowed = cache.made(omega[best], float(scales[best]), n)
    said = f"It holds {HOLDS[functions]}, for {ways[best].said}"
    said += f", values enlarged by {scales[best]:.6g}." if scales[best] != 1 else "."
    if likely.size > 1:
        said += " At this length and these digits, other settings fit as well."
    kind = RecognisedTable(
        recipe=f"rope-{ways[best].method}",
        detail=said,
        values=right,
        allowed=allowed,
        layout=layout,
        base=ways[best].base,
        scale=float(scales[best]),
    )
    return kind if kind.gives(table) else None


def _tolerance(digits: float) -> float:
    return 4 * digits + 1e-6


def as_cache(table: Array) -> Cache | None:
    """Describe a table as a RoPE cache, if it may be one."""
    n, d = table.shape
    if n < 8 or d < 16 or d % 2:
        return None
    digits = rounding_error(table[: 2 * n : n // 200 + 1])
    near = _tolerance(digits)
    layouts: tuple[Layout, ...] = ("halves", "interleaved")
    for layout in layouts:
        parts = columns(table, layout)
        kinds, scale = [], None
        for part in parts:
            first = float(np.median(part[0]))
            if (np.abs(part[0] - first) < near).mean() < 1 - 5 * MAX_OUTLIER_SHARE:
                break
            kinds.append("sin" if abs(first) < near else "cos")
            scale = first if abs(first) >= near else scale
        if len(kinds) < 2:
            continue
        same = (np.abs(parts[0] - parts[1]) < near).mean() > 1 - MAX_OUTLIER_SHARE
        if same == (kinds[0] == kinds[1]) and (scale is None or 0.5 < scale < 4):
            return Cache(layout, (kinds[0], kinds[1]), scale, digits)
    return None


def _excess(
    held: Array,
    functions: tuple[str, str],
    rows: Array,
    omega: Array,
    digits: float,
    scales: Array | float,
    few: float,
) -> Array:
    """The distance of a cache from ladders beyond the tolerance, without a few outliers."""
    angles = rows[:, np.newaxis] * omega[:, np.newaxis]  # (w, rows, h)
    allowed, worst = _angle_tolerance(angles, digits), np.full(len(omega), -np.inf)
    for name in dict.fromkeys(functions):
        off = np.abs(scales * FUNCTIONS[name](angles) - held[functions.index(name)]) - allowed
        off = off.reshape(len(omega), -1)
        rank = off.shape[1] - 1 - int(off.shape[1] * few)
        worst = np.maximum(worst, np.partition(off, rank, axis=1)[:, rank])
    return worst


def _angle_tolerance(angles: Array, digits: float) -> Array:
    slack = 2.0**-20 if digits > 2.0**-40 else 2.0**-48
    allowed: Array = 1.5 * digits + np.minimum(slack * np.abs(angles), 1e-3)
    return allowed
