"""Make pictures light without changing a point: lossless WebP, lazy loading, reserved space.

A picture is as large as it was meant to be: 100 CSS pixels an inch, so that letters are as large as
those of figures that move. A phone gets the same file, because a smaller copy without loss weighs
more: resizing turns sharp edges into shades.
"""

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from PIL import Image
from sphinx.application import Sphinx

PER_INCH = 100  # CSS pixels
SHOWN = re.compile(r"_images/([^\"/ ]+\.webp)")


def place(app: Sphinx, page: str) -> str:
    """Point a page's pictures to their WebP files, with their size and lazy loading."""
    sources = {name: Path(app.srcdir) / path for path, name in app.builder.images.items()}

    def picture(tag: re.Match[str]) -> str:
        address = re.search(r'src="([^"]*_images/)([^"]+)"', tag[0])
        source = sources.get(address[2]) if address else None
        if not address or source is None or source.suffix != ".png":
            return tag[0]
        with Image.open(source) as image:
            scale = PER_INCH / image.info.get("dpi", (PER_INCH,))[0]
            width, height = (round(pixels * scale) for pixels in image.size)
        loads = f'src="{address[1]}{source.stem}.webp" width="{width}" height="{height}"'
        loads += "" if "fetchpriority" in tag[0] else ' loading="lazy"'
        return tag[0].replace(address[0], f'{loads} decoding="async"')

    page = re.sub(r'(href="[^"]*_images/[^"]+)\.png"', r'\1.webp"', page)
    return re.sub(r"<img [^>]*>", picture, page)


def convert(app: Sphinx) -> None:
    """Convert each picture that Sphinx has copied to WebP."""
    with ThreadPoolExecutor() as pool:
        list(pool.map(_convert, (Path(app.outdir) / "_images").glob("*.png")))


def remove_unused(app: Sphinx, pages: list[str]) -> None:
    """Delete the pictures of an earlier build that no page shows now."""
    shown = {name for page in pages for name in SHOWN.findall(page)}
    for file in (Path(app.outdir) / "_images").glob("*.webp"):
        if file.name not in shown:
            file.unlink()


def _convert(file: Path) -> None:
    with Image.open(file) as image:
        image.save(file.with_suffix(".webp"), lossless=True, exact=True, method=4, quality=80)
    file.unlink()
