"""Look for the line of pasted code to change: common slips are undone, and the table is checked.

No change is believed that does not give the right table, so a rule may be as bold as it likes.
"""

import re
import time
from itertools import chain, combinations
from typing import Any

import numpy as np

from posenc import sinusoidal
from posenc_clinic import Diagnosis, diagnose
from posenc_clinic.reading.table_from_array import as_table
from posenc_clinic.reading.tables_of import tables_of

from . import pasted
from .pasted import CodeError, quiet

SECONDS = 3.0  # for the whole search
SIZES = 12, 16  # of the tables that it tries, if they can be chosen
RULES = [
    (r"\b2\s*\*\s*\(\s*2\s*\*\s*(\w+)\s*\)", r"2 * \1"),  # doubled exponents
    (r"\(\s*2\s*\*\s*\((\w+)\s*\+\s*1\)\s*\)", r"(\1)"),
    (r"\b2\s*\*\s*(?=\(?\w)", ""),
    (r"(?<=\w)\s*\*\s*2\b", ""),
    (r"\(\s*(\w+)\s*\+\s*1\s*\)", r"\1"),
    (r"\b(\w+)\s*\+\s*1\b", r"\1"),
    (r"\b2\s*\*\s*(\w+)(?=\s*\)?\s*/)", r"2 * (\1 // 2)"),  # odd columns with their own exponent
    (r"(?<![\w./*])(\w+)(?=\s*/\s*(?:\w*d|d_?model|dim)\w*\b)", r"2 * (\1 // 2)"),
    (r"\bcos\b", "sin"),
    (r"\bsin\b", "cos"),
    (r"\b(a?range)\(\s*1\s*,\s*(\w+)\s*\+\s*1\s*", r"\1(\2"),  # positions from 1
    (r"\bpos(?:ition)?s?\s*\+\s*1\b", "pos"),
    (r"\b1e[356]\b|\b1000(?:00)?(?:\.0*)?\b", "10000.0"),  # another base
    (r"(?<=[\w)])\s*//\s*(?=[\w(])", " / "),
    (r"(?<=[\w)\]])\s+/\s+(?=\w)", " * "),  # frequencies that rise
    (r"(?<=[\w)\]])\s+\*\s+(?=\w)", " / "),
    (r"(?<![-\w.])((?:np|numpy|math)\.log\()", r"-\1"),
    (r"\*\*\s*\(", "** -("),
    (r"\*\*\s*-\s*", "** "),
    (r"\b(?:np|numpy|math)\.(?:deg2rad|radians)\(([^()]*)\)", r"\1"),
    (r"-\s*(10_?000(?:\.0*)?)\b(?!\))", r"-np.log(\1)"),  # a lost logarithm
    (r"exp\((.*?arange\([^()]*\))\)\s*\*\s*(\(.*\))", r"exp(\1 * \2)"),  # a lost parenthesis
    (r"\b0::2", "1::2"),
    (r"\b1::2", "0::2"),
    (r"\b(?:np|numpy)\.tile\(([^,()]*),\s*\(?1?,?\s*2\)?\)", r"np.repeat(\1, 2, axis=-1)"),
    (r"\bd(?:_?model|im)\s*-\s*[12]\b", "d_model"),
]

Change = tuple[int, str]  # a line and what it becomes


def search(source: str, name: str, found: Diagnosis) -> list[dict[str, Any]]:
    """The lines of pasted code to change so that its table is right, or nothing."""
    if found.verdict != "wrong" or found.layout is None:
        return []
    lines = source.splitlines()
    ways = [*_ways(lines)]
    until = time.monotonic() + SECONDS
    for changes in chain(([each] for each in ways), combinations(ways, 2)):
        if time.monotonic() > until:
            break
        at = dict(changes)
        if len(at) == len(changes) and _is_right(_with(lines, at), name, found):
            return [
                {"line": line + 1, "before": lines[line].strip(), "after": code.strip()}
                for line, code in sorted(at.items())
            ]
    return []


def _ways(lines: list[str]) -> list[Change]:
    """Lines with one slip undone, each once."""
    ways: dict[Change, None] = {}
    for pattern, put in RULES:
        for at, line in enumerate(lines):
            code = line.partition("#")[0]
            for match in re.finditer(pattern, code):
                changed = code[: match.start()] + match.expand(put) + code[match.end() :]
                if changed != code:
                    ways[at, changed.rstrip()] = None
    return [*ways]


def _with(lines: list[str], changes: dict[int, str]) -> str:
    return "\n".join(changes.get(at, line) for at, line in enumerate(lines))


def _is_right(source: str, name: str, found: Diagnosis) -> bool:
    """Check whether changed code gives the right table: a small one, and then the whole."""
    try:
        thing = pasted.things(source)[name]
        with quiet():
            (given,) = tables_of(thing, *SIZES).values()
            table = as_table(given).values
            right = sinusoidal(len(table), table.shape[1], layout=found.layout or "interleaved")
            near = table.shape[1] % 2 == 0 and np.allclose(table, right, atol=1e-4)
            return near and diagnose(thing).correct
    except (CodeError, KeyError, TypeError, ValueError, ArithmeticError):
        return False
