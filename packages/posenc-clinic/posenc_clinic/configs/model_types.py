"""What configurations leave out and only the library says, for each type of model.

`benchmarks/census.py` writes the table, out of the classes and the code of transformers. An entry
has what its class fills in (`size`, `has`, `rope`, `kinds`, `layer`, `text`) and what its
code does (`other`, `is`, `asks`, `qk-norm`).
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any

# How kinds of layers are spelled in patterns of the table, and letters in released files.
LETTERS = {
    **{"f": "full_attention", "s": "sliding_attention", "c": "chunked_attention"},
    **{"l": "linear_attention", "v": "conv", "i": "indexed_attention", "m": "moe", "p": "mlp"},
    **{"h": "hybrid", "y": "hybrid_sliding", "w": "window_attention"},
    **{"r": "reference_sliding_attention", "n": "minimax_m3_sparse"},
    **{"a": "heavily_compressed_attention", "b": "compressed_sparse_attention"},
}
# The fields that `size` has, or 0.
SIZES = (
    *("num_hidden_layers", "hidden_size", "num_attention_heads", "head_dim"),
    "max_position_embeddings",
)


@cache
def model_types() -> dict[str, dict[str, Any]]:
    """The entry of each type of model that is known."""
    text = files("posenc_clinic.configs").joinpath("model_types.json").read_text("utf-8")
    types: dict[str, dict[str, Any]] = {}
    for names, entry in json.loads(text)["types"]:
        sizes = zip(SIZES, entry.get("size", ()), strict=False)
        entry["has"] = entry.get("has", {}) | {name: size for name, size in sizes if size}
        types |= dict.fromkeys(names.split(), entry)
    return types


def known(name: str, architectures: Any = ()) -> dict[str, Any] | None:
    """The entry of a type, or of the type that an architecture is named after, or None."""
    types = model_types()
    if name in types or not isinstance(architectures, list | tuple):
        return types.get(name)
    plain = {one.replace("_", "").lower(): one for one in types}
    cut = (str(one).split("For")[0].removesuffix("Model").lower() for one in architectures)
    return next((types[plain[one]] for one in cut if one in plain), None)
