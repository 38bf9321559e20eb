"""The census of model types: its rows are what the library's code and defaults give."""

import json
from importlib.resources import files
from pathlib import Path

import pytest

from posenc_book.chapters.census import read

LACKS = "what needs transformers: .venv/bin/pip install -e '.[frameworks]'"
TABLE = "configs/model_types.json"
ROOT = Path(__file__).parents[2]
LIBRARY, ROWS = read(ROOT)
BY_TYPE = {row["type"]: row for row in ROWS}
SINKS = {"deepseek_v4", "flint", "gpt_oss", "granite_swa", "granitemoe_swa", "hy_v4"}
SINKS |= {"inkling2", "inkling2_text", "mimo_v2_flash", "openai_privacy_filter"}
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
    assert {row["type"] for row in ROWS if row.get("sinks")} == SINKS
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
def test_table_of_types_is_made_again_from_the_library(monkeypatch, tmp_path):
    transformers = pytest.importorskip("transformers", reason=LACKS)
    if f"transformers {transformers.__version__}" != LIBRARY:
        pytest.skip(reason=f"the table of another version: pip install {LIBRARY}")
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    import model_types

    made = tmp_path / "made.json"
    model_types.write(made)
    assert made.read_text("utf-8") == files("posenc_clinic").joinpath(TABLE).read_text("utf-8")


def test_table_of_types_stays_small_enough_for_a_browser():
    text = files("posenc_clinic").joinpath(TABLE).read_text("utf-8")
    assert len(text) < 60_000
    assert LIBRARY in text
