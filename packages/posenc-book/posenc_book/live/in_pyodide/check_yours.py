"""Answer what readers ask on the page "Check yours": what is wrong with one, how two differ.

A question is what they pasted or dropped, and the answer is JSON. Pasted code runs here, in the
browser's Python, and nowhere else.
"""

import json
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from posenc_clinic import Diagnosis, Entries, compare, read_config
from posenc_clinic._diagnose import diagnose_tables
from posenc_clinic.configs.report import drawing
from posenc_clinic.families.known_recipes import KNOWN_RECIPES
from posenc_clinic.fitting.table_model import Array
from posenc_clinic.mistakes.finding import title_of
from posenc_clinic.reading.find_tensors import UnreadableError
from posenc_clinic.reading.formats import READERS, SEPARATED, read
from posenc_clinic.reading.table_from_array import Given, as_table
from posenc_clinic.reading.tables_of import tables_of
from posenc_clinic.saying.typeset import apart, typeset

from . import mend, pasted
from .lazy_files import reading_lazily
from .pasted import CodeError, quiet

ROWS, COLUMNS = 48, 64  # of the picture
TABLES = 8  # that one answer is about
# These begin sentences, not with names.
PLAIN = "it ", "only ", "source ", "table ", "the file ", "there ", "this "
FAILURES = UnreadableError, OSError, TypeError, ValueError, MemoryError, ArithmeticError


class Answer:
    """An answer, as the page's script reads it."""

    def __init__(self, content: dict[str, Any]) -> None:
        self.content = content

    def __repr__(self) -> str:
        return f"<Answer: {self.content['kind']}>"

    def _repr_mimebundle_(self) -> dict[str, str]:
        return {"application/json": json.dumps(self.content)}


def answer(question: str) -> Answer:
    """Answer a question in JSON: a list of one thing to diagnose, or of two to compare.

    Each is an object with what is pasted as `text`, or the path of a `file`; and the name of one of
    several tables in it as `choice`, if the reader has chosen.
    """
    asked = json.loads(question)
    try:
        with warnings.catch_warnings(record=True) as heard, reading_lazily():
            warnings.simplefilter("always", UserWarning)
            if len(asked) == 2:
                return Answer(_compared(*(_held(**each) for each in asked)))
            content = _diagnosed(_held(**asked[0]))
        more = [str(each.message) for each in heard if each.category is UserWarning]
        said = [typeset(each) for each in (*content.get("warnings", []), *more)]
        return Answer(content | {"warnings": said})
    except CodeError as error:
        return Answer({"kind": "error", **error.about})
    except _UnclearError as error:
        return Answer({"kind": "choose", "said": str(error), "names": error.names})
    except FAILURES as error:
        why = " ".join(str(error).partition(" If you trust")[0].split()) or type(error).__name__
        if why.startswith(PLAIN):
            why = f"{why[0].upper()}{why[1:]}"
        return Answer({"kind": "error", "said": typeset(f"{why.rstrip('.')}.")})


class _UnclearError(Exception):
    """A file has several tensors, and none of them looks like positions."""

    def __init__(self, said: str, names: list[str]) -> None:
        super().__init__(said)
        self.names = names


class _Held:
    """What was pasted or dropped: a value, its name among several, and its code if it has any."""

    def __init__(self, value: Any, names: list[str] | None = None, choice: str = "") -> None:
        self.value, self.names, self.choice, self.code = value, names or [], choice, ""

    def tables(self) -> dict[str, Given]:
        """The tables in it by name."""
        try:
            with quiet():
                return self.value if _are_tables(self.value) else tables_of(self.value, 50, 64)
        except FAILURES as error:
            if self.code and error.__cause__:
                raise CodeError.of(error.__cause__, self.code) from None
            raise


def _are_tables(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(each, Given) for each in value.values())


def _held(text: str = "", file: str = "", choice: str = "") -> _Held:
    if file:
        path = Path(file)
        kind = path.suffix.lower()
        if kind in READERS:
            return _of_checkpoint(path, choice)
        if kind == ".npy" or kind in SEPARATED:
            return _Held(read(path))
        try:
            text = path.read_bytes()[: pasted.MOST].decode()
        except UnicodeDecodeError:
            known = ", ".join([".npy", *SEPARATED, *READERS])
            raise UnreadableError(
                f"the file is neither text nor of a kind that is read here: {known}"
            ) from None
    if not text.strip():
        raise UnreadableError("there is nothing to read: paste a function or a table")
    found = pasted.config(text)
    if found is None:
        found = pasted.rows(text)
    if found is not None:
        return _Held(found)
    names = pasted.things(text)
    choice = choice if choice in names else next(iter(names))
    held = _Held(names[choice], [*names], choice)
    held.code = text
    return held


def _of_checkpoint(path: Path, choice: str) -> _Held:
    try:
        tables = read(path, choice or None)
    except UnreadableError as error:
        if "say which, as its key" not in str(error):
            raise
        names = [tensor.name for tensor in READERS[path.suffix.lower()](path)]
        said = (
            "Nothing in this file looks like positions by its name or its values: choose a table."
        )
        raise _UnclearError(said, names[:500]) from None
    return _Held(tables, [*tables] if len(tables) > 1 else [], choice)


def _diagnosed(held: _Held) -> dict[str, Any]:
    if isinstance(held.value, Mapping) and not _are_tables(held.value):
        model = read_config(held.value)
        return {"kind": "config", "drawing": drawing(model)}
    tables = held.tables()
    some = dict([*tables.items()][:TABLES])
    found = diagnose_tables(some, None, None)
    reports = [_report(name, each) for name, each in found.tables.items()]
    said = [*found.warnings]
    if len(tables) > TABLES:
        said.append(f"Only the first {TABLES} of {len(tables)} tables in it were looked at.")
    first = next(iter(found.tables.values()))
    mended = mend.search(held.code, held.choice, first) if held.code else []
    return {
        "kind": "diagnosis",
        "verdict": found.verdict,
        "reports": reports,
        "warnings": said,
        "mend": mended,
        **_menu(held),
    }


def _menu(held: _Held) -> dict[str, Any]:
    return {"names": held.names, "choice": held.choice} if len(held.names) > 1 and held.code else {}


def _report(name: str, found: Diagnosis) -> dict[str, Any]:
    """What a diagnosis says, part by part."""
    known = found.known or (KNOWN_RECIPES[found.recipe].said if found.recipe else "")
    return {
        "name": name,
        "verdict": found.verdict,
        "title": typeset(found.headline),
        "facts": typeset(found.facts),
        "said": [typeset(each) for each in (*found.warnings, known) if each],
        "findings": [
            {
                "mistake": each.mistake,
                "title": typeset(each.title),
                "convention": each.convention,
                "evidence": typeset(each.shown),
                "why": typeset(each.why),
                "remedy": typeset(each.remedy),
                "case": each.case,
            }
            for each in found.findings
        ],
        "doubt": typeset(found.doubt(title_of)),
        "picture": _picture(found.entries) if found.entries else None,
    }


def _compared(a: _Held, b: _Held) -> dict[str, Any]:
    tables = []
    for held, name in ((a, "the first"), (b, "the second")):
        if isinstance(held.value, Mapping) and not _are_tables(held.value):
            raise UnreadableError(f"{name} is a configuration: only tables are compared")
        given = held.tables()
        if len(given) > 1 and held is a:
            raise _UnclearError("The first has several tables: choose one.", [*given])
        if len(given) > 1:
            raise UnreadableError(f"the second has several tables, {', '.join(given)}: save one")
        tables.append(as_table(next(iter(given.values()))).values)
    found = compare(*tables)
    one, other = tables
    entries = Entries(one)
    if one.shape[1] == other.shape[1]:
        rows = min(len(one), len(other))
        one, other = one[:rows], other[:rows]
        off = ~(np.abs(one - other) <= found.rounding) & ~(np.isnan(one) & np.isnan(other))
        entries = Entries(one, other, off & (not found.same))
    said = [str(found).partition("\n")[0]]
    if found.reordered is not None:
        orders = f"{found.order} of the second in the order of the first"
        said += [f"With the {orders}, they differ by up to {found.reordered:.3g}."]
    return {
        "kind": "comparison",
        "same": found.same,
        "said": [typeset(each) for each in said],
        "traits": [[name, typeset(a), typeset(b)] for name, a, b in found.traits if a != b],
        "picture": _picture(entries, "First", "Second", "is in the second"),
    }


def _picture(
    entries: Entries, mine: str = "Yours", other: str = "Right", belongs: str = "belongs"
) -> dict[str, Any]:
    """The part of a table that is drawn, beside what it should be and how far it is off."""
    table, right, off = entries.table, entries.right, entries.off
    n, d = table.shape
    places = np.argwhere(off) if off is not None else np.empty((0, 2), int)
    start = 0
    if len(places) and places[0][0] >= ROWS:
        start = min(int(places[0][0]) - 2, n - ROWS)
    rows = np.arange(start, min(n, start + ROWS))
    columns = np.arange(d)
    if d > COLUMNS:  # pairs from the fastest to the slowest, and those of the first that are off
        pairs = np.linspace(0, (d - 1) // 2, COLUMNS // 2).astype(int)
        pairs = np.union1d(pairs, places[:3, 1] // 2)
        columns = (2 * pairs[:, np.newaxis] + [0, 1]).ravel()
        columns = columns[columns < d]
    drawn = [f"rows {rows[0]} to {rows[-1]} of {n}"] if len(rows) < n else []
    if len(columns) < d:
        drawn += [f"{len(columns)} of {d} columns, in pairs from the fastest to the slowest"]
    said = f"{n} rows, the positions, by {d} columns; purple is negative, green positive."
    said += f" Drawn are {', and '.join(drawn)}." if drawn else ""
    tables, part = {mine: table}, np.ix_(rows, columns)
    if right is not None and off is not None and len(places):
        tables[other] = right
    most = max(1.0, *map(_most, tables.values()))
    maps = [_map(name, each[part], most) for name, each in tables.items()]
    if right is not None and len(maps) > 1:
        with np.errstate(all="ignore"):
            far = np.where(off, np.abs(table - right), 0.0)  # type: ignore[arg-type]
        seen = f"{len(places):,} of {n * d:,} entries {'is' if len(places) == 1 else 'are'} off"
        where = ", ".join(map(_span, ("row", "column"), places.min(0), places.max(0)))
        maps += [_map("Difference", far[part], _most(far) or 1.0, f"{seen}, in {where}.")]
        row, j = np.unravel_index(np.nan_to_num(far, nan=np.inf).argmax(), far.shape)
        two = apart(f"{table[row, j]:.7g}", f"{right[row, j]:.7g}")
        said += f" {seen}. Row {row}, column {j} holds {{}}, where {{}} {belongs}.".format(*two)
    return {"rows": len(rows), "columns": len(columns), "maps": maps, "said": typeset(said)}


def _span(kind: str, first: int, last: int) -> str:
    return f"{kind} {first}" if first == last else f"{kind}s {first} to {last}"


def _map(name: str, table: Array, most: float, seen: str = "") -> dict[str, Any]:
    """A map of values as shares of the largest, and what is seen in it."""
    (n, d), finite = table.shape, table[np.isfinite(table)]
    if not seen:
        still = int((np.ptp(table, axis=0) < 0.1).sum())
        span = f"values from {finite.min():.2g} to {finite.max():.2g}; " if finite.size else ""
        seen = f"{n} rows by {d} columns; {span}{still} of the columns hardly change."
    shares = np.where(np.isfinite(table), table / most, np.nan).round(3).tolist()
    values = [[None if x != x else x for x in row] for row in shares]  # JSON has no others
    return {"name": name, "values": values, "seen": typeset(f"{name}: {seen}")}


def _most(table: Array) -> float:
    return float(np.abs(table[np.isfinite(table)]).max(initial=0))
