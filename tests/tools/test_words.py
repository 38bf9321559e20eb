"""What switches the builder comes from one table, by language."""

import subprocess
import sys
import tomllib

import pytest

from posenc_book import words

# A chapter in French opens, folds, asks and is timed, as one in English does.
SAMPLE = """
from nbformat.v4 import new_markdown_cell as cell, new_notebook
from posenc_book.chapters.fold_sections import off_path
from posenc_book.chapters.reading_time import STATED, state
from posenc_book.edition import predictions
from posenc_book.numbers.in_prose import claims
box = "::::{admonition} Prédire\\n:class: tip\\n\\nQuoi ?\\n\\n:::{dropdown} Un\\nOui.\\n:::\\n::::"
chapter = new_notebook(cells=[
    cell("# Où ?\\n\\n*Environ 250 minutes.*"), cell(box), cell("## Pour aller plus loin"),
    cell("### Ici\\n\\n*Pour aller plus loin.* Une preuve."),
])
assert off_path(chapter) == [False, False, False, True]
assert not claims(chapter.cells[0].source)
state(chapter)
assert "*Environ 0 minutes, et 0 pour les questions ; en tout, 0 et 0.*" in chapter.cells[0].source
assert predictions.ask(chapter, "ou", "fr") == {"ou-1": [["Un", "Oui."]]}
"""
FRENCH = """
[fr]
further = "Pour aller plus loin"
decide = ""
letter = "Votre lettre :"
opening = "Ce que vous ferez"
will = "Vous allez"
need = "Il vous faut"
cards = "Souvenez-vous"
about = "Environ {reading} minutes, et {exercises} pour {whose}"
whose = ["les questions", "la question", "les questions"]
with_further = " ; en tout, {reading} et {exercises}"
"""


def test_a_language_is_a_table(tmp_path):
    (tmp_path / "_config.yml").write_text("sphinx: {config: {language: fr}}")
    assert words.language(tmp_path) == "fr"
    french = f"words.LANGUAGES |= {tomllib.loads(FRENCH)}"
    code = f"from posenc_book import words\n{french}\n{SAMPLE}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_language_without_words_is_named():
    with pytest.raises(ValueError, match=r"words.toml lacks about, .* in \[de\]"):
        words.phrases("de")
