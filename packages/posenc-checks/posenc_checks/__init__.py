"""Checkers for the course's exercises: they say what is right, and what went wrong.

A checker takes the learner's answer, tries it on cases the learner did not choose, and prints why
a right answer matters. Otherwise it raises `NotYet`, whose message is meant for the learner.
"""

from posenc_checks._answer import NotYet
from posenc_checks._questions import answer, predict
from posenc_checks.attention_cannot_see_order import masked_softmax, put_back
from posenc_checks.build_the_table_by_hand import entry, way_back
from posenc_checks.can_a_straight_line_do_it import line_bias
from posenc_checks.find_the_mistake_in_a_figure import positions_needed, reread
from posenc_checks.find_the_mistake_in_a_rotation import turn
from posenc_checks.find_the_mistake_in_a_table import ladder_of, mend
from posenc_checks.find_the_mistake_in_the_model import decode_step, remember
from posenc_checks.let_words_meet_positions import decode, ppmi_of
from posenc_checks.look_inside_attention import causal_bias, look_back
from posenc_checks.make_it_a_class import add_along, next_positions, valid_base
from posenc_checks.make_it_fast import double_table, single_row
from posenc_checks.measure_its_geometry import first_rise, gram_from_row, mean_similarity
from posenc_checks.see_it_honestly import impossible_rows, stands_at
from posenc_checks.shift_is_a_rotation import cosines_first, move_back
from posenc_checks.try_the_obvious_positions import read_bits, thermometer
from posenc_checks.turn_bits_into_dials import base_for, read_clock, turns_by
from posenc_checks.what_else_can_a_dial_tell import grid
from posenc_checks.which_of_them_reads_on import offset_agreed

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
