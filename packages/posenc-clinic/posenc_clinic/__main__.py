"""Diagnose positions, or read a configuration, from the command line.

`python -m posenc_clinic diagnose table.npy`, `python -m posenc_clinic config config.json`.
"""

import argparse
import sys
import warnings
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

from posenc_clinic import Diagnosis, diagnose, read_config
from posenc_clinic._conventions import KNOWN_RECIPES
from posenc_clinic._files import FUNCTION_NAME, UnreadableError, call_in_subprocess, read

FORMATS: dict[str, tuple[Callable[[Diagnosis], str], Callable[[str], str]]] = {
    "text": (str, lambda name: f"== {name} =="),
    "markdown": (Diagnosis.markdown, lambda name: f"## `{name}`\n"),
    "html": (Diagnosis.html, lambda name: f"<h2><code>{escape(name)}</code></h2>"),
}
STATUS = {"wrong": 1, "unknown": 3, "right": 0}  # the first of these that a table is
FAILURES = UnreadableError, OSError, TypeError, ValueError, MemoryError


def main(arguments: list[str] | None = None) -> int:
    """Print a diagnosis or what a configuration says, and return the exit status.

    It is 0 if all tables are right, 1 if one is wrong, 3 if none is but one is not known, and 2 if
    there is no table. What a checkpoint holds is diagnosed table by table, with a line above each
    that names it.
    """
    parser = argparse.ArgumentParser(
        prog="python -m posenc_clinic",
        description="Sinusoidal positional encoding.",
        epilog="Exit status of diagnose: 0 for a right table, 1 for a wrong one, 3 for one that is "
        "not known, 2 for no table.",
    )
    commands = parser.add_subparsers(required=True, metavar="command")
    command = commands.add_parser("diagnose", help="say what is wrong with a table of positions")
    command.add_argument(
        "source",
        help="a .npy or .csv file, one row per position; a .npz file or a checkpoint "
        "(.safetensors, .pt), in which all that looks like positions is diagnosed; or "
        "package.module:function, called in a process and a folder of its own",
    )
    command.add_argument("key", nargs="?", help="which array of a .npz file or a checkpoint")
    command.add_argument("--base", type=float, help="the base it should have (10000)")
    command.add_argument(
        "--recipe",
        choices=KNOWN_RECIPES,
        metavar="NAME",
        help=f"the recipe that is meant: {', '.join(KNOWN_RECIPES)}",
    )
    command.add_argument(
        "--n", type=int, default=50, help="positions that a function is called with"
    )
    command.add_argument("--d", type=int, default=64, help="columns that a function is called with")
    command.add_argument(
        "--timeout", type=_seconds, default=60.0, help="seconds that a function may take"
    )
    command.add_argument("--format", choices=FORMATS, default="text")
    command = commands.add_parser("config", help="say what a config.json does with positions")
    command.add_argument("source", help="the config.json of a model")
    options = parser.parse_args(arguments)

    def complain(problem: object) -> None:
        print(f"{parser.prog}: {options.source}: {' '.join(str(problem).split())}", file=sys.stderr)

    try:
        if "format" not in options:
            print(read_config(options.source))
            return 0
        tables = _tables(options)
    except FAILURES as error:
        complain(error)
        return 2
    write, head = FORMATS[options.format]
    verdicts = []
    for name, table in tables.items():
        try:
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                diagnosis = diagnose(table, base=options.base, recipe=options.recipe)
        except FAILURES as error:
            complain(f"{name}: {error}" if name else error)
            continue
        print(*([head(name)] if name else []), write(diagnosis), sep="\n")
        for warning in said:
            complain(warning.message)
        verdicts.append(diagnosis.verdict)
    return next((STATUS[each] for each in STATUS if each in verdicts), 2)


def _tables(options: argparse.Namespace) -> dict[str, Any]:
    path = Path(options.source)
    if FUNCTION_NAME.fullmatch(options.source) and not path.exists():
        if options.key is not None:
            raise UnreadableError("a function has no keys")
        return {"": call_in_subprocess(options.source, options.n, options.d, options.timeout)}
    return read(path, options.key)


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds <= 1e6:
        raise argparse.ArgumentTypeError(f"must be above 0 and at most 1000000, not {text}")
    return seconds


if __name__ == "__main__":
    sys.exit(main())
