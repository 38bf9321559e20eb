"""Diagnose a table from the command line: `python -m posenc diagnose table.npy`."""

import argparse
import csv
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from posenc._diagnosis import Diagnosis, diagnose

FORMATS: dict[str, Callable[[Diagnosis], str]] = {
    "text": str,
    "markdown": Diagnosis.markdown,
    "html": Diagnosis.html,
}


class UnreadableError(Exception):
    """A file holds no table; the message says why."""


def main(arguments: list[str] | None = None) -> int:
    """Print the diagnosis of a file; return 0 for a right table, 1 for a wrong one, 2 for none."""
    parser = argparse.ArgumentParser(
        prog="python -m posenc",
        description="Sinusoidal positional encoding.",
        epilog="Exit status of diagnose: 0 for a right table, 1 for a wrong one, 2 for no table.",
    )
    commands = parser.add_subparsers(required=True, metavar="command")
    command = commands.add_parser("diagnose", help="say what is wrong with a table in a file")
    command.add_argument("file", type=Path, help="a .npy, .npz or .csv file, one row per position")
    command.add_argument("key", nargs="?", help="which array of a .npz file")
    command.add_argument("--base", type=float, default=10_000.0, help="the base it should have")
    command.add_argument("--format", choices=FORMATS, default="text")
    options = parser.parse_args(arguments)
    try:
        diagnosis = diagnose(_load(options.file, options.key), base=options.base)
    except (UnreadableError, OSError, TypeError, ValueError, MemoryError) as error:
        message = " ".join(str(error).split())
        print(f"{parser.prog}: {options.file}: {message}", file=sys.stderr)
        return 2
    print(FORMATS[options.format](diagnosis))
    return 0 if diagnosis.correct else 1


def _load(path: Path, key: str | None) -> Any:
    kind = path.suffix.lower()
    if kind not in (".npy", ".npz", ".csv"):
        raise UnreadableError("only .npy, .npz and .csv files can be read")
    if key is not None and kind != ".npz":
        raise UnreadableError("only a .npz file has keys")
    try:
        if kind == ".csv":
            return _rows(path)
        loaded = np.load(path, allow_pickle=False)
        if kind == ".npy":
            return loaded
        with loaded:
            names = loaded.files
            if key is None and len(names) == 1:
                key = names[0]
            if key not in names:
                raise UnreadableError(
                    f"it holds {', '.join(names) or 'nothing'}: say which, as its key"
                )
            return loaded[key]
    except (ValueError, EOFError, KeyError, csv.Error, zipfile.BadZipFile) as error:
        raise UnreadableError(f"it is damaged, or not a file of numbers: {error}") from None


def _rows(path: Path) -> list[list[float]]:
    """Read the rows of a file of comma-separated values, without a header."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = [row for row in csv.reader(file) if row]
    if not rows:
        raise UnreadableError("it is empty")
    if not any(map(_is_number, rows[0])):  # a header
        rows = rows[1:]
    return [[float(value) for value in row] for row in rows]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
