"""Count which positions the model types of transformers use, by their default configurations.

Each type's configuration is made with its defaults, as no file of a trained model is at hand, and
read by `posenc_clinic.read_config`; what else a type uses is looked for in the source of its model.
Before that, it writes the table of what each type's class fills in, which `read_config` reads by:
see `model_types.py`. It needs transformers, of the extra `frameworks`, but no PyTorch, no weights
and no network. `python benchmarks/census.py [book/census.json]`.
"""

import contextlib
import json
import logging
import os
import re
import sys
from pathlib import Path

os.environ["TRANSFORMERS_VERBOSITY"] = "error"  # read when transformers is loaded

import transformers
from model_types import ROTATES, SOURCE, of_part, source, write
from results import target

import posenc_clinic
from posenc_clinic import read_config
from posenc_clinic.configs.model_types import known, model_types
from posenc_clinic.configs.report import drawing


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
    if "sinks" in (known(config.model_type) or {}).get("is", "").split():
        found["sinks"] = True
    with contextlib.suppress(ValueError, TypeError):
        found["drawing"] = drawn(config, found["kinds"])
    try:
        model = read_config(config.to_dict())
    except (ValueError, TypeError):
        return found | {"unread": True}
    ropes = list({id(layer.rope): layer.rope for layer in model.layers if layer.rope}.values())
    attending = [layer for layer in model.layers if layer.attention]
    counted = {
        "layers": len(model.layers),
        "without": sum(layer.rope is None for layer in attending),
        "recurrent": len(model.layers) - len(attending),
    }
    if not ropes:
        if re.search(ROTATES, of_part(text, config)):
            found["kinds"].insert(0, "RoPE")
        return found | counted if counted["recurrent"] else found
    windows = sorted({layer.window for layer in attending if layer.window})
    return (
        found
        | counted
        | {
            "kinds": ["RoPE", *found["kinds"]],
            "bases": sorted({rope.base for rope in ropes}),
            "shares": sorted(
                {2 * rope.axes * int((rope.omega > 0).sum()) / rope.head for rope in ropes}
            ),
            "scaling": sorted({rope.kind for rope in ropes} - {"default"}),
            "windows": windows,
            **({"chunked": True} if any(layer.chunked for layer in attending) else {}),
            "axes": 3 if "mrope" in text else max(rope.axes for rope in ropes),
            "length": model.length,
        }
    )


def drawn(config, kinds):
    """Return what there is to draw of a type, with kinds that only its source tells."""
    made = drawing(read_config(config.to_dict()))
    if not made["layers"]:
        raise ValueError("there is nothing to draw: no field counts the layers")
    if not any(kind["rope"] for kind in made["kinds"]):
        for kind in made["kinds"]:
            if kind["name"] == "not known here":
                kind["name"] = " or ".join(kinds) or "none found"
    return {name: made[name] for name in ("length", "layers", "kinds", "said")}


def main():
    """Count, and write the rows as JSON, one on a line."""
    logging.disable(logging.CRITICAL)
    write(Path(posenc_clinic.__file__).parent / "configs/model_types.json")
    model_types.cache_clear()
    rows = census()
    lines = ",\n".join(json.dumps(row) for row in rows)
    head = f'"library": "transformers {transformers.__version__}"'
    target("census.json").write_text(f'{{{head},\n"rows": [\n{lines}\n]}}\n', "utf-8")


if __name__ == "__main__":
    main()
