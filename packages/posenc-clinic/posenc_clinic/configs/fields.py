"""The fields of a configuration, in whichever spelling, with the defaults of its type."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from posenc_clinic.configs.model_types import known, model_types

# Where a model of several parts keeps the configuration of its text model.
TEXT = ("text_config", "llm_config", "language_config", "thinker_config", "talker_config")
# Other names of a field, which older files and other models have.
OTHERS = {
    "num_hidden_layers": "n_layer n_layers num_layers decoder_num_hidden_layers depth "
    "encoder_layers decoder_layers",
    "hidden_size": "n_embd d_model dim",
    "num_attention_heads": "n_head n_heads num_heads decoder_num_attention_heads "
    "encoder_attention_heads decoder_attention_heads attention_heads",
    "head_dim": "attention_head_dim kv_channels d_kv",
    "max_position_embeddings": "n_positions n_ctx max_seq_len seq_length model_max_length "
    "max_sequence_length context_length max_target_positions",
    "layer_types": "layers_block_type",
    "sliding_window": "sliding_window_size attention_window_size local_attention window_size "
    "attention_window",
    "partial_rotary_factor": "rotary_pct rope_pct rotary_emb_fraction rope_percent",
    "rotary_dim": "rotary_ndims attn_rotary_emb",
    "rope_theta": "global_rope_theta rotary_emb_base rope_base rotary_embedding_base rotary_base",
    "local_rope_theta": "rope_local_base_freq swa_rope_theta",
    "position_embedding_type": "position_embeddings_type",
    "sliding_window_pattern": "_sliding_window_pattern",
}
SPELLED = {name: (name, *others.split()) for name, others in OTHERS.items()}
SIZES = SPELLED["num_hidden_layers"]
# Every how many layers one is of another kind. Which kinds these are, only the type says.
INTERVALS = (
    *("sliding_window_pattern", "global_attn_every_n_layers", "full_attention_interval"),
    "layer_group_size",
)
# What else is read, here or there.
MORE = (
    "embed_dim depths per_layer_config no_rope_layers no_rope_layer_interval layer_rope_theta "
    "partial_rotary_factors full_attn_idxs attn_layer_indices hybrid_layer_ids local_layer_ids "
    "hybrid_override_pattern hybrid_layer_pattern block_types _block_types compress_ratios "
    "attn_type_list attention_layers attention_types attn_layer_period attn_layer_offset "
    "linear_attn_config max_window_layers use_sliding_window attention_chunk_size "
    "rope_parameters rope_scaling compress_rope_theta qk_rope_head_dim global_head_dim rotary "
    "rope_interleave rope_interleaved mrope_section use_mem_rope use_rotary_embedding "
    "attn_temperature_tuning attn_scale floor_scale alibi use_qk_norm qk_layernorm "
    "original_max_position_embeddings relative_attention_num_buckets"
)
READ = {name for names in SPELLED.values() for name in names} | {*INTERVALS, *MORE.split()}
ABOUT = re.compile(r"rope|rotary|(?:^|_)pos|layer|window|interval|block|partial|axes|compress|attn")
# Words of fields that stand beside positions and say nothing of them.
BESIDE = re.compile(
    r"norm|drop|eps|init|bias|mlp|moe|expert|dense|sparse|implementation|quant|block_size|mtp|mamba"
    r"|conv|hash|layer_?scale|feature|post|pooler|cross|freeze|kernel|mask|nextn|num_key_value"
    r"|type_vocab|parallel|adapter|output|hidden_layers_(?:to|per)|softcap|logit|rate|extract"
    r"|_input$|_ffn?_|swiglu|xavier|block_dim|multiple_of|kv_shared|encode_proj|scale_attn|_pre_attn|loss"
)


class Configuration:
    """The fields of one configuration, with its type's defaults where it has none.

    Parameters
    ----------
    raw : mapping
        The fields as the file has them.
    default : str
        The type, where the file names none.
    """

    def __init__(self, raw: Mapping[str, Any], default: str = "") -> None:
        self.raw = raw
        self.name = str(raw.get("model_type") or default)
        found = known(self.name, raw.get("architectures"))
        part = "vision" if "patch_size" in raw else "text"
        if found and found.get(part) and any(name in raw for name in SIZES):  # all in one file
            found = model_types()[found[part]]
        self.known = found is not None
        self.entry: Mapping[str, Any] = found or {}
        self.has: Mapping[str, Any] = self.entry.get("has", {})
        self.traits = frozenset(self.entry.get("is", "").split())

    def get(self, name: str, other: Any = None) -> Any:
        """A field of the file, or its default for the type, or `other`."""
        found = self.given(name)
        return found if found is not None else self.has.get(name, other)

    def given(self, name: str) -> Any:
        """A field of the file, in whichever spelling, or None."""
        names = SPELLED.get(name, (name,))
        return next((self.raw[one] for one in names if self.raw.get(one) is not None), None)

    def whole(self, name: str, what: str = "") -> int:
        """A size, which must be there."""
        value = self.get(name)
        if value is None:
            raise ValueError(f"source must say {what}: it lacks {name}")
        names = SPELLED.get(name, (name,))
        return whole(value, next((one for one in names if self.raw.get(one) is not None), name))

    def one_a_layer(self, name: str, count: int) -> Sequence[Any]:
        """What a field has for each layer, or nothing."""
        found: Sequence[Any] = self.given(name) or ()
        if not isinstance(found, list | tuple | str):
            raise ValueError(f"{name} must have {count} entries, one a layer, not {found!r}")
        if found and len(found) < count:
            raise ValueError(f"{name} must have {count} entries, one a layer: it has {len(found)}")
        return found[:count]

    def own(self, place: int) -> Mapping[str, Any]:
        """What one layer has in place of what all layers have."""
        layers = self.raw.get("per_layer_config") or {}
        return next((one for key, one in layers.items() if int(key) == place), {})

    def unread(self) -> list[str]:
        """Fields that are about positions or layers, by their names, and that nothing reads."""
        read = READ.difference(() if self.given("layer_types") else INTERVALS)
        read |= {*SPELLED.get(every := self.entry.get("every", INTERVALS[0]), (every,))}
        return [
            name
            for name, value in self.raw.items()
            if ABOUT.search(name) and name not in read and not BESIDE.search(name)
            if value not in (None, False, [], {}) and not name.endswith("_config")
        ]


def whole(value: Any, name: str) -> int:
    """A whole number of at least 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value):
        raise ValueError(f"{name} must be a whole number, not {value!r}")
    if value < 1:
        raise ValueError(f"{name} must be at least 1, not {value!r}")
    return int(value)
