"""Pictures of figures are drawn once, served while a page shows them, and done without."""

from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from PIL import Image

from posenc_book.images import placeholders, render
from posenc_book.images.plotly_figure import _figure

SPEC = {"data": [{"y": [1, 2]}], "layout": {}}


@pytest.fixture
def app(tmp_path):
    site = tmp_path / "html"
    (site / "_static").mkdir(parents=True)
    (site / "part").mkdir()
    return SimpleNamespace(outdir=str(site))


@pytest.fixture
def browsers(monkeypatch):
    """Each start of a browser, and the figures that it draws."""
    started = []

    @contextmanager
    def opened():
        started.append("started")
        yield
        started.append("closed")

    def draw(store, browser, figures, say):
        store.folder.mkdir(parents=True, exist_ok=True)
        for one in store.missing(figures):
            started.append(one.name)
            for file in store.pictures(one):
                Image.new("RGBA", (20, 10)).save(file)
            about = '{"sizes": {"wide": [10, 5], "narrow": [10, 5]}}'
            (store.folder / f"{store.key(one)}.json").write_text(about)

    monkeypatch.setattr(placeholders, "opened", opened)
    monkeypatch.setattr(render.Store, "draw", draw)
    return started


def figure(alt="a line, rising", **layout):
    return _figure({**SPEC, "layout": layout}, "basic", alt).astext()


def write(app, *figures):
    page = f"{app.outdir}/part/page.html"
    with open(page, "w", encoding="utf-8") as file:
        file.write("<h1>Title</h1>" + "<p>and</p>".join(figures))
    placeholders.place(app)
    with open(page, encoding="utf-8") as file:
        return file.read()


def served(app):
    return sorted(file.name for file in (render.Path(app.outdir) / "_static/figures").iterdir())


def test_only_what_is_new_is_drawn_and_without_it_no_browser_is_started(app, browsers):
    one, two = figure(title="one"), figure(title="two")
    first = write(app, one)
    assert [kind for kind in browsers if kind in ("started", "closed")] == ["started", "closed"]
    assert write(app, one) == first
    placeholders.place(app)  # on a page that has its pictures
    assert browsers.count("started") == 1
    write(app, one, two)
    assert len(browsers) == 6
    assert len(served(app)) == 8
    write(app, two)
    assert len(served(app)) == 4
    assert len(list(render.Store(render.Path(app.outdir)).folder.glob("*.json"))) == 1
    (render.Path(app.outdir) / "_static/figures.js").write_text("another script")
    write(app, two)
    assert browsers.count("started") == 3


def test_a_place_under_the_title_is_shown_with_the_picture_of_its_figure(app, browsers):
    one = figure()
    key = one.split('data-key="')[1].split('"')[0]
    place = (
        f'<figure class="frontispiece" hidden><div class="still" data-key="{key}"></div></figure>'
    )
    text = write(app, place, one)
    assert '<figure class="frontispiece"><div class="still"' in text
    assert text.count("<picture>") == 4
    assert text.count('fetchpriority="high"') == 2
    assert write(app, text.removeprefix("<h1>Title</h1>")) == text


def test_without_a_browser_the_build_says_so_in_one_line_and_goes_on(app, monkeypatch):
    def none():
        raise RuntimeError("No browser was found.\nMore.")

    said = []
    monkeypatch.setattr(placeholders, "opened", none)
    monkeypatch.setattr(placeholders.logger, "info", said.append)
    one = figure()
    assert write(app, one) == f"<h1>Title</h1>{one}"
    assert said == [
        "Figures that are not drawn yet describe themselves in words: No browser was found."
    ]
