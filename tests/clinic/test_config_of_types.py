"""Configurations of every type of model: read as the classes and the code of transformers do."""

import importlib
import inspect
import json
import logging
import warnings

import numpy as np
import pytest

from posenc_clinic import read_config

LACKS = "what needs transformers: .venv/bin/pip install -e '.[frameworks]'"
transformers = pytest.importorskip("transformers", reason=LACKS)

WINDOWED = ("sliding_attention", "chunked_attention", "hybrid_sliding")
WINDOWED += ("reference_sliding_attention",)
WITHOUT = ("linear_attention", "conv", "moe", "mlp")
# Types whose own code has frequencies of another kind, or whose sizes stand elsewhere.
OTHERWISE = {"blt", "edgetam_video", "efficientloftr", "sam2_video", "sam3_tracker_video"}
OTHERWISE |= {"llama4_vision_model", "minimax_m3_vl_vision", "pixtral"}


@pytest.fixture(autouse=True)
def _silent():
    logging.disable(logging.CRITICAL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    logging.disable(logging.NOTSET)


def types():
    """Each type that has a default configuration, with it."""
    for name in sorted(transformers.CONFIG_MAPPING):
        try:
            config = transformers.AutoConfig.for_model(name)
            yield name, config, config.get_text_config()
        except Exception:  # types that only make sense with the parts of another
            continue


def as_file(fields):
    """What a file has of fields, as JSON has them."""
    return json.loads(json.dumps(fields, default=str))


def layers(config):
    """Kind of attention, window and base of each layer, as a class of the library has them."""
    stored = config.__dict__
    kinds = next(
        (k for n in ("layer_types", "layers_block_type") if (k := getattr(config, n, None))), None
    )
    if not kinds or not set(kinds) <= {"full_attention", "indexed_attention", *WINDOWED, *WITHOUT}:
        return None
    asked, found = stored.get("rope_parameters") or {}, []
    nested = any(isinstance(one, dict) for one in asked.values())
    flags, bases = stored.get("no_rope_layers"), stored.get("layer_rope_theta")
    for place, kind in enumerate(kinds):
        own = (asked.get(kind) if nested else asked) or {}
        base = bases[place] if bases else own.get("rope_theta")
        base = base if flags is None or flags[place] else None
        size = "attention_chunk_size" if kind == "chunked_attention" else "sliding_window"
        window = stored.get(config.attribute_map.get(size, size)) if kind in WINDOWED else None
        found.append((kind not in WITHOUT, window, base or None))
    return found


def told(model):
    """What a reading says of each layer, but for the identity of its parts."""
    return [
        (layer.attention, layer.window, layer.rope and (layer.rope.base, layer.rope.kind))
        for layer in model.layers
    ], [layer.rope.omega.tolist() for layer in model.layers if layer.rope]


# Windows that reach as far ahead as back, of which the library counts one side.
BOTH_SIDES = {"modernbert", "modernbert-decoder", "modernvbert", "colmodernvbert", "pe_audio"}
BOTH_SIDES |= {"pe_audio_video", "pe_video"}
# What a default has that no field says: layers twice as many as blocks, windows that alternate.
ALONE = {"longcat_flash", "neomme", "colpali", "musicgen", "hrm_text"}


@pytest.mark.sweep
def test_file_differences_and_all_fields_say_the_same_and_agree_with_the_library():
    compared = 0
    for name, config, text in types():
        if not getattr(text, "rope_parameters", None) or name in OTHERWISE | ALONE:
            continue
        whole = read_config(as_file(config.to_dict()))
        apart = {"model_type": config.model_type} | as_file(config.to_diff_dict())
        assert told(read_config(apart)) == told(whole), name
        for due, layer in zip(layers(text) or (), whole.layers, strict=False):
            attends, window, base = due
            if name in BOTH_SIDES:
                window = layer.window
            assert (layer.attention, layer.window) == (attends, window), name
            assert not layer.rope or base in (None, layer.rope.base), name
            compared += 1
    assert compared > 2500


@pytest.mark.sweep
def test_frequencies_are_those_of_each_type_in_transformers():
    pytest.importorskip("torch", reason=LACKS)
    compared = 0
    for name, _, config in types():
        asked = config.__dict__.get("rope_parameters")
        if not asked or name in OTHERWISE:
            continue
        try:
            code = importlib.import_module(
                type(config).__module__.replace("configuration_", "modeling_")
            )
        except ImportError:
            continue
        theirs = {}
        for one in vars(code).values():
            if inspect.isclass(one) and "Rotary" in one.__name__:
                try:
                    made = one(config)
                    theirs |= {
                        buffer: (value.numpy(), getattr(made, "attention_scaling", None))
                        for buffer, value in made.named_buffers()
                        if "ori" not in buffer
                    }
                except Exception:  # that of another part of the model
                    continue
        ours = read_config({"model_type": config.model_type} | as_file(config.to_diff_dict()))
        for rope in {id(x.rope): x.rope for x in ours.layers if x.rope}.values():
            assert any(
                rope.omega.shape == omega.shape
                and np.allclose(np.sort(rope.omega), np.sort(omega), rtol=1e-5, atol=0)
                and (scale is None or np.isclose(rope.temperature, scale))
                for omega, scale in theirs.values()
            ), (name, rope)
            compared += 1
    assert compared > 300
