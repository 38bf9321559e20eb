"""The steps of the build, in order, each under the Sphinx event at which it runs.

Between them Sphinx reads the pages that are new or have changed; MyST-NB takes their notebooks'
outputs from its cache and asks `Figures` for the figures. Then Sphinx writes pages: the theme's
templates print what the steps of "html-page-context" gather.
"""

import os
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError, SphinxError
from sphinx_exercise.nodes import solution_node

from posenc_book import assets, cache_keys, execute, learn, live, paper, patches, slides
from posenc_book.chapters import (
    captions,
    census,
    chapter,
    cheat_sheet,
    cite,
    fold_sections,
    glossary,
    header,
    mistakes,
    questions,
    reference,
    solutions,
)
from posenc_book.edition import answers, page_cells
from posenc_book.images import (
    cover,
    drawings,
    look,
    matplotlib_font,
    placeholders,
    touch,
    wrong_tables,
)
from posenc_book.live import jupyterlite
from posenc_book.numbers import course_statistics, links
from posenc_book.theme import (
    embed,
    meta,
    nobreak,
    notfound,
    pages,
    repository,
    search,
    styles,
    symbols,
)

STEPS: dict[str, dict[str, Callable[..., Iterable[Any] | None]]] = {
    "config-inited": {
        "find the repository": repository.set_options,
        "work out cache keys": cache_keys.set_keys,
        "note what outputs depend on": execute.set_key,
        "prepare the Python for live cells": live.prepare,
    },
    "builder-inited": {
        "fetch JavaScript packages": assets.fetch_packages,
        "leave out Sphinx's search": search.leave_out_sphinxs,
    },
    "env-before-read-docs": {
        "prepare what figures are drawn with": matplotlib_font.prepare,
        "run notebooks": execute.run_stale,
    },
    "source-read": {
        "expand entries of the module's page": reference.expand_entries,
        "mark the numbers in prose": links.mark,
        "make room for answers": answers.make_room,
    },
    "object-description-transform": {"keep quotes of docstrings": reference.keep_quotes},
    "doctree-read": {
        "number the cells": links.name_cells,
        "let questions be linked to": questions.give_anchors,
    },
    "doctree-resolved": {
        "fold what is further": fold_sections.fold,
        "link numbers to their sources": links.link,
        "say what words of the glossary mean": glossary.explain,
        "keep invitations from paper": captions.part,
        "keep formulas and commas on one line": nobreak.join,
        "shorten addresses of repositories": repository.shorten_addresses,
        "arrange cells": page_cells.arrange,
        "leave out room for answers that can't be run": answers.leave_out,
        "say how to run cells": live.add_start,
        "lay out its opening": header.arrange,
        "show its picture under the title": cover.add_picture,
    },
    "html-page-context": {
        "list a page's hidden checks": links.list_checks,
        "make a page's cells live": live.add_script,
        "say where it is edited, and run elsewhere": repository.add_buttons,
        "write its deck": slides.write_deck,
        "say where its path leads": header.lead_on,
        "link a method to its mistakes and models": header.lead_elsewhere,
        "say what it is about": meta.describe,
        "finish its text": pages.describe,
    },
    "html-collect-pages": {
        "list the decks": slides.list_decks,
        "answer for pages that are not there": notfound.add_page,
        "add the search page": search.add_page,
    },
    "build-finished": {
        "copy JavaScript packages": assets.copy,
        "minify our scripts": assets.minify,
        "bundle figures to touch": assets.bundle_figures,
        "say what letters of formulas mean": symbols.write,
        "offer the module's page as a notebook": reference.write_source,
        "remove pages that left the book": cache_keys.remove_leftovers,
        "zip the learner's edition": learn.write_zip,
        "add Python for live cells": live.finish,
        "add JupyterLab": jupyterlite.finish,
        "finish the slides": slides.finish,
        "write colours and fonts": look.write,
        "write the redirect to the first page": pages.write_redirect,
        "root the page for wrong addresses": notfound.finish,
        "write figures for themes and widths": drawings.convert,
        "cut fonts, and remove figures and pictures that no page shows": pages.finish_together,
        "place pictures of figures that move": placeholders.place,
        "draw wrong tables": wrong_tables.write,
        "open slides with them": slides.open_with_pictures,
        "write what the search looks through": search.write,
        "write the printer's manifest": paper.write_manifest,
        "write one stylesheet": styles.write,
        "write a page for each figure with a handle": embed.write,
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
    app.add_config_value("comments_config", {}, "")  # which Jupyter Book sets in any case
    app.add_config_value("live", os.environ.get("LIVE") != "0", "html", types=[bool])
    app.add_config_value("adapted_from", "", "env")  # the work that a version is made from
    app.add_config_value("live_absence", "", "")  # why there are no live cells after all
    for role in chapter.ROLES:
        app.add_role(role, chapter.write_number)
    app.add_role("count", course_statistics.write_count)
    app.add_role(links.ROLE, links.write_mark)
    app.add_node(links.Mark, html=(links.open_mark, links.close_mark))
    app.add_role("report", repository.link_reports)
    app.add_directive("reading", chapter.Reading)
    app.add_directive("questions", questions.Questions)
    app.add_directive(answers.DIRECTIVE, answers.Room)
    app.add_directive("touch", touch.Touch)
    app.add_directive("mistakes", mistakes.Mistakes)
    app.add_directive("sources", mistakes.Sources)
    app.add_directive("census", census.Census)
    app.add_directive("cheat-sheet", cheat_sheet.CheatSheet)
    app.add_directive("colours", look.Meanings)
    app.add_directive("citation", cite.Citation)
    app.setup_extension("sphinx.ext.autodoc")
    # Not one of the steps, which come last: this has to come before Napoleon.
    app.connect("autodoc-process-docstring", reference.leave_out_examples)
    app.setup_extension("sphinx.ext.napoleon")
    app.setup_extension("sphinx_exercise")  # first, so that its solutions are overridden
    app.add_node(solution_node, override=True, html=(solutions.write, None))
    app.add_node(fold_sections.Further, html=(fold_sections.open_fold, fold_sections.close_fold))
    app.add_node(
        fold_sections.Summary, html=(fold_sections.open_summary, fold_sections.close_summary)
    )
    app.add_node(nodes.table, override=True, html=(pages.visit_table, pages.depart_table))
    for kind in (header.OnPage, answers.Answer, page_cells.Fold):
        app.add_node(kind, html=(header.open_on_page, header.close_on_page))
    app.add_node(header.Opening, html=(header.write_opening, None))
    app.add_node(nodes.image, override=True, html=(drawings.visit_image, None))
    app.add_html_theme("course", str(Path(pages.__file__).parent))
    for event in STEPS:
        app.connect(event, partial(_run_steps, event), LAST)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _run_steps(event: str, app: Sphinx, *given: Any) -> list[Any]:
    """Run the steps of an event, if the site is being built, and return their results."""
    if event == "build-finished":
        (error,), given = given, ()
        if error or app._warncount:
            cache_keys.forget(app)
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
