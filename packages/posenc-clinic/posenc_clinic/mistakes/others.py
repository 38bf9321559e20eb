"""Mistakes beyond the formula's numbers, which readings of whole tables find; they have no case."""

from typing import NamedTuple


class Other(NamedTuple):
    """What is said of a mistake in every table that has it."""

    what: str
    why: str
    remedy: str
    convention: bool = False


OTHERS = {
    "absolute-offsets": Other(
        "Offsets were made positive: those before and after a token have one encoding.",
        "A query can't tell whether a key is before it or after it.",
        "Take sines of negative angles where offsets are negative: no abs, and one half negated.",
    ),
    "circle-closed-early": Other(
        "The circle is closed a step early: rows that differ have one encoding.",
        "Divided by the number of places less 1, the last place falls on the first.",
        "Divide by the number of places in a turn: 2 * pi * t / 7 for the days of a week.",
    ),
    "no-waves": Other(
        "These are angles: no sine and no cosine was taken.",
        "Angles grow without bound, and added to embeddings they swamp them.",
        "Take np.sin and np.cos of them, or pass what is computed from them.",
    ),
    "index-column": Other(
        "The first column numbers the rows.",
        "It does not belong to the encoding, which begins with the next column.",
        "Leave it out: to_csv(..., index=False) writes none, read_csv(..., index_col=0) drops it.",
    ),
    "shuffled-rows": Other(
        "Rows are out of order: each is one of the formula's, but positions do not go up.",
        "If you look up the row of a position, you get that of another.",
        "Sort the rows by position, and look for what permuted them.",
    ),
    "dropout": Other(
        "Dropout was left on: some entries are 0, and all others are enlarged.",
        "Each call drops other entries, so a position has another encoding each time.",
        "Call eval() before you read the table, or store it before dropout.",
    ),
    "interpolated": Other(
        "Rows are interpolated: between those of the formula, pairs lie inside the unit circle.",
        "A mean of two sines is no sine, so shifts are no rotations.",
        "Compute the formula at the positions between, which may be any real numbers.",
    ),
    "alias-overwrite": Other(
        "Sines were written over the angles that the cosines are taken of.",
        "Some cosines are those of sines, so pairs leave the unit circle.",
        "Keep angles in an array of their own.",
    ),
    "not-a-rotation": Other(
        "These are not the cosine and the sine of one angle in each pair of columns.",
        "What they make of queries and keys is no rotation, so scores do not depend on the offset "
        "alone.",
        "Take both of the same angles, and give the columns that the code pairs, neighbours or "
        "those half the width apart, the same angle. Keep it only for weights trained with it.",
    ),
    "no-ladder": Other(
        "These frequencies are no ladder: no base gives them.",
        "Pairs that are equally fast, or as fast as it happens, tell few positions apart.",
        "Recompute them from the base, base ** (-arange(0, d, 2) / d), unless the model trains "
        "them.",
    ),
    "rope-llama3-ramp": Other(
        "Llama 3's ramp is taken over wavelengths, not over frequencies.",
        "Pairs between those that are kept and those that are slowed down get other factors.",
        "Let the share be (original / wavelength - low) / (high - low).",
    ),
    "rope-yarn-factor": Other(
        "YaRN's factor stands inside the power: 1 / (factor * base) ** (2 * i / d).",
        "Slow pairs are not slowed down by the factor, but have another base.",
        "Divide frequencies by the factor, outside of the power.",
    ),
    "alibi-slopes": Other(
        "These are not the slopes of ALiBi for so many heads.",
        "Weights that were trained with those of the authors' code get other biases.",
        "Use posenc.alibi_slopes: for numbers of heads that are no powers of 2, the authors add "
        "every second slope of the next power.",
    ),
    "t5-buckets": Other(
        "Buckets run past the last one.",
        "Far offsets read past the table of biases, or those of other buckets.",
        "Take the minimum with the last bucket, as posenc.t5_buckets does.",
    ),
}
