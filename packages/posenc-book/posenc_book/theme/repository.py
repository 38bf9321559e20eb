"""Links to the course's repository, once _config.yml names it.

With `repository: {url: ...}` every page gets "edit this page", a notebook gets links to run it
elsewhere (on Binder, and on Colab if that can read the repository), and {report}`...` leads to
where mistakes are reported.
"""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml  # type: ignore[import-untyped]
from docutils import nodes
from docutils.parsers.rst.states import Inliner
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError

PROVIDERS = ("github", "gitlab", "bitbucket")
BINDER = "https://mybinder.org"
COLAB = "https://colab.research.google.com"


def set_options(app: Sphinx, config: Config) -> None:
    """Set the theme's own options before it reads them."""
    # Jupyter Book drops `repository` if the configuration sets html_theme_options.
    settings = yaml.safe_load((Path(app.srcdir) / "_config.yml").read_text("utf-8"))
    options, about = config.html_theme_options, settings.get("repository") or {}
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
    options["repository_provider"] = provider or "github"
    options["use_edit_page_button"] = bool(provider)
    ways = {"notebook_interface": "jupyterlab", "binderhub_url": BINDER}
    ways |= settings.get("launch_buttons") or {}
    if provider == "github":
        ways.setdefault("colab_url", COLAB)
    options["launch_buttons"] = ways


def order_buttons(app: Sphinx, page: str, template: str, context: dict[str, Any], *_: Any) -> None:
    """Put the menu that runs a page elsewhere last, with text labels alone."""
    buttons = context.get("header_buttons", [])
    buttons.sort(key=lambda button: button.get("label") == "launch-buttons")
    for button in buttons:
        if button.get("label") == "launch-buttons":
            button["tooltip"] = "Run this notebook elsewhere"
            for way in button["buttons"]:
                way.pop("icon", None)
        elif button.get("label") == "source-edit-button":
            button["tooltip"] = "Edit this page"


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
