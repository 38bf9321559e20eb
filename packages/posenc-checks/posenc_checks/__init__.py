"""Checkers for the course's exercises: they say what is right, and what went wrong.

A checker takes the learner's answer, tries it on cases the learner did not choose, and prints why
a right answer matters. Otherwise it raises `NotYet`, whose message is meant for the learner.
"""

from posenc_checks._answer import NotYet
from posenc_checks._questions import answer, predict
from posenc_checks._unquoted_letter import watch
from posenc_checks.alibi import line_bias
from posenc_checks.attention_and_order import attention, masked_softmax
from posenc_checks.attention_heads import attend_back, causal_bias
from posenc_checks.attention_sinks import attention_with_sinks
from posenc_checks.data_dependent_positions import forgetting_bias
from posenc_checks.encoding_class import add_along, next_positions, valid_base
from posenc_checks.extrapolation import distance_agreed
from posenc_checks.fast_tables import double_table
from posenc_checks.heat_maps import implied_positions, impossible_rows
from posenc_checks.images_points_times import grid
from posenc_checks.longer_texts import slow_down
from posenc_checks.m_rope import three_positions
from posenc_checks.nope_layers import layer_weights
from posenc_checks.real_model import weight_by_distance
from posenc_checks.rope import rope_halves
from posenc_checks.rope_base import least_base
from posenc_checks.shift_is_a_rotation import cosines_first, move_back, shift_matrix
from posenc_checks.similarity import first_rise, gram_from_row, similarity_at
from posenc_checks.simple_positions import digits, read_bits, thermometer
from posenc_checks.sinusoidal_table import entry, table, way_back
from posenc_checks.sinusoids import base_for, frequencies, read_position
from posenc_checks.word_plus_position import decode
from posenc_checks.wrong_figures import positions_needed, reread
from posenc_checks.wrong_models import decode_step, remember
from posenc_checks.wrong_rope import rotate
from posenc_checks.wrong_tables import frequencies_of, restore_cosines

__all__ = [
    "NotYet",
    "add_along",
    "answer",
    "attend_back",
    "attention",
    "attention_with_sinks",
    "base_for",
    "causal_bias",
    "cosines_first",
    "decode",
    "decode_step",
    "digits",
    "distance_agreed",
    "double_table",
    "entry",
    "first_rise",
    "forgetting_bias",
    "frequencies",
    "frequencies_of",
    "gram_from_row",
    "grid",
    "implied_positions",
    "impossible_rows",
    "layer_weights",
    "least_base",
    "line_bias",
    "masked_softmax",
    "move_back",
    "next_positions",
    "positions_needed",
    "predict",
    "read_bits",
    "read_position",
    "remember",
    "reread",
    "restore_cosines",
    "rope_halves",
    "rotate",
    "shift_matrix",
    "similarity_at",
    "slow_down",
    "table",
    "thermometer",
    "three_positions",
    "valid_base",
    "way_back",
    "weight_by_distance",
]

watch()
