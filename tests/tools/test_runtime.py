"""The Python for live cells: only files with known hashes are used, and failures leave nothing.

Nothing here uses the network: sources are fakes, and so are the runtimes of tiny sites.
"""

import base64
import hashlib
import io
import json
import sys
import threading
import zipfile

import pytest
from sphinx.errors import ExtensionError
from test_guards import PLAIN, ROOT, Book

from posenc_book.edition.workfolder import zipped
from posenc_book.live import bytecode, installed, notice, runtime, site, wheels
from posenc_book.theme.assets import fetch

WHEEL = b"the wheel that the lock names"
REMEDY = "make book LIVE=0"


def sha256(content):
    return hashlib.sha256(content).hexdigest()


WANTED = {"a.whl": sha256(WHEEL)}


def source_of(content):
    """A source that gives every wheel this content."""
    return lambda names, target: [(target / name).write_bytes(content) for name in names]


def unreachable(names, target):
    raise OSError("no way there")


def test_a_file_is_taken_from_the_first_source_that_has_the_right_one(tmp_path):
    wrong = source_of(b"another wheel")
    wheels.collect(WANTED, tmp_path, [unreachable, wrong, source_of(WHEEL), unreachable])
    assert (tmp_path / "a.whl").read_bytes() == WHEEL
    wheels.collect(WANTED, tmp_path, [unreachable])  # now it is there


def test_a_file_with_another_hash_is_refused(tmp_path):
    with pytest.raises(ExtensionError, match=r"a\.whl does not match its hash.*LIVE=0"):
        wheels.collect(WANTED, tmp_path, [source_of(b"another wheel")])
    assert not list(tmp_path.iterdir())


def test_without_any_source_the_error_says_what_to_do(tmp_path):
    with pytest.raises(ExtensionError, match=r"no way there.*Try again with a network,.*LIVE=0"):
        wheels.collect(WANTED, tmp_path, [unreachable])
    assert not list(tmp_path.iterdir())


def test_a_truncated_archive_is_refused(tmp_path):
    whole, store = zipped({f"folder/{name}": WHEEL * 999 for name in WANTED}), tmp_path / "store"
    (tmp_path / "carrier.whl").write_bytes(whole[: len(whole) // 2])

    def truncated(names, target):
        wheels.unpack(tmp_path / "carrier.whl", "folder", names, target)

    with pytest.raises(ExtensionError, match=REMEDY):
        wheels.collect(WANTED, store, [truncated])
    assert not list(store.iterdir())


def test_a_damaged_file_in_the_cache_is_fetched_again(tmp_path):
    (tmp_path / "a.whl").write_bytes(b"damaged")
    wheels.collect(WANTED, tmp_path, [source_of(WHEEL)])
    assert (tmp_path / "a.whl").read_bytes() == WHEEL


def test_a_failure_of_pip_is_quoted(tmp_path, monkeypatch):
    monkeypatch.setattr(wheels, "CARRIER", ("no-such-package-of-ours==0", "folder"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    with pytest.raises(ExtensionError, match=r"no-such-package-of-ours.*LIVE=0"):
        wheels.collect(WANTED, tmp_path, [wheels.carrier])
    assert not list(tmp_path.iterdir())


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A folder for fake runtimes, which are made in no time."""
    cache = tmp_path / "cache"
    monkeypatch.setenv("LIVE_RUNTIME", str(cache))
    monkeypatch.setattr(runtime, "_make", write_runtime)
    return cache


def write_runtime(folder, *_):
    """Write a fake runtime with one package."""
    wheel = zipped({"numpy/__init__.py": b""})
    files = {"python_stdlib.zip": b"library", "numpy-1-py3-none-any.whl": wheel}
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    entry = {"file_name": "numpy-1-py3-none-any.whl", "sha256": sha256(wheel), "depends": []}
    packages = {name: {"name": name, **entry} for name in ("numpy", "ipython")}
    about = {"python": "3.14.2", "notice": "Thanks\n", "packages": packages}
    about["files"] = {name: sha256(content) for name, content in files.items()}
    (folder / runtime.MANIFEST).write_text(json.dumps(about), "utf-8")


def test_a_runtime_is_made_once(cache, monkeypatch):
    made = runtime.prepare(ROOT)
    assert runtime.is_intact(made)
    monkeypatch.setattr(runtime, "_make", None)
    assert runtime.prepare(ROOT) == made


@pytest.mark.parametrize("name", ["python_stdlib.zip", runtime.MANIFEST])
@pytest.mark.parametrize("damage", [b"", b"{}", None])
def test_a_damaged_runtime_is_made_anew(cache, name, damage):
    made = runtime.prepare(ROOT)
    if damage is None:
        (made / name).unlink()
    else:
        (made / name).write_bytes(damage)
    assert not runtime.is_intact(made)
    assert runtime.prepare(ROOT) == made
    assert runtime.is_intact(made)
    assert list(cache.iterdir()) == [made]


@pytest.mark.parametrize("error", [KeyboardInterrupt, ExtensionError("no network")])
def test_an_interrupted_build_leaves_nothing(cache, monkeypatch, error):
    def interrupted(folder, *_):
        write_runtime(folder)
        raise error

    monkeypatch.setattr(runtime, "_make", interrupted)
    with pytest.raises(error if isinstance(error, type) else type(error)):
        runtime.prepare(ROOT)
    assert not list(cache.iterdir())


def test_two_builds_at_once_share_what_they_make(cache, monkeypatch):
    both, found = threading.Barrier(2), []

    def at_once(folder, *_):
        write_runtime(folder)
        both.wait(20)

    monkeypatch.setattr(runtime, "_make", at_once)
    builds = [
        threading.Thread(target=lambda: found.append(runtime.prepare(ROOT))) for _ in range(2)
    ]
    for build in builds:
        build.start()
    for build in builds:
        build.join(30)
    assert len(found) == 2
    assert found[0] == found[1]
    assert list(cache.iterdir()) == [found[0]]


def test_licences_stay_and_the_list_of_fonts_matches_those_that_are_left():
    fonts = [{"fname": f"fonts/ttf/{name}.ttf"} for name in ("DejaVuSans", "DejaVuSerif")]
    kept = runtime.trimmed(
        {
            "numpy-1.dist-info/licenses/LICENSE.txt": b"",
            "numpy-1.dist-info/RECORD": b"",
            "numpy/lib/tests/test_io.py": b"",
            "numpy/lib/io.py": b"",
            runtime.FONTS: json.dumps({"afmlist": [], "ttflist": fonts}).encode(),
            "matplotlib/mpl-data/fonts/ttf/DejaVuSans.ttf": b"",
            "matplotlib/mpl-data/fonts/ttf/DejaVuSerif.ttf": b"",
        }
    )
    assert set(kept) == {
        "numpy-1.dist-info/licenses/LICENSE.txt",
        "numpy/lib/io.py",
        runtime.FONTS,
        "matplotlib/mpl-data/fonts/ttf/DejaVuSans.ttf",
    }
    assert json.loads(kept[runtime.FONTS])["ttflist"] == fonts[:1]


def test_a_package_comes_with_its_dependencies_except_those_already_there():
    found = installed.closure(("plotly",), {"packaging"}, set())
    assert set(found) == {"plotly", "narwhals"}
    assert set(found["plotly"]) == {"narwhals", "packaging"}
    assert installed.closure(("plotly",), set(), {"narwhals", "packaging"}) == {"plotly": []}
    contents = installed.files("plotly")
    assert "plotly/graph_objects/__init__.py" in contents
    assert notice.package(contents).endswith("| MIT | https://plotly.com/python/\n")


def test_an_installed_package_that_was_edited_is_refused(tmp_path, monkeypatch):
    about = tmp_path / "edited-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Name: edited\nVersion: 1\n")
    right = base64.urlsafe_b64encode(hashlib.sha256(b"x = 1\n").digest()).decode().rstrip("=")
    (about / "RECORD").write_text(f"edited.py,sha256={right},6\nedited-1.dist-info/RECORD,,\n")
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "edited.py").write_bytes(b"x = 1\n")
    assert installed.files("edited") == {"edited.py": b"x = 1\n"}
    (tmp_path / "edited.py").write_bytes(b"x = 2\n")
    with pytest.raises(ExtensionError, match=r"edited\.py has changed since it was installed"):
        installed.files("edited")
    with pytest.raises(ExtensionError, match="unheard-of is not installed"):
        installed.files("unheard-of")


def test_modules_that_pages_use_become_bytecode_that_needs_no_source(tmp_path, monkeypatch):
    archive = tmp_path / "x.whl"
    archive.write_bytes(zipped({"used_by_pages.py": b"x = 1", "other.py": b"y", "used.so": b"\0"}))
    place = bytecode.PLACES[".whl"]
    bytecode.compile_modules(archive, {f"{place}used_by_pages.py", f"{place}used.so"})
    assert set(zipfile.ZipFile(archive).namelist()) == {"used_by_pages.pyc", "other.py", "used.so"}
    monkeypatch.syspath_prepend(archive)
    assert __import__("used_by_pages").x == 1
    del sys.modules["used_by_pages"]


def test_the_site_gets_the_files_that_the_lock_and_runtime_json_list(cache, tmp_path):
    site.update(ROOT, tmp_path / "html")
    live = tmp_path / "html/live"
    described = json.loads((live / "runtime.json").read_bytes())
    assert described["python"] == "3.14.2"
    for name, about in described["files"].items():
        content = (live / name).read_bytes()
        hashed = base64.b64encode(hashlib.sha256(content).digest()).decode()
        assert about == {"bytes": len(content), "integrity": f"sha256-{hashed}"}
    lock = json.loads((live / "pyodide/pyodide-lock.json").read_bytes())
    assert set(lock["packages"]) == {"numpy", "ipython", "posenc"}
    for package in lock["packages"].values():
        assert f"pyodide/{package['file_name']}" in described["files"]
        assert sha256((live / "pyodide" / package["file_name"]).read_bytes()) == package["sha256"]
    assert "Marijn Haverbeke" in (live / "NOTICE.txt").read_text("utf-8")


def test_posenc_in_the_browser_is_the_one_in_this_tree(cache, tmp_path):
    site.update(ROOT, tmp_path)
    wheel = zipfile.ZipFile(next((tmp_path / "live/pyodide").glob("posenc-*.whl")))
    held = {name: wheel.read(name) for name in wheel.namelist() if name.startswith("posenc/")}
    folder = ROOT / "src/posenc"
    modules = [*folder.rglob("*.py"), *folder.rglob("*.json"), folder / "py.typed"]
    assert held == {
        path.relative_to(ROOT / "src").as_posix(): path.read_bytes() for path in modules
    }


def test_data_that_notebooks_read_is_there(cache, tmp_path):
    site.update(ROOT, tmp_path)
    held = zipfile.ZipFile(io.BytesIO((tmp_path / "live/notebooks.zip").read_bytes()))
    figure = "build/published-figure.json"
    assert held.read(figure) == (ROOT / "notebooks" / figure).read_bytes()
    assert "build/matplotlibrc" in held.namelist()


def test_only_files_that_are_wrong_or_left_over_are_touched(cache, tmp_path):
    site.update(ROOT, tmp_path)
    files = [path for path in (tmp_path / "live").rglob("*") if path.is_file()]
    damaged, left = tmp_path / "live/pyodide/python_stdlib.zip", tmp_path / "live/pyodide/old.whl"
    damaged.write_bytes(b"Library")
    left.touch()
    times = {path: path.stat().st_mtime_ns for path in files if path != damaged}
    site.update(ROOT, tmp_path)
    assert {path: path.stat().st_mtime_ns for path in times} == times
    assert damaged.read_bytes() == b"library"
    assert not left.exists()


@pytest.fixture
def book(tmp_path):
    """A tiny book, whose notebook is a chapter of the learner's edition."""
    (tmp_path / "node_modules").symlink_to(fetch(ROOT))
    book = Book(tmp_path)
    book.write(PLAIN)
    (tmp_path / "notebooks/part").mkdir()
    book.notebook.rename(tmp_path / "notebooks/part/x.ipynb")
    contents = (tmp_path / "_toc.yml").read_text("utf-8").replace("notebooks/", "notebooks/part/")
    (tmp_path / "_toc.yml").write_text(contents, "utf-8")
    for page in ("glossary", "notation"):  # which point to chapters that this book doesn't have
        (tmp_path / f"book/{page}.md").unlink()
    book.environment = {"LIVE_RUNTIME": str(tmp_path / "cache"), "LIVE": "1"}
    return book


def test_a_site_is_complete_with_live_cells_and_without_them(book):
    pyodide = fetch(ROOT) / "pyodide"
    cache = book.folder / "cache"
    cache.mkdir()
    write_runtime(cache / runtime._key(pyodide, runtime._pure(pyodide)))
    html = book.folder / "_build/html"
    chapter = html / "notebooks/part/x.html"
    built, said = book.build()
    assert built, said
    page = chapter.read_text("utf-8")
    assert 'src="../../live/cells.js' in page
    assert 'data-notebook="notebooks/part/x"' in page
    assert "live/cells.js" not in (html / "book/first.html").read_text("utf-8")
    for name in ("cells.js", "editor.mjs", "worker.mjs", "kernel.py", "live.css", "runtime.json"):
        assert (html / "live" / name).stat().st_size
    assert (html / "lite/lab/index.html").is_file()

    book.environment["LIVE"] = "0"
    built, said = book.build()
    assert built, said
    page = chapter.read_text("utf-8")
    assert "[1.0, 0.01]" in page
    assert "live/" not in page
    assert "lite/" not in page
    assert not (html / "live").exists()
    assert not (html / "lite").exists()


def test_a_build_without_a_runtime_stops_and_says_what_to_do(book):
    nowhere = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "", "https_proxy": "http://127.0.0.1:9"}
    book.environment |= nowhere | {"no_proxy": ""}
    built, said = book.build()
    assert not built
    assert "could not be fetched" in said
    assert REMEDY in said
    assert not (book.folder / "_build/html/live").exists()
    assert [path.name for path in (book.folder / "cache").iterdir()] == ["wheels"]
    assert not list((book.folder / "cache/wheels").iterdir())
