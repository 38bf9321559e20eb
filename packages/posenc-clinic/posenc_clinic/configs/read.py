"""What a model does with positions, read from its configuration as its own code reads it."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from posenc_clinic.configs.fields import SIZES, TEXT, Configuration, whole
from posenc_clinic.configs.layers import CHUNKED, NO_ATTENTION, layer_kinds, layer_window, rotating
from posenc_clinic.configs.model import LayerPositions, Rope, Said
from posenc_clinic.configs.model_types import model_types
from posenc_clinic.configs.report import ModelPositions
from posenc_clinic.configs.ropes import Ropes

__all__ = ["SIZES", "TEXT", "LayerPositions", "ModelPositions", "Rope", "read_config"]


def read_config(source: Mapping[str, Any] | str | os.PathLike[str]) -> ModelPositions:
    """What a model does with positions, from its configuration.

    The fields are those of a `config.json` for transformers, new or old. A released file has only
    what differs from the defaults of its type, and what only the code of a model says, such as
    which layers rotate, stands in no file; both are known for the types of transformers. A type
    that is not known is read as Llama's code would read it, and a field on positions or layers
    that is not read is named: see `warnings`.

    Parameters
    ----------
    source : mapping, str or path
        The configuration, or the path of its JSON file.

    Returns
    -------
    ModelPositions
        For each layer its frequencies, window and temperature; `print` it for sentences.

    Raises
    ------
    TypeError
        If `source` is neither a mapping nor a path.
    ValueError
        If it is not the configuration of a model, lacks sizes, or has lists of the wrong length.

    References
    ----------
    huggingface/transformers 5.23.0, src/transformers/modeling_rope_utils.py and the configuration
    and the code of each model.

    Examples
    --------
    >>> llama = dict(model_type="llama", hidden_size=4096, num_attention_heads=32, rope_theta=5e5)
    >>> print(read_config(llama | dict(num_hidden_layers=32, max_position_embeddings=8192)))
    llama: 32 layers, texts of up to 8,192 tokens.
    All layers: RoPE. 128 of 128 columns rotate, in 64 pairs, with base 500,000.
      The slowest pair needs 2,559,196 tokens for a turn; within 8,192 tokens 35
      of 64 pairs make one.
    Layout: halves, so columns i and i + 64 make a pair.
    """
    said = Said()
    fields = _text_part(_fields(source), said)
    count, length = _count(fields), fields.get("max_position_embeddings")
    if length is not None and fields.get("position_embedding_type") != "relative_key":
        length = whole(length, "max_position_embeddings") if length > 0 else None
    kinds = layer_kinds(fields, count)
    rotates, note = rotating(fields, kinds)
    if note:
        said.notes.append(note)
    ropes = Ropes(fields, length, said)
    layers = []
    for place, (kind, turned) in enumerate(zip(kinds, rotates, strict=True)):
        if NO_ATTENTION.search(kind):
            layers.append(LayerPositions(None, attention=False))
            continue
        turns = ropes.of(kind, place) if turned and ropes.given else None
        window, chunked = layer_window(fields, kind, place), kind == CHUNKED
        layers.append(LayerPositions(turns, window, chunked=chunked))
    other = ""
    if not any(layer.rope for layer in layers) and (not kinds or any(x.attention for x in layers)):
        other = _other(fields)
    if length and "pad-first" in fields.traits and "learned" in other:
        pad = fields.get("pad_token_id", 1)
        said.notes.append(
            f"The table has {length:,} rows, and tokens count from {pad + 1}: rows up to {pad} are "
            "left to padding."
        )
        length = max(length - pad - 1, 1)
    _notes(fields, kinds, layers, said)
    _warnings(fields, other, said)
    return ModelPositions(
        fields.name, tuple(layers), length, other, tuple(said.notes), tuple(said.warnings)
    )


def as_config(value: Any) -> Any:
    """The configuration of a model as a path or a mapping, or None if this is something else."""
    if hasattr(value, "model_type") and hasattr(value, "to_dict"):  # of transformers
        return value.to_dict()
    if isinstance(value, str | os.PathLike):
        return value if str(value).endswith(".json") else None
    fields = {"model_type", *SIZES, *TEXT}
    return value if isinstance(value, Mapping) and fields & {*value} else None


def _fields(source: Mapping[str, Any] | str | os.PathLike[str]) -> Mapping[str, Any]:
    """A configuration as a mapping."""
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        try:
            fields = json.loads(path.read_text("utf-8"))
        except OSError as error:
            raise ValueError(f"source can't be read: {error}") from None
        except ValueError:
            raise ValueError(f"source must be a JSON file, but {path} holds none") from None
    else:
        fields = source
    if not isinstance(fields, Mapping):
        raise TypeError(
            f"source must be a mapping or the path of a config.json, not {type(fields).__name__}"
        )
    return fields


def _text_part(raw: Mapping[str, Any], said: Said) -> Configuration:
    """The configuration of the text model, if there are several in one."""
    fields = Configuration(raw)
    while True:
        inner = next((name for name in TEXT if isinstance(raw.get(name), Mapping)), None)
        sized = any(name in raw for name in SIZES)
        default = fields.entry.get("text", "")
        if inner is None and (sized or (fields.known and not default)):
            return fields
        if inner is None and default:
            return Configuration({}, default)
        if sized and not (default and any(name in raw[inner or ""] for name in SIZES)):
            return fields
        if inner is None:
            known = ", ".join([*map(str, raw)][:4]) or "nothing"
            raise ValueError(
                "source must be the configuration of a model, with num_hidden_layers and "
                f"hidden_size, but it has {known}: pass config.json, or the part of it that you "
                "ask about"
            )
        others = [name for name in raw if name.endswith("_config") and name != inner]
        others = [name for name in others if isinstance(raw[name], Mapping)]
        said.notes.append(
            f"This is about {inner}." + f" {' and '.join(others)} can be read alone." * bool(others)
        )
        raw = raw[inner]
        fields = Configuration(raw, default)


def _count(fields: Configuration) -> int:
    """How many layers there are."""
    listed = fields.given("layer_types") or fields.given("hybrid_override_pattern")
    if listed and fields.given("num_hidden_layers") is None:
        return len(listed)
    count = fields.raw.get("depths") or fields.get("num_hidden_layers")
    if isinstance(count, list | tuple):  # in stages, as in models of pictures
        return sum(count)
    if fields.known and (count is None or isinstance(count, Mapping)):
        return max(len(fields.entry.get("kinds", "")) - 2, 0)
    return fields.whole("num_hidden_layers", "how many layers there are")


def _other(fields: Configuration) -> str:
    """What tells positions in a model without RoPE, "unknown", or "" if nothing does."""
    kind = fields.get("position_embedding_type")
    if fields.get("alibi"):
        return "ALiBi"
    switch = fields.get(fields.entry.get("asks", ""), True)
    if "rotates" in fields.traits and switch in (True, "rope", "rotary"):
        return "unknown"  # by RoPE, of frequencies that are not known here
    if found := fields.entry.get("other"):
        if found == "nothing":
            return ""
        ways = found.split(" or ")
        said = {"absolute": "learned", "relative": "other relative", "sine": "sinusoidal"}
        way = said.get(str(kind).split("_")[0], kind)
        return str(way if way in ways else found)
    if fields.get("relative_attention_num_buckets"):
        return "T5 buckets"
    if kind in ("nope", "none", "no"):
        return ""
    if "asks" in fields.entry and "rope" in fields.entry:
        return ""
    return {"absolute": "learned", "learned": "learned", "alibi": "ALiBi"}.get(kind, "unknown")


def _notes(
    fields: Configuration, kinds: list[str], layers: list[LayerPositions], said: Said
) -> None:
    """What else the code of a type does with positions and with scores."""
    traits, notes = fields.traits, said.notes
    rope = next((layer.rope for layer in layers if layer.rope), None)
    if rope:
        asked = fields.get("rope_interleave", fields.get("rope_interleaved"))
        beside = "interleaved" in traits if asked is None else bool(asked)
        half = rope.omega.size * rope.axes
        if beside:
            notes.append("Layout: interleaved, so columns 2i and 2i + 1 make a pair.")
        elif "halves" in traits:
            notes.append(f"Layout: halves, so columns i and i + {half} make a pair.")
    switch = fields.entry.get("qk-norm")
    if switch and (switch is True or fields.get(switch)):
        notes.append("Queries and keys are normalised (QK-norm).")
    if "sinks" in traits:
        notes.append("Its attention has a sink: a score in softmax that no token stands for.")
    if any("compressed" in kind for kind in kinds):
        notes.append(
            f"Compressed layers attend to the last {fields.get('sliding_window') or 128} tokens "
            "and, compressed, to those before."
        )
    if fields.get("attn_temperature_tuning"):
        scale, floor = fields.get("attn_scale", 0.1), fields.get("floor_scale", 8192)
        notes.append(
            "Layers without positions multiply the query at position t by "
            f"1 + {scale:g} ln(1 + floor((t + 1) / {floor:,}))."
        )


def _warnings(fields: Configuration, other: str, said: Said) -> None:
    """What is not known here."""
    name = fields.name
    if other == "unknown":
        said.warnings.append(
            f"How {name or 'this model'} encodes positions is not known here: its fields don't say."
        )
    elif fields.known and name and name not in model_types():
        said.notes.append(
            f"{name} is not known here: it is read as the type that architectures names."
        )
    elif not fields.known and name:
        said.warnings.append(
            f"The type {name} is not known here: its fields are read as Llama's code reads them."
        )
    if unread := fields.unread():
        said.warnings.append(f"Not read: {', '.join(unread)}.")
