"""Diagnosis: what is wrong with somebody's table of positional encodings.

`_reading` sets aside what is plainly broken; `_estimate` finds frequencies, phases and amplitudes;
`_explain` names the fewest mistakes that give them; `_diagnose` says so.
"""

from posenc._diagnosis._diagnose import diagnose
from posenc._diagnosis._report import Diagnosis, Finding

__all__ = ["Diagnosis", "Finding", "diagnose"]
