"""Diagnose positions, or read a configuration, from the command line.

`posenc-clinic table.npy`, `posenc-clinic config.json`, or with `python -m posenc_clinic`.
"""

import argparse
import re
import sys
import warnings
from importlib import import_module
from operator import attrgetter
from pathlib import Path

from posenc_clinic import read_config
from posenc_clinic._diagnose import diagnose_tables
from posenc_clinic.families.known_recipes import KNOWN_RECIPES
from posenc_clinic.reading.find_tensors import UnreadableError
from posenc_clinic.reading.formats import read
from posenc_clinic.reading.table_from_array import Given
from posenc_clinic.reading.tables_of import tables_of

STATUS = {"right": 0, "wrong": 1, "unknown": 3}
FUNCTION_NAME = re.compile(r"([^\W\d][\w.]*):([^\W\d][\w.]*)")
FAILURES = UnreadableError, OSError, TypeError, ValueError, MemoryError


def main(arguments: list[str] | None = None) -> int:
    """Print a diagnosis or what a configuration says, and return the exit status.

    It is 0 if all tables are right, 1 if one is wrong, 3 if none is but one is not known, and 2 if
    there is no table. What a checkpoint holds is diagnosed table by table, with a line above each
    that names it.
    """
    parser = argparse.ArgumentParser(
        prog="posenc-clinic",
        description="Say whether positions are right, or what a model does with them.",
        epilog="Exit status: 0 if all tables are right or a configuration was read, 1 if a table "
        "is wrong (mistakes explain every entry, or it is not the recipe asked for), 3 if none is "
        "wrong but one is not known, 2 if nothing could be read.",
    )
    parser.add_argument(
        "source",
        help="a .npy, .csv or .tsv file, one row per position; a .npz file or a checkpoint "
        "(.safetensors, .pt, .gguf), in which all that looks like positions is diagnosed; "
        "the config.json of a model, which says what the model does with positions; or "
        "package.module:function, which is called",
    )
    parser.add_argument("key", nargs="?", help="which array of a .npz file or a checkpoint")
    usual = "the base it should have (10000, but any base in a cache for rotations)"
    parser.add_argument("--base", type=float, help=usual)
    named = f"the recipe that is meant: {', '.join(KNOWN_RECIPES)}"
    parser.add_argument("--recipe", choices=KNOWN_RECIPES, metavar="NAME", help=named)
    parser.add_argument(
        "--n", type=int, default=50, help="positions that a function is called with"
    )
    parser.add_argument("--d", type=int, default=64, help="columns that a function is called with")
    options = parser.parse_args(arguments)

    def complain(problem: object) -> None:
        print(f"{parser.prog}: {options.source}: {' '.join(str(problem).split())}", file=sys.stderr)

    try:
        if options.source.endswith(".json"):
            print(read_config(options.source))
            return 0
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            found = diagnose_tables(_tables(options), options.base, options.recipe)
    except FAILURES as error:
        complain(error)
        return 2
    only = found.tables.get("")
    print(only or found)
    for problem in [*(each.message for each in said), *found.warnings]:
        complain(problem)
    return STATUS[found.verdict]


def _tables(options: argparse.Namespace) -> dict[str, Given]:
    """The tables of a file, or of a function of a module here or that is installed."""
    path, named = Path(options.source), FUNCTION_NAME.fullmatch(options.source)
    if not named or path.exists():
        return read(path, options.key)
    sys.path.insert(0, "")
    try:
        function = attrgetter(named[2])(import_module(named[1]))
    except (ImportError, AttributeError) as error:
        raise UnreadableError(str(error)) from None
    return tables_of(function, options.n, options.d)


if __name__ == "__main__":
    sys.exit(main())
