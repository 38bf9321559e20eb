"""Tables of other people's formulas, from a few numbers that were read in their code.

`survey.json` has a record of each implementation, and under `earlier` those of commits that are
not counted, because a later commit of the same repository is. `make` computes a record's table by
its numbers, so none of the code that was read is run. `python survey.py` renews what `diagnose`
says of each.
"""

import json
from pathlib import Path

import numpy as np

from posenc_clinic import diagnose

FILE = Path(__file__).with_suffix(".json")
RECIPE = {  # of section 3.5; a record says only where its formula differs
    "n": 50,
    "d": 64,
    "base": 10_000,
    "sine": [2, 0],  # pair i has the exponent (2i + 0) / over
    "cosine": [2, 0],
    "over": "d",  # or "d - 2", "n - 1", "1"
    "frequencies": "falling",  # or "2i": the exponent itself, of nothing
    "times": "1",  # or "d"
    "layout": "interleaved",  # or "halves"
    "functions": "sin cos",  # or "cos sin"
    "by_row": False,  # whether rows, not columns, decide between sine and cosine
    "first": 0,  # position of row 0
    "zero_rows": [],
    "transposed": False,
    "dtype": "float64",  # in which angles are computed
    "decimals": None,
}


def make(changes):
    """Return the table, shape (n, d), of a formula that differs from section 3.5 in `changes`."""
    r = RECIPE | changes
    n, d, dtype = r["n"], r["d"], np.dtype(r["dtype"])
    sizes = {"1": 1, "d": d, "d - 2": d - 2, "n - 1": n - 1}
    positions = np.arange(r["first"], r["first"] + n, dtype=dtype)[:, np.newaxis]
    angles = []
    for steps, offset in (r["sine"], r["cosine"]):
        exponents = (steps * np.arange(d // 2) + offset).astype(dtype)
        drop = dtype.type(np.log(r["base"]) / sizes[r["over"]])
        omega = exponents if r["frequencies"] == "2i" else np.exp(-exponents * drop)
        angles.append(positions * (omega * dtype.type(sizes[r["times"]])))  # (n, d / 2)
    functions = [getattr(np, name) for name in r["functions"].split()]
    if r["by_row"]:
        even = positions % 2 == 0
        columns = [np.where(even, *(f(angle) for f in functions)) for angle in angles]
    else:
        columns = [f(angle) for f, angle in zip(functions, angles, strict=True)]
    table = np.concatenate(columns, axis=1).astype(float)
    if r["layout"] == "interleaved":
        table = np.stack(columns, axis=2).reshape(n, d).astype(float)
    table[r["zero_rows"]] = 0
    table = table if r["decimals"] is None else table.round(r["decimals"])
    return table.T.copy() if r["transposed"] else table


def said(found):
    """Return what a diagnosis says, as a record stores it."""
    names = [each.mistake for each in found.findings]
    return {"names": names, "recipe": found.recipe, "correct": found.correct}


def read():
    """Return the survey."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def write(survey):
    """Store the survey, a record a line."""
    *head, (_, records) = survey.items()
    lines = [
        f" {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in head
    ]
    rows = ",\n".join(f"  {json.dumps(record, ensure_ascii=False)}" for record in records)
    text = ",\n".join([*lines, f' "records": [\n{rows}\n ]'])
    FILE.write_text(f"{{\n{text}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    survey = read()
    fields = {*survey["records"][0]} - {"diagnosis"}
    for record in survey["earlier"] + survey["records"]:
        if missing := fields - {*record}:
            raise SystemExit(f"{record.get('repository')} lacks {', '.join(sorted(missing))}.")
        record["diagnosis"] = said(diagnose(make(record["formula"])))
    write(survey)
