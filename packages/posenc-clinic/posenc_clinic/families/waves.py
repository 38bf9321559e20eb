"""Fit a wave to each column of a table, and ladders to the rates at which those turn."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from posenc_clinic.fitting.table_model import Array, wrap_angle

MAX_ROWS = 128  # rows by which rates are estimated
STRAY_COLUMNS = 0.05  # share of columns that may be of another size
SLACK = 2.0**-20  # by which a value may be off for each radian of its angle
SURE = 0.02  # error of a turn, as a share of it, up to which it shows a ladder
EXACT = 1e-3  # error of the angle at the last row, in radians, up to which a phase is trusted
LEAST_ARC = 0.5  # radians in all: a shorter arc has no phase of its own
SAME_SIZE = 0.01  # by which sizes may differ that should be one, as a share of them
PHASE_ERROR = 0.05  # quarter turns by which a phase may be off
OFF_LADDER = 0.05  # by which a rate may be off its ladder; values decide in the end
OFF_STEPS = 1e-4  # the same where rates go up by one step, in radians a place
BEND = 0.01  # by which the fall from rate to rate may change within a run, as a share of it
BLURRED = 20  # times the error of both rates, by which it may change besides
MEANT = 0.99  # share of the values that have to be those of the ladders
Function = Literal["cos", "sin"]


@dataclass(frozen=True)
class Waves:
    """The waves `size * cos(turn * row + phase)` nearest to columns: (d,) each."""

    turn: Array  # radians a row, 0 to pi
    phase: Array
    size: Array
    error: Array  # of the turn
    miss: Array  # the typical distance of a value from its wave


def fit_waves(values: Array, near: float) -> Waves:
    """Fit a wave to each column of values that are known to within `near`: (n, d)."""
    n, rows = len(values), min(len(values), 12)
    both, middle = values[2:rows] + values[: rows - 2], values[1 : rows - 1]
    ratio = (both * middle).sum(axis=0) / (2 * (middle**2).sum(axis=0) + 1e-300)
    turn = np.arccos(np.clip(ratio, -1, 1))
    while True:
        k, x = np.arange(rows)[:, np.newaxis], values[:rows]
        for _ in range(4 if rows > 3 else 1):
            cosine, sine = np.cos(k * turn), np.sin(k * turn)
            b, c = _least_squares(x, cosine, sine)
            if rows > 3:
                off = x - b * cosine - c * sine
                _, _, step = _least_squares(off, cosine, sine, k * (c * cosine - b * sine))
                turn = np.abs(turn + np.clip(step, -0.5 / rows, 0.5 / rows))
        if rows == n:
            break
        rows = min(n, 2 * rows)
    size = np.hypot(b, c)
    off = np.abs(b * np.cos(k * turn) + c * np.sin(k * turn) - values)
    error = 4 * near / (size * rows**1.5 + 1e-300)
    return Waves(turn, np.arctan2(-c, b), size, error, np.median(off, axis=0))


def _least_squares(goal: Array, *terms: Array) -> Array:
    """The factors by which terms, (n, d) each, add up to a goal best: (terms, d)."""
    basis = np.stack(terms, axis=2)
    gram = np.einsum("kdi,kdj->dij", basis, basis)
    least = 1e-12 * np.trace(gram, axis1=1, axis2=2) + 1e-200
    gram += least[:, np.newaxis, np.newaxis] * np.eye(len(terms))
    sums = np.einsum("kdi,kd->di", basis, goal)[..., np.newaxis]
    factors: Array = np.linalg.solve(gram, sums)[..., 0].T
    return factors


@dataclass(frozen=True)
class Run:
    """Columns of one function in a row, whose rates go up or down by one ratio."""

    function: Function
    columns: NDArray[np.intp]
    first: float  # radians a place
    ratio: float  # or the step, where rates go up by one
    count: int  # of rates; each may stand twice


@dataclass(frozen=True)
class Places:
    """What encodes the places along an axis: runs of waves, and where places are counted from."""

    values: Array  # (places, d)
    runs: tuple[Run, ...]
    start: float  # in steps
    sign: int  # -1 where places are counted down
    scale: float
    rates: Array  # radians a place, of each column: (d,)
    cosine: NDArray[np.bool_]  # which columns hold cosines: (d,)
    even: bool = False  # whether rates go up by one step, and not by one ratio

    @property
    def known(self) -> list[Run]:
        """The runs that do not stand still."""
        return [run for run in self.runs if run.count]

    @property
    def holds(self) -> str:
        """What columns hold."""
        kinds = {run.function for run in self.known}
        return "sines and cosines" if len(kinds) > 1 else "cosines" if "cos" in kinds else "sines"


def places_of(values: Array, near: float, even: bool = False) -> Places | None:
    """Explain columns by waves on ladders, counted from one place: (places, d).

    Values may be off by `near`. If `even`, rates go up by one step.
    """
    n, d = values.shape
    if n < 4:
        return None
    few = values[:MAX_ROWS]
    waves = fit_waves(few, near + SLACK)
    still = np.ptp(values, axis=0) <= 2 * near
    fastest = 0.97 if even else 1 - 1e-6  # beyond it, waves seem slower than they are
    sure = ~still & (waves.error < SURE * waves.turn) & (waves.turn < np.pi * fastest)
    exact = sure & (waves.error * len(few) < EXACT) & (waves.turn * len(few) > LEAST_ARC)
    scale = float(np.median(waves.size[exact]) if exact.any() else np.abs(values).max())
    strays = np.abs(waves.size[exact] - scale) > SAME_SIZE * scale
    if not scale or strays.sum() > STRAY_COLUMNS * exact.sum():
        return None
    scale = 1.0 if abs(scale - 1) < (1e-4 if exact.any() else SAME_SIZE) else scale
    position = np.arange(float(n))[:, np.newaxis]
    for start in _starts(waves, exact, n):
        if not (phases := _phases(waves, exact, start, even)):
            continue
        cosine, sign, flip = phases
        guess = np.where(exact, waves.turn, 0)
        at = position[:MAX_ROWS] + start
        fits = [refined(few * flip / scale, at, guess, kind, sign) for kind in (True, False)]
        cosine = np.where(exact, cosine, fits[0][2] <= fits[1][2])
        if even:
            last = np.maximum.accumulate(np.where(exact, np.arange(d), 0))
            cosine = cosine[last]
        turn, error, _ = (np.where(cosine, one, other) for one, other in zip(*fits, strict=True))
        error = error * (near + SLACK) / scale
        shows = ~still & (error < SURE * turn) & (exact | ~np.array(even))
        seen = np.where(shows, turn, 0.0), np.where(shows, error, np.inf)
        found = _runs(cosine, *seen, even)
        if found is None or not any(run.count for run, _ in found):
            continue
        rates = np.zeros(d)
        for run, rank in found:
            ladder = run.first + run.ratio * rank if even else run.first * run.ratio**rank
            rates[run.columns] = ladder
        if 2 * cosine.sum() == d:  # sines show slow rates better than cosines do
            rates[cosine] = rates[~cosine]
        angles = (position + start) * rates
        right = scale * flip * np.where(cosine, np.cos(angles), sign * np.sin(angles))
        near_by = 2 * near + SLACK * np.abs(angles) + 1e-5
        if (np.abs(values - right) <= near_by).mean() >= MEANT:
            runs = tuple(run for run, _ in found)
            return Places(right, runs, start, sign, scale, rates, cosine, even)
    return None


def _phases(
    waves: Waves, exact: NDArray[np.bool_], start: float, even: bool
) -> tuple[NDArray[np.bool_], int, Array] | None:
    """Which waves are cosines of places counted from a start, the sign of sines, and of columns.

    None if the phase of an exact one is neither a cosine's nor a sine's, or sines differ in sign.
    """
    rest = wrap_angle(waves.phase - waves.turn * start) / (np.pi / 2)
    kind, flip = np.rint(rest), np.ones(rest.size)
    if even:  # eigenvectors have either sign
        flip = np.where(exact & np.isin(kind, (1, 2, -2)), -1.0, flip)
        kind = np.where(kind == 1, -1, np.where(np.abs(kind) == 2, 0, kind))
        rest = np.where(flip < 0, wrap_angle(rest * np.pi / 2 + np.pi) / (np.pi / 2), rest)
    cosine = kind % 2 == 0
    signs = {*kind[exact & ~cosine]}
    off = np.abs(rest - kind)[exact] > PHASE_ERROR
    if off.any() or len(signs) > 1 or (kind[exact & cosine] != 0).any():
        return None
    return cosine, -1 if signs == {1.0} else 1, flip


def refined(
    values: Array, position: Array, turn: Array, cosine: bool, sign: int
) -> tuple[Array, Array, Array]:
    """Refine rates, or estimate those that are 0; what an error of values adds; and the misfit."""
    if cosine:
        rough = (2 * (1 - values) * position**2).sum(axis=0) / ((position**4).sum() + 1e-300)
        rough = np.sqrt(np.maximum(rough, 0))
    else:
        rough = np.abs((values * position).sum(axis=0)) / ((position**2).sum() + 1e-300)
    turn = np.where(turn > 0, turn, rough)
    for _ in range(8):
        angle = position * turn
        wave, slope = np.cos(angle), -position * np.sin(angle)
        if not cosine:
            wave, slope = sign * np.sin(angle), sign * position * np.cos(angle)
        off, size = values - wave, (slope**2).sum(axis=0) + 1e-300
        step = (off * slope).sum(axis=0) / size
        turn = np.abs(turn + np.clip(step, -0.2 * turn, 0.2 * turn))
    return turn, 4 / np.sqrt(size), (off**2).sum(axis=0)


def _starts(waves: Waves, sure: NDArray[np.bool_], n: int) -> list[float]:
    """Likely first places: 0, 1, a half, those around a centre, and the one that phases show."""
    starts = [0.0, 1.0, 0.5, -(n - 1) / 2, -n / 2]
    # The slowest wave that is sure, or else the fastest of all.
    tells = np.argmin(np.where(sure, waves.turn, np.inf)) if sure.any() else np.argmax(waves.turn)
    for quarter in (0, 1, -1):
        begun = wrap_angle(waves.phase[tells] + quarter * np.pi / 2)
        start = float(begun / (waves.turn[tells] + 1e-300))
        starts += [round(2 * start) / 2, start] if abs(start) < 1e6 else []
    return [*dict.fromkeys(starts)]


def _runs(
    cosine: NDArray[np.bool_], turn: Array, error: Array, even: bool
) -> list[tuple[Run, NDArray[np.intp]]] | None:
    """Cut columns into runs of one function on one ladder, with the rung of each column.

    If `even`, each function is one run, whose rates go up by one step.
    """
    found = []
    functions: tuple[Function, Function] = ("cos", "sin")
    for function, of in zip(functions, (cosine, ~cosine), strict=True):
        columns = np.flatnonzero(of)
        seen, off = turn[columns], error[columns]
        twice = not even and columns.size % 2 == 0
        twice = twice and _same(seen[::2], seen[1::2], off[::2] + off[1::2])
        cuts = [0] if even else _cuts(seen, off, twice)
        for begin, end in zip(cuts, [*cuts[1:], columns.size], strict=True):
            rank = np.arange(end - begin) // (2 if twice else 1)
            part, blur = seen[begin:end], off[begin:end]
            on, count = part > 0, int(rank[-1]) + 1 if rank.size else 0
            first, ratio = (float(part[on][0]), 1.0) if on.any() else (0.0, 1.0)
            if even and count and on.sum() < 3:
                return None
            if np.unique(rank[on]).size > 1:
                goal = part[on] if even else np.log(part[on])
                weight = None if even else part[on] / np.maximum(blur[on], 1e-12 * part[on])
                slope, begun = np.polyfit(rank[on], goal, 1, w=weight)
                if (
                    np.abs(goal - begun - rank[on] * slope) > (OFF_STEPS if even else OFF_LADDER)
                ).any():
                    return None
                ratio, first = (float(x if even else np.exp(x)) for x in (slope, begun))
            if end > begin:
                run = Run(function, columns[begin:end], first, ratio, count * bool(on.any()))
                found.append((run, rank))
    return found


def _cuts(seen: Array, off: Array, twice: bool) -> list[int]:
    """Where runs begin: after columns that stand still, and where rates take another way."""
    known = np.flatnonzero(seen > 0)
    if not known.size:
        return [0]
    cuts, slope = [0], np.nan
    logs, blur = np.log(seen[known]), off[known] / seen[known] + 1e-6
    apart = known // (2 if twice else 1)
    for at in range(1, known.size):
        if apart[at] == apart[at - 1]:
            continue
        gap, either = apart[at] - apart[at - 1], blur[at] + blur[at - 1]
        new = (logs[at] - logs[at - 1]) / gap
        if (
            np.abs(new) * gap <= 2 * either
            or np.abs(new - slope) > BEND * np.abs(slope) + BLURRED * either
        ):
            cuts.append(int(known[at]))
            new = np.nan
        slope = new if np.isnan(slope) or np.isnan(new) else slope
    if known[0] and not (slope > 0):  # a ladder that falls does not begin with what stands still
        cuts.insert(1, int(known[0]))
    return cuts


def _same(one: Array, other: Array, error: Array) -> bool:
    known = np.isfinite(error)
    return bool((np.abs(one - other)[known] <= 4 * error[known] + 1e-9).all())


def round_base(runs: list[Run], pairs: float = 0) -> float | None:
    """The roundest base that runs of one ratio may have, if they have one and it is round.

    Exponents count the pairs of a run, unless it is said how many `pairs` they count.
    """
    longest = max(runs, key=lambda run: run.count)
    if longest.count < 2 or any(
        run.count > 1 and abs(np.log(run.ratio / longest.ratio)) > 1e-3 for run in runs
    ):
        return None
    fall = -float(np.log(longest.ratio))
    counts = [pairs] if pairs else [longest.count, longest.count - 1]
    likely = [round_number(float(np.exp(min(fall * count, 99)))) for count in counts]
    rounded = [base for base in likely if base and 2 < base < 1e12]
    return min(rounded, key=lambda base: len(f"{base:g}".strip("0")), default=None)


def round_number(about: float) -> float | None:
    """The number of at most 3 digits that is as good as this one, if there is one."""
    likely = (float(f"{about:.{digits}g}") for digits in (1, 2, 3))
    return next((each for each in likely if abs(about / each - 1) < 1e-4), None)
