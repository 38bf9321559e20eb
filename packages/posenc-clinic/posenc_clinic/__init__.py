"""Diagnosis: what is wrong with a table of positional encodings.

    diagnose, compare  <-  _tables_of: files (formats), state dicts (_find_tensors), functions and
      |                    modules (_table_from_callable, _calls, _rotations), and arrays
      |                    (_table_from_array), by name; _command calls in a process of its own
      |- _readings: one list of families of tables, tried from plain to far-fetched on a Table
      |    of several axes (_axes, _axes_report), of one in another order (_along_rows), by _waves
      |    _rope_caches, _packed_positions, _damaged, and _without_ladder; _biases before all
      |    _explain: one sequence of frequencies and the mistakes in it, found in this order:
      |      _preparation    ways to see the table, without its outliers; a _sample of each
      |      recipes from    _closed_forms, or _estimate <- _frequencies, or _candidates
      |      _hypotheses     the same with round numbers (_round_numbers), refined by _refine
      |      _fitted_table   those that fit; `mistakes` has an entry for each that a fit may show
    _findings, _report     in words, with the known recipe of _conventions (_rope_bases): a draft,
                           and rules that amend it

`_table_model` is the formula with a setting for all that can go wrong in it.
"""

from posenc_clinic._compare import Comparison, compare
from posenc_clinic._config import LayerPositions, ModelPositions, Rope, read_config
from posenc_clinic._diagnose import diagnose
from posenc_clinic._report import Diagnoses, Diagnosis, Entries
from posenc_clinic.mistakes.finding import Finding

__all__ = ["Comparison", "Diagnoses", "Diagnosis", "Entries", "Finding", "LayerPositions"]
__all__ += ["ModelPositions", "Rope", "compare", "diagnose", "read_config"]
