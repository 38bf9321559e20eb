"""What is drawn of the assignment `understand`: bases, widths, and what a function returns."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

import posenc
from grading.draw.plan import Plan, Words

BASES = range(11, 99)
COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven")
# The bounds of `twin`: as a formula, in words, in a message, what they add to the ends of a range,
# and two bounds near a number with the answer.
BOUNDS = {
    "closed": (
        r"$\le k \le$",
        "from near to far",
        "both ends count, and nothing before or after",
        (0, 1),
        (-1, 0, 0, "far counts as well, and in 44 steps the first dial makes nearly 7 turns."),
    ),
    "before": (
        r"$\le k <$",
        "from near on, below far,",
        "near counts, and far does not",
        (0, 0),
        (-1, 0, -1, "far does not count here, so only one offset is left."),
    ),
    "after": (
        r"$< k \le$",
        "above near, up to far,",
        "far counts, and near does not",
        (1, 1),
        (0, 1, 1, "near does not count here, so only one offset is left."),
    ),
    "between": (
        "$< k <$",
        "above near, below far,",
        "neither of the two counts",
        (1, 0),
        (0, 2, 1, "neither near nor far counts here, so only one offset is left."),
    ),
}
# What `distance` returns: as a formula, in words, in code, and of a chord.
MEASURES = {
    "distance": (
        r"$\lVert p(t+k) - p(t) \rVert$",
        "the distance",
        "2 * np.sqrt((half**2).sum(axis=-1))",
        ("", "2 * math.sin({} / 2)", "1e-6"),
    ),
    "square": (
        r"$\lVert p(t+k) - p(t) \rVert^2$, the *square* of that distance,",
        "the squared distance",
        "4 * (half**2).sum(axis=-1)",
        (" Square it.", "4 * math.sin({} / 2) ** 2", "1e-12"),
    ),
    "share": (
        r"$\lVert p(t+k) - p(t) \rVert / \sqrt{2\,d_{model}}$, that distance as a share of the "
        "longest possible,",
        "the relative distance",
        "np.sqrt((half**2).mean(axis=-1))",
        (" The longest is 2.", "math.sin({} / 2)", "5e-7"),
    ),
    "square share": (
        r"$\lVert p(t+k) - p(t) \rVert^2 / (2\,d_{model})$, the *square* of that distance as a "
        "share of the longest possible,",
        "the squared relative distance",
        "(half**2).mean(axis=-1)",
        (" The longest is 2. Divide and square.", "math.sin({} / 2) ** 2", "2.5e-13"),
    ),
}
# What a head's scores are divided by: as a formula, in words, in code, and for 2 and 16 columns.
DIVISORS = {
    "half": ("d_{model}/2", "d_model / 2", "(d_model / 2)", "1 - math.cos(1)", "8"),
    "all": ("d_{model}", "d_model", "d_model", "(1 - math.cos(1)) / 2", "16"),
    "root": (
        r"\sqrt{d_{model}}",
        "the root of d_model",
        "math.sqrt(d_model)",
        "(1 - math.cos(1)) / math.sqrt(2)",
        "math.sqrt(16)",
    ),
}
SINES = {0: "0", 30: "1/2", 45: r"\sqrt2/2", 60: r"\sqrt3/2", 90: "1"}  # by degrees

CHOICES: dict[str, Sequence[Any]] = {
    "move": [("sines", "+"), ("cosines", "+"), ("sines", "-")],
    "one": [(2, 5), *((k, t) for k in (3, 4, 5) for t in range(6, 20))],
    "one_base": [50, *BASES],
    "many": [(3, 4), *((k, t) for k in (2, 4, 5) for t in range(6, 20))],
    "many_base": [50, *BASES],
    "turns": [
        "(4, 10), (16, 10_000), (10, 625)",
        *(f"(6, {b}), (18, {b}_000), (12, {b + 200})" for b in BASES),
    ],
    "k": [11, *range(12, 40)],
    "still_base": [9, *BASES],
    "parts": [
        "-7, 0.25, -1.5",
        *(f"-{a}, 0.{b}, -{b}.5" for a in range(8, 20) for b in range(3, 9)),
    ],
    "parts_base": [90, *BASES],
    # The half turn of a dial, a position, and how many steps on its sine tells it from another.
    "dial": [(6, 1, 3), (6, 1, 2), (6, 1, 4), (4, 1, 1), (4, 1, 2), (3, 1, 1), (12, 2, 4)],
    "measure": [*MEASURES],
    "chord": [3, 2, 4, 5],
    "chord_base": [10, *BASES],
    "rows": [60, *range(40, 90)],
    "rows_base": [70, *BASES],
    "shape_base": [10, *BASES],
    "offsets": [
        "[-5.0, 2.5], [1000.0, 7.0]",
        *(f"[-{a}.0, {a}.5], [{b}00.0, {b}.0]" for a in range(6, 20) for b in range(4, 9)),
    ],
    "offsets_width": [32, 24, 40, 48],
    "tiny_base": [10, *BASES],
    "speed_width": [64, 32, 48, 96],
    "speed_base": [300, *range(200, 400)],
    "bounds": [*BOUNDS],
    "six_far": [10, 8, 9, 11, 12],
    "six_base": [10, *BASES],
    "two_far": [100, *range(80, 140)],
    "two_base": [20, *BASES],
    "end": [44, *range(20, 80)],
    "end_base": [10, *BASES],
    "inside": [(20, 300, 6, 10), *((a, a + 280, 6, b) for a in range(15, 40) for b in BASES)],
    # Steps after which the first dial is nearly back: 44 make 7 turns, 333 make 53, 710 make 113.
    "at_far": [(30, 710, 2, 9), *((a, 333, 2, b) for a in range(50, 300) for b in BASES)],
    "at_near": [(6, 9, 64, 10_000), *((44, a, 2, b) for a in range(60, 300) for b in BASES)],
    "side": ["row", "column"],
    "divisor": [*DIVISORS],
    "sums_base": [100, *BASES],
    "large": [5000, 4000, 6000, 7000, 8000],
    "large_base": [100, *BASES],
    "mask_base": [100, *BASES],
    "flat": ["7, 3, 0, 4, 9", *(f"{n}, 2, 0, 4, {b}" for n in (6, 8, 9) for b in BASES)],
    "aim": [(7, 3), (8, 2), (9, 4), (8, 3), (7, 2)],
    "aim_base": [100, *BASES],
    "aims": [(30, 5), *((n, k) for n in range(24, 36) for k in (4, 6, 7))],
    "aims_width": [64, 72, 80, 96],
    "odds_base": [10, *BASES],
    "weights": [(9, 2, 6), *((n, k, s) for n in (8, 10, 11) for k in (1, 3) for s in (4, 5, 7, 8))],
    "weights_base": [50, *BASES],
    "lost": [(6, 3), (5, 2), (7, 4)],
    "lost_sharp": [40, 30, 35, 45, 50],
    "lost_base": [100, 60, 80, 120, 150],
}


def words(drawn: Words) -> Words | None:
    """What functions return, in words and in code; None if a twin is not clear."""
    low, high = BOUNDS[drawn["bounds"]][3]
    ranges = [(1, drawn["two_far"], 4, drawn["two_base"])]
    ranges += [drawn["inside"], drawn["at_far"], drawn["at_near"]]
    if not all(_is_clear(range(a + low, b + high), *model) for a, b, *model in ranges):
        return None
    return (
        _of_turn(drawn)
        | _of_dial(*drawn["dial"])
        | _of_distance(drawn)
        | _of_twin(drawn)
        | _of_head(drawn)
        | _of_lost(*drawn["lost"])
    )


def _is_clear(offsets: range, d_model: int, base: float) -> bool:
    """Tell whether one offset is more alike than all others, beyond rounding."""
    _, second, best = [-1.0, *np.sort(posenc.similarity(offsets, d_model, base=base))][-3:]
    return bool(best - second > 1e-6)


def _of_turn(drawn: Words) -> Words:
    first, sign = drawn["move"]
    # The matrix is the transpose of the published one.
    turned = drawn["move"] != ("sines", "+")
    upper, lower = ("-", "") if turned else ("", "-")
    (one, one_from), (many, many_from) = drawn["one"], drawn["many"]
    step = -1 if sign == "-" else 1
    pair = ("sin", "cos") if first == "sines" else ("cos", "sin")
    return {
        "halves": "*halves*" if first == "sines" else "one of its own",
        "first": first,
        "second": "cosines" if first == "sines" else "sines",
        "arrays": "np.{}(angles), np.{}(angles)".format(*pair),
        "sign": sign,
        "back": " back" if sign == "-" else "",
        "matrix": f"[cosines, {upper}sines], [{lower}sines, cosines]",
        "T": ".T" if turned else "",
        "one_k": one,
        "one_from": one_from,
        "one_to": one_from + step * one,
        "moved": "({} t, {} t) to ({}(t {} {}), {}(t {} {}))".format(
            *pair, pair[0], sign, one, pair[1], sign, one
        ),
        "many_k": many,
        "many_from": many_from,
        "many_to": many_from + step * many,
        "point": r"\{}\omega t, \{}\omega t".format(*pair),
        "sines": rf"{upper}\sin\omega k \\ {lower}\sin\omega k",
        "corner": r"-\cos\omega a\sin\omega b - \sin\omega a\cos\omega b = -\sin\omega(a+b)"
        if turned
        else r"\cos\omega a\sin\omega b + \sin\omega a\cos\omega b = \sin\omega(a+b)",
    }


def _of_dial(half_turn: int, one: int, steps: int) -> Words:
    """The sine of pi t / half_turn at two positions with one value, and some steps on."""
    other = half_turn - one

    def angle(t: int) -> str:
        part = Fraction(t, half_turn)
        above = "" if part.numerator == 1 else str(part.numerator)
        return rf"{above}\pi" + (f"/{part.denominator}" if part.denominator > 1 else "")

    def sine(t: int) -> str:
        degrees = 180 * t // half_turn
        value = SINES[min(degrees % 180, 180 - degrees % 180)]
        return f"-{value}" if degrees > 180 and value != "0" else value

    return {
        "half_turn": half_turn,
        "steps": COUNTS[steps] + (" step" if steps == 1 else " steps"),
        "Steps": (COUNTS[steps] + (" step" if steps == 1 else " steps")).capitalize(),
        "steps_on": steps,
        "t_1": one,
        "t_2": other,
        "value": sine(one),
        "next_1": rf"s({one + steps}) = \sin({angle(one + steps)}) = {sine(one + steps)}",
        "next_2": rf"s({other + steps}) = \sin({angle(other + steps)}) = {sine(other + steps)}",
        "text": sine(one) if "/" in sine(one) and "sqrt" not in sine(one) else f"${sine(one)}$",
        "angle_1": angle(one),
        "angle_2": angle(other),
    }


def _of_distance(drawn: Words) -> Words:
    kind = drawn["measure"]
    formula, named, code, (hint, chord, tiny) = MEASURES[kind]

    def asked(d_model: int) -> str:
        share = f"right / math.sqrt({2 * d_model})" if "share" in kind else "right"
        power = f"({share}) ** 2" if "square" in kind else share
        return f"\nright = {power}" if power != "right" else ""

    return {
        "formula": formula,
        "named": named,
        "measured": code,
        "hint": hint,
        "chord_length": chord.format(drawn["chord"]),
        "tiny": tiny,
        "asked_8": asked(8),
        "asked_offsets": asked(drawn["offsets_width"]),
        "asked_speed": asked(drawn["speed_width"]),
    }


def _of_twin(drawn: Words) -> Words:
    relation, within, ends, (low, high), (near, far, best, said) = BOUNDS[drawn["bounds"]]
    cases = (drawn["inside"], drawn["at_far"], drawn["at_near"])
    return {
        "relation": relation,
        "within": within,
        "ends": ends,
        "span": f"near{' + 1' * low}, far{' + 1' * high}",
        "two_span": f"{1 + low}, {drawn['two_far'] + high}",
        "pair_near": drawn["end"] + near,
        "pair_far": drawn["end"] + far,
        "pair_best": drawn["end"] + best,
        "pair_said": said,
        "cases": ", ".join(f"({a}, {b}, {d_model}, {base:_})" for a, b, d_model, base in cases),
    }


def _of_head(drawn: Words) -> Words:
    formula, named, code, odds, of_16 = DIVISORS[drawn["divisor"]]
    column = drawn["side"] == "column"
    (aim, aim_k), (aims_n, aims_k) = drawn["aim"], drawn["aims"]
    n, k, sharp = drawn["weights"]
    weights = "weights / weights.sum(axis=1, keepdims=True)"
    return {
        "divisor_formula": formula,
        "divisor_named": named,
        "divisor_code": code,
        "odds": odds,
        "of_16": of_16,
        "weights_code": f"({weights}).T" if column else weights,
        "axis": 0 if column else 1,
        "ahead": "np.tril(weights, -1)" if column else "np.triu(weights, 1)",
        "Above": "Below" if column else "Above",
        "flat_1": ":2, 1" if column else "1, :2",
        "of_1": ":, 1" if column else "1",
        "as_drawn": ".T" if column else "",
        "aim_from": aim,
        "aim_k": aim_k,
        "aim_to": aim - aim_k,
        "aim_word": COUNTS[aim_k],
        "aims_n": aims_n,
        "aims_k": aims_k,
        "aims_found": aims_n - aims_k,
        "aims_word": COUNTS[aims_k],
        "n": n,
        "weights_k": k,
        "sharp": sharp,
        "weights_to": n - k,
    }


def _of_lost(n: int, k: int) -> Words:
    return {
        "lost_n": n,
        "lost_k": k,
        "lost_word": COUNTS[k],
        "lost_places": _listed([str(t) for t in range(k)]),
        "lost_targets": _listed([f"−{t}" for t in range(k, 0, -1)]),
    }


def _listed(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


PLACES = {
    "understand-2": ["The layout is <halves>: all <first>, then all <second>."],
    "understand-table": ["all <first>, then all <second>.", "[<arrays>]"],
    "understand-5": ["p(t <sign> k)"],
    "understand-turn": ["every row<back> by", "[<matrix>]"],
    "understand-turn-one-test": [
        "turn(<one_k>, 2, <one_base>)",
        "take <moved>.",
        "rows([<one_from>], 2, <one_base>)",
        "rows([<one_to>], 2, <one_base>)",
        'posenc.rotation(<one_k>, 2, base=<one_base>, layout="halves")<T>',
    ],
    "understand-turn-many-test": [
        "turn(<many_k>, 6, <many_base>)",
        "rows([<many_from>], 6, <many_base>)",
        "rows([<many_to>], 6, <many_base>)",
        "Position <many_from> should become <many_to>.",
        "in (<turns>):",
        'posenc.rotation(<k>, d_model, base=base, layout="halves")<T>',
        "turn(<k>, d_model",
    ],
    "understand-turn-parts-test": [
        "turn(0, 4, <still_base>)",
        "in (<parts>):",
        'base=<parts_base>, layout="halves")<T>',
        "turn(k, 8, <parts_base>)",
    ],
    "understand-10": ["p(t) = (<point>)"],
    "understand-rules": ["& <sines> &", "$<corner>$"],
    "understand-12": [r"\pi t / <half_turn>)", "values <steps> on", "s(t + <steps_on>)"],
    "understand-alone": [
        "$s(<t_1>) = s(<t_2>) = <value>$",
        "<Steps> on, $<next_1>$ and $<next_2>$",
        "from <text> it",
        r"$\cos(<angle_1>) > 0$ and $\cos(<angle_2>) < 0$",
    ],
    "understand-14": ["returns <formula> from"],
    "understand-distance": ["Return <named> of two", "return <measured>"],
    "understand-distance-test": [
        "np.array([0, <chord>]), 2, <chord_base>)",
        "2 sin(a / 2).<hint>",
        "[0, <chord_length>]",
        "sinusoidal(<rows>, 8, base=<rows_base>)",
        "np.linalg.norm(table - table[0], axis=1)<asked_8>",
        "np.arange(<rows>), 8, <rows_base>)",
    ],
    "understand-distance-shape-test": [
        "6, <shape_base>)",
        "[<offsets>]",
        "(k * 0, <offsets_width>), posenc.sinusoidal(k, <offsets_width>)",
        "axis=-1)<asked_offsets>",
        "distance(k, <offsets_width>,",
        "distance(k[0, 1], <offsets_width>,",
    ],
    "understand-distance-small-test": [
        "2, <tiny_base>)",
        "abs(tiny / <tiny> - 1)",
        "frequencies(<speed_width>, base=<speed_base>))<asked_speed>",
        "<speed_width>, <speed_base>)[0]",
    ],
    "understand-19": ["`near` <relation> `far`"],
    "understand-twin": ["offset <within> for", "np.arange(<span>)"],
    "understand-twin-test": [
        "twin(1, <six_far>, 2, <six_base>)",
        "np.arange(<two_span>)",
        "similarity(offsets, 4, base=<two_base>)",
        "twin(1, <two_far>, 4, <two_base>)",
    ],
    "understand-twin-ends-test": [
        '"<pair_said>"',
        "twin(<pair_near>, <pair_far>, 2, <end_base>) == <pair_best>,",
        "in (<cases>):",
        "np.arange(<span>)",
        ": <ends>.",
    ],
    "understand-23": ["divided by $<divisor_formula>$", "a <side> for each query"],
    "understand-head": ["a <side> for each query", "/ <divisor_code>\n", "return <weights_code>\n"],
    "understand-head-sums-test": [
        "head(5, 1, 10, 8, <sums_base>)",
        "weights, axis=<axis>)",
        "of each <side> should",
        "head(6, 2, <large>, 8, <large_base>)",
        "large, axis=<axis>)",
        "sharp = <large>,",
    ],
    "understand-head-mask-test": [
        "head(4, 1, 10, 8, <mask_base>)",
        "<ahead>",
        "<Above> the diagonal",
        "head(<flat>)",
        "flat[<flat_1>]",
        "0, <side> 1 has",
    ],
    "understand-head-aim-test": [
        "head(12, <aim_k>, 40, 32, <aim_base>), axis=<axis>)",
        "aims[<aim_from>] == <aim_to>,",
        "Position <aim_from> should look at position <aim_to>, <aim_word> back.",
        "head(<aims_n>, <aims_k>, 60, <aims_width>, 10_000), axis=<axis>)",
        "aims[<aims_k>:], np.arange(<aims_found>)",
        "position <aims_k> on, each should look <aims_word> back.",
    ],
    "understand-head-values-test": [
        "head(3, 0, 1, 2, <odds_base>))[<of_1>]",
        "math.exp(<odds>)",
        "range(-<weights_k>, <weights_to>), 16, base=<weights_base>)",
        "sinusoidal(<n>, 16, base=<weights_base>)",
        "scale = <sharp> / <of_16> *",
        "np.tri(<n>,",
        "mask=mask)[1]<as_drawn>",
        "head(<n>, <weights_k>, <sharp>, 16, <weights_base>)",
        "by <divisor_named>, then",
    ],
    "understand-29": [
        "head(<lost_n>, <lost_k>, <lost_sharp>, 32, <lost_base>)",
        "Positions <lost_places> have no place <lost_word> back",
    ],
    "understand-nowhere": ["targets are <lost_targets>, which"],
}

PLAN = Plan(CHOICES, words, PLACES)
