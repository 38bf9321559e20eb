"""Mistakes in the exponents of the formula: their base, what divides them and what they count."""

import math

import numpy as np

from posenc_clinic._mistake import FittedTable, Mistake, ends, lengths


def _right_base(fitted: FittedTable) -> dict[str, float]:
    right = 2 * math.log(fitted.view.base) / fitted.recipe.width
    return {"drop": math.copysign(right, fitted.recipe.drop)}


def _cost_of_a_base(fitted: FittedTable) -> float:
    return {1: 0.0, 2: 0.8}.get(fitted.digits, 1.5)


def _ratio(fitted: FittedTable) -> str:
    ratio = math.log(fitted.view.base) / math.log(fitted.base)
    small, many = ("small", ratio) if ratio > 1 else ("large", 1 / ratio)
    return f"{many:.4g} times too {small}"


def _one_base(fitted: FittedTable) -> dict[str, float]:
    right = math.isclose(fitted.second_base, fitted.view.base)
    return {"ratio": 1.0, "drop": fitted.recipe.drop * (fitted.recipe.ratio if right else 1.0)}


def _divided(fitted: FittedTable) -> str:
    divisor, (n, _) = fitted.divisor, fitted.view.table.shape
    rows = {n: ", the number of rows,", n - 1: ", the number of rows less 1,"}.get(int(divisor), "")
    return (
        f"Exponents are {_ratio(fitted)}: divided by {divisor:g}{rows} instead of d_model "
        f"({fitted.recipe.width})?"
    )


def _of_base(fitted: FittedTable) -> str:
    ratio = math.log(fitted.view.base) / math.log(fitted.base)
    near = [x for x in (ratio, 1 / ratio) if x > 1 and math.isclose(x, round(x), rel_tol=1e-9)]
    said = f" Exponents are {_ratio(fitted)}." if near else ""
    return f"Its base is {fitted.base:.6g}, not {fitted.view.base:.6g}.{said}"


def _first_pair(fitted: FittedTable) -> str:
    recipe = fitted.recipe
    second = recipe.width // 2 if recipe.layout == "halves" else 1
    one, other = recipe.omega(np.array([0, second])) / fitted.step
    return f"The columns of the first pair turn {one:.4g} and {other:.4g} radians a position."


def _cost_of_an_offset(fitted: FittedTable) -> float:
    odd = fitted.recipe.odd
    return {0.5: 0.0, 0.25: 0.1 if fitted.doubled else 1.0}.get(odd, odd - 0.5)


OF_LADDERS = {
    "lost-logarithm": Mistake(
        what="The logarithm of the base got lost: frequencies are exp(-2 * i / d_model).",
        why="That is a ladder with the base 2.718. By itself it hardly falls: the slowest pair "
        "turns more than a third as fast as the first, so that far positions come to look like "
        "near ones.",
        remedy="Multiply the exponent by log(base): exp(-log(10000) * 2 * i / d_model).",
        found=lambda fitted: fitted.base == math.e != fitted.view.base,
        mended=_right_base,
        harm=ends,
    ),
    "wrong-base": Mistake(
        what="The ladder of frequencies falls with another base.",
        why="The slow end of the ladder decides how far apart two positions can be told to be.",
        remedy="Divide positions by base ** (2 * i / d_model) with the base you mean, or pass that "
        "base to diagnose.",
        found=lambda fitted: (
            fitted.base not in (fitted.view.base, math.e, 1.0)
            and not fitted.divisor
            and not (
                fitted.recipe.ratio != 1 and math.isclose(fitted.second_base, fitted.view.base)
            )
        ),
        mended=_right_base,
        detail=_of_base,
        harm=ends,
        extra_cost=_cost_of_a_base,
    ),
    "wrong-divisor": Mistake(
        what="Exponents are not divided by d_model, but by something else.",
        why="The ladder falls with another base than the one in the code. By itself this leaves "
        "lengths and shifts; but with a large divisor all pairs turn almost alike.",
        remedy="Divide 2 * i by d_model in the exponent, as in base ** (2 * i / d_model), not by "
        "the length of the table or a fixed number.",
        found=lambda fitted: fitted.divisor != 0,
        mended=_right_base,
        detail=_divided,
        harm=ends,
        extra_cost=lambda fitted: 0.5,
    ),
    "equal-frequencies": Mistake(
        what="All pairs turn alike: they have one exponent.",
        why="All sines are one column again and again, and all cosines another. One dial comes "
        "round every few positions, so that far positions look like near ones.",
        remedy="Divide as real numbers: 2 * i / d_model is 0 where integers are divided, as in C, "
        "C++, C#, Java and Rust, or by // in Python; and let each pair write its own columns only.",
        found=lambda fitted: fitted.base == 1,
        mended=_right_base,
        harm=ends,
    ),
    "odd-denominators": Mistake(
        what="Odd columns use an exponent of their own, not that of the sine beside them.",
        why="A sine and its cosine no longer belong to one angle, so pairs leave the unit circle "
        "and no shift is a rotation any more.",
        remedy="Give both columns of pair i the exponent 2 * i / d_model; column j has i = j // 2.",
        found=lambda fitted: fitted.recipe.odd != 0,
        mended=lambda fitted: {"odd": 0.0},
        detail=_first_pair,
        harm=lengths,
        extra_cost=_cost_of_an_offset,
    ),
    "two-bases": Mistake(
        what="The two columns of a pair fall with a base each.",
        why="A sine and its cosine no longer belong to one angle, so pairs leave the unit circle "
        "and no shift is a rotation any more.",
        remedy="Give sines and cosines one base, in one variable.",
        found=lambda fitted: fitted.recipe.ratio != 1,
        mended=_one_base,
        detail=lambda fitted: (
            f"First columns have base {fitted.base:.6g}, second ones {fitted.second_base:.6g}."
        ),
        harm=lengths,
    ),
    "position-in-exponent": Mistake(
        what="The exponent holds the position, where the number of the pair should be.",
        why="All pairs are alike, and far positions hardly turn at all: position t turns by t / "
        "base ** (2 * t / d_model), which soon falls to 0.",
        remedy="Let the exponent count pairs: 2 * i / d_model, the same i in every row.",
        found=lambda fitted: fitted.recipe.by_position,
        mended=lambda fitted: {"by_position": False},
    ),
}
