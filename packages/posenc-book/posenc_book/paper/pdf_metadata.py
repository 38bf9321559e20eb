"""Finish a printed PDF: add its author, and what it was printed from, and pack it tightly."""

import io
from typing import Any

import pikepdf
from pypdf import PdfReader

from posenc_book.paper.download import KEY


def finish(pdf: bytes, manifest: dict[str, Any]) -> bytes:
    """The PDF with its properties added, its dates removed, and its objects packed.

    A browser writes each of the hundred thousand tags by itself; packed, all take half of the room.
    """
    into = io.BytesIO()
    pikepdf.settings.set_flate_compression_level(9)
    with pikepdf.open(io.BytesIO(pdf)) as book:
        book.docinfo = book.make_indirect(
            pikepdf.Dictionary(
                {
                    "/Title": manifest["title"],
                    "/Author": manifest["author"],
                    "/Producer": "posenc_book",
                    KEY: manifest["made_of"],
                }
            )
        )
        book.Root.ViewerPreferences = pikepdf.Dictionary(DisplayDocTitle=True)
        book.save(
            into,
            object_stream_mode=pikepdf.ObjectStreamMode.generate,
            recompress_flate=True,
            deterministic_id=True,
        )
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
