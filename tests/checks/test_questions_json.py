"""Each right answer, and each wrong one that gets a reply, is computed here by posenc."""

import json
import math
import re
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import posenc
import posenc_checks as checks

ROOT = Path(__file__).parents[2]
QUESTIONS = json.loads(
    (ROOT / "packages/posenc-checks/posenc_checks/questions.json").read_text("utf-8")
)
SENTENCE = "the black cat sat on the couch and the brown dog slept on the rug"
TEXT = SENTENCE.split()
RNG = np.random.default_rng(0)


def pairs_short_of_a_turn(length):
    return int((length * posenc.frequencies(128) < 2 * np.pi).sum())


def columns_of_a_turn():
    """The wavelength of the fastest pair of the columns, in Qwen2-VL's sections."""
    return 2 * np.pi / posenc.frequencies(128, base=1e6)[40]


def windows_to_see(n, window):
    """How many layers with windows it takes until the last of n tokens depends on the first."""
    seen, layers = 0, 0
    while seen < n - 1:
        seen, layers = seen + window - 1, layers + 1
    return layers


def layers_in_doubt():
    """The letter of what is known of four layers, of which layer 2 doesn't rotate.

    Layers 1 and 2 of the port have their columns in the wrong layout.
    """
    doubt = []
    for layer, rotates in enumerate((True, True, False, True)):
        x = RNG.normal(size=(2, 20, 16))
        moved = posenc.to_layout(x, "interleaved", "halves")
        scores = [q @ k.T for q, k in ((posenc.rope(y) if rotates else y) for y in (x, moved))]
        invisible = np.allclose(*scores)  # a wrong layout would not be seen
        if invisible or layer in (1, 2):
            doubt.append(layer)
    return {(1,): "a", (1, 2): "b", (1, 2, 3): "c", (0, 1, 3): "d"}[tuple(doubt)]


def still_worth_it(least=1.0):
    """The largest share of rotating pairs with which a match keeps `least` of its score."""
    shares = np.arange(0, 1.001, 0.01)
    kept = [np.cos(np.r_[np.full(n, np.pi), np.zeros(100 - n)]).mean() for n in range(101)]
    return shares[np.greater_equal(np.round(kept, 9), least)].max()


def periods(columns):
    """The period of a counter of so many bits, by looking."""
    codes = np.arange(2 ** (columns + 1)) % 2**columns
    return int(np.flatnonzero(codes[1:] == codes[0])[0]) + 1


def flipped(place):
    return (place ^ (place - 1)).bit_count()


def attended(order, heads=1):
    """The outputs of attention for 15 words in some order, without places."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(15, 6))[order]
    outputs = [posenc.attention(*(x @ rng.normal(size=(3, 6, 6))))[0] for _ in range(heads)]
    return np.concatenate(outputs, axis=1)


def rows_of_weights():
    words = sorted(set(TEXT))
    x = np.random.default_rng(2017).normal(size=(len(words), 16))[[words.index(w) for w in TEXT]]
    return len(np.unique(posenc.attention(x, x, x)[1].round(6), axis=0))


def once():
    return sum(TEXT.count(word) == 1 for word in TEXT)


def moved_by_shuffles():
    """The letter of what a shuffle changes: mean, largest, first row."""
    order = np.arange(15)[::-1]
    one, other = attended(np.arange(15)), attended(order)
    same = (
        np.allclose(one.mean(axis=0), other.mean(axis=0)),
        np.allclose(one.max(axis=0), other.max(axis=0)),
        np.allclose(one[0], other[0]),
    )
    return "abc"[same.index(False)]


def divided_by():
    """The letter of what column 0 of the weights was divided by in the slip."""
    scores = np.exp(RNG.normal(size=(5, 5)))
    factor = (scores / scores.sum(axis=-1))[:, 0] / scores[:, 0]
    sums = scores[:, 0].sum(), scores.sum(), scores[0].sum()
    return "abc"[[np.allclose(factor, 1 / one) for one in sums].index(True)]


def two_heads():
    order = RNG.permutation(15)
    return "b" if np.allclose(attended(order, 2), attended(np.arange(15), 2)[order]) else "c"


def waves(count):
    """The first wavelengths of 12 columns."""
    return 2 * np.pi / posenc.frequencies(12)[:count]


def nearest_to_start():
    turned = np.arange(1, 31) / (2 * np.pi)
    return np.argsort(abs(turned - turned.round())) + 1


def tips():
    return np.argsort(-abs(np.sin(25 * posenc.frequencies(12) / 2)))


def puzzle_columns(theirs):
    """The columns in which 10 rows of a table of 6 show another number, to three decimals."""
    right = posenc.sinusoidal(10, 6)
    return np.flatnonzero((theirs.round(3) != right.round(3)).any(axis=0))


def table_of(omega, n=10):
    """A table, (n, d_model), of one frequency for each column."""
    pos, j = np.arange(n)[:, np.newaxis], np.arange(len(omega))
    return np.where(j % 2, np.cos(pos * omega), np.sin(pos * omega))


def doubled(n, d_model):
    return table_of(np.repeat(posenc.frequencies(d_model) ** 2, 2), n)


def own(n, d_model):
    return table_of(10_000 ** (-np.arange(d_model) / d_model), n)


def caught_exchange():
    """The letter of the test that sees two rows exchanged."""
    right = posenc.sinusoidal(10, 6)
    made = right[[0, 1, 3, 2, *range(4, 10)]]
    passed = (
        np.allclose(made[9], right[9]),
        np.allclose(np.linalg.norm(made, axis=1), np.sqrt(3)),
        np.allclose(made, right),
    )
    return "abc"[passed.index(False)]


def found_again():
    narrow, wide = posenc.sinusoidal(128, 32), posenc.sinusoidal(128, 128)
    return np.isclose(narrow.T[:, np.newaxis], wide.T, rtol=0, atol=1e-12).all(axis=2)


def bfloat16(m):
    """The positions below 2 to the m, rounded to eight binary digits, ties to even."""
    pos = np.arange(2**m)
    unit = 2 ** np.maximum(np.floor(np.log2(np.maximum(pos, 1))) - 7, 0)
    return np.unique(np.round(pos / unit) * unit)


def in_halves(column):
    """The column of an interleaved table that stands in this one of the table in halves."""
    return posenc.to_layout(np.arange(512), "interleaved", "halves")[column]


def right_in_every_ladder():
    i = np.arange(8)
    ladders = 10_000 ** (-4 * i / 16), 1000 ** (-2 * i / 16), 10_000 ** (-i / 7)
    return int(
        np.flatnonzero(
            [all(np.isclose(one, posenc.frequencies(16))[k] for one in ladders) for k in i]
        )[0]
    )


def cosines():
    """The similarity of places 1 and 9, and the numbers of four slips."""
    table = posenc.sinusoidal(50, 512)
    one, other = table[[1, 9]]
    level = table - table.mean(axis=1, keepdims=True)

    def cosine(a, b):
        return a @ b / np.linalg.norm(a) / np.linalg.norm(b)

    return (
        cosine(one, other),
        one @ other,
        one @ other / np.linalg.norm(one),
        cosine(level[1], level[9]),
        cosine(table[:, 1], table[:, 9]),
    )


def collided(scale=1):
    places, e = posenc.sinusoidal(200, 6), np.random.default_rng(3).normal(size=6)
    two = scale * np.stack([e, e + places[137] - places[3]])
    return len(np.unique((two[:, np.newaxis] + places).reshape(-1, 6).round(6) + 0, axis=0))


def new_bias():
    """The letter of the bias that gives the old outputs back."""
    table = posenc.sinusoidal(50, 8)
    m, w, b, e = table.mean(axis=0), RNG.normal(size=(8, 8)), RNG.normal(size=8), RNG.normal(size=8)
    old = w @ (e + table[7]) + b
    tried = (b, b - w @ m, b + w @ m, b + m)
    return "abcd"[[np.allclose(w @ (e + table[7] - m) + one, old) for one in tried].index(True)]


def blocks(offsets):
    """The offsets whose first block is nearest to the identity, and to minus the identity."""
    first = np.array([posenc.rotation(k, 2)[0, 0] for k in offsets])
    return offsets[first.argmax()], offsets[first.argmin()]


def mirror():
    flip = np.diag([-1.0, 1.0])
    assert np.allclose(posenc.sinusoidal(10, 2) @ flip.T, posenc.sinusoidal(-np.arange(10), 2))
    return np.linalg.det(posenc.rotation(9, 2) @ flip)


def random_pairs_move():
    table = table_of(np.repeat(RNG.uniform(0, 3, size=8), 2), 200)
    left = np.linalg.lstsq(table[:-3], table[3:])[0]
    return "b" if np.allclose(table[:-3] @ left, table[3:]) else "c"


def looks_both_ways():
    p = posenc.sinusoidal(20, 64)
    both = posenc.rotation(-1, 64) + posenc.rotation(1, 64)
    return int((p @ both.T @ p.T)[10].argmax())


def ones(t):
    return 1 + t.bit_count()


def lost_at(kind):
    """The power of two at which the second dial of 64 columns is more than 5 degrees off."""
    one = kind(posenc.frequencies(64)[1])
    error = abs(Decimal(float(one)) - Decimal(10_000) ** (Decimal(-2) / 64))
    return next(power for power in range(99) if math.degrees(error * 2**power) > 5)


def decayed():
    value = 1.0
    for _ in range(500):
        value *= 1 - 0.001
    return value


def tooth(factor):
    """The distances along one tooth: a place asks like the nearest old row."""
    places = np.arange(factor * 4, factor * 5)
    return places - factor * (np.round(places / factor) - 1)


def beyond(length, clip):
    return int((abs(posenc.offsets(length, length)) > clip).sum())


def mostly_beyond(clip=16):
    return next(n for n in range(17, 99) if beyond(n, clip) > n * n / 2)


def clip_with_small_corners():
    return next(c for c in (1, 2, 4, 8, 16, 31) if beyond(32, c) < 32 * 32 / 2)


def clip_nearest_half():
    return min((1, 2, 4, 8, 16, 31), key=lambda clip: abs(beyond(32, clip) / 32**2 - 0.5))


def past(sign):
    """How many buckets earlier words of a decoder get, with key minus query or the reverse."""
    seen = np.tri(200, k=-1, dtype=bool)
    return len(np.unique(posenc.t5_buckets(sign * posenc.offsets(200, 200), both=False)[seen]))


def forgiven():
    """The letter of what changes when a line is off by the same for all keys."""
    q, k, v = RNG.normal(size=(3, 9, 4))
    line = -0.1 * (8 - np.arange(9))
    right, wrong = (posenc.attention(q[-1:], k, v, bias=one)[0] for one in (line, line - 0.8))
    return "c" if np.allclose(right, wrong) else "a"


def line_helps():
    return 256 * np.log(4096 / np.exp(-np.arange(4096) / 256).sum())


def falls_below_half():
    return next(
        n for n in (2**power for power in range(12)) if np.exp(6) / (np.exp(6) + n - 1) < 0.5
    )


RULED = "well the cat just sat there , so the dog sort of left"


def left_after_cat(filler, comma=3.0):
    """How far *left* is after *cat* on a ruler with these steps."""
    fillers = {"well", "just", "there", "so", "sort", "of"}
    after = RULED.partition(" cat ")[2].split()
    return sum(comma if w == "," else filler if w in fillers else 1.0 for w in after)


def filler_step(target=None, fillers=5, others=7):
    """The step with which so many fillers and the other steps make up an ordinary distance."""
    ordinary = left_after_cat(1, 1)
    return ((ordinary if target is None else target) - others) / fillers


def steps_of_a_quarter():
    """The letter of the method whose scores are those of RoPE at a quarter of the positions."""
    q, k = RNG.normal(size=(2, 9, 16))
    omega, quarter = posenc.frequencies(16), np.arange(9) / 4
    methods = (
        posenc.scale_frequencies(omega, 4, "ntk"),
        posenc.scale_frequencies(omega, 4, "linear"),
        posenc.frequencies(16, base=40_000),
    )
    wanted = posenc.rope(q, positions=quarter) @ posenc.rope(k, positions=quarter).T
    found = [posenc.rope(q, omega=w) @ posenc.rope(k, omega=w).T for w in methods]
    return "abc"[[np.allclose(one, wanted) for one in found].index(True)]


def leaking():
    """The letter of the program whose steps change when a token is appended."""
    programs = (
        lambda x: x / (np.cumsum(x) / np.arange(1, len(x) + 1)),
        lambda x: np.convolve(x, [0.5, 0.3, 0.2])[: len(x)],
        lambda x: np.convolve(x, [0.2, 0.6, 0.2], mode="same"),
    )
    x = RNG.uniform(size=9)
    same = [np.allclose(one(x)[:8], one(x[:8])) for one in programs]
    return "abc"[same.index(False)]


def polar_peak():
    """The letter of where a sum of cosines with positive lengths is largest."""
    lengths = RNG.uniform(0.1, 1, size=(50, 8))
    curve = lengths @ np.cos(np.multiply.outer(posenc.frequencies(16), np.arange(200)))
    peaks = set(curve.argmax(axis=1).tolist())
    return "b" if peaks == {0} else "c" if len(peaks) == 1 else "a"


def lost_without_positions():
    """The letter of what one layer can't tell: its last output stays when the others move."""
    x = RNG.normal(size=(9, 6))
    moved = np.vstack([RNG.permutation(x[:-1]), x[-1:]])
    q, k, v = RNG.normal(size=(3, 6, 6))
    one, other = (posenc.attention(y[-1:] @ q, y @ k, y @ v)[0] for y in (x, moved))
    return "b" if np.allclose(one, other) else "a"


def turned_values():
    """The letter of what becomes of the output: the same, or turned with the text."""
    x = np.random.default_rng(5).normal(size=(3, 6, 8))

    def out(start):
        return posenc.attention(
            *(posenc.rope(one, positions=np.arange(start, start + 6)) for one in x)
        )[0]

    here, there = out(0), out(50)
    tried = (
        np.allclose(here, there),
        np.allclose(posenc.rope(here, positions=np.full(6, 50)), there),
    )
    return "ab"[tried.index(True)]


def keys_turned_again():
    k = np.random.default_rng(6).normal(size=(12, 64))
    kept = np.empty((0, 64))
    for t in range(12):
        kept = posenc.rope(np.concatenate([kept, k[t : t + 1]]), positions=np.arange(t + 1))
    return int(np.isclose(kept, posenc.rope(k, positions=np.arange(12))).all(axis=1).sum())


def waver(d_head):
    q, k = np.random.default_rng(7).normal(size=(2, 4000, d_head))
    return ((q * posenc.rope(k, positions=np.full(4000, 100))).sum(axis=1) / d_head).std()


def sines_met():
    """How many sines of row 1 row 10 shares in size, at 128 columns."""
    first, second = abs(posenc.sinusoidal([1, 10], 128))
    return int((abs(first[0::2, np.newaxis] - second[0::2]) < 1e-12).sum())


def swung(n, d_model, parts=(0.5, 0.75)):
    """The columns that swing from end to end: cosines and sines, after these parts of a wave."""
    waves = 2 * np.pi / posenc.frequencies(d_model)
    return sum(int((part * waves <= n - 1).sum()) for part in parts)


def half_swung(parts):
    return next(n for n in range(2, 9999) if swung(n, 128, parts) >= 64)


def keeps_offsets():
    """The letter of the program whose score depends on the offset alone."""
    omega = Fraction(1, 3)

    def rounded(x):
        power = Fraction(2) ** (7 - math.floor(math.log2(x)))
        return Fraction(round(x * power), power)

    first = {rounded(omega) * (s + 10) - rounded(omega) * s for s in (1, 500, 5000)}
    second = {rounded(omega * (s + 10)) - rounded(omega * s) for s in (1, 500, 5000)}
    return "ab"[[len(first), len(second)].index(1)]


def fixed_packing():
    """The letter of what gives the second of two packed documents its own outputs back."""
    x, pos = np.random.default_rng(6).normal(size=(15, 16)), np.arange(15)
    document = pos >= 6

    def second(reset, apart):
        turned = posenc.rope(x, positions=pos - 6 * document if reset else pos)
        near = document == document[:, np.newaxis]
        mask = np.tri(15, dtype=bool) & (near if apart else True)
        return posenc.attention(turned, turned, x, mask=mask)[0][6:]

    alone = second(reset=True, apart=True)
    fixed = [np.allclose(second(*how), alone) for how in ((True, False), (False, True))]
    return "abc"[fixed.index(True) if any(fixed) else 2]


def widths(theirs):
    return [
        d for d in range(2, 65, 2) if np.allclose(posenc.frequencies(d) ** 2, theirs(d), rtol=1e-9)
    ]


def one_pair_less(d_model):
    return 10_000 ** (-np.arange(d_model // 2) / max(d_model / 2 - 1, 1e-9))


def terms_that_feel(between):
    table, e = posenc.sinusoidal(6, 64), np.random.default_rng(8).normal(size=(6, 64))
    on = posenc.sinusoidal(np.arange(3, 9), 64)
    pairs = [(e, e, e, e), (e, table, e, on), (table, e, on, e), (table, table, on, on)]
    return sum(not np.allclose(a @ between @ b.T, c @ between @ d.T) for a, b, c, d in pairs)


def pads_off():
    table = posenc.sinusoidal(30, 64)
    return np.array([abs(table[k : k + 15, :2] - table[:15, :2]).max() for k in range(1, 13)])


def survey():
    path = ROOT / "notebooks/clinic/survey.json"
    records = json.loads(path.read_text("utf-8"))
    records = records["records"] if isinstance(records, dict) else records
    some = [one["verdict"] == "mistake" for one in records if one["by"] == "name, other language"]
    return np.mean(some), len(some)


def deviation():
    share, n = survey()
    return np.sqrt(share * (1 - share) / n)


def whole_columns(exponents):
    angles = np.arange(50)[:, np.newaxis] * 10_000.0 ** (-exponents)
    both = np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
    return len(np.unique(both.T, axis=0))


def furthest_off(theirs):
    return max(posenc.frequencies(16) / theirs)


def curve(base, until=20_000):
    return posenc.similarity(np.arange(until), 128, base=base)


def ends(base):
    """The first distance at which a match of 128 columns is worth less than a random key."""
    return int(np.argmax(curve(base) < 0))


def least_on_slider(length):
    bases = (1_000, 3_000, 10_000, 30_000, 100_000, 500_000)
    return next(base for base in bases if curve(base, length).min() >= 0)


def without_new_angles(length):
    """At how many offsets within a length the frequencies of method 2 leave no lead."""
    i = np.arange(64)
    slow, fast = 1e4 ** (-i / 64) / 8, (1e4 * 8 ** (128 / 88)) ** (-i / 64)
    angles = np.multiply.outer(np.arange(length), np.where(i >= 44, slow, fast))
    return int((np.cos(angles).mean(axis=1) < 0).sum())


I8 = np.arange(8)
FADE = math.exp(-np.euler_gamma)


def sink_that_leaves(share, mean=math.e**0.5, n=131_072):
    """The score of a sink that leaves a share of the weight to keys, by looking."""
    scores = np.linspace(0, 20, 200_001)
    return scores[abs(n * mean / (n * mean + np.exp(scores)) - share).argmin()]


def price_and_sink():
    """The letter of what a price for each key changes beside a sink."""
    prices, sink = np.arange(50) / 8, 1.0
    right, wrong = (np.append(row, sink) for row in (prices - prices[-1], prices))
    right, wrong = (np.exp(row) / np.exp(row).sum() for row in (right, wrong))
    assert np.allclose(right[:-1] / right[0], wrong[:-1] / wrong[0])
    return "c" if wrong[-1] < right[-1] else "a"


def first_sink(scaled):
    """The first score on the slider with which a sink outweighs 131,071 keys that score 0."""
    factor = math.log(131_072) / math.log(32) if scaled else 1
    return next(z for z in range(13) if math.exp(z * factor) > 131_071)


# Each question's right answer, and what each foreseen slip gives.
COMPUTED = {
    "ex-equal-rows-1": (
        rows_of_weights,
        [
            lambda: len(TEXT),
            once,
            lambda: TEXT.count("the"),
            lambda: len([one for one in TEXT if one != "the"]) + 1,
            lambda: len([one for one in TEXT if one != "on"]) + 1,
            lambda: len({*TEXT} - {"the"}),
        ],
    ),
    "ex-bag-of-words-1": (moved_by_shuffles, []),
    "ex-forgiven-1": (divided_by, []),
    "ex-two-heads-1": (two_heads, []),
    "ex-period-1": (
        lambda: periods(16),
        [
            lambda: periods(16) // 2,
            lambda: periods(16) - 1,
            lambda: periods(16) * 2,
            lambda: 16,
            lambda: 2 * 16,
            lambda: 2 ^ 16,
            lambda: periods(16) + 1,
            lambda: 16 - 1,
            lambda: 4 * 16,
            lambda: 16**2,
            lambda: 1000,
        ],
    ),
    "ex-counter-1": (
        lambda: flipped(96),
        [lambda: flipped(96) - 1, lambda: (96).bit_count(), lambda: (96).bit_length()],
    ),
    "ex-counter-2": (lambda: flipped(256), [lambda: flipped(256) - 1, lambda: (256).bit_count()]),
    "ex-base-of-bits-1": (
        lambda: next(
            b
            for b in range(2, 999)
            if np.allclose(posenc.frequencies(8, base=b), 0.5 ** np.arange(4))
        ),
        [
            lambda: 2 ** (8 // 2 - 1),
            lambda: 2**8,
            lambda: 1 / 0.5,
            lambda: 8 // 2,
            lambda: posenc.frequencies(8, base=16)[1],
            lambda: 2.0 ** (-8 // 2),
            lambda: 2 ^ 4,
            lambda: 2 ** (2 / 8),
            lambda: round(2 ** (2 / 8), 2),
            lambda: round(2 ** (2 / 8), 4),
            lambda: next(
                b
                for b in 10 ** np.arange(1, 9)
                if np.allclose(posenc.frequencies(8, base=b), 0.1 ** np.arange(4))
                and np.allclose(posenc.frequencies(8, base=b), posenc.frequencies(8))
            ),
            lambda: 2 ** (2 * 8),
        ],
    ),
    "ex-two-dials-1": (
        lambda: waves(2).prod() / waves(2)[0],
        [lambda: waves(2).prod() / waves(2)[1], lambda: waves(2).prod()],
    ),
    "ex-nearly-back-1": (
        lambda: nearest_to_start()[0],
        [lambda: nearest_to_start()[1], lambda: round(2 * np.pi)],
    ),
    "ex-nearly-back-2": (lambda: tips()[0], [lambda: tips()[1], lambda: tips()[-1]]),
    "ex-far-row-1": (
        lambda: posenc.sinusoidal([100], 6)[0, 2],
        [lambda: doubled(101, 6)[100, 2], lambda: math.sin(math.radians(100 * 10_000 ** (-2 / 6)))],
    ),
    "ex-slip-past-1": (caught_exchange, []),
    "ex-telling-columns-1": (
        lambda: len(puzzle_columns(doubled(10, 6))),
        [lambda: int((posenc.frequencies(6) ** 2 != posenc.frequencies(6)).sum()) * 2],
    ),
    "ex-telling-columns-2": (
        lambda: next(
            j
            for j in range(6)
            if j not in puzzle_columns(doubled(10, 6))
            and j not in puzzle_columns(own(10, 6))
            and not np.allclose(doubled(10, 6)[:, j], posenc.sinusoidal(10, 6)[:, j])
            and not np.allclose(own(10, 6)[:, j], posenc.sinusoidal(10, 6)[:, j])
        ),
        [
            lambda: next(
                j
                for j in range(6)
                if np.allclose(doubled(10, 6)[:, j], posenc.sinusoidal(10, 6)[:, j])
                and np.allclose(own(10, 6)[:, j], posenc.sinusoidal(10, 6)[:, j])
            )
        ],
    ),
    "ex-unmix-the-stripes-1": (
        lambda: in_halves(255) // 2,
        [
            lambda: 255 // 2,
            lambda: 255 // 2 + 1,
            lambda: 512 // 2,
            lambda: 512 - 1,
            lambda: in_halves(254) // 2,
            lambda: in_halves(255),
            lambda: 255 / 2,
        ],
    ),
    "ex-green-line-1": (
        lambda: 128 * np.log(2) / np.log(10_000),
        [lambda: 64 * np.log(2) / np.log(10_000), lambda: 128 * np.log10(2) / np.log(10_000)],
    ),
    "ex-column-again-1": (
        lambda: np.flatnonzero(found_again()[4])[0],
        [lambda: np.flatnonzero(found_again()[4])[0] // 2, lambda: 4 * 32 // 128],
    ),
    "ex-column-again-2": (
        lambda: (~found_again().any(axis=0)).sum(),
        [
            lambda: found_again().any(axis=0).sum(),
            lambda: (~found_again().any(axis=0))[
                : np.flatnonzero(found_again().any(axis=0))[-1]
            ].sum(),
        ],
    ),
    "ex-count-bfloat16-1": (
        lambda: len(bfloat16(17)),
        [lambda: len(bfloat16(17)) - 1, lambda: len(bfloat16(18)), lambda: len(bfloat16(16))],
    ),
    "ex-count-bfloat16-2": (
        lambda: np.diff(bfloat16(17))[-1],
        [lambda: 2 ** (16 - 8), lambda: 2 ** (17 - 7)],
    ),
    "ex-first-pair-only-1": (
        right_in_every_ladder,
        [lambda: right_in_every_ladder() + 1, lambda: 16 // 2 - 1],
    ),
    "ex-four-slips-1": (
        lambda: cosines()[0],
        [lambda: cosines()[1], lambda: cosines()[2], lambda: cosines()[3], lambda: cosines()[4]],
    ),
    "ex-four-slips-2": (lambda: cosines()[4], [lambda: cosines()[3]]),
    "ex-collide-1": (collided, [lambda: collided(2), lambda: 200]),
    "ex-bias-1": (new_bias, []),
    "ex-home-1": (
        lambda: blocks(np.arange(1, 21) / 2)[1],
        [
            lambda: blocks(np.arange(1, 10) / 2)[1],
            lambda: blocks(np.arange(1, 21) / 2)[0],
            lambda: blocks(np.arange(-20, 0) / 2)[1],
            lambda: 3 * np.pi // 1,
            lambda: round(math.pi, 2),
            lambda: math.pi,
            lambda: round(3 * math.pi, 2),
            lambda: math.ceil(2 * math.pi) / 2,
            lambda: blocks(np.arange(1, 11))[0],
            lambda: blocks(np.arange(-9, 0) / 2)[1],
            lambda: 3 * math.pi,
            lambda: round(3 * math.pi, 4),
            lambda: 2 * math.pi,
            *(lambda to=to: round(2 * math.pi, to) for to in (3, 4, 2)),
        ],
    ),
    "ex-home-2": (
        lambda: blocks(np.arange(1, 1001))[0],
        [
            lambda: blocks(np.arange(1, 1001))[1],
            lambda: blocks(np.arange(1, 101))[0],
            lambda: blocks(np.arange(1, 11))[0],
            lambda: round(2 * math.pi, 2),
            lambda: blocks(np.arange(1, 101))[1],
            lambda: round(blocks(np.arange(1, 1001))[0] / (2 * math.pi)),
            lambda: 2 * math.pi,
            *(lambda to=to: round(2 * math.pi, to) for to in (3, 4)),
            lambda: 3 * math.pi,
            lambda: round(3 * math.pi, 4),
        ],
    ),
    "ex-read-backwards-1": (mirror, [lambda: np.linalg.det(posenc.rotation(9, 2))]),
    "ex-break-pairs-1": (random_pairs_move, []),
    "ex-break-the-geometry-1": (
        lambda: (own(200, 64) ** 2).sum(axis=1).min(),
        [
            lambda: (posenc.sinusoidal(200, 64) ** 2).sum(axis=1).min(),
            lambda: (own(200, 64) ** 2).sum(axis=1).max(),
        ],
    ),
    "ex-half-likeness-1": (
        lambda: np.sqrt(10_000) * FADE,
        [lambda: np.sqrt(10_000), lambda: 10_000 * FADE, lambda: np.sqrt(10_000) / FADE],
    ),
    "ex-base-you-need-1": (
        lambda: next(b for b in (100, 300, 1000, 3000, 10_000, 30_000) if b * FADE > 3000),
        [lambda: 3000],
    ),
    "ex-both-neighbours-1": (looks_both_ways, [lambda: 10 - 1, lambda: 10 + 1]),
    "ex-count-the-factors-1": (
        lambda: max(map(ones, range(4096))),
        [lambda: max(map(ones, range(4096))) - 1],
    ),
    "ex-count-the-factors-2": (
        lambda: np.mean([ones(t) for t in range(4096)]),
        [lambda: np.mean([t.bit_count() for t in range(4096)])],
    ),
    "ex-lost-hand-1": (
        lambda: lost_at(np.float64) - lost_at(np.float32),
        [lambda: 53 - 24],
    ),
    "ex-half-way-1": (
        lambda: np.linalg.norm(posenc.sinusoidal([0, 1], 2).mean(axis=0)),
        [lambda: math.cos(1), lambda: math.sin(0.5)],
    ),
    "ex-weight-decay-1": (
        decayed,
        [lambda: 1 - 500 * 0.001, lambda: 1 - decayed(), lambda: math.exp(-500 * 0.001)],
    ),
    "ex-teeth-1": (lambda: tooth(5).max(), [lambda: tooth(4).max(), lambda: tooth(5)[0]]),
    "ex-pairs-beyond-1": (
        mostly_beyond,
        [lambda: next(n for n in range(17, 99) if (n - 16) ** 2 > n * n / 2), lambda: 16 + 2],
    ),
    "ex-lost-past-1": (lambda: past(-1), [lambda: past(1)]),
    "ex-slide-the-clip-1": (
        lambda: len(np.unique(posenc.clipped(posenc.offsets(32, 32), 31))),
        [lambda: 2 * 31, lambda: 31 + 1],
    ),
    "ex-slide-the-clip-2": (clip_with_small_corners, [clip_nearest_half]),
    "ex-forgive-1": (forgiven, []),
    "ex-costs-1": (line_helps, [lambda: 256 * np.log(4096), lambda: 256 * np.log(4096 / 256)]),
    "ex-slide-1": (falls_below_half, [lambda: falls_below_half() // 2]),
    "ex-constant-step-1": (
        lambda: round(np.exp(-1 / 2), 3),
        [
            lambda: 1 - 1 / 2,
            lambda: round(np.exp(1 / 2), 3),
            lambda: round(np.exp(-1), 3),
            lambda: round(2 ** (-1 / 2), 3),
        ],
    ),
    "ex-constant-step-2": (steps_of_a_quarter, []),
    "ex-leak-1": (leaking, []),
    "ex-set-ruler-1": (
        filler_step,
        [
            lambda: 1,
            lambda: filler_step(others=6),
            lambda: filler_step(fillers=6),
            lambda: filler_step(left_after_cat(0)),
        ],
    ),
    "ex-what-where-1": (polar_peak, []),
    "ex-drop-1": (lost_without_positions, []),
    "ex-turn-values-1": (turned_values, []),
    "ex-turned-too-often-1": (
        keys_turned_again,
        [lambda: keys_turned_again() - 1, lambda: 12 - keys_turned_again()],
    ),
    "ex-slide-to-decay-1": (lambda: round(waver(512) / waver(128), 1), [lambda: 128 / 512]),
    "ex-no-sine-meets-a-cosine-1": (sines_met, [lambda: 64, lambda: 64 - sines_met()]),
    "ex-correct-a-caption-1": (
        lambda: swung(30, 64),
        [lambda: swung(30, 64, (1, 1)), lambda: swung(30, 64, (0.5, 0.5))],
    ),
    "ex-find-the-half-1": (
        lambda: half_swung((0.5, 0.75)),
        [
            lambda: half_swung((1, 1)),
            lambda: half_swung((0.5, 0.5)),
            lambda: half_swung((0.5, 0.75)) - 1,
        ],
    ),
    "ex-packed-documents-1": (fixed_packing, []),
    "ex-which-rounding-1": (keeps_offsets, []),
    "ex-two-are-one-1": (
        lambda: widths(posenc.frequencies)[0],
        [lambda: next(d for d in widths(one_pair_less) if d > 2)],
    ),
    "ex-translation-1": (
        lambda: posenc.frequencies(64)[1],
        [lambda: posenc.frequencies(64)[0], lambda: 0],
    ),
    "ex-which-terms-1": (
        lambda: terms_that_feel(np.eye(64)),
        [lambda: terms_that_feel(np.random.default_rng(9).normal(size=(64, 64)))],
    ),
    "ex-harmless-pads-1": (
        lambda: pads_off().argmin() + 1,
        [lambda: pads_off().argmax() + 1, lambda: math.floor(4 * math.pi)],
    ),
    "ex-how-sure-a-share-1": (
        deviation,
        [lambda: deviation() ** 2, lambda: deviation() * np.sqrt(survey()[1])],
    ),
    "ex-whole-numbers-1": (
        lambda: whole_columns(2 * np.arange(32) // 64),
        [
            lambda: whole_columns(2 * np.arange(32) / 64),
            lambda: whole_columns(2 * np.arange(32) // 64) // 2,
        ],
    ),
    "ex-nothing-new-1": (
        lambda: pairs_short_of_a_turn(4096),
        [
            lambda: 64 - pairs_short_of_a_turn(4096),
            lambda: len(posenc.frequencies(128)),
            lambda: 0,
            lambda: pairs_short_of_a_turn(16_384),
            lambda: 64 - pairs_short_of_a_turn(16_384),
        ],
    ),
    "ex-base-for-columns-1": (
        lambda: (40 / (2 * np.pi)) ** (64 / 40),
        [
            lambda: 40 / (2 * np.pi),
            lambda: (40 / (2 * np.pi)) ** (40 / 64),
            lambda: (40 / (2 * np.pi)) ** (64 / 32),
        ],
    ),
    "ex-after-a-video-1": (
        lambda: 3 + np.indices((20, 4, 6)).max() + 1,
        [
            lambda: 3 + max(4, 6),
            lambda: 3 + 20 * 4 * 6,
            lambda: np.indices((20, 4, 6)).max() + 1,
            lambda: 3 + np.indices((20, 4, 6)).max(),
        ],
    ),
    "ex-columns-begin-1": (
        lambda: 0.1 * columns_of_a_turn(),
        [
            lambda: round(columns_of_a_turn()),
            lambda: min(n for n in (10, 40, 160, 1000, 10_000) if n > 0.1 * columns_of_a_turn()),
        ],
    ),
    "ex-ntk-factor-1": (
        lambda: posenc.frequencies(128)[-1] / posenc.frequencies(128, base=5e5)[-1],
        [
            lambda: 5e5 / 1e4,
            lambda: 50 ** (128 / 126),
            lambda: 32_768 / 4096,
            lambda: 8 ** (128 / 126),
            lambda: 8 ** (126 / 128),
        ],
    ),
    "ex-no-new-angles-1": (
        lambda: 15 * 1024 - without_new_angles(15 * 1024),
        [
            lambda: without_new_angles(15 * 1024),
            lambda: without_new_angles(30 * 1024),
            lambda: 30 * 1024 - without_new_angles(30 * 1024),
            lambda: without_new_angles(15_000),
            lambda: 15_000 - without_new_angles(15_000),
            lambda: 15 * 1024,
        ],
    ),
    "ex-slide-base-1": (
        lambda: least_on_slider(8192),
        [
            lambda: 100_000 if ends(100_000) < 8192 else 0,
            lambda: 30_000 if ends(30_000) < 8192 else 0,
            lambda: 10_000 if ends(10_000) < 8192 else 0,
            lambda: ends(500_000),
            lambda: ends(100_000),
            lambda: 8192 - ends(100_000),
        ],
    ),
    "ex-reach-whole-1": (
        lambda: windows_to_see(131_072, 4096),
        [
            lambda: 131_072 / 4096,
            lambda: windows_to_see(131_072, 131_072),
            lambda: windows_to_see(131_072, 2 * 4096 - 1),
            lambda: windows_to_see(131_072, 2),
            lambda: 131_072 * 4095,
        ],
    ),
    "ex-wrong-layer-1": (layers_in_doubt, []),
    "ex-floor-1": (
        lambda: still_worth_it(0.0),
        [lambda: 64 / 256, lambda: 192 / 256, lambda: still_worth_it(-1.0), still_worth_it],
    ),
    "ex-strip-1": (
        lambda: 5 * (512 - 1),
        [
            lambda: 5 * 512,
            lambda: 6 * (512 - 1),
            lambda: 512 - 1,
            lambda: 3 * (4096 - 1),
            lambda: 4 * (512 - 1),
        ],
    ),
    "ex-least-missed-1": (
        lambda: furthest_off(10_000 ** (-I8 / 7)),
        [
            lambda: furthest_off(10_000 ** (-(2 * I8 + 1) / 16)),
            lambda: furthest_off(10_000.0 ** (-4 * I8 / 16)),
        ],
    ),
    "ex-keep-share-1": (
        lambda: sink_that_leaves(0.1),
        [
            lambda: sink_that_leaves(0.1, mean=1),
            lambda: sink_that_leaves(1 / 11),
            lambda: sink_that_leaves(0.9),
            lambda: sink_that_leaves(0.5, mean=1),
            lambda: sink_that_leaves(0.5),
        ],
    ),
    "ex-kernel-test-1": (
        lambda: sink_that_leaves(0.3013, mean=1, n=64),
        [lambda: sink_that_leaves(1 - 0.3013, mean=1, n=64), lambda: np.log(64 / 0.3013)],
    ),
    "ex-price-and-sink-1": (price_and_sink, []),
    "ex-slide-sink-1": (
        lambda: first_sink(True),
        [lambda: first_sink(True) - 1, lambda: first_sink(False)],
    ),
    "ex-slide-sink-2": (
        lambda: first_sink(False),
        [lambda: first_sink(True), lambda: first_sink(False) - 1],
    ),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_an_answer_and_its_foreseen_slips_are_what_they_are_computed_to_be(name):
    question, (right, slips) = QUESTIONS[name], COMPUTED[name]
    if "choices" in question:
        (place,) = (i for i, (_, said) in enumerate(question["choices"]) if said.startswith("Yes"))
        assert "abcdefgh"[place] == right()
        assert all(said.startswith(("Yes", "No")) for _, said in question["choices"])
        return
    within = question.get("within", 0)
    stored = [question["right"], *(value for value, _ in question["wrong"])]
    computed = [float(one()) for one in (right, *slips)]
    assert np.allclose(stored, computed, rtol=0, atol=within or 1e-9)
    for one, other in combinations(stored, 2):  # no reply could be meant for another number
        assert one != other
        assert abs(one - other) > 1.99 * within


@pytest.mark.parametrize("name", QUESTIONS)
def test_each_answer_gets_its_own_reply(name, capsys):
    question = QUESTIONS[name]
    if "choices" in question:
        for letter, (_, said) in zip("abcdefgh", question["choices"], strict=False):
            if said.startswith("Yes"):
                checks.answer(name, letter)
                assert said in capsys.readouterr().out
            else:
                with pytest.raises(checks.NotYet, match=re.escape(said)):
                    checks.answer(name, letter)
        return
    checks.answer(name, question["right"])
    assert capsys.readouterr().out == f"Right. {question['why']}\n"
    for value, reply in question["wrong"]:
        with pytest.raises(checks.NotYet, match=re.escape(reply)):
            checks.answer(name, value)
    with pytest.raises(checks.NotYet, match="I can't tell which slip leads there"):
        checks.answer(name, -123.4567)


def test_each_question_belongs_to_an_exercise_that_builds_nothing():
    text = "".join(path.read_text("utf-8") for path in ROOT.glob("notebooks/*/*.ipynb"))
    assert COMPUTED.keys() == QUESTIONS.keys()
    for name in QUESTIONS:
        label = name.rpartition("-")[0]
        assert re.search(rf":label: {label}\\n\",\s+\":class: (derive|find|play)", text), name


def test_a_question_about_a_number_names_its_unit_or_its_rounding():
    for name, question in QUESTIONS.items():
        if "choices" not in question:
            assert question["ask"].endswith(")"), name
            assert ("decimal" in question["ask"]) == (0 < question.get("within", 0) < 0.5), name
