"""Files of PyTorch where there is none: tensors are read, and nothing else is."""

import collections
import io
import os
import pickle
import sys
import types
import zipfile

import numpy as np
import pytest

import posenc
from posenc_clinic import diagnose

STORAGES = {"f4": "FloatStorage", "f8": "DoubleStorage", "f2": "HalfStorage", "i8": "LongStorage"}


class Storage:
    def __init__(self, key, kind, size):
        self.key, self.kind, self.size = key, kind, size


class Tensor:
    """What PyTorch pickles as a tensor: a function's name, a storage, a start, a shape, strides."""

    def __init__(self, storage, shape, strides, start=0):
        self.made_of = storage, start, shape, strides, False, collections.OrderedDict()

    def __reduce__(self):
        return sys.modules["torch._utils"]._rebuild_tensor_v2, self.made_of


@pytest.fixture
def save(write, monkeypatch):
    """A function that writes what `torch.save` would: tensors by name, some of them as given."""
    monkeypatch.setattr("posenc_clinic._files.find_spec", lambda name: None)

    def saved(tensors):
        torch, utils = types.ModuleType("torch"), types.ModuleType("torch._utils")
        rebuild = types.FunctionType((lambda *_: None).__code__, {}, "_rebuild_tensor_v2")
        rebuild.__module__, rebuild.__qualname__ = "torch._utils", "_rebuild_tensor_v2"
        utils._rebuild_tensor_v2 = rebuild
        for name in STORAGES.values():
            setattr(torch, name, type(name, (), {"__module__": "torch"}))

        class Pickler(pickle.Pickler):
            def persistent_id(self, value):
                if isinstance(value, Storage):
                    return "storage", getattr(torch, value.kind), value.key, "cpu", value.size
                return None

        state, content, file = collections.OrderedDict(), {}, io.BytesIO()
        for at, (name, value) in enumerate(tensors.items()):
            state[name] = value
            if isinstance(value, np.ndarray):
                kind = STORAGES[value.dtype.str[1:]]
                content[f"x/data/{at}"] = value.tobytes("A")  # as it lies in memory
                strides = tuple(step // value.itemsize for step in value.strides)
                state[name] = Tensor(Storage(f"{at}", kind, value.size), value.shape, strides)
        with monkeypatch.context() as within:
            within.setitem(sys.modules, "torch", torch)
            within.setitem(sys.modules, "torch._utils", utils)
            Pickler(file, 2).dump({"epoch": 3, "model": state})
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as members:
            for name, data in ({"x/data.pkl": file.getvalue()} | content).items():
                members.writestr(name, data)
        return write("model.pt", archive.getvalue())

    return saved


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_tensors_are_read_in_their_order(save, dtype, order):
    table = np.asarray(posenc.sinusoidal(50, 16, base=500).astype(dtype), order=order)
    found = diagnose(save({"ids": np.arange(4), "pos.pe": table, "wte.weight": np.eye(9)}))
    assert [each.mistake for each in found.findings] == ["wrong-base"]
    assert found.shape == (50, 16)


def test_what_is_no_tensor_is_refused_and_not_run(save, refused, tmp_path):
    class Trap:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "sprung"),)

    refused("none of which was executed", save({"pe": Trap()}))
    assert not (tmp_path / "sprung").exists()


BEYOND = [((50, 17), (16, 1), 0), ((50, 16), (-16, 1), 0), ((4, 4), (1, 1), 999)]


@pytest.mark.parametrize(("shape", "strides", "start"), BEYOND)
def test_no_tensor_reaches_beyond_its_storage(save, refused, shape, strides, start):
    storage = Storage("0", "FloatStorage", 800)
    beyond = Tensor(storage, shape, strides, start)
    refused("it is damaged, or holds", save({"pe": beyond}))
