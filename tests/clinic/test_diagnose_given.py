"""What `diagnose` takes: tensors of any kind, axes too many, complex values, huge tables."""

import subprocess
import sys
import tracemalloc
from contextlib import suppress
from functools import partial

import numpy as np
import pytest
from clinic_tables import check_mistakes, names, with_entries

from posenc_clinic import compare, diagnose
from posenc_clinic.mistakes.wrong_tables import right_table, wrong_table

LACKS_ML_DTYPES = "what needs ml_dtypes: .venv/bin/pip install ml_dtypes"
RIGHT, WRONG = right_table(), wrong_table("wrong-base")


SINES, COSINES = RIGHT[:, ::2], RIGHT[:, 1::2]

# Axes


def test_axes_of_length_1_are_dropped():
    for table in (RIGHT, WRONG):
        plain = diagnose(table)
        for shape in [(1, 50, 64), (50, 1, 64), (50, 64, 1), (1, 50, 1, 64)]:
            assert diagnose(table.reshape(shape)) == plain, shape
        assert diagnose(table[np.newaxis].tolist()) == plain


def test_complex_values_are_cosines_beside_sines():
    turned, beside = COSINES + 1j * SINES, np.stack([COSINES, SINES], axis=2)  # (n, d / 2) and 2
    for array in (turned, turned[:, np.newaxis], turned.tolist()):
        assert diagnose(array) == diagnose(beside.reshape(50, 64))
    check_mistakes(turned.astype(np.complex64), "cosine-first")
    slow = WRONG[:, 1::2] + 1j * WRONG[:, ::2]
    assert set(names(diagnose(slow))) == {"cosine-first", "wrong-base"}


def test_functions_may_have_an_axis_of_their_own(refusal):
    assert diagnose(np.stack([SINES, COSINES], axis=2)) == diagnose(RIGHT)
    check_mistakes(np.stack([COSINES, SINES], axis=2), "cosine-first")
    check_mistakes(np.stack([SINES, COSINES]), "halves-layout")
    check_mistakes((SINES[np.newaxis], COSINES[np.newaxis]), "halves-layout")
    turned = np.stack([COSINES, -SINES, SINES, COSINES], axis=-1).reshape(50, 32, 2, 2)
    check_mistakes(turned, "cosine-first")
    message = refusal(ValueError, diagnose, np.stack([RIGHT, WRONG]))
    assert message.endswith("pass one row for each position, of one sentence")
    with pytest.raises(ValueError, match="holds no tensor"):
        diagnose({})


def test_axes_along_which_all_is_the_same_are_dropped():
    for axis, shape in [(0, (1, 50, 64)), (1, (50, 1, 64)), (2, (50, 1, 1, 64))]:
        found = check_mistakes(np.repeat(RIGHT.reshape(shape), 3, axis=axis))
        assert found.detail == f"It is the same along axis {axis}, 3 times."


# Tensors


def test_a_diagnosis_imports_no_torch():
    table = [[0, 1], [1, 0], [0, 1]]
    code = f"import sys, posenc_clinic as c; c.diagnose({table}); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "torch" not in done.stdout.split()


def test_any_tensor_of_pytorch_is_read(torch):
    table = torch.from_numpy(RIGHT)
    assert diagnose(table) == diagnose(RIGHT)
    assert diagnose(torch.nn.Parameter(table)) == diagnose(RIGHT)
    assert diagnose(table.clone().requires_grad_()[None]) == diagnose(RIGHT)
    assert diagnose([row.clone().requires_grad_() for row in table]) == diagnose(RIGHT)
    assert diagnose([list(row) for row in table[:4, :4]]) == diagnose(RIGHT[:4, :4])
    for dtype in (torch.bfloat16, torch.float16, torch.float32):
        rounded = table.to(dtype).requires_grad_()
        assert diagnose(rounded) == diagnose(table.to(dtype).double().numpy())
        check_mistakes(rounded)


def test_a_complex_tensor_of_pytorch_may_be_conjugated(torch):
    angles = torch.outer(torch.arange(50.0), 10_000 ** (-torch.arange(0, 64, 2) / 64))
    turned = torch.polar(torch.ones_like(angles), angles)
    check_mistakes(turned, "cosine-first")
    check_mistakes(torch.view_as_real(turned), "cosine-first")
    assert set(names(diagnose(turned.conj()))) == {"cosine-first", "negated-angle"}


def test_a_tensor_without_values_is_refused(refusal, torch):
    for tensor in (torch.empty(50, 64, device="meta"), torch.eye(50).to_sparse()):
        message = refusal(TypeError, diagnose, tensor)
        assert message.startswith("table must be readable as an array, but it says: ")
    meta = refusal(TypeError, diagnose, torch.empty(50, 64, device="meta"))
    assert meta.endswith(": load its weights first")
    assert "its dtype is bool" in refusal(TypeError, diagnose, torch.ones(5, 4, dtype=torch.bool))


def test_text_is_refused_with_what_may_be_meant(refusal):
    message = refusal(TypeError, diagnose, "table")
    assert message.endswith(": a path needs a suffix, such as .npy, and a variable no quotes")


def test_an_entry_of_any_size_raises_no_error():
    for value in (1e30, -1e160, 1e308):
        table = with_entries(RIGHT, (5, 6), value)
        assert not diagnose(table).correct, value
        assert compare(RIGHT, table).cell[:2] == (5, 6), value


# Huge tables


@pytest.fixture
def at_most(monkeypatch):
    """A function that sets how many entries are looked at."""
    return partial(monkeypatch.setattr, "posenc_clinic.reading.table_from_array.MAX_ENTRIES")


def test_a_huge_table_is_cut_to_first_rows(at_most):
    at_most(2**16)
    table = np.zeros((20_000, 100), np.float16)
    table[:1000] = right_table(1000, 100, base=500.0)
    said = "^table has 2000000 entries: only the first 655 of 20000 along its axis {} were read"
    for axis, huge, mistakes in (
        (0, table, ["wrong-base"]),
        (1, table.T, ["transposed", "wrong-base"]),
    ):
        with pytest.warns(UserWarning, match=said.format(axis)) as caught:
            diagnosis = diagnose(huge)
        assert [each.filename for each in caught] == [__file__]
        assert names(diagnosis) == mistakes


def test_what_becomes_rows_is_cut_before(at_most):
    at_most(2**16)
    for shape in [(2, 10**6, 50), (10**6, 50, 2), (500, 400, 64), (64, 500, 400), (10**6, 100)]:
        huge = np.broadcast_to(np.ones(1, "c8" if len(shape) == 2 else "f4"), shape)
        said = f"^table has {huge.size} entries: only the first "
        tracemalloc.start()
        with pytest.warns(UserWarning, match=said) as caught, suppress(ValueError):
            diagnose(huge)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert most < 4.5e7, shape
        assert len(caught) == 1, shape
