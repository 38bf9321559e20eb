"""Link to the PDF from the site's pages, if it is there and up to date."""

import re
from pathlib import Path

PDF = "posenc-course.pdf"
# A comment in a page says where the link goes, and what its text is:
# <!-- pdf: Take *the whole book* along. --><!-- /pdf -->
PLACE = re.compile(r"(<!-- pdf: ([^*]*)\*([^*]*)\*(.*?) -->).*?(<!-- /pdf -->)", re.S)
KEY = "/MadeOf"  # the PDF's property with the digest of its sources


def update(site: Path, made_of: str) -> bool:
    """Add the links to the PDF, or remove them; return False if the PDF is out of date."""
    there = (site / PDF).is_file()
    current = there and printed_from(site / PDF) == made_of
    for page in site.rglob("*.html"):
        text = page.read_text("utf-8")
        if "<!-- pdf: " not in text:
            continue
        up = "../" * (len(page.relative_to(site).parts) - 1)

        def link(match: re.Match[str], address: str = f"{up}{PDF}") -> str:
            paragraph = f'<p>{match[2]}<a href="{address}">{match[3]}</a>{match[4]}</p>'
            return f"{match[1]}{paragraph if current else ''}{match[5]}"

        new = PLACE.sub(link, text)
        if new != text:
            page.write_text(new, "utf-8")
    return current or not there


def printed_from(pdf: Path) -> str:
    """The digest of a PDF's sources, or an empty string if it can't be read or has none."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        about = PdfReader(pdf).metadata
        return str(about.get(KEY, "")) if about else ""
    except (PyPdfError, OSError, ValueError):
        return ""
