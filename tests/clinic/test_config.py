"""What a configuration says of positions: read as transformers reads it, or named as unknown."""

import collections
import json
from pathlib import Path

import numpy as np
import pytest

from posenc import attention_temperature, frequencies, scale_frequencies
from posenc_clinic import read_config
from posenc_clinic.__main__ import main
from posenc_clinic.configs.report import drawing

CONFIGS = Path(__file__).parent / "configs"
FACTS = [json.loads(line) for line in (CONFIGS / "facts.jsonl").read_text().splitlines()]
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


def facts(model):
    """What a reading says, in the words of `facts.jsonl`."""
    ropes = [layer.rope for layer in model.layers if layer.rope]
    return {
        "layers": len(model.layers),
        "rotates": len(ropes),
        "columns": {2 * int((rope.omega != 0).sum()) * rope.axes for rope in ropes},
        "bases": collections.Counter(f"{rope.base:.0f}" for rope in ropes),
        "scaled": collections.Counter(rope.kind for rope in ropes if rope.kind != "default"),
        "windows": sum(layer.window is not None for layer in model.layers),
        "without": sum(not layer.attention for layer in model.layers),
        "axes": max((rope.axes for rope in ropes), default=0),
        "other": model.other,
    }


@pytest.mark.parametrize("due", FACTS, ids=lambda due: due["file"])
def test_released_file_is_read_as_its_code_reads_it(due):
    model = read_config(CONFIGS / f"{due['file']}.json")
    found, text = facts(model), " ".join(str(model).split())
    if "columns" in due:
        due = due | {"columns": {due["columns"]}}
    assert {key: found[key] for key in due if key in found} == {
        k: due[k] for k in due if k in found
    }
    assert all(word in text for word in due.get("said", ()))
    assert not any(word in text for word in due.get("never", ()))
    assert "Not read" not in text or due["file"] in ("whisper-large-v3-turbo", "dinov3-vitb16")


def test_equal_ends_of_a_ramp_are_a_step():
    ends = {"low_freq_factor": 1.0, "high_freq_factor": 1.0}
    asked = {"rope_type": "llama3", "factor": 16.0, "original_max_position_embeddings": 8192}
    rope, _ = rope_of(rope_scaling=asked | ends)  # Llama 4 Scout
    slowed = frequencies(128, base=500_000) / rope.omega
    assert np.allclose(slowed, [1] * 35 + [16] * 29)
    latent = {"qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "kv_lora_rank": 512}
    ends = {"beta_fast": 1.0, "beta_slow": 1.0, "mscale": 1.0, "mscale_all_dim": 1.0}
    yarn = YARN | ends | {"factor": 32.0, "original_max_position_embeddings": 4096}
    named = {"model_type": "kimi_k2", "architectures": ["DeepseekV3ForCausalLM"]}
    kimi = read_config(LLAMA | latent | named | {"rope_theta": 50_000.0, "rope_scaling": yarn})
    slowed = frequencies(64, base=50_000) / kimi.layers[0].rope.omega
    assert np.allclose(slowed, [1] * 20 + [32] * 12)
    assert "Scores are multiplied by 1.813 besides" in str(kimi)


def test_what_is_not_known_is_not_called_no_positions():
    unknown = read_config({"model_type": "x", "num_hidden_layers": 2, "hidden_size": 64})
    assert unknown.other == "unknown"
    assert "All layers: positions are not known here." in str(unknown)
    assert read_config({"model_type": "clvp_encoder"}).other == "unknown"  # learned, and rotary
    assert read_config({"model_type": "whisper"}).other == "learned or sinusoidal"
    assert read_config({"model_type": "falcon", "alibi": True}).other == "ALiBi"
    assert read_config({"model_type": "swin", "depths": [2, 2, 6, 2]}).other == "other relative"


def test_layout_and_axes_are_told():
    neighbours, halves = "columns 2i and 2i + 1 make a pair", "columns i and i + 32 make a pair"
    for name, said in (
        *(("glm", neighbours), ("cohere", neighbours), ("deepseek_v3", neighbours)),
        *(("gpt_oss", halves), ("qwen3_next", halves)),
        ("qwen3_vl_text", "M-RoPE, interleaved: 24, 20, 20 pairs for time, height and width"),
        ("qwen2_vl_text", "M-RoPE in blocks: 16, 24, 24 pairs"),
        ("dinov3_vit", "16 pairs by rows and 16 by columns of a picture"),
        ("llama4_text", "make one. They attend within chunks of 8,192 tokens."),
        ("llama4_text", "query at position t by 1 + 0.1 ln(1 + floor((t + 1) / 8,192))"),
        ("ministral3", "query at position t is multiplied by 1 + 0.1 ln(1 + floor(t / 16,384))"),
        ("qwen3", "QK-norm"),
    ):
        assert said in " ".join(str(read_config({"model_type": name})).split()), name
    chunks, none = drawing(read_config({"model_type": "llama4_text"}))["kinds"]
    assert (chunks["name"], chunks["window"]) == ("RoPE in chunks", 8192)
    assert none["name"] == "no positions"


def test_a_factor_of_1_changes_nothing():
    assert not read_config({"model_type": "deepseek_v4"}).warnings
    asked = {"rope_type": "default", "attention_factor": 2.0}
    assert read_config(LLAMA | {"rope_parameters": asked}).warnings == (
        "Not read for default: attention_factor.",
    )


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
        ({"model_type": "x", "rope_theta": None, "rope_scaling": YARN}, "10,000 is the default"),
        ({"model_type": "x"}, "The type x is not known here"),
        ({"rope_phase": 1.0, "window_stride": 2}, "Not read: rope_phase, window_stride"),
        ({"full_attention_interval": 4}, "Not read: full_attention_interval"),
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
    wide = read_config(LLAMA | {"model_type": "phi3", "sliding_window": 262_144})
    assert "at most 262,144 tokens, so to all of such a text." in " ".join(str(wide).split())


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
        (LLAMA | {"model_type": "x", "hidden_size": None}, "it lacks hidden_size"),
        (LLAMA | {"hidden_size": None, "n_embd": "4096"}, "n_embd must be a whole number"),
        (LLAMA | {"rope_scaling": longrope}, "short_factor must have 64 numbers"),
    ]:
        message = refusal(ValueError, read_config, source)
        assert said in message
        assert "\n" not in message


def test_text_part_of_a_nested_file_is_read(tmp_path, capsys):
    file = tmp_path / "config.json"
    file.write_text(json.dumps({"text_config": LLAMA, "vision_config": {"depth": 3}}))
    assert main([str(file)]) == 0
    said = capsys.readouterr().out
    assert "This is about text_config. vision_config can be read alone." in said
    file.write_text("{")
    assert main([str(file)]) == 2
    assert "must be a JSON file" in capsys.readouterr().err


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


def test_rows_left_to_padding_hold_no_tokens():
    roberta = {"model_type": "roberta", "num_hidden_layers": 12, "hidden_size": 768}
    model = read_config(roberta | {"max_position_embeddings": 514, "pad_token_id": 1})
    assert model.length == 512
    assert "514 rows, and tokens count from 2" in str(model)
