"""The words of pages that switch the builder: `words.toml` has them in each language.

What a chapter says is looked for in every language; what the builder writes is in the course's.
"""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

TABLE = Path(__file__).with_suffix(".toml")
LANGUAGES: dict[str, dict[str, Any]] = tomllib.loads(TABLE.read_text("utf-8"))


def phrases(language: str) -> dict[str, Any]:
    """The words in a language; raise ValueError if there are none, or some are missing."""
    known = LANGUAGES.get(language, {})
    if missing := sorted({*LANGUAGES["en"]} - {*known}):
        raise ValueError(f"words.toml lacks {', '.join(missing)} in [{language}]: add them there")
    return known


def any_of(key: str) -> str:
    """A pattern that finds a word in any language."""
    return f"(?:{'|'.join(re.escape(known[key]) for known in LANGUAGES.values())})"


@cache  # each page asks
def config(root: Path) -> dict[str, Any]:
    """The settings of a course."""
    return dict(yaml.safe_load((root / "_config.yml").read_text("utf-8")))


def language(root: Path) -> str:
    """The language of a course."""
    return str(config(root).get("sphinx", {}).get("config", {}).get("language") or "en")
