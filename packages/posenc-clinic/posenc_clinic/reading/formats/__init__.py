"""Read tables from files and checkpoints; nothing that a file holds is executed."""

from pathlib import Path

from numpy.lib import format as npy

from posenc_clinic.reading.find_tensors import UnreadableError, chosen
from posenc_clinic.reading.formats import gguf, npz, pytorch, safetensors, separated
from posenc_clinic.reading.table_from_array import Given

SEPARATED = ".csv", ".tsv"
READERS = {
    ".npz": npz.tensors,
    ".safetensors": safetensors.tensors,
    ".gguf": gguf.tensors,
    **dict.fromkeys((".pt", ".pth", ".ckpt", ".bin"), pytorch.tensors),
}


def read(path: Path, key: str | None = None) -> dict[str, Given]:
    """The tables of a file by their names; the name of a single one is empty."""
    kind = path.suffix.lower()
    if kind not in (".npy", *SEPARATED, *READERS):
        raise UnreadableError(
            f"only .npy, {', '.join(SEPARATED)}, {', '.join(READERS)} files can be read: "
            "to call a function, write package.module:function"
        )
    if key is not None and kind not in READERS:
        raise UnreadableError("only a .npz file or a checkpoint has keys")
    try:
        if kind in SEPARATED:
            return {"": separated.rows(path)}
        if kind == ".npy":
            with path.open("rb"):  # a folder is refused as one
                return {"": Given(npy.open_memmap(path, mode="r"))}
        return chosen([*READERS[kind](path)], key)
    except (UnreadableError, OSError, MemoryError):
        raise
    except Exception as error:  # of as many kinds as there are readers
        raise UnreadableError(f"it is damaged, or not a file of numbers: {error}") from None
