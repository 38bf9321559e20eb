"""Diagnosis: what is wrong with somebody's table of positional encodings.

`_view` sets aside what is plainly broken; `_estimate` finds frequencies, phases and amplitudes,
`_ladders` what frequencies may form, `_steady` the step and the start of positions, `_in_exponent`
the numbers where the position is in the exponent; `_fit` has guesses where there is nothing to
estimate from; `_explain` finds the recipe with the fewest mistakes that gives them, in the numbers
that `_rounder` makes round, in whichever way `_ladder` sees the table; `_findings` puts these into
words.
What no such ladder gives, `_kinds` recognises: caches scaled by parts (`_rotary`) or pair by pair
(`_slowed`), right rows in packed texts or beside pads (`_placed`), pictures (`_grids`), octaves and
Fourier features (`_waves`), what training made (`_learned`). `_known` says what each
recipe is.
`_given` takes arrays and tensors, `_called` functions and modules, and `_compare` two of any kind.
For the command line `_files` reads tables, `_checkpoint` lists what a model's file holds, `_search`
picks what looks like positions, and `_alone` calls a function in a process of its own.
Each mistake has one entry, in `mistakes`: it says what a `Mistake` of `_mistake` asks for.
"""

from posenc_clinic._compare import compare
from posenc_clinic._comparison import Comparison
from posenc_clinic._diagnose import diagnose
from posenc_clinic._report import Diagnosis, Finding

__all__ = ["Comparison", "Diagnosis", "Finding", "compare", "diagnose"]
