"""The page that a host sends where there is none: the search, and the chapters of the core path.

A host sends 404.html for an address at any depth, so it alone names everything from the root of the
site: from `html: {baseurl: ...}` in _config.yml, or from where GitHub or GitLab put the pages of
the repository that is named there, or in whose workflow the site is built.
"""

import os
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sphinx.application import Sphinx
from sphinx.config import Config

from posenc_book.chapters.chapter import core_path

NAME = "404"
RELATIVE = re.compile(r'(?<=\s)(href|src|action|data-content_root)="(?![#/]|[a-z]+:)(?:\./)?')
BODY = """<section>
<h1>There is no page at this address</h1>
<p>It may have moved, or the link that led here has a mistake. Search for what it was about:</p>
<form class="bd-search" action="search.html" method="get" role="search">
<i class="fa-solid fa-magnifying-glass" aria-hidden="true"></i>
<input type="search" name="q" placeholder="{search}" aria-label="{search}" autocomplete="off"/>
</form>
<p>Or begin with <a href="{first}.html">the first page</a>, or with a chapter of the core path:</p>
<ul>
{chapters}</ul>
</section>"""


def add_page(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield the page, in the site's layout."""
    titles = {one.page: app.env.titles[one.page].astext() for one in core_path(Path(app.srcdir))}
    body = BODY.format(
        search=escape(app.config.html_theme_options["search_bar_text"]),
        first=app.config.root_doc,
        chapters="".join(
            f'<li><a href="{page}.html">{escape(title)}</a></li>\n'
            for page, title in titles.items()
        ),
    )
    yield NAME, {"title": "Page not found", "body": body}, "page.html"


def rooted(page: str, config: Config) -> str:
    """The page with every address of the site's own from its root."""
    return RELATIVE.sub(rf'\1="{root(config)}', page)


def root(config: Config) -> str:
    """The path at which the site will stand on its host."""
    if config.html_baseurl:
        return f"{urlsplit(config.html_baseurl).path.rstrip('/')}/"
    named = config.html_theme_options.get("repository_url")
    repository = named or f"https://github.com/{os.environ.get('GITHUB_REPOSITORY', '')}"
    host, path = urlsplit(repository)[1:3]
    owner, _, name = path.strip("/").partition("/")
    if host not in ("github.com", "gitlab.com") or name in ("", f"{owner}.{host[:-3]}io"):
        return "/"
    return f"/{name}/"
