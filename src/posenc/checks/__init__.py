"""Checkers for the course's exercises: they say what is right, and what went wrong.

A checker takes the learner's answer, tries it on cases the learner did not choose, and prints why
a right answer matters. Otherwise it raises `NotYet`, whose message is meant for the learner.
"""

from posenc.checks._answer import NotYet
from posenc.checks._dials import base_for, entry, read_clock, turns_by, way_back
from posenc.checks._figures import positions_needed, reread
from posenc.checks._geometry import (
    causal_bias,
    double_table,
    first_rise,
    gram_from_row,
    look_back,
    mean_similarity,
    single_row,
)
from posenc.checks._layer import add_along, impossible_rows, next_positions, stands_at, valid_base
from posenc.checks._meeting import cosines_first, decode, move_back, ppmi_of
from posenc.checks._mending import ladder_of, mend
from posenc.checks._order import masked_softmax, put_back, read_bits, thermometer
from posenc.checks._placing import decode_step, remember

__all__ = [
    "NotYet",
    "add_along",
    "base_for",
    "causal_bias",
    "cosines_first",
    "decode",
    "decode_step",
    "double_table",
    "entry",
    "first_rise",
    "gram_from_row",
    "impossible_rows",
    "ladder_of",
    "look_back",
    "masked_softmax",
    "mean_similarity",
    "mend",
    "move_back",
    "next_positions",
    "positions_needed",
    "ppmi_of",
    "put_back",
    "read_bits",
    "read_clock",
    "remember",
    "reread",
    "single_row",
    "stands_at",
    "thermometer",
    "turns_by",
    "valid_base",
    "way_back",
]
