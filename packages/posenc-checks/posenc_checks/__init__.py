"""Checkers for the course's exercises: they say what is right, and what went wrong.

A checker takes the learner's answer, tries it on cases the learner did not choose, and prints why
a right answer matters. Otherwise it raises `NotYet`, whose message is meant for the learner.
"""

from posenc.checks._answer import NotYet
from posenc.checks._attention import causal_bias, look_back
from posenc.checks._counting import read_bits, thermometer
from posenc.checks._dials import base_for, read_clock, turns_by
from posenc.checks._doubling import double_table, single_row
from posenc.checks._entries import entry, way_back
from posenc.checks._figures import positions_needed, reread
from posenc.checks._hands import impossible_rows, stands_at
from posenc.checks._layer import add_along, next_positions, valid_base
from posenc.checks._likeness import first_rise, gram_from_row, mean_similarity
from posenc.checks._lines import line_bias
from posenc.checks._masking import masked_softmax
from posenc.checks._mending import ladder_of, mend
from posenc.checks._places import grid
from posenc.checks._placing import decode_step, remember
from posenc.checks._reading_on import offset_agreed
from posenc.checks._said import answer, predict
from posenc.checks._shifts import cosines_first, move_back
from posenc.checks._shuffling import put_back
from posenc.checks._turning import turn
from posenc.checks._words import decode, ppmi_of

__all__ = [
    "NotYet",
    "add_along",
    "answer",
    "base_for",
    "causal_bias",
    "cosines_first",
    "decode",
    "decode_step",
    "double_table",
    "entry",
    "first_rise",
    "gram_from_row",
    "grid",
    "impossible_rows",
    "ladder_of",
    "line_bias",
    "look_back",
    "masked_softmax",
    "mean_similarity",
    "mend",
    "move_back",
    "next_positions",
    "offset_agreed",
    "positions_needed",
    "ppmi_of",
    "predict",
    "put_back",
    "read_bits",
    "read_clock",
    "remember",
    "reread",
    "single_row",
    "stands_at",
    "thermometer",
    "turn",
    "turns_by",
    "valid_base",
    "way_back",
]
