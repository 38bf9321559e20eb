"""What a configuration says of positions: read as transformers reads it, or named as unknown."""

import importlib
import inspect
import json
import logging

import numpy as np
import pytest

from posenc import attention_temperature, frequencies, scale_frequencies
from posenc_clinic import read_config
from posenc_clinic.__main__ import main
from posenc_clinic._config_drawing import drawing

LACKS = "what needs transformers: .venv/bin/pip install -e '.[frameworks]'"
LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_hidden_layers": 4,
    "max_position_embeddings": 8192,
    "rope_theta": 500_000.0,
}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 2048}


def rope_of(**fields):
    """The rotation in the first layer of a Llama with these fields, and what is warned of."""
    model = read_config(LLAMA | fields)
    return model.layers[0].rope, model.warnings


def test_old_and_new_fields_say_the_same():
    old, warned = rope_of(rope_scaling=YARN)
    assert warned == ()
    asked = YARN | {"rope_theta": 500_000.0}
    new = read_config(
        {k: v for k, v in LLAMA.items() if k != "rope_theta"} | {"rope_parameters": asked}
    )
    assert np.array_equal(new.layers[0].rope.omega, old.omega)
    expected = scale_frequencies(frequencies(128, base=500_000), 4, "yarn", original=2048)
    assert np.allclose(old.omega, expected, rtol=1e-12)
    assert old.temperature == attention_temperature(4)


def test_warnings_name_what_contradicts_and_what_is_not_read():
    for fields, said in (
        ({"rope_scaling": YARN | {"factor": 8.0}}, "factor is 8, but max_position_embeddings is 4"),
        ({"rope_scaling": {"type": "linear", "factor": 2.0}}, "old name"),
        ({"rope_scaling": {"rope_type": "yarn", "factor": 4.0}}, "no original_max_position"),
        ({"rope_scaling": YARN | {"betafast": 16}}, "Not read for yarn: betafast"),
        ({"rope_scaling": YARN | {"mscale": 0.7}}, "mscale counts only beside"),
        ({"rope_scaling": YARN | {"rope_theta": 10_000.0}}, "transformers takes the first"),
        ({"rope_scaling": {"rope_type": "spiral", "factor": 2.0}}, '"spiral"'),
        ({"rope_theta": None, "rope_scaling": YARN}, "10,000 is the default"),
    ):
        _, warned = rope_of(**fields)
        assert any(said in one for one in warned), (said, warned)


def test_layers_without_positions_and_two_bases_are_told_apart():
    flags = read_config(LLAMA | {"no_rope_layers": [1, 1, 1, 0]})
    assert [layer.rope is None for layer in flags.layers] == [False, False, False, True]
    kinds = ["sliding_attention", "full_attention"] * 2
    cohere = read_config(
        LLAMA | {"model_type": "cohere2", "layer_types": kinds, "sliding_window": 512}
    )
    assert [layer.window for layer in cohere.layers] == [512, None] * 2
    assert [layer.rope is None for layer in cohere.layers] == [False, True] * 2
    both = {"sliding_attention": {"rope_theta": 1e4}, "full_attention": {"rope_theta": 1e6}}
    gemma = read_config(LLAMA | {"layer_types": kinds, "rope_parameters": both, "rope_theta": None})
    assert [layer.rope.base for layer in gemma.layers] == [1e4, 1e6] * 2
    text = str(cohere)
    assert "Every second layer, from layer 1 on: no positions." in text
    assert "They attend to at most 512 tokens." in " ".join(text.split())


def test_share_that_rotates_has_two_meanings():
    partial, _ = rope_of(partial_rotary_factor=0.25)
    assert np.allclose(partial.omega, frequencies(32, base=500_000))
    asked = {"rope_type": "proportional", "partial_rotary_factor": 0.25}
    stopped, _ = rope_of(rope_scaling=asked)
    assert np.allclose(stopped.omega[:16], frequencies(128, base=500_000)[:16])
    assert not stopped.omega[16:].any()


def test_bad_input_gets_a_sentence(refusal):
    assert refusal(TypeError, read_config, 3).endswith("not int")
    assert refusal(TypeError, read_config, [1]).endswith("not list")
    longrope = YARN | {"rope_type": "longrope", "short_factor": [1.0]}
    for source, said in [
        *(({}, "it has nothing"), ({"temperature": 0.7}, "it has temperature")),
        ("nowhere.json", "source can't be read"),
        (LLAMA | {"layer_types": ["full_attention"]}, "4 entries"),
        (LLAMA | {"no_rope_layers": [1]}, "4 entries"),
        (LLAMA | {"rope_scaling": "yarn"}, "must be an object"),
        (LLAMA | {"num_hidden_layers": "4"}, "whole number, not '4'"),
        (LLAMA | {"num_hidden_layers": 0}, "at least 1"),
        (LLAMA | {"hidden_size": None}, "it lacks embed_dim"),
        (LLAMA | {"rope_scaling": longrope}, "short_factor must have 64 numbers"),
    ]:
        message = refusal(ValueError, read_config, source)
        assert said in message
        assert "\n" not in message


def test_text_part_of_a_nested_file_is_read(tmp_path, capsys):
    file = tmp_path / "config.json"
    file.write_text(json.dumps({"text_config": LLAMA, "vision_config": {"depth": 3}}))
    assert main(["config", str(file)]) == 0
    said = capsys.readouterr().out
    assert "This is about text_config. vision_config can be read alone." in said
    file.write_text("{")
    assert main(["config", str(file)]) == 2
    assert "must be a JSON file" in capsys.readouterr().err


def test_figure_has_a_curve_for_each_kind_of_layer():
    figure = read_config(LLAMA).plot()
    (curve, line) = figure.axes[0].lines
    assert np.allclose(curve.get_ydata(), 8192 * frequencies(128, base=500_000) / 2 / np.pi)
    assert [*line.get_ydata()] == [1, 1]
    with pytest.raises(ValueError, match="no layer rotates"):
        read_config(LLAMA | {"no_rope_layers": [0] * 4}).plot()


# Types whose own code has frequencies of another kind, or whose sizes stand elsewhere.
OTHERWISE = {"blt", "edgetam_video", "efficientloftr", "sam2_video", "sam3_tracker_video"}
OTHERWISE |= {"eomt_dinov3", "llama4_vision_model", "minimax_m3_vl_vision", "pixtral"}


@pytest.mark.sweep
def test_frequencies_are_those_of_each_type_in_transformers():
    pytest.importorskip("torch", reason=LACKS)
    transformers = pytest.importorskip("transformers", reason=LACKS)
    logging.disable(logging.CRITICAL)
    compared = 0
    for name in sorted(transformers.CONFIG_MAPPING):
        try:
            config = transformers.AutoConfig.for_model(name)
            config = config.get_text_config()
            asked = config.rope_parameters
        except Exception:  # no default, or no RoPE
            continue
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
                    theirs |= {
                        b: v.numpy() for b, v in one(config).named_buffers() if "ori" not in b
                    }
                except Exception:  # that of another part of the model
                    continue
        ours = [layer.rope for layer in read_config(config.to_dict()).layers if layer.rope]
        for rope in {id(rope): rope for rope in ours}.values():
            assert any(
                rope.omega.shape == omega.shape
                and np.allclose(np.sort(rope.omega), np.sort(omega), rtol=1e-5, atol=0)
                for omega in theirs.values()
            ), (name, rope)
            compared += 1
    logging.disable(logging.NOTSET)
    assert compared > 300


def test_drawing_has_a_letter_for_each_layer_and_what_scaling_did():
    fields = {"sliding_window": 64, "layer_types": ["sliding_attention", "full_attention"] * 2}
    drawn = drawing(read_config(LLAMA | fields | {"rope_scaling": YARN}))
    assert (drawn["type"], drawn["length"], drawn["layers"]) == ("llama", 8192, "abab")
    windowed, full = drawn["kinds"]
    assert (windowed["name"], windowed["window"]) == ("RoPE in a window", 64)
    assert (full["name"], full["window"], full["rope"]["scaling"]) == ("RoPE", None, "yarn")
    omega, _ = rope_of(rope_scaling=YARN)
    assert np.allclose(full["rope"]["omega"], omega.omega, rtol=1e-3)
    plain = drawing(read_config(LLAMA | {"no_rope_layers": [1, 0, 1, 1]}))
    assert plain["layers"] == "abaa"
    assert [kind["name"] for kind in plain["kinds"]] == ["RoPE", "no positions"]
    assert plain["kinds"][0]["rope"]["omega"] is None  # base ** (-i / pairs)
    assert json.loads(json.dumps(plain)) == plain
