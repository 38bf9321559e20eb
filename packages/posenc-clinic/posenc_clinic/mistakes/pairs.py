"""Mistakes in how pairs are made: how fast each turns, what its columns hold, where they stand."""

import math

from posenc_clinic.mistakes.mistake import Mistake, ends, lengths

OF_PAIRS = {
    "doubled-exponent": Mistake(
        what="The exponent is doubled, so frequencies fall by two steps where they should fall by "
        "one.",
        why="By itself this leaves all lengths right, and dot products and shifts still depend on "
        "distances alone, so most tests pass. But the slow half of the pairs hardly rotates. The "
        "base squared would give the same numbers.",
        remedy="Where a loop runs over even columns, the column already is 2 * i, so divide it by "
        "d_model without another factor of 2.",
        found=lambda fitted: fitted.exponent_doubled,
        fixed=lambda fitted: {"log_ratio": fitted.recipe.log_ratio / 2},
        harm=ends,
    ),
    "tensor2tensor-ladder": Mistake(
        what="Exponents run to 1, as in Tensor2Tensor, so the last frequency is 1 / base.",
        why="By itself this leaves all lengths right, and dot products and shifts still depend on "
        "distances alone. But the values are not those of the paper, so weights trained with one "
        "table misread the other.",
        remedy="Divide the number of the pair by d_model / 2, not by d_model / 2 - 1. If weights "
        "were trained with the table, leave it as it is.",
        found=lambda fitted: fitted.exponent_reaches_1,
        fixed=lambda fitted: {"log_ratio": fitted.recipe.log_ratio * (1 - 2 / fitted.recipe.width)},
        harm=ends,
        cost=1.05,
    ),
    "shifted-index": Mistake(
        what="Pairs are not counted from 0, so the frequencies start with another one.",
        why="The fastest pair no longer rotates by 1 radian a position, and no other pair has the "
        "frequency that belongs to it.",
        remedy="Count pairs from 0: the first exponent is 0, and the first frequency 1.",
        found=lambda fitted: fitted.recipe.index_shift != 0,
        fixed=lambda fitted: {"index_shift": 0.0},
        harm=ends,
        extra_cost=lambda fitted: {1.0: 0.0, 0.5: 0.3, -1.0: 1.0}[fitted.recipe.index_shift],
    ),
    "rising-frequencies": Mistake(
        what="Frequencies rise from pair to pair, where they should fall.",
        why="Fast pairs make many turns between two positions, so neighbours look unrelated, and "
        "no pair is slow enough to tell far positions apart.",
        remedy="Divide positions by base ** (2 * i / d_model), or multiply them by base ** (-2 * "
        "i / d_model), but do not do both.",
        found=lambda fitted: fitted.recipe.log_ratio < 0 and not fitted.parenthesis_lost,
        fixed=lambda fitted: {"log_ratio": -fitted.recipe.log_ratio},
        harm=ends,
    ),
    "lost-parenthesis": Mistake(
        what="A parenthesis got lost: frequencies are exp(2 * i) times -log(base) / d_model.",
        why="The logarithm should be in the exponent. Outside of it, every pair rotates 7.4 times "
        "as fast as the one before, and backwards, so that the values of all but the first pairs "
        "are only the rounding errors of huge angles.",
        remedy="Put the whole product into the exponential: np.exp(np.arange(0, d_model, 2) * "
        "(-np.log(10000.0) / d_model)).",
        found=lambda fitted: fitted.parenthesis_lost,
        fixed=lambda fitted: {
            "log_ratio": 2 * math.log(fitted.view.base) / fitted.recipe.width,
            "first_frequency": fitted.first_frequency,
            "sign": fitted.sign,
        },
        harm=ends,
    ),
    "degrees": Mistake(
        what="Angles are taken for degrees.",
        why="Every pair rotates 57 times too slowly, so near positions can hardly be told apart.",
        remedy="np.sin and np.cos take radians: leave out the conversion.",
        found=lambda fitted: fitted.degrees,
        fixed=lambda fitted: {"first_frequency": 1.0},
        harm=ends,
    ),
    "position-parity": Mistake(
        what="Sine and cosine alternate from row to row, where they should from column to column.",
        why="Neighbouring positions hold different functions, so nothing about two rows depends "
        "on their distance alone.",
        remedy="Let the parity of the column decide: sine in even columns and cosine in odd ones, "
        "at every position.",
        found=lambda fitted: fitted.recipe.alternates_by_row,
        fixed=lambda fitted: {"functions": "sin cos"},
        harm=lengths,
    ),
    "mixed-layouts": Mistake(
        what="Frequencies are in one layout, and sine and cosine in the other.",
        why="The two columns of a pair no longer have one frequency, so pairs leave the unit "
        "circle and a shift is no longer a rotation.",
        remedy="Where functions alternate, repeat each frequency side by side (np.repeat); where "
        "they are in halves, repeat all frequencies one after another (np.tile).",
        found=lambda fitted: fitted.recipe.mixes_layouts,
        fixed=lambda fitted: {
            "functions": fitted.recipe.functions.removeprefix("mixed "),
            "layout": fitted.layout,
        },
        detail=lambda fitted: "Frequencies are {}.".format(
            "in halves, and functions alternate"
            if fitted.recipe.layout == "halves"
            else "side by side, and functions in halves"
        ),
        harm=lengths,
    ),
    "cosine-first": Mistake(
        what="The cosine comes before the sine.",
        why="This is a convention, not a mistake: every pair has its two functions in the other "
        "order. It matters only for weights trained with the usual order, because they read the "
        "wrong columns.",
        remedy="To follow section 3.5 of the paper, exchange sine and cosine, so that the sine is "
        "in the first column.",
        found=lambda fitted: fitted.recipe.functions.endswith("cos sin"),
        cost=0.3,
        convention=True,
    ),
    "sine-everywhere": Mistake(
        what="Both columns of a pair hold the sine.",
        why="Where both have one frequency, half of the columns say nothing new. And sines alone "
        "do not show the direction in which a pair rotates, so no matrix takes the encoding of "
        "one position to that of the next.",
        remedy="Take the cosine in the second column of each pair.",
        found=lambda fitted: fitted.recipe.functions == "sin sin",
        fixed=lambda fitted: {"functions": "sin cos"},
        harm=lengths,
    ),
    "cosine-everywhere": Mistake(
        what="Both columns of a pair hold the cosine.",
        why="Where both have one frequency, half of the columns say nothing new. And cosines "
        "alone can't tell before from after.",
        remedy="Take the sine in the first column of each pair.",
        found=lambda fitted: fitted.recipe.functions == "cos cos",
        fixed=lambda fitted: {"functions": "sin cos"},
        harm=lengths,
    ),
    "halves-layout": Mistake(
        what="The first functions of all pairs come before all second ones, not beside them.",
        why="This is a convention, not a mistake: the same columns in another order. It matters "
        "only for weights trained with the other order, because they read the wrong columns.",
        remedy='Pass layout="halves" where you compare, or reorder with posenc.to_layout.',
        found=lambda fitted: fitted.layout == "halves" and fitted.recipe.width > 2,
        cost=0.3,
        convention=True,
    ),
}
