"""Diagnosis: what is wrong with a table of positional encodings.

`diagnose` and `compare` put the folders together, each of which imports only those above it:

    reading    what was given, as tables by name: arrays, files, state dicts, functions, modules
    fitting    one ladder of frequencies for a table, as numbers of a formula
    mistakes   what may be wrong with it, by name, with why, remedy, and a table that has it
    families   all kinds of tables that are known, and how each is recognised
    saying     what was found, in words

`configs` stands apart: what a model's `config.json` says. The `__init__.py` of each folder
says what its modules do.
"""

from posenc_clinic._compare import Comparison, compare
from posenc_clinic._diagnose import diagnose
from posenc_clinic.configs.read import LayerPositions, ModelPositions, Rope, read_config
from posenc_clinic.mistakes.finding import Finding
from posenc_clinic.saying.report import Diagnoses, Diagnosis, Entries

__all__ = ["Comparison", "Diagnoses", "Diagnosis", "Entries", "Finding", "LayerPositions"]
__all__ += ["ModelPositions", "Rope", "compare", "diagnose", "read_config"]
