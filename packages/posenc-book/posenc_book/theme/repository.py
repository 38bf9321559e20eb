"""Links to the course's repository, once _config.yml names it.

With `repository: {url: ...}` every page gets "edit this page", a notebook gets links to run it
elsewhere (on Binder, and on Colab if that can read the repository), and {report}`...` leads to
where mistakes are reported.
"""

from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from docutils import nodes
from docutils.parsers.rst.states import Inliner
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError

from posenc_book import words

OURS = "search_bar_text"  # the one option of the theme
BINDER = "https://mybinder.org"
COLAB = "https://colab.research.google.com"
EDIT = {"github": "edit/{}/{}", "gitlab": "-/edit/{}/{}"}


def set_options(app: Sphinx, config: Config) -> None:
    """Leave out the options of another theme, which Jupyter Book sets; check the address."""
    options = config.html_theme_options
    config.html_theme_options = {OURS: options[OURS]} if OURS in options else {}
    address(Path(app.srcdir))


def address(root: Path) -> str:
    """The address of the repository's page, or nothing if _config.yml names none."""
    about = words.config(root).get("repository") or {}
    named = str(about.get("url") or "").strip().rstrip("/").removesuffix(".git")
    parts = urlsplit(named)
    if named and (parts.scheme not in ("http", "https") or len(parts.path.split("/")) < 3):
        raise ExtensionError(
            f"repository.url in _config.yml is {named!r}, but should be the address of a "
            "repository's page, such as https://github.com/you/course."
        )
    return named


def add_buttons(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Give a page the addresses where it is edited, and where it can be run."""
    root = Path(app.srcdir)
    if not doctree or not (repository := address(root)):
        return
    settings = words.config(root)
    branch = str(settings["repository"].get("branch") or "main")
    folder = str(settings["repository"].get("path_to_book") or "").strip("/")
    file = f"{folder}/{page}".lstrip("/") + context["page_source_suffix"]
    for provider, way in EDIT.items():
        if provider in urlsplit(repository).netloc:
            context["edit_page"] = f"{repository}/{way.format(branch, file)}"
    if "kernelspec" in app.env.metadata[page]:
        ways = settings.get("launch_buttons") or {}
        context["run_elsewhere"] = run_elsewhere(repository, ways, branch, file)


def run_elsewhere(repository: str, ways: dict[str, Any], branch: str, file: str) -> dict[str, str]:
    """The addresses at which a notebook of the repository can be run, by name."""
    host, path = urlsplit(repository)[1:3]
    name = path.strip("/")
    found = {}
    if binder := str(ways.get("binderhub_url", BINDER)).rstrip("/"):
        known = {"github.com": f"gh/{name}", "gitlab.com": f"gl/{quote(name, safe='')}"}
        place = known.get(host, f"git/{quote(repository, safe='')}")
        found["Binder"] = f"{binder}/v2/{place}/{branch}?urlpath=lab/tree/{file}"
    usual = COLAB if host == "github.com" else ""
    if colab := str(ways.get("colab_url", usual)).rstrip("/"):
        found["Colab"] = f"{colab}/github/{name}/blob/{branch}/{file}"
    return found


def shorten_addresses(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Say of a link to GitHub that is its own text whose repository it leads to."""
    for link in doctree.findall(nodes.reference):
        goal = urlsplit(link.get("refuri", ""))
        if goal.netloc == "github.com" and link.astext() == link["refuri"]:
            owner, name = goal.path.split("/")[1:3]
            link.children = [nodes.Text(f"{owner}/{name}")]


def link_reports(
    name: str, rawtext: str, text: str, lineno: int, inliner: Inliner, *_: Any
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """Link a text to where mistakes are reported, if it is known."""
    environment = inliner.document.settings.env
    environment.note_dependency(str(Path(environment.srcdir) / "_config.yml"))
    if not (repository := address(Path(environment.srcdir))):
        return [nodes.Text(text)], []
    return [nodes.reference("", text, refuri=issues(repository), internal=False)], []


def issues(repository: str) -> str:
    """Where mistakes are reported to a repository."""
    place = "-/issues" if "gitlab" in urlsplit(repository).netloc else "issues"
    return f"{repository}/{place}"
