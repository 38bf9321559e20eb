"""The page *Look up the module* shows every public name, and its examples as cells."""

from pathlib import Path

import posenc
import posenc_clinic
from posenc_book.chapters.reference import ENTRY, entry

PAGE = (Path(__file__).parents[2] / "book/reference.md").read_text("utf-8")


def test_every_public_name_has_an_entry_and_is_imported_by_the_first_cell():
    found = ENTRY.findall(PAGE)
    entries = {name.rpartition(".")[2] for name in found}
    public = {f"posenc.{name}" for name in posenc.__all__}
    public |= {f"posenc_clinic.{name}" for name in posenc_clinic.__all__}
    assert {*found, "posenc.Layout"} == public
    imported = PAGE[: PAGE.index("## ")]
    assert {name for name in entries if name[0].islower()} <= {*imported.replace(",", " ").split()}


def test_an_entry_is_a_docstring_and_a_cell_for_each_value_in_its_examples():
    text, *cells = entry("posenc.sinusoidal")
    assert ".. autofunction:: posenc.sinusoidal\n" in text
    assert cells[0] == "```{code-cell}\nsinusoidal(3, 4).round(4)\n```\n"
    assert len(cells) == posenc.sinusoidal.__doc__.count(">>>") == 2


def test_the_entry_of_a_class_includes_its_public_members():
    text = "".join(entry("posenc.SinusoidalEncoding"))
    assert ".. automethod:: posenc.SinusoidalEncoding.table\n" in text
    assert ".. automethod:: posenc.SinusoidalEncoding.__call__\n" in text
    assert "._" not in text.replace(".__call__", "")
    assert ".. autoproperty:: posenc_clinic.Diagnosis.correct\n" in "".join(
        entry("posenc_clinic.Diagnosis")
    )
