"""Make pictures light: lossless WebP at half the size, lazy loading, reserved space.

A picture is as large as it was meant to be: 100 CSS pixels an inch, so that letters are as large as
those of figures that move.
"""

import re
from pathlib import Path

from PIL import Image
from sphinx.application import Sphinx

PER_INCH = 100  # CSS pixels


def place(app: Sphinx, page: str) -> str:
    """Point a page's pictures to their WebP files, with their size and lazy loading."""
    sources = {name: Path(app.srcdir) / path for path, name in app.builder.images.items()}

    def picture(match: re.Match[str]) -> str:
        source = sources.get(match[2])
        if source is None or source.suffix != ".png":
            return match[0]
        with Image.open(source) as image:
            scale = PER_INCH / image.info.get("dpi", (PER_INCH,))[0]
            width, height = (round(pixels * scale) for pixels in image.size)
        address = f'src="{match[1]}{Path(match[2]).stem}.webp"'
        size = f'width="{width}" height="{height}"'
        waits = "" if "fetchpriority" in match.string else ' loading="lazy"'
        return f'{address} {size}{waits} decoding="async"'

    page = re.sub(r'(href="[^"]*_images/[^"]+)\.png"', r'\1.webp"', page)
    return re.sub(
        r"<img [^>]*>",
        lambda tag: re.sub(r'src="([^"]*_images/)([^"]+)"', picture, tag[0]),
        page,
    )


def convert(app: Sphinx) -> None:
    """Convert the pictures that Sphinx has copied to WebP."""
    for file in (Path(app.outdir) / "_images").glob("*.png"):
        with Image.open(file) as image:
            image.save(file.with_suffix(".webp"), lossless=True, exact=True, method=4, quality=80)
        file.unlink()
