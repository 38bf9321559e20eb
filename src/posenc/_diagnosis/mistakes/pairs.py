"""Mistakes in how pairs are made: how fast each turns, what its columns hold, where they stand."""

from posenc._diagnosis._mistake import Mistake, ends, lengths

OF_PAIRS = {
    "doubled-exponent": Mistake(
        what="The exponent is doubled: frequencies fall twice as fast down the ladder.",
        why="By itself this leaves lengths, and that dot products and shifts depend on distances "
        "alone, so most tests pass; but the slow half of the pairs hardly moves. The same numbers "
        "come from the base squared.",
        remedy="Where a loop runs over even columns, the column already is 2 * i: divide it by "
        "d_model without another factor of 2.",
        found=lambda fitted: fitted.doubled,
        mended=lambda fitted: {"drop": fitted.recipe.drop / 2},
        harm=ends,
    ),
    "tensor2tensor-ladder": Mistake(
        what="The ladder reaches its end: exponents run to 1, as in Tensor2Tensor.",
        why="By itself this leaves lengths, and that dot products and shifts depend on distances "
        "alone; but the values are not those of the paper, and weights trained with one ladder "
        "misread the other.",
        remedy="Divide the number of the pair by d_model / 2, not by d_model / 2 - 1; but leave it "
        "as it is where weights were trained with it.",
        found=lambda fitted: fitted.reaching,
        mended=lambda fitted: {"drop": fitted.recipe.drop * (1 - 2 / fitted.recipe.width)},
        harm=ends,
        cost=1.05,
    ),
    "shifted-index": Mistake(
        what="The ladder begins at another rung: pairs are not counted from 0.",
        why="The fastest pair no longer turns 1 radian a position, and every other pair is one "
        "that belongs elsewhere.",
        remedy="Count pairs from 0: the first exponent is 0, and the first frequency 1.",
        found=lambda fitted: fitted.recipe.shift != 0,
        mended=lambda fitted: {"shift": 0.0},
        harm=ends,
        extra_cost=lambda fitted: {1.0: 0.0, 0.5: 0.3, -1.0: 1.0}[fitted.recipe.shift],
    ),
    "degrees": Mistake(
        what="Angles are taken for degrees.",
        why="Every pair turns 57 times too slowly, so near positions are hardly told apart.",
        remedy="np.sin and np.cos take radians: leave out the conversion.",
        found=lambda fitted: fitted.degrees,
        mended=lambda fitted: {"unit": 1.0},
        harm=ends,
    ),
    "position-parity": Mistake(
        what="Sine and cosine take turns from row to row, where they should from column to column.",
        why="Neighbouring positions hold different functions, so that nothing about two rows "
        "depends on their distance alone.",
        remedy="Let the parity of the column decide: sine in even columns, cosine in odd ones, at "
        "every position.",
        found=lambda fitted: fitted.recipe.by_row,
        mended=lambda fitted: {"functions": "sin cos"},
        harm=lengths,
    ),
    "cosine-first": Mistake(
        what="The cosine comes before the sine.",
        why="This is a convention, not a mistake: every pair holds its two functions in the other "
        "order. Only weights that were trained with the other order read the wrong columns.",
        remedy="Exchange sine and cosine to follow section 3.5 of the paper: sine in the first "
        "column.",
        found=lambda fitted: fitted.recipe.functions.endswith("cos sin"),
        cost=0.3,
        convention=True,
    ),
    "sine-everywhere": Mistake(
        what="Both columns of a pair hold the sine.",
        why="Where both have one frequency, half of the columns say nothing new; and a sine alone "
        "can't tell which way it is going: no matrix turns the encoding of one position into that "
        "of the next.",
        remedy="Take the cosine in the second column of each pair.",
        found=lambda fitted: fitted.recipe.functions == "sin sin",
        mended=lambda fitted: {"functions": "sin cos"},
        harm=lengths,
    ),
    "cosine-everywhere": Mistake(
        what="Both columns of a pair hold the cosine.",
        why="Where both have one frequency, half of the columns say nothing new; and a cosine "
        "alone can't tell before from after.",
        remedy="Take the sine in the first column of each pair.",
        found=lambda fitted: fitted.recipe.functions == "cos cos",
        mended=lambda fitted: {"functions": "sin cos"},
        harm=lengths,
    ),
    "halves-layout": Mistake(
        what="All first functions stand before all second ones, not beside them.",
        why="This is a convention, not a mistake: the same columns in another order. Only weights "
        "that were trained with the other order read the wrong columns.",
        remedy='Pass layout="halves" where you compare, or reorder with posenc.to_layout.',
        found=lambda fitted: fitted.recipe.layout == "halves" and fitted.recipe.width > 2,
        cost=0.3,
        convention=True,
    ),
}
