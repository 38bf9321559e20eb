"""Link to the PDF from the site's pages: when it is there, and is the book as the site has it."""

import re
from pathlib import Path

PDF = "posenc-course.pdf"
# A page says where the link belongs, and what it is to say, in a comment that readers don't see:
# <!-- pdf: Take *the whole book* along. --><!-- /pdf -->
PLACE = re.compile(r"(<!-- pdf: ([^*]*)\*([^*]*)\*(.*?) -->).*?(<!-- /pdf -->)", re.S)
KEY = "/MadeOf"  # among the PDF's properties: what it was printed from


def update(site: Path, made_of: str) -> bool:
    """Link to the PDF, or take the links away; return False if the PDF is not the current one."""
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
    """Return what a PDF was printed from, or nothing if it can't be read or is another's."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        about = PdfReader(pdf).metadata
        return str(about.get(KEY, "")) if about else ""
    except (PyPdfError, OSError, ValueError):
        return ""
