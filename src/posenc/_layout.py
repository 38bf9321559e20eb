"""The two orders of columns: sines beside their cosines, or all sines first."""

from typing import Any, TypeVar

from numpy.typing import ArrayLike, NDArray

from posenc._arguments import Layout, as_array, as_layout

Table = TypeVar("Table", bound=Any)


def to_layout(table: ArrayLike, source: Layout, target: Layout) -> NDArray[Any]:
    """Reorder the columns of an encoding from one layout to another.

    The values are permuted, not changed.

    Parameters
    ----------
    table : array_like, shape (..., d_model)
        Encodings, with an even and positive number of columns.
    source, target : {"interleaved", "halves"}
        Layout that the columns have, and the one they should have. `"interleaved"` puts each sine
        beside its cosine; `"halves"` puts all sines before all cosines.

    Returns
    -------
    ndarray, shape (..., d_model)
        The same values in the order of `target`; a view of `table` where NumPy allows one.

    Raises
    ------
    ValueError
        If a layout is unknown, or if the last axis of `table` is missing, empty or odd.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5, interleave the columns.

    Examples
    --------
    >>> to_layout([0, 1, 2, 3], "interleaved", "halves")
    array([0, 2, 1, 3])
    """
    source, target = as_layout(source, "source"), as_layout(target, "target")
    table = as_array(table, "table")
    if table.ndim == 0 or table.shape[-1] == 0 or table.shape[-1] % 2:
        raise ValueError(
            f"table must have an even, positive number of columns in its last axis, "
            f"but its shape is {table.shape}: pass an array of shape (..., d_model)"
        )
    if source == target:
        return table[...]
    half = table.shape[-1] // 2
    split = (half, 2) if source == "interleaved" else (2, half)  # (pairs, functions) or the reverse
    return table.reshape(*table.shape[:-1], *split).swapaxes(-1, -2).reshape(table.shape)


def columns(table: Table, layout: Layout = "interleaved") -> tuple[Table, Table]:
    """Split an array or a tensor into views of its sine columns and of its cosine columns."""
    half = table.shape[-1] // 2
    if layout == "interleaved":
        return table[..., 0::2], table[..., 1::2]  # (..., d_model / 2) each
    return table[..., :half], table[..., half:]
