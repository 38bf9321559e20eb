"""What a configuration says of positions, in sentences and as a picture."""

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from posenc_clinic._config_model import LayerPositions, ModelPositions, Rope

SAID = {"learned": "learned positions", "sinusoidal": "sinusoidal positions"}
SAID |= {"other relative": "relative positions", "convolution": "a convolution"}
ORDINALS = "", "", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"


def sentences(model: ModelPositions) -> Iterator[str]:
    """A line on the model, one on each kind of layer, then notes and warnings."""
    length = f", texts of up to {model.length:,} tokens" if model.length else ""
    layers = f"{len(model.layers)} layers" if model.layers else "layers are not counted here"
    yield f"{model.model_type or 'A model'}: {layers}{length}."
    if model.other and model.other != "unknown":
        named = " or ".join(SAID.get(way, way) for way in model.other.split(" or "))
        yield f"{named[0].upper()}{named[1:]}, and no RoPE."
    kinds: dict[tuple[Any, ...], list[int]] = {}
    for place, layer in enumerate(model.layers):
        kinds.setdefault((id(layer.rope), layer.window, layer.attention), []).append(place)
    for places in kinds.values():
        which = _which(places, len(model.layers))
        layer = model.layers[places[0]]
        told = model.other not in ("", "unknown")
        if not (told and layer.rope is None and layer.window is None and layer.attention):
            yield f"{which}: {_layer(layer, model)}"
    yield from model.notes
    yield from (f"Warning: {text}" for text in model.warnings)


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
    window = f" They attend to at most {layer.window:,} tokens." if layer.window else ""
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


def draw(model: ModelPositions) -> Any:
    """Turns against pair, a curve for each kind of layer that rotates, and a line at one turn."""
    import matplotlib.pyplot as plt

    ropes = {id(layer.rope): layer.rope for layer in model.layers if layer.rope}
    if not ropes or model.length is None:
        raise ValueError("there is nothing to draw: no layer rotates, or no length is given")
    figure, axes = plt.subplots()
    for rope in ropes.values():
        turns = model.length * (rope.omega if rope.long is None else rope.long) / math.tau
        pairs = np.flatnonzero(turns)
        axes.semilogy(pairs, turns[pairs], ".", label=f"base {rope.base:,.0f}")
    axes.axhline(1, color="gray")
    axes.set(xlabel="pair", ylabel=f"turns in {model.length:,} tokens")
    axes.legend()
    return figure
