"""What a model does with positions as JSON, layer by layer, for whatever draws it."""

from typing import Any

import numpy as np

from posenc_clinic._config_model import LayerPositions, ModelPositions, Rope
from posenc_clinic._config_report import sentences

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def drawing(model: ModelPositions) -> dict[str, Any]:
    """What there is to draw of a model, and to say.

    `layers` has a letter for each layer, which `kinds` are in the order of: "a" is the first. A
    kind has a name, a window or None, and `rope` if it rotates: its base, columns of a head, pairs,
    scaling, and `omega` where that is not base ** (-i / pairs) of pair i.
    """
    letters: dict[tuple[Any, ...], str] = {}
    kinds, layers = [], ""
    for layer in model.layers:
        key = id(layer.rope), layer.window, layer.attention
        if key not in letters:
            letters[key] = LETTERS[min(len(letters), len(LETTERS) - 1)]
            rope = _rope(layer.rope) if layer.rope else None
            kinds.append({"name": _name(layer, model), "window": layer.window, "rope": rope})
        layers += letters[key]
    return {
        "type": model.model_type,
        "length": model.length,
        "layers": layers,
        "kinds": kinds,
        "said": [*sentences(model)],
    }


def _name(layer: LayerPositions, model: ModelPositions) -> str:
    if not layer.attention:
        return "no attention"
    if layer.rope:
        return "RoPE in a window" if layer.window else "RoPE"
    return {"": "no positions", "unknown": "not known here"}.get(model.other, model.other)


def _rope(rope: Rope) -> dict[str, Any]:
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
