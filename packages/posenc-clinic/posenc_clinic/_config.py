"""What a model does with positions, read from its configuration."""

import json
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import fill
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc import attention_temperature, scale_frequencies
from posenc._scaling import Method
from posenc_clinic._model_types import (
    DEFAULT_BASES,
    HAS_SINKS,
    LEARNED,
    NEVER_ROTATES,
    ROTATES_IN_WINDOWS,
    ROTATES_IN_WINDOWS_IF_ANY,
)

Fields = Mapping[str, Any]

# Where a model of several parts keeps the configuration of its text model.
TEXT = ("text_config", "llm_config", "language_config", "thinker_config", "talker_config")
SIZES = (
    *("num_hidden_layers", "n_layer", "n_layers", "num_layers", "decoder_num_hidden_layers"),
    "depth",
)
WIDTHS = ("embed_dim", "hidden_size", "n_embd", "d_model")
HEADS = ("num_attention_heads", "n_head", "n_heads", "num_heads", "decoder_num_attention_heads")
LENGTHS = ("max_position_embeddings", "n_positions", "n_ctx", "max_seq_len", "seq_length")
SHARES = ("partial_rotary_factor", "rotary_pct")
WINDOWED = ("sliding_attention", "chunked_attention", "local_attention")

# What is read of `rope_parameters` or `rope_scaling`, and for which types.
EVERY = {"rope_theta", "rope_type", "type", "partial_rotary_factor", "factor"}
EVERY |= {"original_max_position_embeddings", "mrope_section", "mrope_interleaved"}
OWN = {
    "yarn": {"attention_factor", "beta_fast", "beta_slow", "mscale", "mscale_all_dim", "truncate"},
    "longrope": {"short_factor", "long_factor", "attention_factor", "short_mscale", "long_mscale"},
    "llama3": {"low_freq_factor", "high_freq_factor"},
}
RAMPS = {"yarn": ("beta_slow", "beta_fast"), "llama3": ("low_freq_factor", "high_freq_factor")}
TYPES = {"default", "linear", "dynamic", "proportional", "axial", *OWN}
OLD_TYPES = {"su": "longrope", "mrope": "default"}


@dataclass(frozen=True)
class Rope:
    """How RoPE rotates in one kind of layer.

    Parameters
    ----------
    base : float
        The base of its frequencies, `rope_theta`.
    omega : ndarray of float64, shape (columns / 2,)
        Frequency of each pair, in radians per position, scaled; 0 for a pair that stands still.
    head : int
        Columns of a query or key, those that don't rotate included.
    kind : str
        The type of scaling, as `rope_type` names it.
    factor : float
        By how much it is meant to lengthen the context.
    temperature : float
        What queries and keys are multiplied by.
    original : int
        Context length of the training before it was scaled, or 0.
    sections : tuple of int
        Pairs for each axis (time, height, width) of M-RoPE, or nothing.
    axes : int
        How many axes have such frequencies each: 2 for rows and columns of a picture.
    """

    base: float
    omega: NDArray[np.float64]
    head: int
    kind: str = "default"
    factor: float = 1.0
    temperature: float = 1.0
    original: int = 0
    sections: tuple[int, ...] = ()
    axes: int = 1


@dataclass(frozen=True)
class LayerPositions:
    """What one layer does with positions: `rope` if it rotates, and the `window` it attends in.

    `attention` is False for a layer that has none, such as a recurrent one.
    """

    rope: Rope | None
    window: int | None = None
    attention: bool = True


@dataclass(frozen=True)
class ModelPositions:
    """What a model does with positions, as its configuration says; `str` puts it into sentences.

    Parameters
    ----------
    model_type : str
        The `model_type` of the configuration, or "".
    layers : tuple of LayerPositions
        One for each layer.
    length : int or None
        The longest text it is meant for, in tokens.
    other : str
        What tells positions where no RoPE does: "ALiBi", "T5 buckets", "learned", or "".
    notes : tuple of str
        What else is known: sinks, a temperature, which part of the file was read.
    warnings : tuple of str
        What contradicts, is ignored by programs, or is not known here.
    """

    model_type: str
    layers: tuple[LayerPositions, ...]
    length: int | None
    other: str = ""
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Sentences, wrapped: the layers, kind by kind, then notes and warnings."""
        from posenc_clinic._config_report import sentences

        lines = sentences(self)
        return "\n".join(fill(line, 76, subsequent_indent="  ") for line in lines)

    def plot(self) -> Any:
        """Draw the turns of each pair within the trained length, with a line at one turn.

        Returns the Matplotlib figure. It has a curve for each kind of layer that rotates.
        """
        from posenc_clinic._config_report import draw

        return draw(self)


@dataclass
class _Said:
    """What is said about a configuration while it is read."""

    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def read_config(source: Fields | str | os.PathLike[str]) -> ModelPositions:
    """What a model does with positions, from its configuration.

    The fields are those of a `config.json` for transformers, new or old. What only the code of a
    model says, such as which layers rotate, is known for some model types; a field or a type that
    is not known is named in `warnings` and not guessed at.

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
    huggingface/transformers 5.23.0, src/transformers/modeling_rope_utils.py.

    Examples
    --------
    >>> llama = dict(model_type="llama", hidden_size=4096, num_attention_heads=32, rope_theta=5e5)
    >>> print(read_config(llama | dict(num_hidden_layers=32, max_position_embeddings=8192)))
    llama: 32 layers, texts of up to 8,192 tokens.
    All layers: RoPE. 128 of 128 columns rotate, in 64 pairs, with base 500,000.
      The slowest pair needs 2,559,196 tokens for a turn; within 8,192 tokens 35
      of 64 pairs make one.
    """
    said = _Said()
    fields = _text_part(_fields(source), said)
    name = str(fields.get("model_type") or "")
    count = _count(fields, SIZES, "how many layers there are")
    length = _first(fields, LENGTHS)
    if length is not None:
        length = _whole(length, "max_position_embeddings")
    kinds = _layer_types(fields, count)
    rope = _Rope(fields, name, length, said)
    rotates = [*_rotating(fields, name, kinds, said)]
    layers = []
    for place, (kind, turned) in enumerate(zip(kinds, rotates, strict=True)):
        attends = not any(word in kind for word in ("linear", "mamba", "conv", "recurrent"))
        turns = rope.of(kind, place) if turned and attends else None
        layers += [LayerPositions(turns, _window(fields, kind) if attends else None, attends)]
    other = "" if rope.given else _other(fields, name, said)
    if name in HAS_SINKS:
        said.notes.append("Its attention has a sink: a score in softmax that no token stands for.")
    if fields.get("attn_temperature_tuning"):
        scale, floor = fields.get("attn_scale", 0.1), fields.get("floor_scale", 8192)
        said.notes.append(
            "Layers without positions multiply the query at position t by "
            f"1 + {scale:g} ln(1 + floor((t + 1) / {floor:,}))."
        )
    more = tuple(said.notes), tuple(said.warnings)
    return ModelPositions(name, tuple(layers), length, other, *more)


def _fields(source: Fields | str | os.PathLike[str]) -> Fields:
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


def _text_part(fields: Fields, said: _Said) -> Fields:
    """The configuration of the text model, if there are several in one."""
    while not any(name in fields for name in SIZES):
        inner = next((name for name in TEXT if isinstance(fields.get(name), Mapping)), None)
        if inner is None:
            known = ", ".join([*map(str, fields)][:4]) or "nothing"
            raise ValueError(
                "source must be the configuration of a model, with num_hidden_layers and "
                f"hidden_size, but it has {known}: pass config.json, or the part of it that you "
                "ask about"
            )
        others = [name for name in fields if name.endswith("_config") and name != inner]
        said.notes.append(
            f"This is about {inner}." + f" {' and '.join(others)} can be read alone." * bool(others)
        )
        fields = fields[inner]
    return fields


def _first(fields: Fields, names: Sequence[str]) -> Any:
    return next((fields[name] for name in names if fields.get(name) is not None), None)


def _count(fields: Fields, names: Sequence[str], what: str) -> int:
    value = _first(fields, names)
    if value is None:
        raise ValueError(f"source must say {what}: it lacks {names[0]}")
    return _whole(value, names[0])


def _whole(value: Any, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value):
        raise ValueError(f"{name} must be a whole number, not {value!r}")
    if value < 1:
        raise ValueError(f"{name} must be at least 1, not {value!r}")
    return int(value)


def _layer_types(fields: Fields, count: int) -> list[str]:
    """The kind of each layer, as `layer_types` names it."""
    if kinds := _one_a_layer(fields, "layer_types", count):
        return [*map(str, kinds)]
    every = fields.get("sliding_window_pattern") or fields.get("_sliding_window_pattern")
    first = 1
    if not (isinstance(every, int) and every > 1 and fields.get("sliding_window")):
        every, first = fields.get("global_attn_every_n_layers"), 0
    if every:
        kinds = ["full_attention"] + ["sliding_attention"] * (every - 1)
        return [kinds[(place + first) % every] for place in range(count)]
    windowed = fields.get("sliding_window") and fields.get("use_sliding_window", True)
    return ["sliding_attention" if windowed else "full_attention"] * count


def _one_a_layer(fields: Fields, name: str, count: int) -> Sequence[Any]:
    """What a field has for each layer, or nothing."""
    found: Sequence[Any] = fields.get(name) or ()
    if found and len(found) != count:
        raise ValueError(f"{name} must have {count} entries, one a layer: it has {len(found)}")
    return found


def _window(fields: Fields, kind: str) -> int | None:
    if kind not in WINDOWED:
        return None
    size = _first(fields, ("sliding_window", "attention_chunk_size", "local_attention", "window"))
    return None if size is None else _whole(size, "sliding_window")


def _rotating(fields: Fields, name: str, kinds: list[str], said: _Said) -> Iterator[bool]:
    """Whether each layer rotates."""
    if flags := _one_a_layer(fields, "no_rope_layers", len(kinds)):
        said.notes.append("In no_rope_layers a 1 means that the layer does rotate.")
        yield from map(bool, flags)
    elif every := fields.get("no_rope_layer_interval"):
        yield from ((place + 1) % every != 0 for place in range(len(kinds)))
    elif bases := fields.get("layer_rope_theta"):
        yield from map(bool, bases)
    elif name in NEVER_ROTATES:
        yield from [False] * len(kinds)
    elif name in ROTATES_IN_WINDOWS or (
        name in ROTATES_IN_WINDOWS_IF_ANY and not {*WINDOWED}.isdisjoint(kinds)
    ):
        said.notes.append(f"In {name}, layers without a window have no positions.")
        yield from (kind in WINDOWED for kind in kinds)
    else:
        yield from [True] * len(kinds)


def _other(fields: Fields, name: str, said: _Said) -> str:
    """What tells positions in a model without RoPE."""
    if fields.get("alibi") or name in ("bloom", "mpt"):
        return "ALiBi"
    if fields.get("relative_attention_num_buckets"):
        return "T5 buckets"
    kind = fields.get("position_embedding_type") or ("absolute" if name in LEARNED else None)
    if kind in ("absolute", "learned"):
        return "learned"
    said.warnings.append(
        f"No field tells how {name or 'this model'} encodes positions: it has no rope_theta and no "
        "rope_parameters, and what its code does is not known here."
    )
    return ""


class _Rope:
    """The rotations that a configuration asks for, in each kind of layer."""

    def __init__(self, fields: Fields, name: str, length: int | None, said: _Said) -> None:
        self.fields, self.name, self.length, self.said = fields, name, length, said
        self.made: dict[str, Rope] = {}
        asked = fields.get("rope_parameters") or fields.get("rope_scaling") or {}
        if not isinstance(asked, Mapping):
            raise ValueError(f"rope_scaling must be an object, not {asked!r}")
        self.nested = {k: v for k, v in asked.items() if isinstance(v, Mapping) or v is None}
        self.asked = {k: v for k, v in asked.items() if k not in self.nested}
        bases = ("rope_theta", "rotary_emb_base", "rope_base", "global_rope_theta", "rotary_dim")
        self.given = bool(asked) or any(fields.get(each) for each in bases) or name in DEFAULT_BASES
        self.given = (self.given or "qk_rope_head_dim" in fields) and name not in NEVER_ROTATES
        self.given = self.given and fields.get("use_mem_rope", True)

    def of(self, kind: str, place: int) -> Rope | None:
        """The rotation of a layer of this kind."""
        if "compress" in self.nested:  # the labels of DeepSeek-V4
            kind = "compress" if "compress" in kind else "main"
        if not self.given or (self.nested and self.nested.get(kind) is None):
            return None
        own = (self.fields.get("per_layer_config") or {}).get(f"{place:02}") or {}
        bases = self.fields.get("layer_rope_theta")
        base = bases[place] if bases else None
        key = f"{kind} {base} {own.get('head_dim')}"
        if key not in self.made:
            asked = self.nested.get(kind) or self.asked
            self.made[key] = self._make(kind, asked, base, own.get("head_dim"))
        return self.made[key]

    def _make(self, kind: str, asked: Fields, own: float | None, head_dim: int | None) -> Rope:
        fields, said = self.fields, self.said
        scaling = self._type(asked)
        base = float(own or self._base(kind, asked))
        head, rotated = self._widths(asked, kind, head_dim)
        axes = 2 if scaling == "axial" else 1
        omega = base ** (-np.arange(0, rotated // axes, 2) / (rotated // axes))
        factor = float(asked.get("factor") or 1.0)
        original = self._original(asked, scaling)
        temperature = 1.0
        if scaling == "linear":
            omega = omega / factor
        elif scaling == "proportional":
            share = float(asked.get("partial_rotary_factor") or 1.0)
            omega = base ** (-np.arange(0, head, 2) / head) / factor
            omega[int(share * head // 2) :] = 0.0
        elif scaling in ("yarn", "llama3"):
            method: Method = "yarn" if scaling == "yarn" else "llama3"
            slow, fast = (asked.get(name) or None for name in RAMPS[method])
            ramp = {"slow": slow, "fast": fast, "truncate": asked.get("truncate", True)}
            omega = scale_frequencies(omega, factor, method, original=original, **ramp)
            temperature = self._yarn_temperature(asked, factor) if method == "yarn" else 1.0
        elif scaling == "longrope":
            factor = float(asked.get("factor") or (self.length or original) / original)
            if factor > 1:
                temperature = math.sqrt(1 + math.log(factor) / math.log(original))
            temperature = asked.get("attention_factor") or temperature
            omega = omega / self._by_pair(asked, omega.size)
        elif scaling == "dynamic":
            said.notes.append(
                f"Beyond {self.length or 0:,} tokens the base grows with the text (dynamic NTK), "
                "so keys that are kept were rotated with an older base."
            )
        self._compare(scaling, factor, original)
        sections = tuple(asked.get("mrope_section") or fields.get("mrope_section") or ())
        return Rope(
            base, omega, head, scaling, factor, float(temperature), original, sections, axes
        )

    def _original(self, asked: Fields, scaling: str) -> int:
        """The context length before scaling, or 0 if none is given and none is needed."""
        name = "original_max_position_embeddings"
        found = _first(asked, (name,)) or _first(self.fields, (name,))
        if found is None and scaling in OWN:
            if self.length is None:
                raise ValueError(f"rope_scaling of type {scaling} must have {name}")
            self._warn(
                f"{scaling} has no {name}: transformers takes max_position_embeddings for it, "
                "which may be the length after scaling."
            )
            found = self.length
        return 0 if found is None else _whole(found, name)

    def _type(self, asked: Fields) -> str:
        """The type of scaling, and what its fields are worth."""
        new, old = asked.get("rope_type"), asked.get("type")
        if old and not new:
            self._warn('The field "type" of rope_scaling is the old name of "rope_type".')
        if old and new and OLD_TYPES.get(old, old) != OLD_TYPES.get(new, new):
            self._warn(f'rope_type is "{new}" and type is "{old}": programs take the first.')
        scaling = OLD_TYPES.get(new or old or "default", new or old or "default")
        if scaling not in TYPES:
            self._warn(f'The type "{scaling}" of scaling is not known here: left unscaled.')
            return "default"
        unread = {*asked} - EVERY - OWN.get(scaling, set())
        if unread:
            self._warn(f"Not read for {scaling}: {', '.join(sorted(unread))}.")
        return scaling

    def _warn(self, text: str) -> None:
        if text not in self.said.warnings:
            self.said.warnings.append(text)

    def _base(self, kind: str, asked: Fields) -> float:
        fields = self.fields
        local = ("rope_local_base_freq", "local_rope_theta", "swa_rope_theta")
        if kind in WINDOWED and (found := _first(fields, local)):
            return float(found)
        inside = asked.get("rope_theta")
        names = ("rope_theta", "global_rope_theta", "rotary_emb_base", "rope_base")
        outside = _first(fields, names)
        if inside and outside and inside != outside:
            self._warn(
                f"rope_theta is {inside:,.0f} in rope_parameters and {outside:,.0f} outside: "
                "transformers takes the first."
            )
        if found := inside or outside:
            return float(found)
        base = DEFAULT_BASES.get(self.name, 10_000.0)
        self._warn(f"No rope_theta is given: {base:,.0f} is the default of transformers.")
        return base

    def _widths(self, asked: Fields, kind: str, head_dim: int | None) -> tuple[int, int]:
        """The columns of a head, and how many of them rotate."""
        fields = self.fields
        if (own := fields.get("qk_rope_head_dim")) and "qk_nope_head_dim" in fields:
            own = _whole(own, "qk_rope_head_dim")
            return own + int(fields["qk_nope_head_dim"]), own
        given = head_dim or _first(fields, ("head_dim", "kv_channels", "attention_head_dim"))
        if kind == "full_attention" and fields.get("global_head_dim"):
            given = fields["global_head_dim"]
        if given is None:
            width, heads = _count(fields, WIDTHS, "how wide it is"), _count(fields, HEADS, "heads")
            given = width // heads
        head = _whole(given, "head_dim")
        share = next((f[n] for f in (asked, fields) for n in SHARES if f.get(n) is not None), 1.0)
        if asked.get("rope_type") == "proportional":  # which keeps the frequencies of all columns
            share = 1.0
        rotated = int(head * float(share))
        if self.name in ("gptj", "codegen"):
            rotated = _whole(fields.get("rotary_dim") or head, "rotary_dim")
        if rotated < 2 or rotated > head:
            raise ValueError(f"{rotated} of {head} columns can't rotate in pairs")
        return head, rotated

    def _yarn_temperature(self, asked: Fields, factor: float) -> float:
        if asked.get("attention_factor"):
            return float(asked["attention_factor"])
        first, whole = asked.get("mscale"), asked.get("mscale_all_dim")
        if first and whole:
            grows = math.log(factor) if factor > 1 else 0.0
            return float((0.1 * first * grows + 1) / (0.1 * whole * grows + 1))
        if first or whole:
            self._warn("mscale counts only beside mscale_all_dim, and here one of them is missing.")
        return attention_temperature(factor)

    def _by_pair(self, asked: Fields, pairs: int) -> NDArray[np.float64]:
        """LongRoPE's factors of short texts; those of long ones take over beyond `original`."""
        for name in ("short_factor", "long_factor"):
            factors = asked.get(name)
            if not isinstance(factors, Sequence) or len(factors) != pairs:
                found = len(factors) if isinstance(factors, Sequence) else factors
                raise ValueError(f"{name} must have {pairs} numbers, one a pair: it has {found}")
        self.said.notes.append(
            "Frequencies are those for short texts; beyond original_max_position_embeddings "
            "long_factor takes the place of short_factor, for keys that are kept, too."
        )
        return np.asarray(asked["short_factor"], dtype=np.float64)

    def _compare(self, scaling: str, factor: float, original: int) -> None:
        if scaling == "yarn" and original and self.length and self.length != original:
            ratio = self.length / original
            if not math.isclose(ratio, factor, rel_tol=1e-6):
                self._warn(
                    f"The factor is {factor:g}, but max_position_embeddings is {ratio:g} times "
                    "original_max_position_embeddings: transformers takes the factor."
                )
