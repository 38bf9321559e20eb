"""Each right answer is computed here by posenc; a wrong number is what its reply says that it is.

Where a reply only says the number, or half of it, or one more than it, that is not computed again.
"""

import json
import math
import re
from collections import Counter
from decimal import Decimal
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
TIMES = Counter(TEXT)
RULED = "well the cat just sat there , so the dog sort of left"
RNG = np.random.default_rng(0)
ORDER = np.random.default_rng(2).permutation(15)
FADE = math.exp(-np.euler_gamma)
FACTORS = [1 + t.bit_count() for t in range(4096)]
I8 = np.arange(8)


def table_of(omega, n=10):
    """A table, (n, d_model), of one frequency for each column."""
    pos, j = np.arange(n)[:, np.newaxis], np.arange(len(omega))
    return np.where(j % 2, np.cos(pos * omega), np.sin(pos * omega))


def doubled(n, d_model):
    return table_of(np.repeat(posenc.frequencies(d_model) ** 2, 2), n)


def own(n, d_model):
    return table_of(10_000 ** (-np.arange(d_model) / d_model), n)


def waves(d_model):
    return 2 * np.pi / posenc.frequencies(d_model)


def which(wanted, *tried):
    """The place of the first that is equal to what is wanted."""
    return [np.allclose(one, wanted) for one in tried].index(True)


def what_changes(one, other, *looks):
    """The place of the first look at which two arrays are not equal."""
    return [np.allclose(look(one), look(other)) for look in looks].index(False)


def attended(order, heads=1):
    """The outputs of attention for 15 words in some order, without places."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(15, 6))[order]
    outputs = [posenc.attention(*(x @ rng.normal(size=(3, 6, 6))))[0] for _ in range(heads)]
    return np.concatenate(outputs, axis=1)


def rows_of_weights():
    x = RNG.normal(size=(len(TIMES), 16))[[list(TIMES).index(word) for word in TEXT]]
    return len(np.unique(posenc.attention(x, x, x)[1].round(6), axis=0))


def divided_by():
    """By which sum column 0 of the weights was divided in the slip: column, all, row."""
    scores = np.exp(RNG.normal(size=(5, 5)))
    wrong = (scores / scores.sum(axis=-1))[:, 0]
    return which(scores[:, 0] / wrong, scores[:, 0].sum(), scores.sum(), scores[0].sum())


def period(columns):
    """The period of a counter of so many bits, by looking."""
    codes = np.arange(2 ** (columns + 1)) % 2**columns
    return int(np.flatnonzero(codes[1:] == codes[0])[0]) + 1


def flipped(place):
    return (place ^ (place - 1)).bit_count()


def base_that_halves(d_model):
    halves = 0.5 ** np.arange(d_model // 2)
    bases = range(2, 999)
    return next(b for b in bases if np.allclose(posenc.frequencies(d_model, base=b), halves))


def nearest_to_start():
    turned = np.arange(1, 31) / (2 * np.pi)
    return np.argsort(abs(turned - turned.round())) + 1


def tips():
    """The pairs of 12 columns at position 25, by how far from their start they are."""
    return np.argsort(-abs(np.sin(25 * posenc.frequencies(12) / 2)))


def seen(theirs, decimals=3):
    """In which of 6 columns ten rows show another number, to so many decimals."""
    return (theirs.round(decimals) != posenc.sinusoidal(10, 6).round(decimals)).any(axis=0)


def wrong_and_unseen(*tables):
    return np.all([seen(one, 12) & ~seen(one) for one in tables], axis=0)


def exchanged():
    """What sees two rows exchanged: a golden row, lengths, a second build."""
    right = posenc.sinusoidal(10, 6)
    looks = lambda t: t[9], lambda t: np.linalg.norm(t, axis=1), lambda t: t
    return what_changes(right, right[[0, 1, 3, 2, *range(4, 10)]], *looks)


def in_halves(column):
    """The column of an interleaved table that stands in this one of the table in halves."""
    return posenc.to_layout(np.arange(512), "interleaved", "halves")[column]


def found_again():
    narrow, wide = posenc.sinusoidal(128, 32), posenc.sinusoidal(128, 128)
    return np.isclose(narrow.T[:, np.newaxis], wide.T, rtol=0, atol=1e-12).all(axis=2)


def bfloat16(x):
    """Numbers above 0, rounded to eight binary digits, ties to even."""
    unit = 2 ** (np.floor(np.log2(x)) - 7)
    return np.round(x / unit) * unit


def left_below(power):
    """Which positions below a power of 2 are left after rounding."""
    return np.unique([0, *bfloat16(np.arange(1, 2**power))])


def right_in_every_ladder():
    ladders = 10_000 ** (-4 * I8 / 16), 1000 ** (-2 * I8 / 16), 10_000 ** (-I8 / 7)
    return np.isclose(ladders, posenc.frequencies(16)).all(axis=0).argmax()


def cosines():
    """The similarity of places 1 and 9, and the numbers of three slips."""
    table = posenc.sinusoidal(50, 512)
    one, other = table[[1, 9]]
    level = table - table.mean(axis=1, keepdims=True)

    def cosine(a, b):
        return a @ b / np.linalg.norm(a) / np.linalg.norm(b)

    slips = one @ other, cosine(level[1], level[9])
    return cosine(one, other), *slips, cosine(table[:, 1], table[:, 9])


def collided(scale=1):
    places, e = posenc.sinusoidal(200, 6), np.random.default_rng(3).normal(size=6)
    two = scale * np.stack([e, e + places[137] - places[3]])
    return len(np.unique((two[:, np.newaxis] + places).reshape(-1, 6).round(6) + 0, axis=0))


def new_bias():
    """Which bias gives the old outputs back."""
    table, w, (b, e) = posenc.sinusoidal(50, 8), RNG.normal(size=(8, 8)), RNG.normal(size=(2, 8))
    m = table.mean(axis=0)
    missing = w @ (e + table[7]) + b - w @ (e + table[7] - m)
    return which(missing, b, b - w @ m, b + w @ m, b + m)


def blocks(start, stop, step=1.0):
    """The offsets whose first block is nearest to the identity, and to minus the identity."""
    offsets = np.arange(start, stop, step)
    first = np.array([posenc.rotation(k, 2)[0, 0] for k in offsets])
    return offsets[first.argmax()], offsets[first.argmin()]


def mirror():
    flip = np.diag([-1.0, 1.0])
    assert np.allclose(posenc.sinusoidal(10, 2) @ flip.T, posenc.sinusoidal(-np.arange(10), 2))
    return np.linalg.det(posenc.rotation(9, 2) @ flip)


def random_pairs_move():
    table = table_of(np.repeat(RNG.uniform(0, 3, size=8), 2), 200)
    return np.allclose(table[:-3] @ np.linalg.lstsq(table[:-3], table[3:])[0], table[3:])


def looks_both_ways():
    p, both = posenc.sinusoidal(20, 64), posenc.rotation(-1, 64) + posenc.rotation(1, 64)
    return (p @ both.T @ p.T)[10].argmax()


def lost_at(kind):
    """The power of two at which the second dial of 64 columns is more than 5 degrees off."""
    one = kind(posenc.frequencies(64)[1])
    error = abs(Decimal(float(one)) - Decimal(10_000) ** (Decimal(-2) / 64))
    return next(power for power in range(99) if math.degrees(error * 2**power) > 5)


def tooth(factor):
    """The distances along one tooth: a place asks like the nearest old row."""
    places = np.arange(factor * 4, factor * 5)
    return places - factor * (np.round(places / factor) - 1)


def sines_met():
    """How many sines of row 1 row 10 shares in size, at 128 columns."""
    first, second = abs(posenc.sinusoidal([1, 10], 128))
    return (abs(first[0::2, np.newaxis] - second[0::2]) < 1e-12).sum()


def swung(n, d_model, parts=(0.5, 0.75)):
    """The columns that swing from end to end: cosines and sines, after these parts of a wave."""
    return sum((part * waves(d_model) <= n - 1).sum() for part in parts)


def half_swung(*parts):
    return next(n for n in range(2, 9999) if swung(n, 128, parts) >= 64)


def terms_that_feel(between):
    table, e = posenc.sinusoidal(6, 64), np.random.default_rng(8).normal(size=(6, 64))
    on = posenc.sinusoidal(np.arange(3, 9), 64)
    pairs = [(e, e, e, e), (e, table, e, on), (table, e, on, e), (table, table, on, on)]
    return sum(not np.allclose(a @ between @ b.T, c @ between @ d.T) for a, b, c, d in pairs)


def beyond(length, clip):
    return (abs(posenc.offsets(length, length)) > clip).sum()


def past(sign):
    """How many buckets earlier words of a decoder get, with key minus query or the reverse."""
    earlier = np.tri(200, k=-1, dtype=bool)
    return len(np.unique(posenc.t5_buckets(sign * posenc.offsets(200, 200), both=False)[earlier]))


def forgiven():
    """Whether no output changes when a line is off by the same for all keys."""
    (q, k, v), line = RNG.normal(size=(3, 9, 4)), -0.1 * (8 - np.arange(9))
    return np.allclose(*(posenc.attention(q[-1:], k, v, bias=line - off)[0] for off in (0, 0.8)))


def left_after_cat(filler, comma=3.0):
    """How far *left* is after *cat* on a ruler with these steps."""
    fillers = {"well", "just", "there", "so", "sort", "of"}
    after = RULED.partition(" cat ")[2].split()
    return sum(comma if w == "," else filler if w in fillers else 1.0 for w in after)


def filler_step(fillers=5, others=7):
    """The step with which so many fillers and the other steps make up an ordinary distance."""
    return (left_after_cat(1, 1) - others) / fillers


def price_and_sink():
    """What a price for each key changes beside a sink: its share, or nothing."""
    prices, sink = np.arange(50) / 8, 1.0
    rows = np.exp([np.append(row, sink) for row in (prices - prices[-1], prices)])
    right, wrong = rows / rows.sum(axis=1, keepdims=True)
    assert np.allclose(right[:-1] / right[0], wrong[:-1] / wrong[0])
    return 2 if wrong[-1] < right[-1] else 0


def sink_that_leaves(share, mean=math.e**0.5, n=131_072):
    """The score of a sink that leaves a share of the weight to keys, by looking."""
    scores = np.linspace(0, 20, 200_001)
    return scores[abs(n * mean / (n * mean + np.exp(scores)) - share).argmin()]


def first_sink(factor):
    """The first score on the slider with which a sink outweighs 131,071 keys that score 0."""
    return next(z for z in range(13) if math.exp(z * factor) > 131_071)


def keys_turned_again():
    k, kept = np.random.default_rng(6).normal(size=(12, 64)), np.empty((0, 64))
    for t in range(12):
        kept = posenc.rope(np.concatenate([kept, k[t : t + 1]]))
    return np.isclose(kept, posenc.rope(k)).all(axis=1).sum()


def leaking():
    """Which program's steps change when a token is appended."""
    programs = (
        lambda x: x / (np.cumsum(x) / np.arange(1, len(x) + 1)),
        lambda x: np.convolve(x, [0.5, 0.3, 0.2])[: len(x)],
        lambda x: np.convolve(x, [0.2, 0.6, 0.2], mode="same"),
    )
    x = RNG.uniform(size=9)
    return [np.allclose(one(x)[:8], one(x[:8])) for one in programs].index(False)


def lost_without_positions():
    """Whether the last output of one layer stays when the tokens before it move."""
    x, (q, k, v) = RNG.normal(size=(9, 6)), RNG.normal(size=(3, 6, 6))
    texts = x, np.vstack([x[:-1][::-1], x[-1:]])
    return np.allclose(*(posenc.attention(y[-1:] @ q, y @ k, y @ v)[0] for y in texts))


def scores_of_a_quarter():
    """Which method gives the scores of RoPE at a quarter of the positions."""

    def scores(**how):
        return np.matmul(posenc.rope(q, **how), posenc.rope(k, **how).T)

    (q, k), omega = RNG.normal(size=(2, 9, 16)), posenc.frequencies(16)
    scaled = (scores(omega=posenc.scale_frequencies(omega, 4, way)) for way in ("ntk", "linear"))
    return which(scores(positions=np.arange(9) / 4), *scaled, scores(base=40_000))


def peaks_at_0():
    """Whether a sum of cosines with positive lengths is always largest at distance 0."""
    lengths = RNG.uniform(0.1, 1, size=(50, 8))
    curves = lengths @ np.cos(np.multiply.outer(posenc.frequencies(16), np.arange(200)))
    return (curves.argmax(axis=1) == 0).all()


def turned_values():
    """What becomes of the output if values are turned: the same, or turned with the text."""
    x = RNG.normal(size=(3, 6, 8))
    here, there = (posenc.attention(*posenc.rope(x, offset=start))[0] for start in (0, 50))
    return which(there, here, posenc.rope(here, positions=np.full(6, 50)))


def waver(d_head):
    q, k = np.random.default_rng(7).normal(size=(2, 4000, d_head))
    return ((q * posenc.rope(k, positions=np.full(4000, 100))).sum(axis=1) / d_head).std()


def keeps_offsets():
    """Which program's score depends on the offset alone: rounded frequencies, or angles."""
    start, omega = np.array([1, 500, 5000]), 1 / 3
    of_frequencies = bfloat16(omega) * (start + 10) - bfloat16(omega) * start
    of_angles = bfloat16(omega * (start + 10)) - bfloat16(omega * start)
    return [np.ptp(of_frequencies), np.ptp(of_angles)].index(0)


def layer_2_in_doubt():
    """Whether a wrong layout of columns shows in a layer that rotates, and in no other."""
    x = RNG.normal(size=(2, 20, 16))
    both = x, posenc.to_layout(x, "interleaved", "halves")
    rotated = [q @ k.T for q, k in map(posenc.rope, both)]
    return np.allclose(*(q @ k.T for q, k in both)) and not np.allclose(*rotated)


def still_worth_it(least):
    """The largest share of rotating pairs with which a match keeps `least` of its score."""
    kept = [np.cos(np.r_[np.full(n, np.pi), np.zeros(100 - n)]).mean() for n in range(101)]
    return np.flatnonzero(np.greater_equal(np.round(kept, 9), least)).max() / 100


def windows_to_see(n, window):
    """How many layers with windows it takes until the last of n tokens depends on the first."""
    reached, layers = 0, 0
    while reached < n - 1:
        reached, layers = reached + window - 1, layers + 1
    return layers


def short_of_a_turn(length, d=64):
    return (length < waves(d)).sum()


def columns_of_a_turn():
    """The wavelength of the fastest pair of the columns, in Qwen2-VL's sections."""
    return 2 * np.pi / posenc.frequencies(128, base=1e6)[40]


def ends(base):
    """The first distance at which a match of 128 columns is worth less than a random key."""
    return np.argmax(posenc.similarity(np.arange(20_000), 128, base=base) < 0)


def without_new_angles(length):
    """At how many offsets within a length the frequencies of method 2 leave no lead."""
    i = np.arange(64)
    slow, fast = 1e4 ** (-i / 64) / 8, (1e4 * 8 ** (128 / 88)) ** (-i / 64)
    angles = np.multiply.outer(np.arange(length), np.where(i >= 44, slow, fast))
    return (np.cos(angles).mean(axis=1) < 0).sum()


def same_widths():
    """The widths at which a doubled exponent changes nothing."""
    widths = range(2, 65, 2)
    return [d for d in widths if np.allclose(posenc.frequencies(d) ** 2, posenc.frequencies(d))]


def pads_off():
    table = posenc.sinusoidal(30, 64)
    return np.array([abs(table[k : k + 15, :2] - table[:15, :2]).max() for k in range(1, 13)])


def deviation(of=None):
    """The standard deviation of the share of mistakes among so many programs of one row."""
    records = json.loads((ROOT / "notebooks/clinic/survey.json").read_text("utf-8"))["records"]
    some = [one["verdict"] == "mistake" for one in records if one["by"] == "name, other language"]
    return np.sqrt(np.mean(some) * (1 - np.mean(some)) / (of or len(some)))


def whole_columns(exponents):
    angles = np.arange(50)[:, np.newaxis] * 10_000.0 ** (-exponents)
    return len(np.unique(np.concatenate([np.sin(angles), np.cos(angles)], axis=1).T, axis=0))


def furthest_off(exponents):
    return max(posenc.frequencies(16) / 10_000.0**-exponents)


MEASURED = json.loads((ROOT / "notebooks/clinic/real-model.json").read_text("utf-8"))


def begins_right():
    """The place of the mistake whose cost grows most from the first block to the last."""
    loss = {name: np.mean([*of.values()], axis=0) for name, of in MEASURED["price"]["loss"].items()}
    choices = [name for name, _ in QUESTIONS["ex-who-wrote-it-1"]["choices"]]
    grown = [(loss[name] - loss["as released"])[[0, -1]] for name in choices]
    return int(np.argmin([first / last for first, last in grown]))


def layer_of(step):
    """The layer of the head with the largest share at a distance."""
    return np.argmax(np.array(MEASURED["heads"]["weight"])[:, step]) // 9


# The right answer of each question; of one with choices, the place of the right choice.
RIGHT = {
    "ex-equal-rows-1": rows_of_weights,
    "ex-bag-of-words-1": lambda: what_changes(
        *(attended(np.arange(15)), attended(ORDER)),
        *(lambda y: y.mean(axis=0), lambda y: y.max(axis=0), lambda y: y[0]),
    ),
    "ex-forgiven-1": divided_by,
    "ex-two-heads-1": lambda: np.allclose(attended(ORDER, 2), attended(np.arange(15), 2)[ORDER]),
    "ex-period-1": lambda: period(16),
    "ex-counter-1": lambda: flipped(96),
    "ex-counter-2": lambda: flipped(256),
    "ex-base-of-bits-1": lambda: base_that_halves(8),
    "ex-two-dials-1": lambda: waves(12)[1],
    "ex-nearly-back-1": lambda: nearest_to_start()[0],
    "ex-nearly-back-2": lambda: tips()[0],
    "ex-far-row-1": lambda: posenc.sinusoidal([100], 6)[0, 2],
    "ex-slip-past-1": exchanged,
    "ex-telling-columns-1": lambda: seen(doubled(10, 6)).sum(),
    "ex-telling-columns-2": lambda: wrong_and_unseen(doubled(10, 6), own(10, 6)).argmax(),
    "ex-unmix-the-stripes-1": lambda: in_halves(255) // 2,
    "ex-black-line-1": lambda: 128 * np.log(2) / np.log(10_000),
    "ex-column-again-1": lambda: found_again()[4].argmax(),
    "ex-column-again-2": lambda: (~found_again().any(axis=0)).sum(),
    "ex-count-bfloat16-1": lambda: len(left_below(17)),
    "ex-count-bfloat16-2": lambda: np.diff(left_below(17))[-1],
    "ex-first-pair-only-1": right_in_every_ladder,
    "ex-four-slips-1": lambda: cosines()[0],
    "ex-four-slips-2": lambda: cosines()[3],
    "ex-collide-1": collided,
    "ex-bias-1": new_bias,
    "ex-home-1": lambda: blocks(0.5, 10.5, 0.5)[1],
    "ex-home-2": lambda: blocks(1, 1001)[0],
    "ex-read-backwards-1": mirror,
    "ex-break-pairs-1": random_pairs_move,
    "ex-break-the-geometry-1": lambda: (own(200, 64) ** 2).sum(axis=1).min(),
    "ex-half-likeness-1": lambda: np.sqrt(10_000) * FADE,
    "ex-base-you-need-1": lambda: next(
        b for b in (100, 300, 1000, 3000, 10_000, 30_000) if b * FADE > 3000
    ),
    "ex-both-neighbours-1": looks_both_ways,
    "ex-count-the-factors-1": lambda: max(FACTORS),
    "ex-count-the-factors-2": lambda: np.mean(FACTORS),
    "ex-lost-hand-1": lambda: lost_at(np.float64) - lost_at(np.float32),
    "ex-half-way-1": lambda: np.linalg.norm(posenc.sinusoidal([0, 1], 2).mean(axis=0)),
    "ex-weight-decay-1": lambda: (1 - 0.001) ** 500,
    "ex-teeth-1": lambda: tooth(5).max(),
    "ex-pairs-beyond-1": lambda: next(n for n in range(17, 99) if beyond(n, 16) > n * n / 2),
    "ex-lost-past-1": lambda: past(-1),
    "ex-slide-the-clip-1": lambda: len(np.unique(posenc.clipped(posenc.offsets(15, 15), 14))),
    "ex-slide-the-clip-2": lambda: next(c for c in range(1, 15) if beyond(15, c - 1) < 15**2 / 2),
    "ex-forgive-1": lambda: 2 * forgiven(),
    "ex-costs-1": lambda: 256 * np.log(4096 / np.exp(-np.arange(4096) / 256).sum()),
    "ex-slide-1": lambda: next(n for n in 2 ** np.arange(12) if np.exp(6) < n - 1),
    "ex-constant-step-1": lambda: round(np.exp(-1 / 2), 3),
    "ex-constant-step-2": scores_of_a_quarter,
    "ex-leak-1": leaking,
    "ex-set-ruler-1": filler_step,
    "ex-what-where-1": peaks_at_0,
    "ex-drop-1": lost_without_positions,
    "ex-turn-values-1": turned_values,
    "ex-turned-too-often-1": keys_turned_again,
    "ex-slide-to-decay-1": lambda: round(waver(512) / waver(128), 1),
    "ex-no-sine-meets-a-cosine-1": sines_met,
    "ex-correct-a-caption-1": lambda: swung(30, 64),
    "ex-find-the-half-1": lambda: half_swung(0.5, 0.75),
    "ex-which-rounding-1": keeps_offsets,
    "ex-two-are-one-1": lambda: same_widths()[0],
    "ex-translation-1": lambda: posenc.frequencies(64)[1],
    "ex-which-terms-1": lambda: terms_that_feel(np.eye(64)),
    "ex-harmless-pads-1": lambda: pads_off().argmin() + 1,
    "ex-how-sure-a-share-1": deviation,
    "ex-whole-numbers-1": lambda: whole_columns(2 * np.arange(32) // 64),
    "ex-least-missed-1": lambda: furthest_off(I8 / 7),
    "ex-nothing-new-1": lambda: short_of_a_turn(2048),
    "ex-base-for-columns-1": lambda: (40 / (2 * np.pi)) ** (64 / 40),
    "ex-after-a-video-1": lambda: 3 + np.indices((20, 4, 6)).max() + 1,
    "ex-columns-begin-1": lambda: 0.1 * columns_of_a_turn(),
    "ex-keep-share-1": lambda: sink_that_leaves(0.1),
    "ex-kernel-test-1": lambda: sink_that_leaves(0.3013, mean=1, n=64),
    "ex-price-and-sink-1": price_and_sink,
    "ex-slide-sink-1": lambda: first_sink(math.log(131_072) / math.log(32)),
    "ex-slide-sink-2": lambda: first_sink(1),
    "ex-ntk-factor-1": lambda: posenc.frequencies(128)[-1] / posenc.frequencies(128, base=5e5)[-1],
    "ex-no-new-angles-1": lambda: 15 * 1024 - without_new_angles(15 * 1024),
    "ex-which-base-in-file-1": lambda: (8192 / 0.1174) ** (64 / 62),
    "ex-who-wrote-it-1": begins_right,
    "ex-find-a-head-1": lambda: layer_of(2),
    "ex-slide-base-1": lambda: next(
        base for base in (1000, 3000, 10_000, 30_000, 100_000, 500_000) if ends(base) > 8192
    ),
    "ex-reach-whole-1": lambda: windows_to_see(131_072, 4096),
    "ex-wrong-layer-1": layer_2_in_doubt,
    "ex-floor-1": lambda: still_worth_it(0.0),
    "ex-strip-1": lambda: 5 * (512 - 1),
}

# What foreseen slips give, where it takes more than the number that their reply begins with.
SLIPS = {
    "ex-equal-rows-1": lambda: [len(TEXT)],
    "ex-counter-1": lambda: ((96).bit_count(), (96).bit_length()),
    "ex-two-dials-1": lambda: (waves(12)[0], waves(12)[:2].prod()),
    "ex-nearly-back-1": lambda: nearest_to_start()[1:2],
    "ex-nearly-back-2": lambda: tips()[[1, -1]],
    "ex-far-row-1": lambda: (doubled(101, 6)[100, 2], math.sin(math.radians(100 / 10 ** (4 / 3)))),
    "ex-telling-columns-1": lambda: [seen(doubled(10, 6), 12).sum()],
    "ex-unmix-the-stripes-1": lambda: [in_halves(254) // 2],
    "ex-black-line-1": lambda: [64 * np.log10(2) / 4],
    "ex-count-bfloat16-1": lambda: (len(left_below(18)), len(left_below(16))),
    "ex-first-pair-only-1": lambda: [right_in_every_ladder() + 1],
    "ex-four-slips-1": lambda: cosines()[1:],
    "ex-four-slips-2": lambda: cosines()[2:3],
    "ex-collide-1": lambda: [collided(2)],
    "ex-home-1": lambda: (blocks(0.5, 5, 0.5)[1], blocks(0.5, 10.5, 0.5)[0]),
    "ex-home-2": lambda: (blocks(1, 1001)[1], blocks(1, 101)[0]),
    "ex-break-the-geometry-1": lambda: [(own(200, 64) ** 2).sum(axis=1).max()],
    "ex-half-likeness-1": lambda: [10_000 * FADE],
    "ex-half-way-1": lambda: (math.cos(1), math.sin(0.5)),
    "ex-weight-decay-1": lambda: (1 - (1 - 0.001) ** 500, math.exp(-500 * 0.001)),
    "ex-teeth-1": lambda: (tooth(4).max(), tooth(5)[0]),
    "ex-pairs-beyond-1": lambda: [math.ceil(16 / (1 - 0.5**0.5))],
    "ex-lost-past-1": lambda: [past(1)],
    "ex-costs-1": lambda: (256 * np.log(4096), 256 * np.log(4096 / 256)),
    "ex-constant-step-1": lambda: (np.exp(1 / 2), np.exp(-1)),
    "ex-set-ruler-1": lambda: (filler_step(others=6), filler_step(fillers=6)),
    "ex-correct-a-caption-1": lambda: (swung(30, 64, (1, 1)), swung(30, 64, (0.5, 0.5))),
    "ex-find-the-half-1": lambda: (half_swung(1, 1), half_swung(0.5, 0.5)),
    "ex-which-terms-1": lambda: [terms_that_feel(RNG.normal(size=(64, 64)))],
    "ex-harmless-pads-1": lambda: [pads_off().argmax() + 1],
    "ex-how-sure-a-share-1": lambda: (deviation() ** 2, deviation(of=1)),
    "ex-whole-numbers-1": lambda: [whole_columns(2 * np.arange(32) / 64)],
    "ex-least-missed-1": lambda: [furthest_off(4 * I8 / 16)],
    "ex-nothing-new-1": lambda: [short_of_a_turn(4096, d=128)],
    "ex-base-for-columns-1": lambda: (40 / (2 * np.pi)) ** np.array([1, 40 / 64]),
    "ex-after-a-video-1": lambda: (3 + max(4, 6), 3 + 20 * 4 * 6),
    "ex-columns-begin-1": lambda: [columns_of_a_turn()],
    "ex-keep-share-1": lambda: (sink_that_leaves(0.1, mean=1), sink_that_leaves(0.9)),
    "ex-kernel-test-1": lambda: [sink_that_leaves(1 - 0.3013, mean=1, n=64)],
    "ex-ntk-factor-1": lambda: [50 ** (128 / 126)],
    "ex-which-base-in-file-1": lambda: (8192 / 0.1174, (8192 / 0.1174 / math.tau) ** (64 / 62)),
    "ex-find-a-head-1": lambda: [layer_of(1)],
    "ex-floor-1": lambda: (64 / 256, 192 / 256),
}
NUMBERS = [name for name in QUESTIONS if "choices" not in QUESTIONS[name]]
NUMBER = re.compile(r"-?\d+(,\d{3})*(\.\d+)?\b")


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_right_answer_is_what_it_is_computed_to_be(name):
    question, right = QUESTIONS[name], RIGHT[name]()
    if name in NUMBERS:
        within = question.get("within", 0)
        assert np.isclose(question["right"], right, rtol=0, atol=within or 1e-9)
    else:
        said = [said.partition(" ")[0].strip(".:,") for _, said in question["choices"]]
        assert said == ["Yes" if place == right else "No" for place in range(len(said))]


@pytest.mark.parametrize("name", NUMBERS)
def test_a_wrong_number_is_what_its_reply_says(name):
    question = QUESTIONS[name]
    within = question.get("within", 0)
    numbers = [value for value, _ in question["wrong"]]
    slips = np.array(SLIPS[name]() if name in SLIPS else [], float)
    computed = [value for value in numbers if (abs(value - slips) <= (within or 1e-9)).any()]
    assert len(computed) == len(slips)
    for value, reply in question["wrong"]:
        if value not in computed or NUMBER.match(reply):
            said = float(NUMBER.search(reply)[0].replace(",", ""))
            assert said == pytest.approx(value, rel=0, abs=within or 1e-9)
    for one, other in combinations([question["right"], *numbers], 2):  # each has its own reply
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
    assert RIGHT.keys() == QUESTIONS.keys()
    for name in QUESTIONS:
        label = name.rpartition("-")[0]
        assert re.search(rf":label: {label}\\n\",\s+\":class: (derive|find|play)", text), name


def test_a_question_about_a_number_names_its_unit_or_its_rounding():
    for name, question in QUESTIONS.items():
        if "choices" not in question:
            assert question["ask"].endswith(")"), name
            assert ("decimal" in question["ask"]) == (0 < question.get("within", 0) < 0.5), name
