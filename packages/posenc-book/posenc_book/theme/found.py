"""Files by which the site is found: robots.txt, a map of its pages, and a feed of its changes.

A map and a feed need the site's address, so without `html: {baseurl: ...}` there is neither.
"""

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

CHANGES = "book/changes"
MAP = (
    '<?xml version="1.0" encoding="utf-8"?>\n'
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{}</urlset>\n'
)
FEED = """<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>{title}</title>
<id>{home}</id>
<link href="{home}"/>
<link rel="self" href="{home}feed.xml"/>
<author><name>{author}</name></author>
<updated>{updated}</updated>
{entries}</feed>
"""
ENTRY = """<entry>
<title>{title}</title>
<id>{address}</id>
<link href="{address}"/>
<updated>{day}T00:00:00Z</updated>
<content type="html">{content}</content>
</entry>
"""
RELEASE = re.compile(r"(?P<version>\S+) \((?P<day>\d{4}-\d\d-\d\d)\)")


def write(app: Sphinx) -> None:
    """Write the files, and remove those of an earlier build that had an address."""
    site, home = Path(app.outdir), root(app)
    for name in ("sitemap.xml", "feed.xml"):
        (site / name).unlink(missing_ok=True)
    robots = "User-agent: *\nAllow: /\n"
    if home:
        robots += f"Sitemap: {home}sitemap.xml\n"
        pages = (f"<url><loc>{escape(home + one)}.html</loc></url>\n" for one in listed(app))
        (site / "sitemap.xml").write_text(MAP.format("".join(pages)), "utf-8")
        if feed := write_feed(app, home):
            (site / "feed.xml").write_text(feed, "utf-8")
    (site / "robots.txt").write_text(robots, "utf-8")


def root(app: Sphinx) -> str:
    """The site's address with its last stroke, or nothing if it isn't known."""
    return f"{app.config.html_baseurl.rstrip('/')}/" if app.config.html_baseurl else ""


def listed(app: Sphinx) -> list[str]:
    """The pages of the book by name."""
    return sorted(app.env.found_docs)


def write_feed(app: Sphinx, home: str) -> str:
    """An entry for each release in the change log; nothing if there is none."""
    releases = list(_releases(app)) if CHANGES in app.env.found_docs else []
    entries = ""
    for found, section in releases:
        content = "".join(str(app.builder.render_partial(one)["fragment"]) for one in section[1:])  # type: ignore[attr-defined]
        address = f"{home}{CHANGES}.html#{section['ids'][0]}"
        about = {"title": found[0], "day": found["day"], "content": content, "address": address}
        entries += ENTRY.format(**{key: escape(value) for key, value in about.items()})
    if not releases:
        return ""
    latest = f"{max(found['day'] for found, _ in releases)}T00:00:00Z"
    about = {"title": app.config.html_title or app.config.project, "author": app.config.author}
    shown = {key: escape(value) for key, value in about.items()}
    return FEED.format(home=escape(home), updated=latest, entries=entries, **shown)


def _releases(app: Sphinx) -> Iterator[tuple[re.Match[str], nodes.section]]:
    for section in app.env.get_doctree(CHANGES).findall(nodes.section):
        if found := RELEASE.fullmatch(section[0].astext()):
            yield found, section
