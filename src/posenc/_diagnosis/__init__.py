"""Diagnosis: what is wrong with somebody's table of positional encodings.

`_view` sets aside what is plainly broken; `_estimate` finds frequencies, phases and amplitudes, and
`_explain` the recipe with the fewest mistakes that gives them; `_findings` puts these into words.
Each mistake has one entry, in `mistakes`: it says what a `Mistake` of `_mistake` asks for.
"""

from posenc._diagnosis._diagnose import diagnose
from posenc._diagnosis._report import Diagnosis, Finding

__all__ = ["Diagnosis", "Finding", "diagnose"]
