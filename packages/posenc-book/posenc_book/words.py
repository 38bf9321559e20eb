"""The words of pages that switch the builder: those of `words.toml` in the course's language.

Language and title are those of the `_config.yml` in this folder or in one above it.
"""

import tomllib
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

TABLE = Path(__file__).with_suffix(".toml")


def config(folder: Path) -> dict[str, Any]:
    """The settings of the course that a folder belongs to; none outside of any."""
    files = [each / "_config.yml" for each in (folder.resolve(), *folder.resolve().parents)]
    file = next((file for file in files if file.is_file()), None)
    return dict(yaml.safe_load(file.read_text("utf-8"))) if file else {}


def language(folder: Path) -> str:
    """The language of a course."""
    return str(config(folder).get("sphinx", {}).get("config", {}).get("language") or "en")


def read(folder: Path) -> dict[str, Any]:
    """The words in a course's language; raise ValueError if there are none, or some are missing."""
    known, own = tomllib.loads(TABLE.read_text("utf-8")), language(folder)
    if missing := sorted({*known["en"]} - {*known.get(own, {})}):
        raise ValueError(f"words.toml lacks {', '.join(missing)} in [{own}]: add them there")
    return dict(known[own])


LANGUAGE, PHRASES = language(Path()), read(Path())
TITLE = str(config(Path()).get("title", "Positional encoding, checked"))
