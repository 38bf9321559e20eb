"""The mistakes that have a name: what each is, why it matters and how to mend it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mistake:
    """What there is to say of a mistake, whatever table it is found in.

    `measure` says which number shows the harm: the "lengths" of rows, the "ends" of the ladder of
    frequencies, or "" if the evidence says it all.
    """

    what: str
    why: str
    remedy: str
    measure: str = ""
    convention: bool = False


CATALOGUE = {
    "halves-layout": Mistake(
        "All first functions stand before all second ones, not beside them.",
        "This is a convention, not a mistake: the same columns in another order. Only weights "
        "that were trained with the other order read the wrong columns.",
        'Pass layout="halves" where you compare, or reorder with posenc.to_layout.',
        convention=True,
    ),
    "cosine-first": Mistake(
        "The cosine comes before the sine.",
        "This is a convention, not a mistake: every pair holds the same two numbers, in the other "
        "order. Only weights that were trained with the other order read the wrong columns.",
        "Exchange sine and cosine to follow section 3.5 of the paper: sine in the first column.",
        convention=True,
    ),
    "wrong-base": Mistake(
        "The ladder of frequencies falls with another base.",
        "The slow end of the ladder decides how far apart two positions can be told to be.",
        "Divide positions by base ** (2 * i / d_model) with the base you mean, or pass that base "
        "to diagnose.",
        "ends",
    ),
    "doubled-exponent": Mistake(
        "The exponent is doubled: frequencies fall twice as fast down the ladder.",
        "Lengths, dot products and shifts are as they should be, so most tests pass; but the "
        "slow half of the pairs hardly moves. The same numbers come from the base squared.",
        "Where a loop runs over even columns, the column already is 2 * i: divide it by d_model "
        "without another factor of 2.",
        "ends",
    ),
    "odd-denominators": Mistake(
        "Odd columns use an exponent of their own, not that of the sine beside them.",
        "A sine and its cosine no longer belong to one angle, so pairs leave the unit circle and "
        "no shift is a rotation any more.",
        "Give both columns of pair i the exponent 2 * i / d_model; column j has i = j // 2.",
        "lengths",
    ),
    "tensor2tensor-ladder": Mistake(
        "The ladder reaches its end: exponents run to 1, as in Tensor2Tensor.",
        "Lengths, dot products and shifts are as they should be, but the values are not those of "
        "the paper, and weights trained with one ladder misread the other.",
        "Divide the number of the pair by d_model / 2, not by d_model / 2 - 1.",
        "ends",
    ),
    "shifted-index": Mistake(
        "The ladder begins at another rung: pairs are not counted from 0.",
        "The fastest pair no longer turns 1 radian a position, and every other pair is one that "
        "belongs elsewhere.",
        "Count pairs from 0: the first exponent is 0, and the first frequency 1.",
        "ends",
    ),
    "lost-logarithm": Mistake(
        "The logarithm of the base got lost: frequencies are exp(-2 * i / d_model).",
        "That is a ladder with the base 2.718. Even its slowest pair turns quickly, so that far "
        "positions come to look like near ones.",
        "Multiply the exponent by log(base): exp(-log(10000) * 2 * i / d_model).",
        "ends",
    ),
    "sine-everywhere": Mistake(
        "Both columns of a pair hold the sine.",
        "Half of the columns say nothing new, and a sine alone can't tell which way it is going: "
        "no matrix turns the encoding of one position into that of the next.",
        "Take the cosine in the second column of each pair.",
        "lengths",
    ),
    "cosine-everywhere": Mistake(
        "Both columns of a pair hold the cosine.",
        "Half of the columns say nothing new, and a cosine alone can't tell before from after.",
        "Take the sine in the first column of each pair.",
        "lengths",
    ),
    "position-parity": Mistake(
        "Sine and cosine take turns from row to row, where they should from column to column.",
        "Neighbouring positions hold different functions, so that nothing about two rows depends "
        "on their distance alone.",
        "Let the parity of the column decide: sine in even columns, cosine in odd ones, at every "
        "position.",
        "lengths",
    ),
    "one-based-positions": Mistake(
        "Positions do not begin at 0.",
        "The rows are right for other positions. Distances within the table are unharmed; rows "
        "compared with those of a right table are off.",
        "Count positions from 0; to decode from a later position on, add the offset on purpose.",
    ),
    "reversed-positions": Mistake(
        "Rows run from the last position to the first.",
        "Before and after are exchanged for whatever reads the table, and the encoding of a "
        "position depends on the length of the table.",
        "Count positions upward: np.arange(n).",
    ),
    "zeroed-first-row": Mistake(
        "Row 0 is all zeros, as it is where that row is kept for padding.",
        "This is a convention, not a mistake, where words are counted from 1: row r still holds "
        "position r, and pads take row 0. Where words are counted from 0, it is a mistake: the "
        "first word of every sentence then has no position.",
        "Look at the code that reads the table. If it counts words from 1, leave row 0 as it is; "
        "if it counts from 0, fill row 0 in (sines 0, cosines 1) and mask the padding instead.",
        convention=True,
    ),
    "constant-row": Mistake(
        "A whole row is set to one value.",
        "Every position has its sines and cosines. A row of one value is no position, so whatever "
        "word gets it has none.",
        "Compute that row like the others; where it was meant for padding, mask padding instead.",
        "lengths",
    ),
    "transposed": Mistake(
        "Rows and columns are exchanged.",
        "Added to a batch as it is, the table gives each token one frequency, not one position; "
        "if it is square, no shape check will tell.",
        "Transpose it: positions down, columns across.",
    ),
    "negated-angle": Mistake(
        "Angles are negative: every dial turns backwards.",
        "Cosines are right and sines have the wrong sign, so that a shift by k rotates by -k.",
        "Multiply positive positions by positive frequencies.",
    ),
    "degrees": Mistake(
        "Angles are taken for degrees.",
        "Every pair turns 57 times too slowly, so near positions are hardly told apart.",
        "np.sin and np.cos take radians: leave out the conversion.",
        "ends",
    ),
    "scaled": Mistake(
        "All values are multiplied by a factor.",
        "The encoding is louder or quieter beside the words than it should be.",
        "If the embedding is to be scaled, scale the embedding, not the table.",
        "lengths",
    ),
    "shifted-mean": Mistake(
        "A constant is added to all values.",
        "Pairs move on circles whose centre is not 0, so that dot products no longer depend on "
        "the distance alone.",
        "Leave the values between -1 and 1, where sine and cosine put them.",
        "lengths",
    ),
    "low-precision-angles": Mistake(
        "Angles were computed with too few digits.",
        "Rounding an angle moves it by a share of itself, so errors grow with the position until "
        "neighbours can't be told apart.",
        "Compute positions, frequencies and angles in float64 (or float32), take sine and cosine, "
        "and convert to a smaller type last.",
    ),
    "repeated-row-block": Mistake(
        "Rows repeat exactly.",
        "Repeated rows give different tokens the same position. It happens where the encoding "
        "runs along the batch, or where a short table is tiled.",
        "Let positions run along the axis of the tokens, and make the table as long as the text.",
    ),
    "zero-column": Mistake(
        "A column of zeros fills up an odd width.",
        "The last sine has no cosine, so its pair is not on the unit circle and is not rotated "
        "by a shift.",
        "Choose an even d_model.",
        "lengths",
    ),
    "missing-column": Mistake(
        "The number of columns is odd: one half of a pair is missing.",
        "The column that is left has no partner, so its pair is not on the unit circle and is "
        "not rotated by a shift.",
        "Choose an even d_model.",
        "lengths",
    ),
    "not-finite": Mistake(
        "Some values are not finite.",
        "A single NaN spreads to every sum, product and mean it gets into.",
        "Look for a division by 0 or an overflow where the first of them arises.",
    ),
    "not-an-encoding": Mistake(
        "Values do not follow the formula.",
        "What follows no formula can't be continued to other positions, and none of the theorems "
        "about shifts and distances holds for it.",
        "Compute the table from the formula, with posenc.sinusoidal, and compare.",
    ),
}
