"""What `diagnose` takes: tensors of any kind, axes too many, complex values, huge tables."""

import subprocess
import sys
import tracemalloc
from contextlib import suppress

import numpy as np
import pytest

from posenc import axial, sinusoidal
from posenc_clinic import compare, diagnose
from posenc_clinic.wrong_tables import bfloat16, right_table, wrong_table

LACKS_TORCH = "what needs torch: .venv/bin/pip install -e '.[frameworks]'"
LACKS_ML_DTYPES = "what needs ml_dtypes: .venv/bin/pip install ml_dtypes"
RIGHT, WRONG = right_table(), wrong_table("wrong-base")


def names(diagnosis):
    return [finding.mistake for finding in diagnosis.findings]


def cosines_first(table):
    """The columns of a table, with each cosine before its sine."""
    return table.reshape(len(table), -1, 2)[..., ::-1].reshape(table.shape)


# Axes


def test_axes_of_length_1_are_dropped_wherever_they_stand(subtests):
    for shape in [(1, 50, 64), (50, 1, 64), (50, 64, 1), (1, 1, 50, 64), (1, 50, 1, 64)]:
        with subtests.test(shape=shape):
            for table in (RIGHT, WRONG):
                assert diagnose(table.reshape(shape)) == diagnose(table)
                assert diagnose(table.reshape(shape).tolist()) == diagnose(table)


def test_what_is_left_of_an_array_must_be_a_table(refusal, subtests):
    for shape in [(1, 64), (64, 1), (1, 64, 1), (1, 1, 1)]:
        with subtests.test(shape=shape):
            message = refusal(ValueError, diagnose, np.ones(shape))
            assert f"but its shape is {shape}: pass one row for each position" in message


def test_complex_values_are_read_as_a_cosine_and_a_sine_side_by_side():
    sines, cosines = RIGHT[:, ::2], RIGHT[:, 1::2]
    turned = cosines + 1j * sines  # (n, d / 2)
    for array in (turned, turned[:, np.newaxis], turned.tolist()):
        assert diagnose(array) == diagnose(cosines_first(RIGHT))
    assert names(diagnose(turned.astype(np.complex64))) == ["cosine-first"]
    slow = WRONG[:, 1::2] + 1j * WRONG[:, ::2]
    assert set(names(diagnose(slow))) == {"cosine-first", "wrong-base"}


def test_sines_and_cosines_may_have_an_axis_of_their_own():
    sines, cosines = RIGHT[:, ::2], RIGHT[:, 1::2]
    assert diagnose(np.stack([sines, cosines], axis=2)) == diagnose(RIGHT)
    assert names(diagnose(np.stack([cosines, sines], axis=2))) == ["cosine-first"]
    assert names(diagnose(np.stack([sines, cosines]))) == ["halves-layout"]
    assert names(diagnose((sines[np.newaxis], cosines[np.newaxis]))) == ["halves-layout"]


def test_several_sentences_are_refused(refusal):
    for batch in (np.stack([RIGHT, RIGHT]), np.stack([RIGHT[:, :2], WRONG[:, :2]])):
        message = refusal(ValueError, diagnose, batch)
        assert message.endswith("pass one row for each position, of one sentence")


# Tensors


def test_a_diagnosis_imports_no_torch():
    table = [[0, 1], [1, 0], [0, 1]]
    code = f"import sys, posenc_clinic as c; c.diagnose({table}); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "torch" not in done.stdout.split()


def test_a_tensor_of_pytorch_is_read_whatever_its_type_and_gradients():
    torch = pytest.importorskip("torch", reason=LACKS_TORCH)
    table = torch.from_numpy(RIGHT)
    assert diagnose(table) == diagnose(RIGHT)
    assert diagnose(torch.nn.Parameter(table)) == diagnose(RIGHT)
    assert diagnose(table.clone().requires_grad_()[None]) == diagnose(RIGHT)
    assert diagnose([row.clone().requires_grad_() for row in table]) == diagnose(RIGHT)
    assert diagnose([list(row) for row in table[:4, :4]]) == diagnose(RIGHT[:4, :4])
    for dtype in (torch.bfloat16, torch.float16, torch.float32):
        rounded = table.to(dtype).requires_grad_()
        assert diagnose(rounded) == diagnose(table.to(dtype).double().numpy())
        assert diagnose(rounded).findings == ()


def test_a_complex_tensor_of_pytorch_may_be_conjugated():
    torch = pytest.importorskip("torch", reason=LACKS_TORCH)
    angles = torch.outer(torch.arange(50.0), 10_000 ** (-torch.arange(0, 64, 2) / 64))
    turned = torch.polar(torch.ones_like(angles), angles)
    assert names(diagnose(turned)) == ["cosine-first"]
    assert names(diagnose(torch.view_as_real(turned))) == ["cosine-first"]
    assert set(names(diagnose(turned.conj()))) == {"cosine-first", "negated-angle"}


def test_a_tensor_without_values_is_refused(refusal):
    torch = pytest.importorskip("torch", reason=LACKS_TORCH)
    for tensor in (torch.empty(50, 64, device="meta"), torch.eye(50).to_sparse()):
        message = refusal(TypeError, diagnose, tensor)
        assert message.startswith("table must be readable as an array, but it says: ")
    assert "its dtype is bool" in refusal(TypeError, diagnose, torch.ones(5, 4, dtype=torch.bool))


def test_an_array_of_bfloat16_is_read():
    ml_dtypes = pytest.importorskip("ml_dtypes", reason=LACKS_ML_DTYPES)
    assert diagnose(RIGHT.astype(ml_dtypes.bfloat16)) == diagnose(bfloat16(RIGHT))


def test_an_entry_of_any_size_raises_no_error(subtests):
    for value in [1e30, -1e160, 1e308]:
        with subtests.test(value=value):
            table = RIGHT.copy()
            table[5, 6] = value
            assert not diagnose(table).correct
            assert compare(RIGHT, table).cell[:2] == (5, 6)


# Huge tables


def test_of_a_huge_table_the_first_rows_are_looked_at_and_a_warning_says_so(tmp_path):
    table = np.memmap(tmp_path / "huge", np.float16, "w+", shape=(10**7, 100))  # takes no room
    table[:50_000] = sinusoidal(50_000, 100, base=500)
    said = "^table has 1000000000 entries: only its first 41943 of 10000000 {} were looked at$"
    for huge, cut in ((table, "rows"), (table.T, "columns")):
        with pytest.warns(UserWarning, match=said.format(cut)) as caught:
            diagnosis = diagnose(huge)
        assert [each.filename for each in caught] == [__file__]
        assert names(diagnosis) == ["transposed"] * (cut == "columns") + ["wrong-base"]


def test_what_has_to_be_put_into_rows_is_cut_before(subtests):
    for shape in [(2, 10**7, 50), (10**7, 50, 2), (5000, 4000, 64), (64, 5000, 4000), (10**7, 100)]:
        with subtests.test(shape=shape):
            dtype = np.complex64 if len(shape) == 2 else np.float32
            huge = np.broadcast_to(np.ones(1, dtype), shape)
            said = f"^table has {huge.size} entries: only the first "
            tracemalloc.start()
            with pytest.warns(UserWarning, match=said) as caught, suppress(ValueError):
                diagnose(huge)
            _, most = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            assert most < 5e8
            assert len(caught) == 1


def test_a_large_grid_is_cut_into_whole_rows(monkeypatch):
    monkeypatch.setattr("posenc_clinic._table_from_array.MAX_ENTRIES", 2**12)
    with pytest.warns(UserWarning, match="only the first 8 of 64 along its axis 0"):
        assert diagnose(axial((64, 32), 16)).recipe == "grid"


def test_a_wide_table_loses_no_columns(monkeypatch):
    monkeypatch.setattr("posenc_clinic._table_from_array.MAX_ENTRIES", 64 * 64)
    with pytest.warns(UserWarning, match="first 64 of 100 rows"):
        assert diagnose(right_table(100)).findings == ()
