"""What is drawn of the assignment `build`: bases, widths, and the order of columns."""

from collections.abc import Sequence
from typing import Any

import posenc
from grading.draw.plan import Plan, Words

BASES = range(11, 99)
OTHER = {"sines": "cosines", "cosines": "sines", "fastest": "slowest", "slowest": "fastest"}
ARRAYS = {"sines": "np.sin(angles)", "cosines": "np.cos(angles)"}
SIDES = {  # the fastest sine and cosine of position -1
    "sines": "[-math.sin(1), math.cos(1)]",
    "cosines": "[math.cos(1), -math.sin(1)]",
}
RATIOS = {8: "half", 27: "a third", 64: "a quarter", 125: "a fifth", 1000: "a tenth"}
ODD = {7: "Seven", 5: "Five", 9: "Nine", 11: "Eleven", 13: "Thirteen"}
# The halves of a row as another library has them.
LIBRARIES = {
    "reversed": "second[..., ::-1], first[..., ::-1]",
    "swapped": "second, first",
    "turned": "first[..., ::-1], second[..., ::-1]",
}
# How fast a cosine's dial turns beside its sine's, what their squares add up to, and an angle at
# which that is not 1.
DIALS = {
    "half the frequency": (r"\cos^2(a/2)", r"\pi", "0"),
    "twice the frequency": (r"\cos^2(2a)", r"\pi/2", "2"),
    "a third of the frequency": (r"\cos^2(a/3)", r"\pi", "1/4"),
}

CHOICES: dict[str, Sequence[Any]] = {
    "root": [5, 2, 3, 4, 6, 7],
    "layout": [(side, speed) for side in ("sines", "cosines") for speed in ("fastest", "slowest")],
    "library": [*LIBRARIES],
    "base": [100, 25, 36, 49, 64, 81, 121, 144],
    "cube": [*RATIOS],
    "two": [77, *BASES],
    "six": [343, *range(200, 500)],
    "end_1": ["512, 10_000", *(f"{128 * n}, {b}_000" for n in (2, 3, 5, 6) for b in BASES)],
    "end_2": ["30, 2.5", *(f"{2 * n}, {b}.5" for n in range(11, 20) for b in range(3, 9))],
    "end_3": ["128, 500_000", *(f"{n}, {b}0_000" for n in (96, 160) for b in BASES)],
    "half": [5, 4, 6, 7, 8, 9],
    "zero_base": [7, *BASES],
    "widths": ["2, 6, 8", "2, 8, 10", "4, 6, 10", "4, 10, 12", "6, 8, 12"],
    "table_base": [625, *BASES],
    "below_base": [9, *BASES],
    "places": [
        "700.0, 2.5, 0.125, -3.0",
        *(f"{a}.0, {b}.5, 0.375, -{b + 3}.0" for a in range(300, 900) for b in range(3, 9)),
    ],
    "places_base": [50, *BASES],
    "many": [3000, *range(2000, 3000, 50)],  # a table of more than 16 MiB is no answer
    "wide": [512, 384, 448, 576, 640],
    "dials": [*DIALS],
    "library_base": [625, *BASES],
    "batch_base": [30, *BASES],
    "sum_base": [625, *BASES],
    "offset": [900, *range(200, 900)],
    "offset_base": [40, *BASES],
    "far": [50_000, *range(30_000, 90_000)],
    "odd": [*ODD],
    "pair_base": [9, *BASES],
}


def words(drawn: Words) -> Words:
    """The order of columns in words and in code, and what was worked out by hand."""
    first, fastest = drawn["layout"]
    second, slowest = OTHER[first], OTHER[fastest]
    slow_first = fastest == "slowest"
    by_hand = ["1", *(f"1 / {drawn['root'] ** i}" for i in (1, 2, 3))]
    three = ["1", *(f"1 / {round(drawn['cube'] ** (i / 3))}" for i in (1, 2))]
    exponents = ["0", "-2 / 6", "-4 / 6"]
    theirs = {
        "reversed": (second, slowest),
        "swapped": (second, fastest),
        "turned": (first, slowest),
    }[drawn["library"]]
    squares, angle, total = DIALS[drawn["dials"]]
    half, zeros = drawn["half"], "0" if first == "sines" else "1"
    ones = "1" if first == "sines" else "0"
    return {
        "first": first,
        "second": second,
        "fastest": fastest,
        "slowest": slowest,
        "fast": fastest.removesuffix("est"),
        "slow": slowest.removesuffix("est"),
        "halves": "Its layout is *halves*"
        if (first, fastest) == ("sines", "fastest")
        else "Its layout is one of its own",
        "power": drawn["root"] ** 4,
        "by_hand": ", ".join(by_hand[::-1] if slow_first else by_hand),
        "top": -1 if slow_first else 0,
        "upwards": "[::-1]" if slow_first else "",
        "powers": "np.arange(2 - d_model, 1, 2)" if slow_first else "-np.arange(0, d_model, 2)",
        "ratio": RATIOS[drawn["cube"]],
        "three": ", ".join(three[::-1] if slow_first else three),
        "exponents": "{}, {} and {}".format(*(exponents[::-1] if slow_first else exponents)),
        "arrays": f"{ARRAYS[first]}, {ARRAYS[second]}",
        "zero": ", ".join([zeros] * 2 + [ones] * 2),
        "halves_of_zero": f"[{zeros}] * {half} + [{ones}] * {half}",
        "width": 2 * half,
        "sine": _columns(first, slow_first, 2).index(0),
        "cosine": _columns(first, slow_first, 2).index(2),
        "minus": SIDES[first],
        "squares": rf"\sin^2 a + {squares}",
        "angle": angle,
        "total": total,
        "library_first": theirs[0],
        "library_second": OTHER[theirs[0]],
        "library_from": theirs[1],
        "library_to": OTHER[theirs[1]],
        "other": LIBRARIES[drawn["library"]],
        "row": _row(drawn["base"], first, slow_first),
        "library_row": _row(drawn["base"], theirs[0], theirs[1] == "slowest"),
        "own_d": _own(first, slow_first, None, " " * 4),
        "Odd": ODD[drawn["odd"]],
        "offset_3": drawn["offset"] + 3,
        "far_": f"{drawn['far']:_}",
        "far_2": f"{drawn['far'] + 2:_}",
        "own_wide": _own(first, slow_first, drawn["wide"] // 2),
        **{f"own_{pairs}": _own(first, slow_first, pairs) for pairs in (2, 3, 4, 5, 6)},
    }


def _columns(first: str, slow_first: bool, pairs: int) -> list[int]:
    """Where a layout's columns stand in `halves`."""
    columns = list(range(2 * pairs) if first == "sines" else range(-pairs, pairs))
    columns = [column % (2 * pairs) for column in columns]
    if slow_first:
        columns = columns[:pairs][::-1] + columns[pairs:][::-1]
    return columns


def _row(base: int, first: str, slow_first: bool) -> str:
    """The encoding of position 1 in four columns, to two decimals."""
    row = posenc.sinusoidal([1], 4, base=base, layout="halves")[0]
    return ", ".join(f"{row[column]:.2f}" for column in _columns(first, slow_first, 2))


def _own(first: str, slow_first: bool, pairs: int | None, indent: str = "") -> str:
    """A line that puts the columns of `halves` in the order of a layout; for any width if None."""
    # Column -1 is the slowest cosine.
    if first == "sines":
        span = (pairs - 1, -pairs - 1) if pairs else ("d_model // 2 - 1", "-d_model // 2 - 1")
        columns = f"np.arange({span[0]}, {span[1]}, -1)" if slow_first else ""
    else:
        span = (-pairs, pairs) if pairs else ("-d_model // 2", "d_model // 2")
        columns = "::-1" if slow_first else f"np.arange({span[0]}, {span[1]})"
    return f"\n{indent}right = right[..., {columns}]" if columns else ""


PLACES = {
    "build-4": ["the base <power>. Work", "the <fastest> first, and put"],
    "build-by-hand": ["[<by_hand>]"],
    "build-by-hand-test": [
        "by_hand[<top>] == 1",
        "the fourth root of <power>.",
        "posenc.frequencies(8, base=<power>)<upwards>",
    ],
    "build-7": ["the <fastest> first."],
    "build-ladder": ["base ** (<powers> / d_model)"],
    "build-ladder-test": [
        "isinstance(ladder(6, <cube>)",
        "np.shape(ladder(6, <cube>))",
        "base <cube> and six columns, each dial turns <ratio> as fast",
        "same(ladder(6, <cube>), [<three>])",
        "are still <exponents>.",
        "same(ladder(6, <six>), posenc.frequencies(6, base=<six>)<upwards>)",
    ],
    "build-ladder-ends-test": [
        "ladder(2, <two>)",
        "in ((<end_1>), (<end_2>), (<end_3>)):",
        "posenc.frequencies(d_model, base=base)<upwards>",
    ],
    "build-11": [
        "the table, <first> first",
        "<halves>: all <first>, the <fastest> first, and then all <second> in",
    ],
    "build-table": ["all <first> before all <second>", "[<arrays>]"],
    "build-table-shape-test": [
        "4, <base>)",
        "[<zero>]), ",
        "all <first> come first",
        "<width>, <zero_base>), [<halves_of_zero>] * 2",
    ],
    "build-table-values-test": [
        "4, <base>)",
        "[row[<sine>], row[<cosine>]]",
        "in (<widths>):",
        'posenc.sinusoidal(40, d_model, base=<table_base>, layout="halves")<own_d>',
        "d_model, <table_base>)",
    ],
    "build-table-anywhere-test": [
        "2, <below_base>)[0], <minus>)",
        "[<places>]",
        'base=<places_base>, layout="halves")<own_6>',
        "12, <places_base>)",
    ],
    "build-table-large-test": [
        "np.arange(5), <wide>, 10_000)) == (5, <wide>)",
        "rows of <wide> columns",
        'posenc.sinusoidal(<many>, <wide>, layout="halves")<own_wide>',
        "np.arange(<many>), <wide>,",
    ],
    "build-17": ["uses <dials> of its sine"],
    "build-length": ["$<squares>$ is not 1", "$a = <angle>$ it is <total>."],
    "build-19": [
        "all *<library_first>* first, from the *<library_from>* dial to the <library_to>, and then "
        "all <library_second> in",
    ],
    "build-library": [
        "all <first> first, <fast> to <slow>, then all <second>, <fast> to <slow>.",
        "np.concatenate([<other>]",
    ],
    "build-library-test": [
        "np.array([[<library_row>]])",
        "base <base>:",
        "[[<row>]]",
        'base=<library_base>, layout="halves")<own_5>',
        "np.concatenate([<other>]",
        "All <first> come first, the <fastest> at",
    ],
    "build-library-batch-test": [
        'base=<batch_base>, layout="halves")<own_3>',
        "np.concatenate([<other>]",
    ],
    "build-class": ["encoding, <first> first,"],
    "build-class-sum-test": [
        "Places(4, <base>)",
        "[<zero>]",
        'base=<sum_base>, layout="halves")<own_3>',
        "Places(6, <sum_base>)(x), ",
        "Places(6, <sum_base>)(x[",
    ],
    "build-class-offset-test": [
        "Places(4, <base>)",
        'range(<offset>, <offset_3>), 8, base=<offset_base>, layout="halves")<own_4>',
        "offset=<offset>, the",
        "position <offset>.",
        "Places(8, <offset_base>)",
        "offset=<offset>)\n",
    ],
    "build-class-dtype-test": [
        "single = Places(4, <base>)",
        'range(<far_>, <far_2>), 4, base=<base>, layout="halves")<own_2>',
        "far = Places(4, <base>)",
        "offset=<far_>)",
    ],
    "build-class-odd-test": ["Places(<odd>, <base>)", '"<Odd> columns', "Places(2, <pair_base>)"],
}

PLAN = Plan(CHOICES, words, PLACES)
