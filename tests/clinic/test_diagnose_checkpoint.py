"""`posenc-clinic` of checkpoints: what it finds in them, and what it never reads."""

import io
import json
import pickle
import re
import struct
import tracemalloc
import zipfile

import numpy as np
import pytest
from clinic_tables import npz
from numpy.lib import format as npy_format

from posenc_clinic import diagnose
from posenc_clinic.mistakes.wrong_tables import bfloat16, right_table, wrong_table

RIGHT, WRONG = right_table(20, 8), wrong_table("wrong-base", n=20, d=8)
RANDOM = np.random.default_rng(0)
TYPES = {"f8": "F64", "f4": "F32", "f2": "F16", "c8": "C64", "i8": "I64", "b1": "BOOL"}

# A model's tensors: what holds positions, and what doesn't, though names or shapes are alike.
OTHERS = {
    "wte.weight": RANDOM.normal(0, 0.1, (30, 8)).astype("f4"),
    "h.0.post_attention_layernorm.weight": np.ones(8, "f4"),
    "h.0.mask": np.tril(np.ones((1, 1, 20, 20), "f4")),
    "h.0.position_wise.weight": RANDOM.normal(0, 1, (8, 8)).astype("f4"),
    "h.0.conv": RANDOM.normal(0, 1, (3, 4, 5)).astype("f4"),
    "identity": np.eye(20, dtype="f4"),
    "position_ids": np.arange(20)[np.newaxis],
    "empty": np.zeros((0, 8), "f4"),
}
POSITIONS = {
    "encoder.pos.pe": RIGHT[:, np.newaxis].astype("f4"),
    "anything": np.asfortranarray(WRONG[np.newaxis]),
    "rotary.inv_freq": (500.0 ** -(np.arange(4) / 4)).astype("f4"),
    "freqs_cis": np.exp(1j * np.outer(np.arange(20), 1e4 ** -(np.arange(4) / 4))).astype("c8"),
}


def header(text, data=b""):
    """The bytes of a .safetensors file with this header."""
    return len(text).to_bytes(8, "little") + text.encode() + data


def safetensors(tensors, **types):
    """The bytes of a .safetensors file."""
    entries, data = {"__metadata__": {"format": "pt"}}, b""
    for name, array in tensors.items():
        dtype = types.get(name) or TYPES[array.dtype.str[1:]]
        ends = [len(data), len(data) + array.nbytes]
        entries[name] = {"dtype": dtype, "shape": array.shape, "data_offsets": ends}
        data += array.tobytes()
    return header(json.dumps(entries), data)


def state_dict(tensors, torch):
    file = io.BytesIO()
    state = {name: torch.from_numpy(array.copy()) for name, array in tensors.items()}
    torch.save({"epoch": 3, "model": [state]}, file)
    return file.getvalue()


@pytest.fixture(params=["safetensors", "npz", "PTH"])
def checkpoint(request, write):
    """A function that writes a checkpoint; its tensors' names get a prefix, which it has."""
    kind = request.param
    torch = request.getfixturevalue("torch") if kind == "PTH" else None

    def written(tensors):
        if torch:
            return write(f"x.{kind}", state_dict(tensors, torch))
        if kind == "safetensors":
            return write("x.safetensors", safetensors(tensors))
        return write("x.npz", npz(tensors))

    written.prefix = "model.0." if torch else ""
    return written


def headings(out):
    return [line.strip("= ") for line in out.splitlines() if line.startswith("== ")]


def test_every_tensor_like_positions_is_diagnosed(run, checkpoint):
    status, out, err = run(checkpoint(OTHERS | POSITIONS))
    assert (status, err) == (1, "")
    assert headings(out) == [checkpoint.prefix + name for name in POSITIONS]
    reports = [report.strip() for report in re.split("^== .* ==$", out, flags=re.M)[1:]]
    for report, array in zip(reports, POSITIONS.values(), strict=True):
        if array.ndim > 1:
            assert report == str(diagnose(array))
    assert "Its base is 500, not 10000." in reports[2]


def test_the_status_is_0_if_all_are_right(run, checkpoint):
    right = {name: POSITIONS[name] for name in ("encoder.pos.pe", "freqs_cis")}
    assert run(checkpoint(OTHERS | right))[0] == 0
    path = checkpoint(POSITIONS)
    assert run(path, checkpoint.prefix + "encoder.pos.pe")[0] == 0
    assert run(path, checkpoint.prefix + "anything")[:2] == (1, f"{diagnose(WRONG)}\n")
    assert "Its base is 500" in run(path, checkpoint.prefix + "rotary.inv_freq")[1]
    assert "Its base is 500" in run(checkpoint({"inv_freq": POSITIONS["rotary.inv_freq"]}))[1]


def test_a_checkpoint_without_positions_is_refused(refused, checkpoint, write):
    refused(": say which, as its key", checkpoint(OTHERS))
    refused("wte.weight", checkpoint(OTHERS), "pe")
    many = safetensors({f"layer{i}": np.eye(4) for i in range(50)})
    refused("layer19 and 30 more: say which", write("x.safetensors", many))


def test_what_only_sounds_like_positions_hides_nothing(run, checkpoint):
    status, out, err = run(checkpoint({"pos": np.ones((2, 3, 8)), "pe": RIGHT}))
    assert status == 0
    assert headings(out) == [checkpoint.prefix + "pe"]
    assert f"{checkpoint.prefix}pos: table must have shape (n, d)" in err


def test_bfloat16_of_safetensors_is_read(run, write):
    bits = (bfloat16(WRONG).astype(np.float32).view(np.uint32) >> 16).astype("<u2")
    path = write("x.safetensors", safetensors({"pe": bits, "w": bits[:2]}, pe="BF16", w="BF16"))
    assert run(path, "pe") == (1, f"{diagnose(bfloat16(WRONG))}\n", "")
    assert headings(run(path)[1]) == ["pe"]


def test_bfloat16_and_old_files_of_pytorch_are_read(run, tmp_path, torch):
    table = torch.from_numpy(WRONG)
    torch.save({"pe": torch.nn.Parameter(table.bfloat16())}, tmp_path / "x.pt")
    assert run(tmp_path / "x.pt") == (1, f"{diagnose(bfloat16(WRONG))}\n", "")
    torch.save({"pe": table}, tmp_path / "old.pt", _use_new_zipfile_serialization=False)
    assert run(tmp_path / "old.pt")[:2] == (1, f"{diagnose(WRONG)}\n")


# What is never read


def test_a_gigabyte_is_searched_without_reading_it(run, tmp_path):
    path, size = tmp_path / "x.safetensors", 4 * 16384**2
    weight = {"dtype": "F32", "shape": [16384, 16384], "data_offsets": [0, size]}
    table = {"dtype": "F64", "shape": RIGHT.shape, "data_offsets": [size, size + RIGHT.nbytes]}
    with path.open("wb") as file:
        file.write(header(json.dumps({"weight": weight, "pe": table})))
        file.seek(size, io.SEEK_CUR)  # a hole, which takes no room on the disk
        file.write(RIGHT.tobytes())
    tracemalloc.start()
    status, out, _ = run(path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (status, headings(out)) == (0, ["pe"])
    assert most < 2**29


def test_only_wanted_members_of_npz_are_read(run, write, monkeypatch):
    path = write("x.npz", npz(OTHERS | {"pe": RIGHT, "late": WRONG}))
    read, shapes = npy_format.read_array, []

    def counted(file, **given):
        array = read(file, **given)
        shapes.append(array.shape)
        return array

    monkeypatch.setattr(npy_format, "read_array", counted)
    assert headings(run(path)[1]) == ["pe", "late"]
    assert shapes == [RIGHT.shape, WRONG.shape]


def test_a_member_beyond_memory_is_not_unpacked(refused, run, write):
    member = io.BytesIO()
    spec = {"descr": "<f8", "fortran_order": False, "shape": (2**20, 2**20)}
    npy_format.write_array_header_1_0(member, spec)
    path = write("x.npz", npz({"pe": RIGHT}))
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("position.npy", member.getvalue())
    assert headings(run(path)[1]) == ["pe"]
    refused("too large to unpack: save it in a .npy file", path, "position")


# What is damaged

DATA, DAMAGED = RIGHT.tobytes(), "it is damaged, or not a file of numbers: "


def entry(shape=(20, 8), ends=(0, 1280)):
    return json.dumps({"pe": {"dtype": "F64", "shape": shape, "data_offsets": ends}})


def test_a_damaged_checkpoint_is_refused(refused, write):
    for content in [
        *(b"", b"hello", header("{", DATA), header("[]", DATA), header('{"pe": {}}', DATA)),
        *(header(entry(), DATA[:-1]), header(entry(shape=(20, 9)), DATA)),
        *(header(entry(shape=(-20, -8)), DATA), header(entry(ends=(-8, 1272)), DATA)),
    ]:
        refused(DAMAGED, write("x.safetensors", content))
    whole = npz({"pe": RIGHT, "other": WRONG})
    refused(DAMAGED, write("x.npz", whole[:99] + b"\xff" * 9 + whole[108:]))


def test_a_damaged_file_of_pytorch_is_refused(refused, write, torch):
    whole = state_dict({"pe": RIGHT}, torch)
    late = state_dict({"pe": np.tile(RIGHT, (9, 9))}, torch)[:5000]
    archive = io.BytesIO()
    zipfile.ZipFile(archive, "w").close()
    for content in (b"", b"hello", whole[:900], late, archive.getvalue()):
        refused("it is damaged, or", write("x.pt", content))


def test_a_pickle_in_an_npz_is_not_run(refused, write, trap):
    path = write("x.npz", npz({"pe": np.array([[trap] * 4] * 4, object), "other": np.eye(4)}))
    refused("say which, as its key", path)
    refused("not a file of numbers", path, "pe")


def test_a_pickle_of_pytorch_is_not_run(refused, write, tmp_path, torch, trap):
    torch.save({"pe": trap}, tmp_path / "x.pt")
    write("old.pth", pickle.dumps({"pe": trap}))
    torch.save(torch.nn.Linear(3, 3), tmp_path / "model.bin")
    for name in ("x.pt", "old.pth", "model.bin"):
        refused("none of which was executed: save module.state_dict()", tmp_path / name)


# Other formats


def gguf(tensors, **fields):
    def text(value):
        return len(value).to_bytes(8, "little") + value.encode()

    out = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(fields) + 1)
    out += text("tokens") + struct.pack("<IIQ", 9, 8, 2) + text("a") + text("b")
    for name, value in fields.items():
        kind, code = (6, "f") if isinstance(value, float) else (4, "I")
        out += text(f"llama.rope.{name}") + struct.pack(f"<I{code}", kind, value)
    data = b""
    for name, array in tensors.items():
        kind = {"f4": 0, "f2": 1, "u2": 30}[array.dtype.str[1:]]
        out += text(name) + struct.pack("<I", array.ndim) + struct.pack("<2Q", *array.shape[::-1])
        out += struct.pack("<IQ", kind, len(data))
        data += array.tobytes() + b"\0" * (-array.nbytes % 32)
    return out + b"\0" * (-len(out) % 32) + data


def test_a_file_of_llama_cpp_is_read(run, refused, write):
    tensors = {"position_embd.weight": RIGHT.astype("f2"), "blk.0.norm": np.eye(20, dtype="f4")}
    path = write("x.gguf", gguf(tensors, freq_base=50.0, dimension_count=8))
    status, out, err = run(path)
    assert (status, headings(out), err) == (1, ["position_embd.weight", "rope.freq_base"], "")
    assert str(diagnose(RIGHT.astype("f2"))) in out
    assert "Its base is 50" in out
    for content in (b"", b"hello", path.read_bytes()[:90]):
        refused("it is damaged, or", write("x.gguf", content))


def test_a_configuration_is_read_like_a_table(run, write):
    fields = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4}
    fields["num_hidden_layers"] = 2
    path = write("config.json", json.dumps(fields))
    for given in (fields, path):
        assert str(diagnose(given)).startswith("llama: 2 layers")
    assert run(path) == (0, f"{diagnose(path)}\n", "")
