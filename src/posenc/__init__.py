"""Sinusoidal positional encoding, as defined in section 3.5 of "Attention Is All You Need".

One letter has one meaning throughout: `i` counts pairs of columns, `j` counts columns.
Positions count from 0. Angles are computed in float64 or better.
"""

from posenc._arguments import Layout
from posenc._attention import attention
from posenc._diagnosis import Diagnosis, Finding, diagnose
from posenc._encoding import SinusoidalEncoding
from posenc._layout import to_layout
from posenc._shift import rotation, similarity
from posenc._table import frequencies, sinusoidal

__all__ = [
    "Diagnosis",
    "Finding",
    "Layout",
    "SinusoidalEncoding",
    "attention",
    "diagnose",
    "frequencies",
    "rotation",
    "similarity",
    "sinusoidal",
    "to_layout",
]
