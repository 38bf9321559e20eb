"""Write what configurations leave out and the library fills in, for `posenc_clinic.read_config`.

For each type of model of transformers: the defaults of its class, the rule of its kinds of layers,
found by making it with a few sizes, and what the source of its model does. `census.py` calls it.
"""

import contextlib
import dataclasses
import importlib.util
import json
import re
from pathlib import Path

import transformers

from posenc_clinic.configs.fields import INTERVALS, READ, SPELLED
from posenc_clinic.configs.model_types import LETTERS, SIZES

# What stands in the source of a model that tells positions in some way, apart from RoPE.
SOURCE = {
    "learned": r"nn\.Embedding\(\s*(?:num_embeddings=)?(?:self\.)?(?:config\.)?(?:max_position"
    r"|max_positions|n_positions|n_ctx|max_source_pos|max_target_pos|num_positions)"
    r"|self\.pos(?:ition)?_embed\w* = nn\.Parameter|LearnedPositionalEmbedding",
    "sinusoidal": r"[Ss]inusoidal|get_sinusoid|def sinusoids\(|SinePositionEmbedding|sincos",
    "T5 buckets": r"_relative_position_bucket",
    "ALiBi": r"\balibi\b",
    "other relative": r"relative_position_bias_table|rel_pos_h|RelPositional|relative_key"
    r"|disentangled|RelativeLogits|rel_shift",
    "convolution": r"PositionalConvEmbedding|conv_pos",
}
# Types whose code has a base of its own, in no `rope_parameters`.
OWN_BASES = dict.fromkeys(
    ["codegen", "gptj", "esm", "roformer", "wav2vec2-conformer", "wav2vec2-bert"], 10_000
)
RECURRENT = ("rwkv", "xlstm")  # these have no layer_types
# What code does, and how its source shows it.
ROTATES = r"(?<!def )\bapply_\w*(?:rotary|rope)\w*\("
TRAITS = {
    "mscale": r"yarn_apply_mscale",
    "mrope-interleaved": r"mrope_section\[dim\] \* 3",
    "sinks": r"\bsinks\b",
    "windowed": r"if self\.(?:is_local_attention|sliding_window is not None)[^\n]*:\n"
    r"(?:\s*cos, sin = [^\n]*\n)?\s*query_states, key_states = apply_rotary",
    "windowed-if-any": r"if self\.sliding_window is None or self\.is_sliding:\n[^=]*\n?"
    r"[^=]*= apply_rotary",
    "axial": r"get_patches_center_coordinates|frequencies_x",
    "pad-first": r"config\.max_position_embeddings, config\.hidden_size, "
    r"padding_idx=self\.padding_idx",
}
SWITCHES = ("use_mem_rope", "use_rotary_embedding")
KINDS = {kind: letter for letter, kind in LETTERS.items()}
# Parts of a model of several parts that are not its text model.
OTHER_PARTS = re.compile(r"Vision|Visual|Audio|Image|Video|Talker|Code2Wav|Token2Wav|DiT")
PICTURES = re.compile(r"Vision|Visual|Image")


def table():
    """Return the entry of each type that can be made."""
    entries = {}
    for name in sorted(transformers.CONFIG_MAPPING):
        try:
            config = transformers.AutoConfig.for_model(name)
        except Exception:  # types that only make sense with the parts of another
            continue
        entries[name] = entry(config)
        with contextlib.suppress(ValueError):
            text = config.get_text_config()
            if text is not config and text.model_type:
                entries.setdefault(text.model_type, entry(text))
                entries[name] = {"text": text.model_type}
                vision = getattr(config, "vision_config", None)
                if getattr(vision, "model_type", None) in transformers.CONFIG_MAPPING:
                    entries[name]["vision"] = vision.model_type
    return entries


def entry(config):
    """Return what a class fills in, and what the source of its model does."""
    made = {"has": defaults(config)}
    text = of_part(
        source(type(config).__module__.replace(".configuration_", ".modeling_"))[1], config
    )
    rope = own_rope(config)
    kinds = kinds_of(config)
    if rope is not None:
        made["rope"] = rope
    made |= {"kinds": "(l)"} if config.model_type in RECURRENT else rule_of(type(config))
    made["layer"] = of_kinds(config, kinds)
    rotates = re.search(ROTATES, text)
    others = [kind for kind, how in SOURCE.items() if re.search(how, text)]
    made["other"] = " or ".join(others)
    if not others and not rotates and kinds:
        made["other"] = "nothing"
    traits = [trait for trait, how in TRAITS.items() if re.search(how, text)]
    filled = source(type(config).__module__)[1]
    if re.search(r"config\.rotary_dim", text) or 'get("rotary_dim"' in filled:
        traits.append("rotary-dim")
    else:
        made["has"].pop("rotary_dim", None)
    traits += [layout(text)] * bool(rotates and rope is not None)
    traits += ["never"] * bool(text and rope is not None and not rotates)
    picture = bool(PICTURES.search(type(config).__name__))
    traits = [trait for trait in traits if trait != "sinks" or not picture]
    traits += ["window"] * (not kinds and not picture and "sliding_window" in text)
    traits += ["scales-all"] * scales_all(type(config), rope)
    other = bool(OTHER_PARTS.search(type(config).__name__))
    traits += ["rotates"] * bool(rotates and rope is None and not other)
    made["is"] = " ".join(filter(None, traits))
    made["asks"] = asks(text, made["has"])
    made["qk-norm"] = normed(text)
    if rope is not None and (found := re.search(r'get\("mrope_section", (\[[\d, ]+\])', text)):
        made["has"]["mrope_section"] = json.loads(found[1])
    made["size"] = sizes(made["has"])
    return {name: value for name, value in made.items() if value not in ("", None, {}, False)}


def sizes(has):
    """Take the sizes out of the defaults, and return them as a list, with 0 for one that lacks."""
    found = [has.pop(name, 0) for name in SIZES]
    return found if any(found) else None


def defaults(config):
    """Return what a class fills in for fields that are read, under the names they are read by."""
    given = {}
    for one in dataclasses.fields(config):
        value = one.default if one.default is not dataclasses.MISSING else None
        if one.default_factory is not dataclasses.MISSING:
            value = one.default_factory()
        given[one.name] = list(value) if isinstance(value, tuple) else value
    found = {}
    derived = {"rope_parameters", "rope_theta", "partial_rotary_factor", "layer_types"}
    for name in sorted(
        READ - derived.union(INTERVALS) - {one for names in SPELLED.values() for one in names[1:]}
    ):
        spelled = (config.attribute_map.get(name, name), *SPELLED.get(name, (name,)))
        value = next((given[one] for one in spelled if given.get(one) is not None), None)
        if isinstance(value, int | float | str | list) and (value or name == "use_sliding_window"):
            found[name] = value
    if "qk_rope_head_dim" in found and given.get("qk_nope_head_dim"):
        found["qk_nope_head_dim"] = given["qk_nope_head_dim"]
    if "head_dim" not in found and (own := raw(config, config.attribute_map.get("head_dim", ""))):
        found["head_dim"] = own  # wider than hidden_size / num_attention_heads, in Zamba
    if "head_dim" in found and "hidden_size" in found and "qk_rope_head_dim" not in found:
        with contextlib.suppress(Exception):
            wider = type(config)(hidden_size=2 * found["hidden_size"])
            if raw(wider, "head_dim") not in (None, found["head_dim"]):
                del found["head_dim"]  # the class works it out
    if isinstance(window := raw(config, "sliding_window"), int) and window > 0:
        found.setdefault("sliding_window", window)
    flags = raw(config, "no_rope_layers")
    if flags and 0 in flags and "no_rope_layer_interval" not in found:
        found["no_rope_layer_interval"] = flags.index(0) + 1
    return found


def raw(config, name):
    """Return an attribute as it is stored, though it may vary from layer to layer."""
    return config.__dict__.get(name)


def kinds_of(config):
    """Return the kind of each layer, if the configuration has any."""
    for name in ("layer_types", "layers_block_type"):
        with contextlib.suppress(Exception):
            kinds = getattr(config, name)
            if kinds and set(kinds) <= set(KINDS):
                return list(kinds)
    return []


def rule_of(cls):
    """Return the rule of the kinds of layers as a pattern, and the field that stretches it."""

    def letters(count, **more):
        config = cls(num_hidden_layers=count, **more)
        return "".join(KINDS[kind] for kind in kinds_of(config))

    try:
        found = {count: letters(count) for count in (13, 21, 24, 38)}
        pattern = fitted(found)
    except Exception:
        found, pattern = {}, None
    if pattern is None:  # a list that no number of layers changes
        kinds = kinds_of(cls())
        return {"kinds": "".join(["(", *(KINDS[kind] for kind in kinds), ")"])} if kinds else {}
    if set(pattern) <= set("(f)"):
        return {}
    usual = len(re.search(r"\((\w+)\)", pattern)[1])
    every = 3 if usual != 3 else 5
    for name in (*INTERVALS, "no_rope_layer_interval"):
        with contextlib.suppress(Exception):
            other = fitted({count: letters(count, **{name: every}) for count in found})
            if len(re.search(r"\((\w+)\)", other)[1]) == every:
                return {"kinds": pattern, "every": name}
    return {"kinds": pattern}


def fitted(found):
    """Return the shortest pattern that gives the letters of each number of layers, or None."""
    for backwards in (False, True):
        texts = {n: text[::-1] if backwards else text for n, text in found.items()}
        longest = texts[max(texts)]
        for cycle in range(1, 9):
            for first in range(4):
                for last in (0, 1):
                    start, body = longest[:first], longest[first : first + cycle]
                    end = longest[-1] if last else ""
                    if all(
                        text == (start + body * n)[: n - last] + end for n, text in texts.items()
                    ):
                        return f"{'<' * backwards}{start}({body}){end}"
    return None


def own_rope(config):
    """Return `rope_parameters` as the class fills them in, or None."""
    if base := OWN_BASES.get(config.model_type):
        return {"rope_theta": base}
    if not (rope := raw(config, "rope_parameters")):
        base = raw(config, "rope_theta")
        return {"rope_theta": plain(base)} if isinstance(base, float | int) and base else None
    bases = raw(config, "layer_rope_theta")
    if bases and 0 in bases:
        where = dict(zip(kinds_of(config), bases, strict=True))
        rope = {
            kind: {**rope, "rope_theta": base} if base else None for kind, base in where.items()
        }
    return {key: plain(value) for key, value in rope.items() if value != "default"}


def plain(value):
    """Return parameters without what is so by default."""
    if isinstance(value, float) and value == int(value):
        return int(value)
    if not isinstance(value, dict):
        return value
    return {key: plain(one) for key, one in value.items() if one != "default"}


def scales_all(cls, rope):
    """Return whether scaling in old files is of all kinds of layers, where these differ."""
    if not rope or not any(isinstance(one, dict) for one in rope.values()):
        return False
    try:
        made = raw(cls(rope_scaling={"rope_type": "linear", "factor": 8.0}), "rope_parameters")
    except Exception:
        return False
    parts = [one for one in made.values() if isinstance(one, dict)]
    return len(parts) > 1 and all(one.get("factor") == 8 for one in parts)


def of_kinds(config, kinds):
    """Return what layers of a kind have in place of what all layers have."""
    try:
        own = config.to_dict().get("per_layer_config") or {}
    except Exception:
        own = {}
    found = {}
    for place, values in own.items():
        heads = {key: value for key, value in values.items() if key == "head_dim"}
        if heads and int(place) < len(kinds):
            found[kinds[int(place)]] = heads
    return found


def source(module):
    """Return where the source of a model is in transformers, and its text."""
    found = importlib.util.find_spec(module)
    if found is None or found.origin is None:
        return "", ""
    path = Path(found.origin)
    return "/".join(path.parts[-3:]), path.read_text("utf-8")


def of_part(text, config):
    """Return the source without classes of other parts of the model, and without comments."""
    text = re.sub(r"(?m)^\s*#.*\n|  # .*$", "", text)
    if OTHER_PARTS.search(type(config).__name__):
        return text
    pieces = re.split(r"(?m)^(?=class |@\w|def )", text)
    return "".join(one for one in pieces if not OTHER_PARTS.search(one.partition("(")[0]))


def layout(text):
    """Return whether pairs are neighbours or a half apart, as the rotating functions show it."""
    pieces = re.split(r"(?m)^(?=class |@\w|def )", text)
    body = "".join(one for one in pieces if re.match(r"def (?:_?apply_\w*ro[tp]|rotate_)", one))
    beside = bool(re.search(r"0?::2\]|view_as_complex|repeat_interleave\(2", body))
    halves = bool(re.search(r"shape\[-1\] // 2|chunk\(\w+, 2, dim=-1\)|chunk\(2, dim=-1\)", body))
    if "rope_interleave" in text:
        return ""  # a field says which
    return "interleaved" if beside else "halves" if halves else ""


def asks(text, given):
    """Return the field that switches rotations on, if there is one."""
    name = "position_embedding_type"
    if name in given and re.search(r'position_embeddings?_type == "(?:rope|rotary)"', text):
        return name
    return next((name for name in SWITCHES if f"config.{name}" in text), "")


def normed(text):
    """Return whether queries and keys are normalised, or the field that says so."""
    if found := re.search(r"if (?:self\.|config\.)*(use_qk_norm|qk_layernorm)\b", text):
        return found[1]
    return bool(re.search(r"self\.(?:q|query|qk)_(?:layer)?norm = (?!nn\.Identity)", text))


def write(target):
    """Write the table as JSON, types that have one entry on one line."""
    lines = {}
    for name, made in table().items():
        lines.setdefault(json.dumps(made, separators=(",", ":"), sort_keys=True), []).append(name)
    rows = ",\n".join(f'["{" ".join(names)}",{text}]' for text, names in lines.items())
    head = f'"library": "transformers {transformers.__version__}"'
    target.write_text(f'{{{head},\n"types": [\n{rows}\n]}}\n', "utf-8")
