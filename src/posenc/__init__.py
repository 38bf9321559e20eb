"""Sinusoidal positional encoding, as defined in section 3.5 of "Attention Is All You Need".

One letter has one meaning throughout: `i` counts pairs of columns, `j` counts columns.
Positions count from 0. Angles are computed in float64 or better.
"""

from posenc._arguments import Layout
from posenc._attention import attention
from posenc._bias import alibi, alibi_slopes, clipped, offsets, t5_buckets
from posenc._encoding import SinusoidalEncoding
from posenc._layout import to_layout
from posenc._rope import rope
from posenc._scaling import attention_temperature, scale_frequencies
from posenc._shift import rotation, similarity
from posenc._space import axial, fourier_features
from posenc._table import frequencies, sinusoidal

__version__ = "0.2.0"

__all__ = [
    "Layout",
    "SinusoidalEncoding",
    "alibi",
    "alibi_slopes",
    "attention",
    "attention_temperature",
    "axial",
    "clipped",
    "fourier_features",
    "frequencies",
    "offsets",
    "rope",
    "rotation",
    "scale_frequencies",
    "similarity",
    "sinusoidal",
    "t5_buckets",
    "to_layout",
]
