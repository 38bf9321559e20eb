"""Mistakes in the numbers of the formula: its positions and values."""

import math

from posenc_clinic._mistake import FittedTable, Mistake, lengths


def _cost_of_a_start(fitted: FittedTable) -> float:
    start = fitted.start
    if fitted.step != 1:
        return 0.0
    far = 0.5 * (not start.is_integer()) + (abs(start) > 10_000)
    return far + (0.0 if start == 1 else 0.5 if start > 0 else 1.5)


def _between(fitted: FittedTable) -> str:
    first, last = fitted.positions[0], fitted.positions[fitted.view.sample.last * fitted.view.run]
    way = "down" if last < first else "up"
    rows = {1 / fitted.step: "", 1 / fitted.step + 1: " less 1"}
    shares = [more for count, more in rows.items() if math.isclose(count, fitted.view.block)]
    why = f": each is divided by the number of rows{shares[0]}" if shares else ""
    return f"They go {way} by {fitted.step:.6g}, from {first + 0:.6g} to {last + 0:.6g}{why}."


def _factor(fitted: FittedTable) -> str:
    scale = fitted.recipe.scale
    root = math.isclose(scale, math.sqrt(fitted.recipe.width), rel_tol=1e-3)
    return f"The factor is {scale:.6g}{', the root of d_model' * root}."


OF_NUMBERS = {
    "reversed-positions": Mistake(
        what="Rows run from the last position to the first.",
        why="Before and after are exchanged for whatever reads the table, and the encoding of a "
        "position depends on the length of the table.",
        remedy="Count positions upward: np.arange(n).",
        found=lambda fitted: fitted.reversed,
        mended=lambda fitted: {"sign": -fitted.recipe.sign, "start": fitted.start},
    ),
    "negated-angle": Mistake(
        what="Angles are negative: every dial turns backwards.",
        why="By itself this leaves the cosines and turns the sign of the sines, so that a shift by "
        "k rotates by -k.",
        remedy="Multiply positive positions by positive frequencies.",
        found=lambda fitted: (fitted.sign < 0) != fitted.reversed,
        mended=lambda fitted: {"sign": -fitted.recipe.sign},
    ),
    "one-based-positions": Mistake(
        what="Positions do not begin at 0.",
        why="By itself this harms no distance within the table; but every row stands for another "
        "position than its number says, and is off beside that row of a right table.",
        remedy="Count positions from 0; to decode from a later position on, add the offset on "
        "purpose.",
        found=lambda fitted: fitted.start != 0,
        mended=lambda fitted: {
            "start": -float(fitted.view.sample.last) if fitted.reversed else 0.0
        },
        detail=lambda fitted: f"The first row is that of position {fitted.start:.6g}.",
        extra_cost=_cost_of_a_start,
    ),
    "position-step": Mistake(
        what="Positions do not go up by 1.",
        why="This is a convention, not a mistake, where positions are times, angles or a sample of "
        "many, where they start again for each of several texts, or where pads share one. Where "
        "rows are the words of one text it is a mistake; divided by the length of each text, the "
        "step between neighbours changes from text to text.",
        remedy="Where rows are the words of one text, use np.arange(n), undivided; otherwise leave "
        "it, and hand the same positions to whatever reads the table.",
        found=lambda fitted: fitted.step != 1,
        detail=_between,
        extra_cost=lambda fitted: 0.3,
        convention=True,
    ),
    "scaled": Mistake(
        what="All values are multiplied by a factor.",
        why="The encoding is louder or quieter beside the words than it should be, or turned over "
        "if the factor is negative.",
        remedy="If the embedding is to be scaled, scale the embedding, not the table.",
        found=lambda fitted: fitted.recipe.scale != 1,
        mended=lambda fitted: {"scale": 1.0},
        detail=_factor,
        harm=lengths,
        cost=1.1,
    ),
    "shifted-mean": Mistake(
        what="A constant is added to all values.",
        why="Pairs move on circles whose centre is not 0, so that dot products no longer depend on "
        "the distance alone.",
        remedy="Leave the values between -1 and 1, where sine and cosine put them.",
        found=lambda fitted: fitted.recipe.mean != 0,
        mended=lambda fitted: {"mean": 0.0},
        detail=lambda fitted: f"The constant is {fitted.recipe.mean:.6g}.",
        harm=lengths,
    ),
    "low-precision-angles": Mistake(
        what="Angles were computed with too few digits.",
        why="Rounding an angle moves it by a share of itself, so errors grow with the position "
        "until neighbours can't be told apart.",
        remedy="Compute positions, frequencies and angles in float64 (or float32), take sine and "
        "cosine, and convert to a smaller type last.",
        found=lambda fitted: fitted.precision != "float64",
        detail=lambda fitted: (
            f"Errors grow as they do in {fitted.precision}, up to {fitted.misfit:.2g}."
        ),
        cost=1.2,
    ),
}
