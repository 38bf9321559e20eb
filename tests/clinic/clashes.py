"""What is known of the mistakes that `wrong_table` makes, and which of them go together."""

from itertools import combinations

from posenc_clinic.mistakes.wrong_tables import NAMES

# Tables are still correct.
CONVENTIONS = {"halves-layout", "cosine-first", "zeroed-first-row", "position-step"}
# Mistakes that no single entry shows.
PLACELESS = {
    *CONVENTIONS,
    *("transposed", "low-precision-angles", "repeated-row-block", "zero-column"),
    *("missing-column", "not-finite"),
}

# What is a mistake only where the paper's table is meant: caches for rotations are made so.
MEANT = {"sine-everywhere": "paper", "cosine-everywhere": "paper"}

# Pairs of mistakes that no table can have, or that no table can show: a reason, a mistake, others.
IMPOSSIBLE = (
    ("a lost logarithm is a wrong base", "lost-logarithm", "wrong-base"),
    ("all exponents are 0", "equal-frequencies", "wrong-base lost-logarithm wrong-divisor"),
    ("all exponents are 0", "equal-frequencies", "doubled-exponent odd-denominators"),
    ("all exponents are 0", "equal-frequencies", "tensor2tensor-ladder shifted-index"),
    ("all exponents are 0", "equal-frequencies", "rising-frequencies lost-parenthesis"),
    ("all exponents are 0", "equal-frequencies", "mixed-layouts"),
    ("no base is left in the exponent", "lost-parenthesis", "wrong-base lost-logarithm"),
    ("no divisor is left in the exponent", "lost-parenthesis", "wrong-divisor doubled-exponent"),
    ("exponents count pairs", "lost-parenthesis", "tensor2tensor-ladder rising-frequencies"),
    ("another divisor makes another base", "wrong-divisor", "wrong-base lost-logarithm"),
    ("another divisor makes another base", "wrong-divisor", "doubled-exponent"),
    ("another divisor makes another base", "wrong-divisor", "tensor2tensor-ladder"),
    ("no digits are left of large angles", "low-precision-angles", "rising-frequencies"),
    ("no digits are left of large angles", "low-precision-angles", "lost-parenthesis"),
    ("positions are in the exponent", "position-in-exponent", "shifted-index equal-frequencies"),
    ("positions are in the exponent", "position-in-exponent", "lost-parenthesis two-bases"),
    ("positions are in the exponent", "position-in-exponent", "rising-frequencies mixed-layouts"),
    ("positions are in the exponent", "position-in-exponent", "low-precision-angles"),
    ("positions are in the exponent", "position-in-exponent", "cosine-of-sine"),
    ("no cosine is left", "cosine-of-sine", "cosine-first sine-everywhere cosine-everywhere"),
    ("no cosine is left", "cosine-of-sine", "position-parity odd-denominators two-bases"),
    ("no cosine is left", "cosine-of-sine", "mixed-layouts"),
    ("the other base is not the usual one", "two-bases", "wrong-base lost-logarithm"),
    ("the other base is not the usual one", "two-bases", "wrong-divisor equal-frequencies"),
    ("the other base is not the usual one", "two-bases", "lost-parenthesis rising-frequencies"),
    ("the other base is not the usual one", "two-bases", "odd-denominators"),
    ("one slow dial fits many starts", "degrees", "equal-frequencies"),
    ("too few dials are slow enough", "position-step", "rising-frequencies lost-parenthesis"),
    ("all columns are one", "sine-everywhere", "equal-frequencies position-in-exponent"),
    ("all columns are one", "cosine-everywhere", "equal-frequencies position-in-exponent"),
    ("all columns are one", "position-parity", "equal-frequencies position-in-exponent"),
    ("whole numbers keep their digits", "low-precision-angles", "equal-frequencies"),
    ("only both functions can be mixed", "mixed-layouts", "sine-everywhere cosine-everywhere"),
    ("only both functions can be mixed", "mixed-layouts", "position-parity"),
    ("a filled column is not missing", "zero-column", "missing-column"),
    ("the last column is empty anyway", "zero-column", "unwritten-columns"),
    ("the first pair turns slower anyway", "position-step", "shifted-index"),
    ("an entry holds one function", "sine-everywhere", "cosine-everywhere position-parity"),
    ("an entry holds one function", "cosine-everywhere", "position-parity"),
    ("an entry holds one function", "cosine-first", "sine-everywhere cosine-everywhere"),
    ("the cosine is even", "cosine-everywhere", "negated-angle"),
    ("row 0 is all zeros anyway", "zeroed-first-row", "sine-everywhere position-parity"),
)
CLASHES = {
    frozenset((mistake, other)): why
    for why, mistake, others in IMPOSSIBLE
    for other in others.split()
}

PAIRS = [pair for pair in combinations(NAMES, 2) if frozenset(pair) not in CLASHES]
