"""Diagnose positions, or read a configuration, from the command line.

`posenc-clinic table.npy`, `posenc-clinic config.json`, or with `python -m posenc_clinic`.
"""

import argparse
import sys
import warnings
from pathlib import Path

from posenc_clinic import read_config
from posenc_clinic._diagnose import diagnose_tables
from posenc_clinic.families.known_recipes import KNOWN_RECIPES
from posenc_clinic.reading.command import FUNCTION_NAME, call_in_subprocess
from posenc_clinic.reading.find_tensors import UnreadableError
from posenc_clinic.reading.formats import read
from posenc_clinic.reading.table_from_array import Given

STATUS = {"right": 0, "wrong": 1, "unknown": 3}
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
        "package.module:function, called in a process and a folder of its own",
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
    parser.add_argument(
        "--timeout", type=_seconds, default=60.0, help="seconds that a function may take"
    )
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
    path = Path(options.source)
    if FUNCTION_NAME.fullmatch(options.source) and not path.exists():
        if options.key is not None:
            raise UnreadableError("a function has no keys")
        return call_in_subprocess(options.source, options.n, options.d, options.timeout)
    return read(path, options.key)


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds <= 1e6:
        raise argparse.ArgumentTypeError(f"must be above 0 and at most 1000000, not {text}")
    return seconds


if __name__ == "__main__":
    sys.exit(main())
