"""What no configuration says and only a model's code does, for model types of transformers.

Read from transformers 5.23.0; `benchmarks/census.py` reads the code again, and a test compares.
"""

# The base where a configuration names none and the library's default isn't 10000.
DEFAULT_BASES = {
    **dict.fromkeys(
        (
            *("bitnet", "cohere", "csm", "ernie4_5", "ernie4_5_moe", "ernie4_5_vl_moe_text"),
            *("flex_olmo", "llama4_text", "mllama_text_model", "olmo3", "paddleocr_vl_text"),
            *("qwen3_vl_text", "qwen3_vl_moe_text"),
        ),
        500_000.0,
    ),
    **dict.fromkeys(
        (
            *("cwm", "lfm2", "lfm2_moe", "minimax", "mixtral", "phimoe", "qwen2_5_omni_text"),
            *("qwen2_5_vl_text", "qwen2_vl_text", "qwen3_omni_moe_text", "solar_open"),
        ),
        1_000_000.0,
    ),
    **dict.fromkeys(["gpt_oss", "openai_privacy_filter"], 150_000.0),
    **dict.fromkeys(["minimax_m2", "minimax_m3_vl_text"], 5_000_000.0),
    "apertus": 12_000_000.0,
    "gte": 160_000.0,
    "helium": 100_000.0,
    "hy_v3": 11_158_840.0,
    "jina_embeddings_v3": 20_000.0,
    "longcat_flash": 10_000_000.0,
    "nomic_bert": 1000.0,
    "smollm3": 2_000_000.0,
}

# Layers without a window have no positions in these, as their attention asks before it rotates.
ROTATES_IN_WINDOWS = {"afmoe", "beam", "cohere2", "cohere2_moe", "flint"}
# The same, unless no layer has a window.
ROTATES_IN_WINDOWS_IF_ANY = {"exaone4", "exaone4_5_text", "exaone_moe", "kolibri1"}
# No layer rotates, though there are fields for it.
NEVER_ROTATES = {"kimi_linear"}
# A score that takes part in softmax and whose weight is then dropped; in mimo_v2_flash only in
# windowed layers, in inkling2 (the text model is inkling2_text) computed from the token.
HAS_SINKS = {"deepseek_v4", "flint", "gpt_oss", "granite_swa", "granitemoe_swa", "hy_v4"}
HAS_SINKS |= {"inkling2", "inkling2_text", "mimo_v2_flash", "openai_privacy_filter"}
# What tells positions where no RoPE does.
LEARNED = {"bert", "bart", "gpt2", "gpt_bigcode", "gpt_neo", "opt", "roberta", "vit", "xlm-roberta"}
