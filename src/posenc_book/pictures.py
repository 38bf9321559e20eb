"""Make pictures light: lossless WebP at half the size, lazy loading, reserved space.

A picture is as large as it was meant to be: 100 CSS pixels an inch, so that letters are as large as
those of figures that move. The one that a page opens with comes with the page, and so in few
colours, and to a phone in half as many pixels a side.
"""

import re
import shutil
from pathlib import Path

from PIL import Image
from sphinx.application import Sphinx

from posenc_book.drawing import COLOURS
from posenc_book.stills import NARROW

PER_INCH = 100  # CSS pixels
FEW, SMALL = "-few", "-small"  # what its files are called besides


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
        name, size = match[1] + Path(match[2]).stem, f'width="{width}" height="{height}"'
        if "fetchpriority" in match.string:
            few = f'src="{name}{FEW}.webp" srcset="{name}{SMALL}.webp 1x, {name}{FEW}.webp 2x"'
            return f'{few} {size} decoding="async"'
        return f'src="{name}.webp" {size} loading="lazy" decoding="async"'

    def image(tag: re.Match[str]) -> str:
        placed = re.sub(r'src="([^"]*_images/)([^"]+)"', picture, tag[0])
        small = re.search(rf'srcset="([^"]*{SMALL}\.webp)', placed)
        if not small:
            return placed
        phone = f'<source media="{NARROW}" srcset="{small[1]}">'
        return f"<picture>{phone}{placed}</picture>"

    page = re.sub(r'(href="[^"]*_images/[^"]+)\.png"', r'\1.webp"', page)
    return re.sub(r"<img [^>]*>", image, page)


def convert(app: Sphinx) -> None:
    """Convert the pictures that Sphinx has copied to WebP, and those that open pages twice more."""
    site = Path(app.outdir)
    opens = rf'_images/(\w+){FEW}\.webp"'
    pages = [page.read_text("utf-8") for page in site.rglob("*.html")]
    opening = {name for page in pages for name in re.findall(opens, page)}
    for file in (site / "_images").glob("*.png"):
        with Image.open(file) as image:
            _save(image, file.with_suffix(".webp"))
            if file.stem in opening:
                half = image.resize((image.width // 2, image.height // 2), Image.Resampling.LANCZOS)
                few, small = (file.with_name(f"{file.stem}{name}.webp") for name in (FEW, SMALL))
                _save(_few(image), few)
                _save(_few(half), small)
                if small.stat().st_size > few.stat().st_size:  # shades cost more
                    shutil.copyfile(few, small)
        file.unlink()


def _save(image: Image.Image, file: Path) -> None:
    image.save(file, lossless=True, exact=True, method=4, quality=80)


def _few(image: Image.Image) -> Image.Image:
    """A picture in few colours. It loses no thin line's colour, as the default method does."""
    method = Image.Quantize.MAXCOVERAGE
    few = image.convert("RGB").quantize(COLOURS, method, dither=Image.Dither.NONE)
    return few.convert("RGB")
