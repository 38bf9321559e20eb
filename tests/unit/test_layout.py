"""The two layouts: where each column goes, and when memory is shared."""

from itertools import product

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from posenc import sinusoidal, to_layout

ORDERS = {
    ("interleaved", "halves"): [0, 2, 4, 1, 3, 5],
    ("halves", "interleaved"): [0, 3, 1, 4, 2, 5],
    ("interleaved", "interleaved"): [0, 1, 2, 3, 4, 5],
    ("halves", "halves"): [0, 1, 2, 3, 4, 5],
}


def test_each_column_is_put_in_its_place():
    for (source, target), order in ORDERS.items():
        for shape in ((6,), (2, 3, 6), (0, 6), (2, 0, 6)):
            table = np.arange(np.prod(shape)).reshape(shape)
            assert_array_equal(to_layout(table, source, target), table[..., order], strict=True)
        made = to_layout(sinusoidal(10, 6, layout=source), source, target)
        assert_allclose(made, sinusoidal(10, 6, layout=target), rtol=0, atol=1e-14)


def test_any_dtype_goes_there_and_back():
    for dtype, way in product(["f8", "f2", "i4", ">f4", "U3", object], ORDERS):
        table = np.arange(24).reshape(2, 2, 6).astype(dtype)
        before = table.copy()
        assert_array_equal(to_layout(to_layout(table, *way), *way[::-1]), before, strict=True)
        assert_array_equal(table, before, strict=True)


def test_memory_layout_does_not_matter(arrange):
    table = sinusoidal(5, 6)
    result = to_layout(arrange(table), "interleaved", "halves")
    assert type(result) is np.ndarray
    assert_array_equal(result, table[:, [0, 2, 4, 1, 3, 5]])


def test_views_only_where_no_column_moves():
    for source, target in ORDERS:
        for d_model in (2, 6):
            table = sinusoidal(5, d_model)
            same = to_layout(table, source, target)
            assert same is not table
            moved = source != target and d_model > 2
            assert np.shares_memory(same, table) != moved, (source, target, d_model)
