"""The two layouts: where each column goes, when memory is shared, and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose, assert_array_equal

from posenc import sinusoidal, to_layout

LAYOUTS = ["interleaved", "halves"]
BOTH_WAYS = pytest.mark.parametrize(("source", "target"), [LAYOUTS, LAYOUTS[::-1]])


# Where columns go


@pytest.mark.parametrize(
    ("source", "target", "order"),
    [
        ("interleaved", "halves", [0, 2, 4, 1, 3, 5]),
        ("halves", "interleaved", [0, 3, 1, 4, 2, 5]),
        ("interleaved", "interleaved", [0, 1, 2, 3, 4, 5]),
        ("halves", "halves", [0, 1, 2, 3, 4, 5]),
    ],
)
@pytest.mark.parametrize("shape", [(6,), (2, 3, 6)])
def test_each_column_is_put_in_its_place(source, target, order, shape):
    table = np.arange(np.prod(shape)).reshape(shape)
    assert_array_equal(to_layout(table, source, target), table[..., order], strict=True)


@BOTH_WAYS
def test_the_result_is_the_table_sinusoidal_makes_in_that_layout(source, target):
    table = sinusoidal(range(10), 6, layout=source)
    expected = sinusoidal(range(10), 6, layout=target)
    assert_allclose(to_layout(table, source, target), expected, rtol=0, atol=1e-14)


@given(
    positions=hnp.arrays(np.float64, st.integers(0, 5), elements=st.floats(-1e5, 1e5)),
    pairs=st.integers(1, 24),
    base=st.floats(1, 1e6),
    dtype=st.sampled_from([np.float16, np.float32, np.float64]),
)
def test_halves_is_an_exact_permutation_of_interleaved(positions, pairs, base, dtype):
    interleaved = sinusoidal(positions, 2 * pairs, base=base, dtype=dtype)
    halves = sinusoidal(positions, 2 * pairs, base=base, dtype=dtype, layout="halves")
    assert_array_equal(halves[..., :pairs], interleaved[..., 0::2])
    assert_array_equal(halves[..., pairs:], interleaved[..., 1::2])


@given(
    leading=hnp.array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=5),
    pairs=st.integers(1, 5),
    dtype=st.sampled_from(["f8", "f2", "i4", ">f4", "U3", object]),
    source=st.sampled_from(LAYOUTS),
    target=st.sampled_from(LAYOUTS),
)
def test_there_and_back_changes_nothing(leading, pairs, dtype, source, target):
    shape = (*leading, 2 * pairs)
    table = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    before = table.copy()
    there = to_layout(table, source, target)
    assert_array_equal(to_layout(there, target, source), before, strict=True)
    assert_array_equal(table, before, strict=True)


@BOTH_WAYS
@pytest.mark.parametrize("shape", [(0, 6), (2, 0, 6)])
def test_a_table_of_no_positions_keeps_its_shape(source, target, shape):
    assert to_layout(np.zeros(shape), source, target).shape == shape


def test_the_memory_layout_of_the_table_does_not_matter(arrange):
    table = sinusoidal(5, 6)
    result = to_layout(arrange(table), "interleaved", "halves")
    assert type(result) is np.ndarray
    assert_array_equal(result, table[:, [0, 2, 4, 1, 3, 5]])


# Views and copies


EQUAL = [(layout, layout, 6) for layout in LAYOUTS]
SINGLE_PAIR = [(source, target, 2) for source, target in zip(LAYOUTS, LAYOUTS[::-1], strict=True)]


@pytest.mark.parametrize(("source", "target", "d_model"), EQUAL + SINGLE_PAIR)
def test_the_result_is_a_view_where_no_column_moves(source, target, d_model):
    table = sinusoidal(5, d_model)
    same = to_layout(table, source, target)
    assert same is not table
    same[...] = 7
    assert (table == 7).all()


@BOTH_WAYS
@pytest.mark.parametrize("shape", [(4,), (5, 6)])
def test_the_result_is_a_new_array_where_columns_move(source, target, shape):
    table = np.arange(np.prod(shape)).reshape(shape)
    to_layout(table, source, target)[...] = 7
    assert_array_equal(table, np.arange(np.prod(shape)).reshape(shape))


# What it refuses


@pytest.mark.parametrize("layout", ["sincos", None])
def test_the_message_says_which_of_the_two_layouts_is_unknown(refusal, layout):
    table = np.ones((3, 6))
    source = refusal(ValueError, to_layout, table, layout, "halves")
    assert source == f'source must be "interleaved" or "halves", not {layout!r}'
    target = refusal(ValueError, to_layout, table, "halves", layout)
    assert target == f'target must be "interleaved" or "halves", not {layout!r}'


@pytest.mark.parametrize(
    "table", [np.ones((3, 5)), np.ones((3, 0)), np.array(5.0), None, []], ids=repr
)
@pytest.mark.parametrize("target", LAYOUTS)
def test_columns_that_do_not_pair_are_refused_even_if_nothing_would_move(refusal, table, target):
    message = refusal(ValueError, to_layout, table, "interleaved", target)
    assert message == (
        "table must have an even, positive number of columns in its last axis, but its shape is "
        f"{np.shape(table)}: pass an array of shape (..., d_model)"
    )


def test_a_ragged_table_is_refused(refusal):
    message = refusal(ValueError, to_layout, [[1, 2], [3]], "interleaved", "halves")
    assert message.startswith("table must be a regular array of numbers: ")


def test_a_masked_table_is_refused_until_it_is_filled(refusal):
    table = np.ma.array([[0.0, 1.0]], mask=[[True, False]])
    message = refusal(TypeError, to_layout, table, "interleaved", "halves")
    assert message == "table must not be a masked array: its mask would be lost; fill it first"
    assert_array_equal(to_layout(table.filled(7), "interleaved", "halves"), [[7, 1]])
