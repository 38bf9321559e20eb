"""What a configuration says of positions, in sentences, and as JSON for whatever draws it."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from string import ascii_letters
from textwrap import fill
from typing import Any

import numpy as np

from posenc_clinic.configs.model import LayerPositions, Rope

SAID = {"learned": "learned positions", "sinusoidal": "sinusoidal positions"}
SAID |= {"other relative": "relative positions", "convolution": "a convolution"}
ORDINALS = "", "", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"


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
        What tells positions where no RoPE does: "ALiBi", "T5 buckets", "learned", "sinusoidal",
        several of them with "or" between, "unknown", or "" for RoPE or nothing.
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
        lines = sentences(self)
        return "\n".join(fill(line, 76, subsequent_indent="  ") for line in lines)


def sentences(model: ModelPositions) -> Iterator[str]:
    """A line on the model, one on each kind of layer, then notes and warnings."""
    length = f", texts of up to {model.length:,} tokens" if model.length else ""
    layers = f"{len(model.layers)} layers" if model.layers else "layers are not counted here"
    yield f"{model.model_type or 'A model'}: {layers}{length}."
    if model.other and model.other != "unknown":
        named = " or ".join(SAID.get(way, way) for way in model.other.split(" or "))
        yield f"{named[0].upper()}{named[1:]}, and no RoPE."
    for places in _kinds(model):
        which = _which(places, len(model.layers))
        layer = model.layers[places[0]]
        told = model.other not in ("", "unknown")
        if not (told and layer.rope is None and layer.window is None and layer.attention):
            yield f"{which}: {_layer(layer, model)}"
    yield from model.notes
    yield from (f"Warning: {text}" for text in model.warnings)


def _kinds(model: ModelPositions) -> list[list[int]]:
    """The places of layers that are alike, kind by kind."""
    kinds: dict[tuple[Any, ...], list[int]] = {}
    for place, layer in enumerate(model.layers):
        kinds.setdefault((id(layer.rope), layer.window, layer.attention, layer.chunked), []).append(
            place
        )
    return [*kinds.values()]


def _which(places: list[int], count: int) -> str:
    steps = {after - before for before, after in pairwise(places)}
    if len(places) == count:
        return "All layers" if count > 1 else "The layer"
    step = steps.pop() if len(steps) == 1 else 0
    if 1 < step < len(ORDINALS) and len(places) >= count // step:
        return f"Every {ORDINALS[step]} layer, from layer {places[0]} on"
    shown = ", ".join(map(str, places[:4])) + ", …" * (len(places) > 4)
    return f"{len(places)} of {count} layers ({shown})"


def _layer(layer: LayerPositions, model: ModelPositions) -> str:
    within = "within chunks of" if layer.chunked else "to at most"
    window = f" They attend {within} {layer.window:,} tokens" if layer.window else ""
    if layer.window:
        whole = model.length is not None and layer.window >= model.length
        window += ", so to all of such a text." if whole else "."
    if not layer.attention:
        return "no attention, and so no positions: order comes from a recurrence or a convolution."
    if layer.rope is None:
        none = {"": "no positions", "unknown": "positions are not known here"}
        return f"{none.get(model.other, model.other)}.{window}"
    return f"RoPE. {_rope(layer.rope, model.length)}{window}"


def _rope(rope: Rope, length: int | None) -> str:
    moving = rope.omega[rope.omega > 0]
    rotated = 2 * moving.size * rope.axes
    if rope.axes > 1:
        return (
            f"{rotated} of {rope.head} columns rotate, with base {rope.base:,.0f}: "
            f"{moving.size} pairs by rows and {moving.size} by columns of a picture."
        )
    text = (
        f"{rotated} of {rope.head} columns rotate, in {moving.size} pairs, with base "
        f"{rope.base:,.0f}. The slowest pair needs {math.tau / moving.min():,.0f} tokens for a turn"
    )
    if length:
        there = rope.long if rope.long is not None and length > rope.original else moving
        round_ = int(np.count_nonzero(length * there >= math.tau))
        text += f"; within {length:,} tokens {round_} of {moving.size} pairs make one"
        text += " by long_factor" * (there is rope.long)
    text += "."
    if rope.kind not in ("default", "proportional", "dynamic"):
        text += f" Scaled by {rope.kind}, factor {rope.factor:g}"
        text += f", from a training at {rope.original:,} tokens." if rope.original else "."
    if rope.kind == "proportional":
        text += " The other pairs stand still (p-RoPE)."
    if rope.temperature != 1:
        text += f" Queries and keys are multiplied by {rope.temperature:.4g}."
    if rope.sections:
        names = "time, height and width" if len(rope.sections) == 3 else "the axes"
        dealt = ", interleaved" if rope.mixed else " in blocks"
        text += f" M-RoPE{dealt}: {', '.join(map(str, rope.sections))} pairs for {names}."
    return text


def drawing(model: ModelPositions) -> dict[str, Any]:
    """What there is to draw of a model, and to say.

    `layers` has a letter for each layer, which `kinds` are in the order of: "a" is the first. A
    kind has a name, a window or None, and `rope` if it rotates: its base, columns of a head, pairs,
    scaling, and `omega` where that is not base ** (-i / pairs) of pair i.
    """
    letters, kinds = [""] * len(model.layers), []
    for number, places in enumerate(_kinds(model)):
        layer = model.layers[places[0]]
        rope = _drawn(layer.rope) if layer.rope else None
        kinds.append({"name": _name(layer, model), "window": layer.window, "rope": rope})
        for place in places:
            letters[place] = ascii_letters[min(number, len(ascii_letters) - 1)]
    return {
        "type": model.model_type,
        "length": model.length,
        "layers": "".join(letters),
        "kinds": kinds,
        "said": [*sentences(model)],
    }


def _name(layer: LayerPositions, model: ModelPositions) -> str:
    if not layer.attention:
        return "no attention"
    if layer.rope:
        within = "RoPE in chunks" if layer.chunked else "RoPE in a window"
        return within if layer.window else "RoPE"
    return {"": "no positions", "unknown": "not known here"}.get(model.other, model.other)


def _drawn(rope: Rope) -> dict[str, Any]:
    omega = rope.omega if rope.long is None else rope.long
    pairs = omega.size
    plain = rope.base ** (-np.arange(pairs) / pairs)
    scaled = not np.allclose(omega, plain, rtol=1e-6, atol=0)
    return {
        "base": rope.base,
        "head": rope.head,
        "pairs": pairs,
        "axes": rope.axes,
        "scaling": rope.kind,
        "factor": round(rope.factor, 6),
        "original": rope.original,
        "temperature": round(rope.temperature, 4),
        "omega": [float(f"{one:.4g}") for one in omega] if scaled else None,
    }
