"""Links to the course's repository, once _config.yml names it.

With `repository: {url: ...}` every page gets "edit this page", a notebook gets links to run it
elsewhere (on Binder, and on Colab if that can read the repository), and {report}`...` leads to
where mistakes are reported.
"""

import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from docutils import nodes
from docutils.parsers.rst.states import Inliner
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError

from posenc_book import words

OPTIONS = tomllib.loads((Path(__file__).parent / "theme.toml").read_text("utf-8"))["options"].keys()
PROVIDERS = ("github", "gitlab")
BINDER = "https://mybinder.org"
COLAB = "https://colab.research.google.com"
EDIT = {"github": "edit/{}/{}", "gitlab": "-/edit/{}/{}"}


def set_options(app: Sphinx, config: Config) -> None:
    """Set the theme's own options before it reads them."""
    # Jupyter Book drops `repository` if the configuration sets html_theme_options.
    settings = words.config(Path(app.srcdir))
    options, about = config.html_theme_options, settings.get("repository") or {}
    for unknown in options.keys() - OPTIONS:  # Jupyter Book sets those of another theme
        del options[unknown]
    address = str(about.get("url") or "").strip().rstrip("/").removesuffix(".git")
    if not address:
        return
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or len(parts.path.split("/")) < 3:
        raise ExtensionError(
            f"repository.url in _config.yml is {address!r}, but should be the address of a "
            "repository's page, such as https://github.com/you/course."
        )
    provider = next((name for name in PROVIDERS if name in parts.netloc), "")
    options["repository_url"] = address
    options["repository_branch"] = str(about.get("branch") or "main")
    options["path_to_docs"] = str(about.get("path_to_book") or "").strip("/")
    options["repository_provider"] = provider
    options["use_edit_page_button"] = bool(provider)
    ways = {"notebook_interface": "jupyterlab", "binderhub_url": BINDER}
    ways |= settings.get("launch_buttons") or {}
    if provider == "github":
        ways.setdefault("colab_url", COLAB)
    options["launch_buttons"] = ways


def add_buttons(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Give a page the addresses where it is edited, and where it can be run."""
    options = app.config.html_theme_options
    if not doctree or not options.get("repository_url"):
        return
    branch, folder = options["repository_branch"], options["path_to_docs"]
    file = f"{folder}/{page}".lstrip("/") + context["page_source_suffix"]
    if options["use_edit_page_button"]:
        way = EDIT[options["repository_provider"]]
        context["edit_page"] = f"{options['repository_url']}/{way.format(branch, file)}"
    if "kernelspec" in app.env.metadata[page]:
        context["run_elsewhere"] = run_elsewhere(options, branch, file)


def run_elsewhere(options: dict[str, Any], branch: str, file: str) -> dict[str, str]:
    """The addresses at which a notebook of the repository can be run, by name."""
    address, ways = options["repository_url"], options["launch_buttons"]
    host, path = urlsplit(address)[1:3]
    name = path.strip("/")
    found = {}
    if binder := str(ways.get("binderhub_url") or "").rstrip("/"):
        known = {"github.com": f"gh/{name}", "gitlab.com": f"gl/{quote(name, safe='')}"}
        place = known.get(host, f"git/{quote(address, safe='')}")
        tree = "lab/tree" if ways["notebook_interface"] == "jupyterlab" else "tree"
        found["Binder"] = f"{binder}/v2/{place}/{branch}?urlpath={tree}/{file}"
    if colab := str(ways.get("colab_url") or "").rstrip("/"):
        found["Colab"] = f"{colab}/github/{name}/blob/{branch}/{file}"
    return found


def shorten_addresses(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Say of a link to GitHub that is its own text whose repository it leads to."""
    for link in doctree.findall(nodes.reference):
        address = urlsplit(link.get("refuri", ""))
        if address.netloc == "github.com" and link.astext() == link["refuri"]:
            owner, name = address.path.split("/")[1:3]
            link.children = [nodes.Text(f"{owner}/{name}")]


def link_reports(
    name: str, rawtext: str, text: str, lineno: int, inliner: Inliner, *_: Any
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """Link a text to where mistakes are reported, if it is known."""
    environment = inliner.document.settings.env
    environment.note_dependency(str(Path(environment.srcdir) / "_config.yml"))
    address = environment.config.html_theme_options.get("repository_url")
    if not address:
        return [nodes.Text(text)], []
    return [nodes.reference("", text, refuri=issues(address), internal=False)], []


def issues(address: str) -> str:
    """Where mistakes are reported to a repository."""
    return f"{address}/-/issues" if "gitlab" in urlsplit(address).netloc else f"{address}/issues"
