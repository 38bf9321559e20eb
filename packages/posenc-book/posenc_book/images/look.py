"""Translate book/look.toml, the look of the course, for the programs that draw it.

`python -m posenc_book.images.look` writes the settings of Matplotlib into the notebooks' folders,
and the light colours into the style of figures, for where no page names any, as in JupyterLab.
"""

import re
import tomllib
from pathlib import Path
from typing import Any

import matplotlib as mpl
from docutils import nodes
from matplotlib.colors import to_hex
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from posenc_book.images import recolour

FILE = "book/look.toml"
STYLE = "look.css"
FIGURES = "packages/posenc-figures/posenc_figures/js/figures.css"
FALLBACK = re.compile(r"(--((?:pst-color|map|series)-[\w-]+), (?:var\(--[\w-]+, )?)#[0-9a-f]{6}")
ENDS = ("negative", "zero", "positive")  # of a map of signed values
FONTS = "fonts"  # the folder of the faces, beside it
INCHES = 6.4  # the width of a figure whose lengths are given for WIDTH pixels
WIDTH = 640
SETTINGS = """\
# Written by `make fmt` from book/look.toml.
# Sharp on the screens of today, and no wider than a page.
figure.dpi: 144
figure.figsize: {inches}, 3.6
figure.constrained_layout.use: True
axes.spines.top: False
axes.spines.right: False
image.cmap: {signed}
axes.prop_cycle: cycler("color", {colours})
font.size: {text:g}
lines.linewidth: {line:g}
lines.markersize: {marker:g}
axes.linewidth: {axis:g}
axes.edgecolor: {edge}
axes.labelcolor: {ink}
text.color: {ink}
xtick.color: {ink}
ytick.color: {ink}
"""


def read(root: Path) -> Any:
    """The look as `FILE` has it."""
    return tomllib.loads((root / FILE).read_text("utf-8"))


def settings(look: Any) -> str:
    """The settings that Matplotlib reads from the folder of a notebook."""
    points = {name: size * INCHES * 72 / WIDTH for name, size in look["figures"].items()}
    return SETTINGS.format(
        inches=INCHES,
        signed=look["maps"]["signed"],
        colours=[light.removeprefix("#") for light, _ in look["series"].values()],
        ink=look["light"]["text-base"].removeprefix("#"),
        edge=look["light"]["text-muted"].removeprefix("#"),
        **points,
    )


def properties(look: Any) -> str:
    """The look as custom properties: the theme's by their own names, and ours for figures."""
    shared = {
        **{f"font-{name}": family for name, family in look["fonts"].items()},
        # What figures are written in, and what is shown for it in a theme.
        "series-named": ", ".join(light for light, _ in look["series"].values()),
        "zero-named": look["maps"]["zero"],
        "amounts-named": to_hex(mpl.colormaps[look["maps"]["amounts"]](0.0)),
        **{f"figure-{name}": str(size) for name, size in look["figures"].items()},
    }
    rules: dict[str, dict[str, str]] = {"html": shared}
    for theme, condition in (
        ("light", ':not([data-theme="dark"])'),
        ("dark", '[data-theme="dark"]'),
    ):
        named = colours(look, theme)
        series = [named[f"series-{at}"] for at in range(len(look["series"]))]
        rules[f"html{condition}"] = named | {"series": ", ".join(series)}
    return (
        "".join(
            selector
            + " { "
            + " ".join(f"--{name}: {value};" for name, value in rule.items())
            + " }\n"
            for selector, rule in rules.items()
        )
        + "".join(map(_face, look["faces"]))
        + "".join(map(_meanwhile, look["meanwhile"]))
    )


def colours(look: Any, theme: str) -> dict[str, str]:
    """The colours of a theme, by the names of their custom properties."""
    shown = recolour.shown(look, theme)
    return {
        **{f"pst-color-{name}": colour for name, colour in look[theme].items()},
        **{f"map-{name}": shown(look["maps"][name]) for name in ENDS},
        **{f"series-{at}": shown(one) for at, (one, _) in enumerate(look["series"].values())},
    }


def named(look: Any, name: str) -> str:
    """The custom property that has a colour by its name in the look.

    >>> named({"light": {"sine": "#0068a5"}}, "sine")
    'pst-color-sine'
    """
    if name in look["light"]:
        return f"pst-color-{name}"
    return f"map-{name}" if name in ENDS else f"series-{list(look['series']).index(name)}"


class Meanings(SphinxDirective):
    """The table of what each colour means in figures."""

    def run(self) -> list[nodes.Node]:
        """A swatch, the word for it, and what has it, in each row."""
        look = read(Path(self.env.srcdir))
        self.env.note_dependency(str(Path(self.env.srcdir) / FILE))
        rows = "".join(
            f'<tr><td><span class="swatch" style="background: var(--{named(look, name)})"></span> '
            f"{word}</td><td>{meaning}</td></tr>\n"
            for name, (word, meaning) in look["meanings"].items()
        )
        head = (
            '<thead><tr><th scope="col">Colour</th><th scope="col">What it means</th></tr></thead>'
        )
        text = f'<table class="meanings">{head}\n<tbody>\n{rows}</tbody></table>'
        return [nodes.raw("", text, format="html")]


def with_fallbacks(style: str, look: Any) -> str:
    """A stylesheet whose colours have the light ones to fall back on."""
    light = colours(look, "light")
    return FALLBACK.sub(lambda match: match[1] + light[match[2]], style)


def _face(face: dict[str, Any]) -> str:
    """The rule that has a browser load a face from its file."""
    return (
        f'@font-face {{ font-family: "{face["family"]}"; font-style: {face.get("style", "normal")};'
        f" font-weight: {face['weight']}; font-display: swap;"
        f' src: url("{FONTS}/{face_file(face)}") format("woff2"); }}\n'
    )


def face_file(face: dict[str, Any]) -> str:
    """The name of a face's file on the site."""
    return str(face["file"]).rpartition("/")[2]


def _meanwhile(font: dict[str, Any]) -> str:
    """The rule that scales a system font to take up as much room as a face."""
    sources = ", ".join(f'local("{name}")' for name in font["local"])
    return (
        f'@font-face {{ font-family: "{font["family"]}"; src: {sources};'
        f" size-adjust: {font['size']}%; ascent-override: {font['ascent']}%;"
        f" descent-override: {font['descent']}%; line-gap-override: 0%; }}\n"
    )


def write(app: Sphinx) -> None:
    """Write the custom properties beside the stylesheets that use them."""
    text = properties(read(Path(app.srcdir)))
    (Path(app.outdir) / "_static" / STYLE).write_text(text, "utf-8")


if __name__ == "__main__":
    figures = Path(FIGURES)
    figures.write_text(with_fallbacks(figures.read_text("utf-8"), read(Path.cwd())), "utf-8")
    for folder in sorted({notebook.parent for notebook in Path("notebooks").glob("*/*.ipynb")}):
        (folder / "matplotlibrc").write_text(settings(read(Path.cwd())), "utf-8")
