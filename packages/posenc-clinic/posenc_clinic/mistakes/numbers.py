"""Mistakes in the numbers of the formula: its exponents, positions and values."""

import math

import numpy as np

from posenc_clinic.fitting.fitted_table import FittedTable
from posenc_clinic.mistakes.mistake import Mistake, ends, lengths


def _right_base(fitted: FittedTable) -> dict[str, float]:
    right = 2 * math.log(fitted.view.base) / fitted.recipe.width
    return {"log_ratio": math.copysign(right, fitted.recipe.log_ratio)}


def _cost_of_a_base(fitted: FittedTable) -> float:
    return {1: 0.0, 2: 0.8}.get(fitted.digits, 1.5)


def _ratio(fitted: FittedTable) -> str:
    ratio = math.log(fitted.view.base) / math.log(fitted.base)
    small, many = ("small", ratio) if ratio > 1 else ("large", 1 / ratio)
    return f"{many:.4g} times too {small}"


def _one_base(fitted: FittedTable) -> dict[str, float]:
    right = math.isclose(fitted.second_base, fitted.view.base)
    return {
        "odd_base_ratio": 1.0,
        "log_ratio": fitted.recipe.log_ratio * (fitted.recipe.odd_base_ratio if right else 1.0),
    }


def _divided(fitted: FittedTable) -> str:
    divisor, (n, _) = fitted.exponent_divisor, fitted.view.table.shape
    rows = {n: ", the number of rows,", n - 1: ", the number of rows less 1,"}.get(int(divisor), "")
    return (
        f"Exponents are {_ratio(fitted)}, as if divided by {divisor:g}{rows} instead of d_model "
        f"({fitted.recipe.width})."
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
    return f"The columns of the first pair rotate by {one:.4g} and {other:.4g} radians a position."


def _cost_of_an_offset(fitted: FittedTable) -> float:
    odd = fitted.recipe.odd_column_offset
    return {0.5: 0.0, 0.25: 0.1 if fitted.exponent_doubled else 1.0}.get(odd, odd - 0.5)


OF_LADDERS = {
    "lost-logarithm": Mistake(
        what="The logarithm of the base is missing: frequencies are exp(-2 * i / d_model).",
        why="Without it the base is 2.718. By itself this makes the frequencies fall so little "
        "that the slowest pair rotates more than a third as fast as the first, and far positions "
        "look like near ones.",
        remedy="Multiply the exponent by log(base): exp(-log(10000) * 2 * i / d_model).",
        found=lambda fitted: fitted.base == math.e != fitted.view.base,
        fixed=_right_base,
        harm=ends,
    ),
    "wrong-base": Mistake(
        what="The frequencies fall with another base.",
        why="The slowest pairs decide up to which distance positions can be told apart.",
        remedy="Divide positions by base ** (2 * i / d_model) with the base you mean. If you mean "
        "this one, leave the table as it is.",
        found=lambda fitted: (
            fitted.base not in (fitted.view.base, math.e, 1.0)
            and not fitted.exponent_divisor
            and not (
                fitted.recipe.odd_base_ratio != 1
                and math.isclose(fitted.second_base, fitted.view.base)
            )
        ),
        fixed=_right_base,
        detail=_of_base,
        harm=ends,
        extra_cost=_cost_of_a_base,
    ),
    "wrong-divisor": Mistake(
        what="The exponents are divided by something other than d_model.",
        why="The frequencies fall with another base than the one in the code. By itself this "
        "leaves lengths and shifts as they are, but with a large divisor all pairs rotate almost "
        "alike.",
        remedy="Divide 2 * i by d_model in the exponent, as in base ** (2 * i / d_model), and not "
        "by the length of the table or a fixed number.",
        found=lambda fitted: fitted.exponent_divisor != 0,
        fixed=_right_base,
        detail=_divided,
        harm=ends,
        extra_cost=lambda fitted: 0.5,
    ),
    "equal-frequencies": Mistake(
        what="All pairs have one frequency, because their exponents are equal.",
        why="All sines are copies of one column, and all cosines of another. A single frequency "
        "repeats every few positions, so far positions look like near ones.",
        remedy="Divide as real numbers: 2 * i / d_model is 0 where integers are divided, as in C, "
        "C++, C#, Java and Rust, or by // in Python. And let each pair write only its own "
        "columns.",
        found=lambda fitted: fitted.base == 1,
        fixed=_right_base,
        harm=ends,
    ),
    "odd-denominators": Mistake(
        what="Odd columns have an exponent of their own, not that of the sine beside them.",
        why="A sine and its cosine no longer belong to one angle, so pairs leave the unit circle "
        "and a shift is no longer a rotation.",
        remedy="Give both columns of pair i the exponent 2 * i / d_model; column j has i = j // 2.",
        found=lambda fitted: fitted.recipe.odd_column_offset != 0,
        fixed=lambda fitted: {"odd_column_offset": 0.0},
        detail=_first_pair,
        harm=lengths,
        extra_cost=_cost_of_an_offset,
    ),
    "two-bases": Mistake(
        what="The two columns of a pair have different bases.",
        why="A sine and its cosine no longer belong to one angle, so pairs leave the unit circle "
        "and a shift is no longer a rotation.",
        remedy="Give sines and cosines one base, in one variable.",
        found=lambda fitted: fitted.recipe.odd_base_ratio != 1,
        fixed=_one_base,
        detail=lambda fitted: (
            f"First columns have base {fitted.base:.6g}, second ones {fitted.second_base:.6g}."
        ),
        harm=lengths,
    ),
    "position-in-exponent": Mistake(
        what="The exponent contains the position instead of the number of the pair.",
        why="All pairs are alike, and far positions hardly rotate at all: position t rotates by t "
        "/ base ** (2 * t / d_model), which soon falls to 0.",
        remedy="Let the exponent count pairs: 2 * i / d_model, with the same i in every row.",
        found=lambda fitted: fitted.recipe.position_in_exponent,
        fixed=lambda fitted: {"position_in_exponent": False},
    ),
}


def _cost_of_a_start(fitted: FittedTable) -> float:
    start = fitted.start
    if fitted.step != 1:
        return 0.0
    far = 0.5 * (not start.is_integer()) + (abs(start) > 10_000)
    return far + (0.0 if start == 1 else 0.5 if start > 0 else 1.5)


def _cost_of_a_step(fitted: FittedTable) -> float:
    # Where few entries of few digits tell, a long step is rather another ladder.
    view = fitted.view
    coarse = view.is_underdetermined and view.sample.noise > 1e-5
    return 5.0 if fitted.step > 100 and coarse else 0.3


def _between(fitted: FittedTable) -> str:
    end = fitted.view.sample.last * fitted.view.repeat
    first, last = fitted.positions[0], fitted.positions[end]
    way = "down" if last < first else "up"
    rows = {1 / fitted.step: "", 1 / fitted.step + 1: " less 1"}
    shares = [more for count, more in rows.items() if math.isclose(count, fitted.view.period)]
    why = f": each is divided by the number of rows{shares[0]}" if shares else ""
    return f"They go {way} by {fitted.step:.6g}, from {first + 0:.6g} to {last + 0:.6g}{why}."


def _factor(fitted: FittedTable) -> str:
    scale = fitted.recipe.scale
    root = math.isclose(scale, math.sqrt(fitted.recipe.width), rel_tol=1e-3)
    return f"The factor is {scale:.6g}{', the square root of d_model' * root}."


OF_NUMBERS = {
    "reversed-positions": Mistake(
        what="Rows run from the last position to the first.",
        why="Before and after are exchanged for the model that reads the table, and the encoding "
        "of a position depends on the length of the table.",
        remedy="Count positions upward: np.arange(n).",
        found=lambda fitted: fitted.reversed,
        fixed=lambda fitted: {"sign": -fitted.recipe.sign, "start": fitted.start},
    ),
    "negated-angle": Mistake(
        what="Angles are negative: every pair rotates backwards.",
        why="By itself this leaves the cosines and changes the sign of the sines, so that a shift "
        "by k rotates by -k.",
        remedy="Multiply positive positions by positive frequencies.",
        found=lambda fitted: (fitted.sign < 0) != fitted.reversed,
        fixed=lambda fitted: {"sign": -fitted.recipe.sign},
    ),
    "one-based-positions": Mistake(
        what="Positions do not start at 0.",
        why="By itself this changes no distance within the table. But each row belongs to another "
        "position than its number says, and differs from the row of that number in a right table.",
        remedy="Count positions from 0. To decode from a later position on, add its number "
        "explicitly.",
        found=lambda fitted: fitted.start != 0,
        fixed=lambda fitted: {"start": -float(fitted.view.sample.last) if fitted.reversed else 0.0},
        detail=lambda fitted: f"The first row is that of position {fitted.start:.6g}.",
        extra_cost=_cost_of_a_start,
    ),
    "position-step": Mistake(
        what="Positions do not go up by 1.",
        why="This is a convention, not a mistake, where positions are times, angles or a sample "
        "of many, where they start again for each of several packed texts, or where padding "
        "tokens share one. Where rows are the tokens of one text it is a mistake. If positions "
        "are divided by the length of each text, the step between neighbours changes from text to "
        "text.",
        remedy="Where rows are the tokens of one text, use np.arange(n), undivided. Otherwise "
        "leave it, and give the same positions to the model that reads the table.",
        found=lambda fitted: fitted.step != 1,
        detail=_between,
        extra_cost=_cost_of_a_step,
        convention=True,
    ),
    "scaled": Mistake(
        what="All values are multiplied by a factor.",
        why="The encoding is larger or smaller beside the embeddings than it should be, or "
        "negated if the factor is negative.",
        remedy="If the embedding is to be scaled, scale the embedding, not the table.",
        found=lambda fitted: fitted.recipe.scale != 1,
        fixed=lambda fitted: {"scale": 1.0},
        detail=_factor,
        harm=lengths,
        cost=1.1,
    ),
    "shifted-mean": Mistake(
        what="A constant is added to all values.",
        why="Pairs move on circles whose centre is not 0, so that dot products no longer depend on "
        "the distance alone.",
        remedy="Leave the values between -1 and 1, as sine and cosine give them.",
        found=lambda fitted: fitted.recipe.mean != 0,
        fixed=lambda fitted: {"mean": 0.0},
        detail=lambda fitted: f"The constant is {fitted.recipe.mean:.6g}.",
        harm=lengths,
    ),
    "low-precision-angles": Mistake(
        what="Angles were computed with too few digits.",
        why="Rounding changes an angle by a share of itself, so errors grow with the position "
        "until neighbours can't be told apart.",
        remedy="Compute positions, frequencies and angles in float64 (or float32), take sine and "
        "cosine, and convert to a smaller type last, unless weights were trained with it.",
        found=lambda fitted: fitted.precision != "float64",
        detail=lambda fitted: (
            f"Errors grow as they do in {fitted.precision}, up to {fitted.model_error:.2g}."
        ),
        cost=1.2,
    ),
}
