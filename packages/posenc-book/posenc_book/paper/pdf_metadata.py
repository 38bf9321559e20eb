"""Add to a printed PDF what a browser leaves out: its author, and what it was printed from."""

import io
import re
from typing import Any

from pypdf import PdfReader, PdfWriter
from pypdf.generic import BooleanObject, DictionaryObject, NameObject

from posenc_book.paper.download import KEY


def add_metadata(pdf: bytes, manifest: dict[str, Any]) -> bytes:
    """The PDF with its properties added, and its dates removed."""
    undated = re.sub(rb"/(Creation|Mod)Date \([^)]*\)", lambda date: b" " * len(date[0]), pdf)
    writer = PdfWriter(io.BytesIO(undated), incremental=True)
    writer.metadata = {
        "/Title": manifest["title"],
        "/Author": manifest["author"],
        "/Producer": "posenc_book",
        KEY: manifest["made_of"],
    }
    shown = DictionaryObject({NameObject("/DisplayDocTitle"): BooleanObject(True)})
    writer.root_object[NameObject("/ViewerPreferences")] = shown
    into = io.BytesIO()
    writer.write(into)
    return into.getvalue()


def page_numbers(pdf: io.BytesIO, anchors: list[str]) -> dict[str, int]:
    """The page, counted from 1, on which each anchor of a document is printed."""
    reader = PdfReader(pdf)
    places = reader.named_destinations
    found = {}
    for anchor in anchors:
        place = places.get(anchor) or places.get(f"/{anchor}")
        number = reader.get_destination_page_number(place) if place else None
        if number is not None:
            found[anchor] = number + 1
    return found
