"""The census of model types: its rows are what the library's code and defaults give."""

import json
from pathlib import Path

import pytest

from posenc_book.chapters.census import read
from posenc_clinic import read_config
from posenc_clinic._model_types import DEFAULT_BASES, HAS_SINKS

LACKS = "what needs transformers: .venv/bin/pip install -e '.[frameworks]'"
ROOT = Path(__file__).parents[2]
LIBRARY, ROWS = read(ROOT)
BY_TYPE = {row["type"]: row for row in ROWS}
# Old and new, text and pictures, with and without RoPE.
TWENTY = [
    *("bert", "bloom", "cohere2", "deepseek_v3", "detr", "gemma3_text", "gemma4_text", "gpt2"),
    *("gpt_oss", "kimi_linear", "llama", "llama4_text", "modernbert", "mpt", "qwen2_vl_text"),
    *("qwen3_next", "smollm3", "t5", "vit", "whisper"),
]


def test_rows_are_many_and_say_where_they_were_read():
    assert len(BY_TYPE) == len(ROWS) > 700
    assert sum(not row["file"] for row in ROWS) < 20
    kinds = {kind for row in ROWS for kind in row["kinds"]}
    assert {"RoPE", "learned", "sinusoidal", "T5 buckets", "ALiBi"} <= kinds
    assert {row["type"] for row in ROWS if row.get("sinks")} == HAS_SINKS  # with or without RoPE
    assert BY_TYPE["llama4_text"]["without"] == 12
    assert BY_TYPE["gemma4_text"]["shares"] == [0.25, 1.0]


@pytest.mark.parametrize("name", TWENTY)
def test_row_is_made_again_from_the_library(name, monkeypatch):
    transformers = pytest.importorskip("transformers", reason=LACKS)
    if f"transformers {transformers.__version__}" != LIBRARY:
        pytest.skip(reason=f"the census of another version: pip install {LIBRARY}")
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    import census

    config = transformers.AutoConfig.for_model(name).get_text_config()
    assert json.loads(json.dumps({"type": name} | census.row(config))) == BY_TYPE[name]


@pytest.mark.sweep
def test_what_only_the_code_says_is_still_so():
    transformers = pytest.importorskip("transformers", reason=LACKS)
    for name, base in DEFAULT_BASES.items():
        config = transformers.AutoConfig.for_model(name).get_text_config()
        assert config.default_theta == base, name
        bare = {"model_type": name, "num_hidden_layers": 1, "head_dim": 64}
        assert read_config(bare).layers[0].rope.base == base
    for name in HAS_SINKS:
        code = Path(transformers.__path__[0]) / BY_TYPE[name]["file"]
        assert "sinks" in code.read_text("utf-8"), name
