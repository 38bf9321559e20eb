"""The steps of the build, in order, each under the Sphinx event at which it runs.

Between them Sphinx reads the pages that are new or have changed; MyST-NB takes their notebooks'
outputs from its cache and asks `Figures` for the figures. Then Sphinx writes pages, and `Templates`
finishes each before it becomes a file.
"""

import os
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError, SphinxError
from sphinx_exercise.nodes import solution_node

from posenc_book import (
    assets,
    cells,
    chapters,
    counts,
    figures,
    fonts,
    freshness,
    frontispiece,
    further,
    glossary,
    learn,
    live,
    look,
    marks,
    mistakes,
    notfound,
    opening,
    outputs,
    pages,
    paper,
    patches,
    pictures,
    reference,
    repository,
    slides,
    solutions,
    stills,
    styles,
)  # fmt: skip
from posenc_book.live import lite

STEPS: dict[str, dict[str, Callable[..., Iterable[Any] | None]]] = {
    "config-inited": {
        "find the repository": repository.set_options,
        "work out cache keys": freshness.set_keys,
    },
    "builder-inited": {
        "fetch JavaScript packages": assets.fetch_packages,
        "prepare the Python for live cells": live.prepare,
    },
    "env-get-outdated": {"reread chapters whose deck is missing": slides.without_deck},
    "env-before-read-docs": {"run notebooks": outputs.run_stale},
    "source-read": {
        "note what outputs depend on": outputs.note_dependencies,
        "expand entries of the module's page": reference.expand_entries,
        "mark the numbers in prose": marks.mark,
    },
    "object-description-transform": {"keep quotes of docstrings": reference.keep_quotes},
    "doctree-read": {"number the cells": marks.name_cells},
    "doctree-resolved": {
        "fold what is further": further.fold,
        "link numbers to their sources": marks.link,
        "arrange cells": cells.arrange,
    },
    "html-page-context": {
        "list a page's hidden checks": marks.list_checks,
        "make a page's cells live": live.add_script,
        "order its buttons": repository.order_buttons,
        "link it to JupyterLab": lite.add_link,
        "write its deck": slides.write_deck,
        "lay out its opening": opening.arrange,
        "show its picture under the title": frontispiece.add_picture,
        "tell the search what words are about": glossary.add_subjects,
    },
    "html-collect-pages": {
        "list the decks": slides.list_decks,
        "answer for pages that are not there": notfound.add_page,
    },
    "build-finished": {
        "copy JavaScript packages": assets.copy,
        "minify our scripts": assets.minify,
        "offer the module's page as a notebook": reference.write_source,
        "remove pages that left the book": freshness.remove_leftovers,
        "zip the learner's edition": learn.write_zip,
        "add Python for live cells": live.finish,
        "add JupyterLab": lite.finish,
        "finish the slides": slides.finish,
        "write colours and fonts": look.write,
        "subset fonts": fonts.subset,
        "write the redirect to the first page": pages.write_redirect,
        "remove figures that no page shows": figures.remove_unused,
        "convert pictures": pictures.convert,
        "place pictures of figures that move": stills.place,
        "write the printer's manifest": paper.write_manifest,
        "write one stylesheet": styles.write,
    },
}
LAST = 1000  # the priority of every step: after Sphinx, the theme and the extensions


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the steps, roles, directives and templates."""
    patches.apply()
    # KaTeX renders formulas with the first `node` on the path.
    os.environ["PATH"] = os.pathsep.join([str(assets.NODE.parent), os.environ.get("PATH", "")])
    # Figures are stored as JSON alone: the default would add a copy of plotly.js to each.
    os.environ.setdefault("PLOTLY_RENDERER", "plotly_mimetype")
    # A new value has all pages reread ("env"), or only rewritten ("html").
    app.add_config_value("reading_key", "", "env")
    app.add_config_value("writing_key", "", "html")
    app.add_config_value("live", os.environ.get("LIVE") != "0", "html", types=[bool])
    for role in chapters.ROLES:
        app.add_role(role, chapters.write_number)
    app.add_role("count", counts.write_count)
    app.add_role(marks.ROLE, marks.write_mark)
    app.add_node(marks.Mark, html=(marks.open_mark, marks.close_mark))
    app.add_role("report", repository.link_reports)
    app.add_directive("reading", chapters.Reading)
    app.add_directive("mistakes", mistakes.Mistakes)
    app.add_directive("sources", mistakes.Sources)
    app.setup_extension("sphinx.ext.autodoc")
    # Not one of the steps, which come last: this has to come before Napoleon.
    app.connect("autodoc-process-docstring", reference.leave_out_examples)
    app.setup_extension("sphinx.ext.napoleon")
    app.setup_extension("sphinx_exercise")  # first, so that its solutions are overridden
    details = solutions.open_details, solutions.close_details
    app.add_node(solution_node, override=True, html=details)
    app.add_node(cells.Fold, html=(cells.open_fold, cells.close_fold))
    app.add_node(further.Further, html=(further.open_fold, further.close_fold))
    app.add_node(further.Summary, html=(further.open_summary, further.close_summary))
    app.config.template_bridge = "posenc_book.pages.Templates"
    app.add_css_file("course.css")
    app.add_js_file("page.js", loading_method="defer", priority=400)
    app.add_js_file("figures.js", loading_method="defer", **{"data-bundles": figures.BUNDLES})
    app.add_js_file("predictions.js", loading_method="defer")
    app.add_js_file("sources.js", loading_method="defer")
    app.add_js_file("cards.js", loading_method="defer")
    for event in STEPS:
        app.connect(event, partial(_run_steps, event), LAST)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _run_steps(event: str, app: Sphinx, *given: Any) -> list[Any]:
    """Run the steps of an event, if the site is being built, and return their results."""
    if event == "build-finished":
        (error,), given = given, ()
        if error or app._warncount:
            freshness.forget(app)
        if error:
            return []
    if event != "config-inited" and app.builder.name != "html":
        return []
    results: list[Any] = []
    for name, step in STEPS[event].items():
        try:
            results += step(app, *given) or []
        except SphinxError:
            raise
        except Exception as error:
            raise ExtensionError(f"The build failed at: {name}", error, step.__module__) from error
    return results
