"""The kind of each layer of a model, its window, and whether it rotates."""

import re
from collections.abc import Sequence
from typing import Any

from posenc_clinic.configs.fields import Configuration, whole
from posenc_clinic.configs.model_types import LETTERS

FULL, SLIDING, LINEAR = "full_attention", "sliding_attention", "linear_attention"
CHUNKED = "chunked_attention"
# Kinds that attend in a window, and words in those that don't attend.
WINDOWED = (
    *(SLIDING, CHUNKED, "local_attention", "hybrid_sliding", "window_attention"),
    "reference_sliding_attention",
)
NO_ATTENTION = re.compile(r"linear|mamba|conv|recurrent|^moe$|^mlp$|rwkv|lightning|delta")
# What entries of lists stand for, one a layer: in `hybrid_override_pattern`, `compress_ratios` ...
CODES: dict[str, dict[Any, str]] = {
    "hybrid_override_pattern": {"M": LINEAR, "*": FULL, "E": "moe", "-": "mlp"},
    "compress_ratios": {
        **{0: SLIDING, 1: SLIDING, 4: "compressed_sparse_attention"},
        128: "heavily_compressed_attention",
    },
    "hybrid_layer_pattern": {0: FULL, 1: SLIDING},
    "attn_type_list": {0: LINEAR, 1: FULL},
    "attention_layers": {"global": FULL, "local": SLIDING},
}
# Lists of layers of one kind, and the kind of the others.
INDICES = {
    "full_attn_idxs": (FULL, "conv"),
    "attn_layer_indices": (FULL, LINEAR),
    "local_layer_ids": ("hybrid_sliding", "hybrid"),
    "hybrid_layer_ids": ("hybrid", LINEAR),
}


def layer_kinds(fields: Configuration, count: int) -> list[str]:
    """The kind of each layer, as `layer_types` names it."""
    if named := fields.one_a_layer("layer_types", count):
        return [{"attention": FULL, "mamba": LINEAR}.get(kind, str(kind)) for kind in named]
    for name, codes in CODES.items():
        if listed := fields.one_a_layer(name, count):
            return [codes.get(one, str(one)) for one in listed]
    for name, (kind, other) in INDICES.items():
        if (places := fields.get(name)) is not None:
            return [kind if place in places else other for place in range(count)]
    linear = fields.get("linear_attn_config") or {}
    if full := linear.get("full_attn_layers"):  # these count from 1
        return [FULL if place + 1 in full else LINEAR for place in range(count)]
    if blocks := fields.get("block_types") or fields.get("_block_types"):
        kinds = {"attention": SLIDING, "recurrent": LINEAR}
        return [kinds.get(blocks[place % len(blocks)], FULL) for place in range(count)]
    if groups := fields.get("attention_types"):
        flat = [one for names, times in groups for one in names * times]
        return [CODES["attention_layers"].get(one, FULL) for one in flat][:count]
    flags = fields.one_a_layer("no_rope_layers", count)
    if flags and "c" in fields.entry.get("kinds", ""):
        return [CHUNKED if flag else FULL for flag in flags]
    return _by_rule(fields, count)


def _by_rule(fields: Configuration, count: int) -> list[str]:
    """The kind of each layer, by the rule of its type or by fields that any type may have."""
    if period := fields.given("attn_layer_period"):
        offset = fields.get("attn_layer_offset", 0)
        start = 3 if fields.name == "zamba" else 0
        attends = [(place - start) % period == offset for place in range(count)]
        attends[:start] = [False, False, True][:start]
        kind = "hybrid" if start else FULL
        return [kind if one else LINEAR for one in attends]
    if rule := fields.entry.get("kinds"):
        return _in_cycles(rule, _interval(fields, fields.entry.get("every", "")), count)
    first = fields.get("max_window_layers")
    every = None if fields.known else _interval(fields, "sliding_window_pattern")
    size = _size(fields) if fields.known else fields.raw.get("sliding_window")
    if not size or not fields.get("use_sliding_window", True):
        return [FULL] * count
    if every and every > 1:
        return [SLIDING if (place + 1) % every else FULL for place in range(count)]
    named = not fields.known or "max_window_layers" in fields.has
    if named and first is not None and "window" not in fields.traits:
        if fields.name == "qwen2_moe":
            return [FULL if place % 2 or place >= first else SLIDING for place in range(count)]
        return [SLIDING if place >= first else FULL for place in range(count)]
    return [SLIDING if not fields.known or "window" in fields.traits else FULL] * count


def _interval(fields: Configuration, name: str) -> int | None:
    """Every how many layers one is of another kind, if a field says so."""
    every = fields.given(name)
    return len(every) if isinstance(every, str) else every  # EXAONE's "LLLG"


def _in_cycles(rule: str, every: int | None, count: int) -> list[str]:
    """Spell out a rule such as "f(sss)f": what stands first, what repeats, and what is last.

    With "<" before it, it is read from the last layer backwards. `every` stretches the cycle.
    """
    backwards, first, cycle, last = re.findall(r"(<?)(\w*)\((\w+)\)(\w*)", rule)[0]
    if every and len({*cycle}) == 2:
        odd = min({*cycle}, key=cycle.count) if len(cycle) > 2 else cycle[-1]
        rest = next(one for one in cycle if one != odd)
        cycle = odd + rest * (every - 1) if cycle[0] == odd else rest * (every - 1) + odd
    letters = (first + cycle * count)[:count]
    if backwards:
        letters = letters[::-1]
    letters = letters[: count - len(last)] + last
    return [LETTERS[letter] for letter in letters]


def _size(fields: Configuration) -> Any:
    """The window that a configuration names, where null means that there is none."""
    if "sliding_window" in fields.raw and fields.raw["sliding_window"] is None:
        return None
    return fields.get("sliding_window")


def layer_window(fields: Configuration, kind: str, place: int) -> int | None:
    """How many tokens a layer attends to, if not to all."""
    if kind not in WINDOWED:
        return None
    own = fields.own(place)
    chunk = kind == CHUNKED
    size = own.get("sliding_window") or (fields.get("attention_chunk_size") if chunk else None)
    size = _size(fields) if size is None and not chunk else size
    if isinstance(size, list | tuple):
        size = size[place % len(size)]
    if not size or size < 0:
        return None
    wider = fields.name == "mimo_v2_flash" and bool(fields.raw.get("sliding_window_size"))
    return whole(size, "sliding_window") + wider


def rotating(fields: Configuration, kinds: Sequence[str]) -> tuple[list[bool], str]:
    """Whether each layer rotates, and what is to be said of how the configuration tells it."""
    count = len(kinds)
    asks = fields.entry.get("asks", "position_embedding_type")
    switch = fields.get(asks)
    if switch in ("nope", "none", "no") or fields.get("alibi"):
        return [False] * count, ""
    if "asks" in fields.entry and switch not in (True, "rope", "rotary"):
        return [False] * count, ""
    if flags := fields.one_a_layer("no_rope_layers", count):
        return [*map(bool, flags)], "In no_rope_layers a 1 means that the layer does rotate."
    if every := fields.get("no_rope_layer_interval"):
        return [(place + 1) % every != 0 for place in range(count)], ""
    if bases := fields.one_a_layer("layer_rope_theta", count):
        return [*map(bool, bases)], ""
    if "never" in fields.traits:
        return [False] * count, ""
    windowed = [kind in WINDOWED for kind in kinds]
    if "windowed" in fields.traits or ("windowed-if-any" in fields.traits and any(windowed)):
        return windowed, f"In {fields.name}, layers without a window have no positions."
    return [True] * count, ""
