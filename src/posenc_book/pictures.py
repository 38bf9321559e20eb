"""Make pictures light: lossless WebP at half the size, lazy loading, reserved space.

A picture is as large as it was meant to be: 100 CSS pixels an inch, so that letters are as large as
those of figures that move. A phone has it in few colours, and in fewer pixels where its screen has
no more to show. So has every reader the picture that comes with its page.
"""

import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from PIL import Image
from sphinx.application import Sphinx

from posenc_book.drawing import few
from posenc_book.stills import NARROW

PER_INCH = 100  # CSS pixels
FEW, SMALL = "-few", "-small"  # what its files are called besides
ON_A_PHONE = "calc(100vw - 2.5rem)"  # is how wide a phone's column is: see course.css


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
            whole, less = image.width, _less(image.width)
        name = address[1] + source.stem
        first = "fetchpriority" in tag[0]
        loads = f'src="{name}{FEW}.webp"' if first else f'src="{name}.webp" loading="lazy"'
        loads += f' width="{width}" height="{height}" decoding="async"'
        phone = f"{name}{SMALL}.webp {less}w, {name}{FEW}.webp {whole}w"
        return (
            f'<picture><source media="{NARROW}" srcset="{phone}" sizes="{ON_A_PHONE}">'
            f"{tag[0].replace(address[0], loads)}</picture>"
        )

    page = re.sub(r'(href="[^"]*_images/[^"]+)\.png"', r'\1.webp"', page)
    return re.sub(r"<img [^>]*>", picture, page)


def convert(app: Sphinx) -> None:
    """Convert each picture that Sphinx has copied to three of WebP."""
    with ThreadPoolExecutor() as pool:
        list(pool.map(_convert, (Path(app.outdir) / "_images").glob("*.png")))


def _convert(file: Path) -> None:
    with Image.open(file) as image:
        small = image.resize((_less(image.width), _less(image.height)), Image.Resampling.LANCZOS)
        for name, copy in {"": image, FEW: few(image), SMALL: few(small)}.items():
            target = file.with_name(f"{file.stem}{name}.webp")
            copy.save(target, lossless=True, exact=True, method=4, quality=80)
    whole, less = (file.with_name(f"{file.stem}{name}.webp") for name in (FEW, SMALL))
    if less.stat().st_size > whole.stat().st_size:  # shades cost more
        shutil.copyfile(whole, less)
    file.unlink()


def _less(pixels: int) -> int:
    return round(0.7 * pixels)
