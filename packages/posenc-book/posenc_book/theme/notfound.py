"""The page that a host sends where there is none: the search, and the chapters of the core path.

A host sends 404.html for an address at any depth, so it alone names everything from the root of the
site: from `html: {baseurl: ...}` in _config.yml, or from where GitHub or GitLab put the pages of
the repository that is named there, or in whose workflow the site is built.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sphinx.application import Sphinx

from posenc_book.chapters.chapter import core_path
from posenc_book.theme import repository

NAME = "404"
RELATIVE = re.compile(r'(?<=\s)(href|src|action|data-content_root)="(?![#/]|[a-z]+:)(?:\./)?')


def add_page(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield the page, in the site's layout."""
    titles = {one.page: app.env.titles[one.page].astext() for one in core_path(Path(app.srcdir))}
    yield NAME, {"core_path": titles}, "notfound.html"


def finish(app: Sphinx) -> None:
    """Let the page name everything from the root of the site."""
    page = Path(app.outdir) / f"{NAME}.html"
    path = root(app.config.html_baseurl, repository.address(Path(app.srcdir)))
    page.write_text(rooted(page.read_text("utf-8"), path), "utf-8")


def rooted(page: str, path: str) -> str:
    """The page with every address of the site's own from its root."""
    return RELATIVE.sub(rf'\1="{path}', page)


def root(baseurl: str, named: str) -> str:
    """The path at which the site will stand on its host."""
    if baseurl:
        return f"{urlsplit(baseurl).path.rstrip('/')}/"
    known = named or f"https://github.com/{os.environ.get('GITHUB_REPOSITORY', '')}"
    host, path = urlsplit(known)[1:3]
    owner, _, name = path.strip("/").partition("/")
    if host not in ("github.com", "gitlab.com") or name in ("", f"{owner}.{host[:-3]}io"):
        return "/"
    return f"/{name}/"
