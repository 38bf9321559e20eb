"""Count which positions the model types of transformers use, by their default configurations.

Each type's configuration is made with its defaults, as no file of a trained model is at hand, and
read by `posenc_clinic.read_config`; what else a type uses is looked for in the source of its model.
It needs transformers, of the extra `frameworks`, but no PyTorch, no weights and no network.
`python benchmarks/census.py [book/census.json]`.
"""

import contextlib
import importlib.util
import json
import logging
import os
import re
import sys
from collections import Counter
from pathlib import Path

os.environ["TRANSFORMERS_VERBOSITY"] = "error"  # read when transformers is loaded

import transformers

from posenc_clinic import read_config
from posenc_clinic._config_drawing import drawing
from posenc_clinic._model_types import HAS_SINKS

# What stands in the source of a model that tells positions in some way, apart from RoPE.
SOURCE = {
    "learned": r"nn\.Embedding\(\s*(?:num_embeddings=)?(?:self\.)?(?:config\.)?(?:max_position"
    r"|max_positions|n_positions|n_ctx|max_source_pos|max_target_pos|num_positions)"
    r"|self\.pos(?:ition)?_embed\w* = nn\.Parameter|LearnedPositionalEmbedding",
    "sinusoidal": r"[Ss]inusoidal|get_sinusoid|def sinusoids\(|SinePositionEmbedding|sincos",
    "T5 buckets": r"_relative_position_bucket",
    "ALiBi": r"\balibi\b",
    "other relative": r"relative_position_bias_table|rel_pos_h|RelPositional|relative_key"
    r"|disentangled|RelativeLogits",
    "convolution": r"PositionalConvEmbedding|conv_pos",
}


def census():
    """Return a row for each type of which a default configuration can be made."""
    rows = []
    for name in sorted(transformers.CONFIG_MAPPING):
        try:
            config = transformers.AutoConfig.for_model(name)
            part = config.get_text_config()
        except Exception:  # types that only make sense with the parts of another
            print(f"{name}: no default configuration", file=sys.stderr)
            continue
        rows.append({"type": name} | row(part))
    return rows


def row(config):
    """Return what a configuration and the source of its model say of positions."""
    file, text = source(type(config).__module__.replace(".configuration_", ".modeling_"))
    found = {"file": file, "kinds": [kind for kind, how in SOURCE.items() if re.search(how, text)]}
    if config.model_type in HAS_SINKS:
        found["sinks"] = True
    with contextlib.suppress(ValueError, TypeError):
        found["drawing"] = drawn(config, found["kinds"])
    asks = bool(getattr(config, "rope_parameters", None)) or "def apply_rotary" in text
    if not asks:
        return found
    try:
        model = read_config(config.to_dict())
    except ValueError:
        return found | {"kinds": ["RoPE", *found["kinds"]], "unread": True}
    ropes = list({id(layer.rope): layer.rope for layer in model.layers if layer.rope}.values())
    if not ropes:
        return found
    attending = [layer for layer in model.layers if layer.attention]
    windows = sorted({layer.window for layer in attending if layer.window})
    return found | {
        "kinds": ["RoPE", *found["kinds"]],
        "bases": sorted({rope.base for rope in ropes}),
        "shares": sorted(
            {2 * rope.axes * int((rope.omega > 0).sum()) / rope.head for rope in ropes}
        ),
        "scaling": sorted({rope.kind for rope in ropes} - {"default"}),
        "layers": len(model.layers),
        "without": sum(layer.rope is None for layer in attending),
        "recurrent": len(model.layers) - len(attending),
        "windows": windows,
        "axes": 3 if "mrope" in text else max(rope.axes for rope in ropes),
        "length": model.length,
    }


def drawn(config, kinds):
    """Return what there is to draw of a type, with kinds that only its source tells."""
    made = drawing(read_config(config.to_dict()))
    if not any(kind["rope"] for kind in made["kinds"]):
        for kind in made["kinds"]:
            if kind["name"] in ("no positions", "not said in the configuration"):
                kind["name"] = " or ".join(kinds) or "none found"
    return {name: made[name] for name in ("length", "layers", "kinds", "said")}


def share(rope):
    """Return which share of a head's columns rotates."""
    return 2 * rope.axes * int((rope.omega > 0).sum()) / rope.head


def source(module):
    """Return where the source of a model is in transformers, and its text."""
    found = importlib.util.find_spec(module)
    if found is None or found.origin is None:
        return "", ""
    path = Path(found.origin)
    return "/".join(path.parts[-3:]), path.read_text("utf-8")


def main():
    """Count, print, and write the rows as JSON, one on a line."""
    logging.disable(logging.CRITICAL)
    target = Path(sys.argv[1] if sys.argv[1:] else "_build/benchmarks/census.json")
    rows = census()
    kinds = Counter(kind for row in rows for kind in row["kinds"] or ["none found"])
    bases = Counter(base for row in rows for base in row.get("bases", []))
    print(f"{len(rows)} types in transformers {transformers.__version__}")
    print(*kinds.most_common(), sep="\n")
    print("bases:", bases.most_common())
    for name in ("without", "windows", "sinks", "recurrent"):
        print(name, sum(bool(row.get(name)) for row in rows))
    print("two bases", sum(len(row.get("bases", [])) > 1 for row in rows))
    print("part of the columns", sum(min(row.get("shares", [1])) < 1 for row in rows))
    print("axes", Counter(row.get("axes") for row in rows))
    lines = ",\n".join(json.dumps(row) for row in rows)
    target.parent.mkdir(parents=True, exist_ok=True)
    head = f'"library": "transformers {transformers.__version__}"'
    target.write_text(f'{{{head},\n"rows": [\n{lines}\n]}}\n', "utf-8")


if __name__ == "__main__":
    main()
