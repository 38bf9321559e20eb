"""What a model does with positions, layer by layer."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Rope:
    """How RoPE rotates in one kind of layer.

    Parameters
    ----------
    base : float
        The base of its frequencies, `rope_theta`.
    omega : ndarray of float64, shape (columns / 2,)
        Frequency of each pair, in radians per position, scaled; 0 for a pair that stands still.
    head : int
        Columns of a query or key, those that don't rotate included.
    kind : str
        The type of scaling, as `rope_type` names it.
    factor : float
        By how much it is meant to lengthen the context.
    temperature : float
        What queries and keys are multiplied by.
    original : int
        Context length of the training before it was scaled, or 0.
    sections : tuple of int
        Pairs for each axis (time, height, width) of M-RoPE, or nothing.
    axes : int
        How many axes have such frequencies each: 2 for rows and columns of a picture.
    mixed : bool
        Whether M-RoPE deals pairs out to the axes in turn, and not in blocks.
    long : ndarray of float64, shape (columns / 2,), or None
        LongRoPE's frequencies for texts longer than `original`.
    """

    base: float
    omega: NDArray[np.float64]
    head: int
    kind: str = "default"
    factor: float = 1.0
    temperature: float = 1.0
    original: int = 0
    sections: tuple[int, ...] = ()
    axes: int = 1
    mixed: bool = False
    long: NDArray[np.float64] | None = None


@dataclass(frozen=True)
class LayerPositions:
    """What one layer does with positions: `rope` if it rotates, and the `window` it attends in.

    `attention` is False for a layer that has none, such as a recurrent one. `chunked` says that the
    window does not move along with the query: the text is cut every so many tokens.
    """

    rope: Rope | None
    window: int | None = None
    attention: bool = True
    chunked: bool = False


@dataclass
class Said:
    """What is said about a configuration while it is read."""

    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
