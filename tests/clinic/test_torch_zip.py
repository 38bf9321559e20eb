"""Files of PyTorch where there is none: tensors are read, and nothing else is."""

import collections
import io
import pickle
import zipfile

import numpy as np
import pytest
from clinic_tables import names

from posenc_clinic import diagnose
from posenc_clinic.mistakes.wrong_tables import wrong_table

STORAGES = {"f4": "FloatStorage", "f8": "DoubleStorage", "i8": "LongStorage"}


class Named(str):
    """A class or function of PyTorch, of which a pickle holds the names alone."""

    def __call__(self):
        raise AssertionError(f"{self} is called")


class Tensor:
    """What PyTorch pickles as a tensor: a function's name, a storage, a start, a shape, strides."""

    def __init__(self, kind, key, size, shape, strides, start=0):
        storage = "storage", Named(f"torch\n{kind}"), key, "cpu", size
        self.made_of = storage, start, shape, strides, False, collections.OrderedDict()

    def __reduce__(self):
        return Named("torch._utils\n_rebuild_tensor_v2"), self.made_of


class Pickler(pickle._Pickler):
    dispatch = pickle._Pickler.dispatch | {
        Named: lambda self, value: self.write(f"c{value}\n".encode())
    }

    def persistent_id(self, value):
        return value if isinstance(value, tuple) and value[:1] == ("storage",) else None


@pytest.fixture
def save(write, monkeypatch):
    """A function that writes what `torch.save` would: tensors by name, some of them as given."""
    monkeypatch.setattr("posenc_clinic.reading.formats.pytorch.find_spec", lambda name: None)

    def saved(tensors):
        state, content, file = collections.OrderedDict(tensors), {}, io.BytesIO()
        for at, (name, value) in enumerate(tensors.items()):
            if isinstance(value, np.ndarray):
                content[f"x/data/{at}"] = value.tobytes("A")  # as it lies in memory
                strides = tuple(step // value.itemsize for step in value.strides)
                kind = STORAGES[value.dtype.str[1:]]
                state[name] = Tensor(kind, f"{at}", value.size, value.shape, strides)
        Pickler(file, 2).dump({"epoch": 3, "model": state})
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as members:
            for name, data in ({"x/data.pkl": file.getvalue()} | content).items():
                members.writestr(name, data)
        return write("model.pt", archive.getvalue())

    return saved


@pytest.mark.parametrize(("dtype", "order"), [("f4", "C"), ("f8", "F")])
def test_tensors_are_read_in_their_order(save, dtype, order):
    table = np.asarray(wrong_table("wrong-base", d=16).astype(dtype), order=order)
    found = diagnose(save({"ids": np.arange(4), "pos.pe": table, "wte.weight": np.eye(9)}))
    assert (names(found), found.shape) == (["wrong-base"], (50, 16))


def test_what_is_no_tensor_is_refused_and_not_run(save, refused, trap):
    refused("none of which was executed", save({"pe": trap}))


BEYOND = [((50, 17), (16, 1), 0), ((50, 16), (-16, 1), 0), ((4, 4), (1, 1), 999)]


@pytest.mark.parametrize(("shape", "strides", "start"), BEYOND)
def test_no_tensor_reaches_beyond_its_storage(save, refused, shape, strides, start):
    beyond = Tensor("FloatStorage", "0", 800, shape, strides, start)
    refused("it is damaged, or holds", save({"pe": beyond}))
