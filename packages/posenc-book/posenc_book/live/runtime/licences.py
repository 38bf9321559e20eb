"""The licence notice: whose work live pages use, and under which terms."""

import json
from email import message_from_bytes
from email.message import Message
from pathlib import Path

HEAD = """What runs this site's cells in a browser. Parts not needed there were left out, and
modules compiled to bytecode; each package's licence is in its wheel, in *.dist-info.

Pyodide {pyodide} | MPL-2.0 | https://pyodide.org, source: https://github.com/pyodide/pyodide
CPython {python} | PSF-2.0 | https://docs.python.org/3/license.html
"""
# The editor's packages, in node_modules.
EDITOR = ("@codemirror/*", "@lezer/*", "@marijn/*", "crelt", "style-mod", "w3c-keyname")


def head(pyodide: str, python: str) -> str:
    """The beginning of the notice."""
    return HEAD.format(pyodide=pyodide, python=python)


def package(contents: dict[str, bytes]) -> str:
    """The line about a Python package, given its files."""
    found = [text for name, text in contents.items() if name.endswith(".dist-info/METADATA")]
    about = message_from_bytes(found[0])
    home = about["Home-page"] or (about["Project-URL"] or "").partition(", ")[2]
    return f"{about['Name']} {about['Version']} | {_licence(about)} | {home}\n"


def _licence(about: Message) -> str:
    named = [text.split(" :: ")[-1] for text in about.get_all("Classifier") or []
             if text.startswith("License ::")]  # fmt: skip
    stated = (about["License"] or "").strip().partition("\n")[0]
    return str(about["License-Expression"] or ", ".join(named) or stated or "see its wheel")


def editor(modules: Path) -> str:
    """The lines about the editor's packages, and the texts of their licences."""
    lines, texts = [], []
    for folder in sorted(path for pattern in EDITOR for path in modules.glob(pattern)):
        about = json.loads((folder / "package.json").read_text("utf-8"))
        source = about["repository"]
        home = about.get("homepage") or (source if isinstance(source, str) else source["url"])
        lines.append(f"{about['name']} {about['version']} | {about['license']} | {home}\n")
        texts += [file.read_text("utf-8") for file in folder.glob("LICENSE*")]
    return "\n" + "".join(lines) + "".join(f"\n{text}" for text in dict.fromkeys(texts))
