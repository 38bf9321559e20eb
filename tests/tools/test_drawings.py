"""Figures are shown as they were drawn: each cell and letter, in both themes, at both widths."""

import base64
import io
import itertools
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import Normalize, to_rgb
from PIL import Image

from posenc_book.assets import fetch
from posenc_book.chapters import mistakes
from posenc_book.images import drawings, look, matplotlib_font, placeholders, wrong_tables
from posenc_book.images.plotly_figure import _figure
from posenc_book.images.recolour import recolour
from posenc_clinic.mistakes import CATALOGUE
from posenc_clinic.mistakes.wrong_tables import NAMES

ROOT = Path(__file__).parents[2]
LOOK = look.read(ROOT)
VALUES = np.sin(np.arange(50 * 120) / 7).reshape(50, 120) + 0.2
VALUES[3, 5] = 0
DRAW = """
import sys
import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np

mpl.rc_file(sys.argv[1])
from posenc_book.images.svg_backend import both

values = np.load(sys.argv[2])
fig, (left, right) = plt.subplots(1, 2)
left.imshow(values, cmap="PRGn", vmin=-1, vmax=1, origin="lower")
mesh = right.pcolormesh(values, cmap="gray_r", vmin=0, vmax=1)
fig.colorbar(mesh)
left.set(title="-1 to 1, x-2", xlabel=r"$\\Delta$")
print(both(fig))
"""


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    folder = tmp_path_factory.mktemp("drawn")
    face, values = folder / "face.ttf", folder / "values.npy"
    face.write_bytes(matplotlib_font.whole(fetch(ROOT)))
    np.save(values, VALUES)
    settings = ROOT / "notebooks/build/matplotlibrc"
    environment = {"MPLBACKEND": matplotlib_font.BACKEND, "COURSE_FACE": str(face)}
    command = [sys.executable, "-c", DRAW, str(settings), str(values)]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert ran.stderr == ""
    return ran.stdout


def images(drawing):
    """Return the pixels, from 0 to 255, of each image in a drawing."""
    found = re.findall(r"data:image/png;base64,([\w+/=]+)", drawing)
    return [
        np.asarray(Image.open(io.BytesIO(base64.b64decode(one))).convert("RGB")) for one in found
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("at", [0, 1], ids=drawings.WIDTHS)
def test_each_cell_of_a_map_is_a_pixel_of_its_colour(drawn, theme, at):
    maps = images(drawings.drawings(drawn, LOOK, theme)[at])
    assert len(maps) == 3, "two maps and a colour bar"
    for pixels, name, low in zip(maps, ("PRGn", "gray_r"), (-1, 0), strict=False):
        assert pixels.shape == (*VALUES.shape, 3)
        exact = mpl.colormaps[name](Normalize(low, 1)(VALUES), bytes=True)[..., :3]
        shown = recolour(exact.reshape(-1, 3), LOOK, theme, cells=True).reshape(exact.shape)
        upright = min((pixels, pixels[::-1]), key=lambda one: np.abs(one - shown.astype(int)).sum())
        assert np.array_equal(upright, shown)
        if theme == "light":
            assert np.abs(shown - exact.astype(int)).max() <= 6


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("name", "zero"), [("PRGn", 0.5), ("gray_r", 0)])
def test_zero_is_the_page_and_what_is_farther_from_it_stands_out_more(theme, name, zero):
    levels = mpl.colormaps[name](np.linspace(zero, 1, 129), bytes=True)[:, :3]
    shown = recolour(levels, LOOK, theme, cells=True)
    page = np.round(255 * np.array(to_rgb(LOOK[theme]["background"])))
    assert np.abs(shown[0] - page).max() <= 1
    far = np.abs(shown - page).sum(axis=1)
    assert (np.diff(far[::8]) > 0).all()
    assert len(np.unique(shown, axis=0)) > 0.9 * len(np.unique(levels, axis=0))


def test_each_mistake_of_a_table_has_a_small_picture_of_it(tmp_path):
    wrong_tables.write(SimpleNamespace(outdir=tmp_path, srcdir=ROOT))
    folder = tmp_path / mistakes.FOLDER
    assert sum(file.stat().st_size for file in folder.iterdir()) < 60_000
    seen = {file.name: np.asarray(Image.open(file).convert("RGB")) for file in folder.iterdir()}
    for name in CATALOGUE:
        shown = mistakes.pictures(name, "../")
        files = re.findall(rf'src="../{mistakes.FOLDER}/([^"]+)"', shown)
        assert len(files) == (4 if name in NAMES else 0), name
        for right, wrong in itertools.product(files[:2], files[2:]):
            same = seen[right].shape == seen[wrong].shape
            assert not (same and np.array_equal(seen[right], seen[wrong])), name
    for theme in ("light", "dark"):
        right = seen[f"right-0-{theme}.png"]
        assert right.shape == (mistakes.ROWS, mistakes.COLUMNS, 3)
        page = np.round(255 * np.array(to_rgb(LOOK[theme]["background"])))
        assert np.array_equal(right[0, 0], page), "zero"
    assert "differ in 1 of 768 entries: row 30, column 0." in mistakes.pictures("not-finite", "")


def test_the_map_of_amounts_keeps_its_colours():
    levels = mpl.colormaps[LOOK["maps"]["amounts"]](np.arange(256), bytes=True)[:, :3]
    for theme in ("light", "dark"):
        assert np.array_equal(recolour(levels, LOOK, theme, cells=True), levels)


def test_letters_and_lines_are_those_of_the_page(drawn):
    for theme in ("light", "dark"):
        for drawing in drawings.drawings(drawn, LOOK, theme):
            assert "SourceSans3" in drawing
            assert "DejaVu" not in drawing
            assert LOOK[theme]["text-base"] in drawing, "letters"
            assert LOOK[theme]["text-muted"] in drawing, "axes"
            assert "#ffffff" not in drawing, "no card"
    assert " \N{MINUS SIGN}1 to 1, x-2 " in re.findall(r"<!--(.*?)-->", drawn), "no hyphen"


def test_without_a_browser_the_build_says_so_in_one_line_and_goes_on(tmp_path, monkeypatch):
    def none():
        raise RuntimeError("No browser was found.\nMore.")

    said = []
    monkeypatch.setattr(placeholders, "opened", none)
    monkeypatch.setattr(placeholders.logger, "info", said.append)
    (tmp_path / "_static").mkdir()
    page, figure = tmp_path / "page.html", _figure({"data": [], "layout": {}}, "basic", "a line")
    page.write_text(figure.astext(), "utf-8")
    placeholders.place(SimpleNamespace(outdir=str(tmp_path)))
    assert page.read_text("utf-8") == figure.astext()
    assert said == [
        "Figures that are not drawn yet describe themselves in words: No browser was found."
    ]
