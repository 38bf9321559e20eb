"""The Python for live cells: only files with known hashes are used, and failures leave nothing.

Nothing here uses the network: sources are fakes, and so are the runtimes of tiny sites.
"""

import base64
import hashlib
import json
import zipfile

import pytest
from sphinx.errors import ExtensionError

from posenc_book.edition.workfolder import zipped
from posenc_book.live import publish, runtime
from posenc_book.live.runtime import environment, licences, pyodide_release
from project import ROOT, Book

WHEEL = b"the wheel that the lock names"


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def source_of(content):
    """A source that gives every wheel this content."""
    return lambda names, version, target: [(target / name).write_bytes(content) for name in names]


def unreachable(names, version, target):
    raise OSError("no way there")


@pytest.fixture
def collect(tmp_path, monkeypatch):
    """Collect one wheel from two sources."""

    def run(release, copy):
        monkeypatch.setattr(pyodide_release, "download", release)
        monkeypatch.setattr(pyodide_release, "copy", copy)
        pyodide_release.collect({"a.whl": sha256(WHEEL)}, tmp_path, "1")
        assert [path.name for path in tmp_path.iterdir()] == ["a.whl"]
        return (tmp_path / "a.whl").read_bytes()

    return run


def test_release_comes_first_and_right_copy_second(collect, tmp_path):
    assert collect(source_of(WHEEL), unreachable) == WHEEL
    assert collect(unreachable, unreachable) == WHEEL  # now it is there
    (tmp_path / "a.whl").write_bytes(b"damaged")
    assert collect(source_of(b"another wheel"), source_of(WHEEL)) == WHEEL


def test_wheel_with_another_hash_is_refused(collect, tmp_path):
    with pytest.raises(ExtensionError, match=r"no way there.*a\.whl does not match its hash"):
        collect(unreachable, source_of(b"another wheel"))
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


def test_runtime_is_made_once_and_interruption_leaves_nothing(cache, monkeypatch):
    def interrupted(folder, *_):
        write_runtime(folder)
        raise KeyboardInterrupt

    monkeypatch.setattr(runtime, "_make", interrupted)
    with pytest.raises(KeyboardInterrupt):
        runtime.prepare(ROOT)
    assert not list(cache.iterdir())
    monkeypatch.setattr(runtime, "_make", write_runtime)
    made = runtime.prepare(ROOT)
    monkeypatch.setattr(runtime, "_make", None)
    assert runtime.prepare(ROOT) == made


def test_licences_stay_and_font_list_matches():
    fonts = [{"fname": f"fonts/ttf/{name}.ttf"} for name in ("DejaVuSans", "DejaVuSerif")]
    ttf = "matplotlib/mpl-data/fonts/ttf"
    needed = {"numpy-1.dist-info/licenses/LICENSE.txt", "numpy/lib/io.py", f"{ttf}/DejaVuSans.ttf"}
    others = {"numpy-1.dist-info/RECORD", "numpy/lib/tests/test_io.py", f"{ttf}/DejaVuSerif.ttf"}
    listed = {runtime.FONTS: json.dumps({"afmlist": [], "ttflist": fonts}).encode()}
    kept = runtime.trimmed(dict.fromkeys(needed | others, b"") | listed)
    assert {*kept} == needed | {*listed}
    assert json.loads(kept[runtime.FONTS])["ttflist"] == fonts[:1]


def test_package_comes_with_its_dependencies():
    found = environment.closure(("plotly",), {"packaging"}, "3.14.0")
    assert set(found) == {"plotly", "narwhals"}
    assert set(found["plotly"]) == {"narwhals", "packaging"}
    asked = ["a; sys_platform == 'emscripten'", "b; python_version < '3.14'", "c; extra == 'c'"]
    assert environment.needs(asked, "3.14.0") == ["a"]
    contents = environment.files("plotly")
    assert "plotly/graph_objects/__init__.py" in contents
    assert licences.package(contents).endswith("| MIT | https://plotly.com/python/\n")
    with pytest.raises(ExtensionError, match="unheard-of is not installed"):
        environment.files("unheard-of")


def test_site_gets_what_lock_and_runtime_json_list(cache, tmp_path):
    publish.update(ROOT, tmp_path / "html")
    live = tmp_path / "html/live"
    described = json.loads((live / "runtime.json").read_bytes())
    assert described["python"] == "3.14.2"
    for name, about in described["files"].items():
        content = (live / name).read_bytes()
        hashed = base64.b64encode(hashlib.sha256(content).digest()).decode()
        assert about == {"bytes": len(content), "integrity": f"sha256-{hashed}"}
    lock = json.loads((live / "pyodide/pyodide-lock.json").read_bytes())
    ours = {
        "posenc": ["numpy"],
        "posenc-clinic": ["numpy", "posenc"],
        "posenc-checks": ["numpy", "posenc", "posenc-clinic"],
        "posenc-figures": [],
    }
    assert set(lock["packages"]) == {"numpy", "ipython", *ours}
    for name, package in lock["packages"].items():
        assert f"pyodide/{package['file_name']}" in described["files"]
        assert sha256((live / "pyodide" / package["file_name"]).read_bytes()) == package["sha256"]
        if name in ours:
            assert package["depends"] == ours[name]
            assert package["imports"] == [name.replace("-", "_")]
    assert "Marijn Haverbeke" in (live / "NOTICE.txt").read_text("utf-8")
    held = zipfile.ZipFile(live / "notebooks.zip")
    figure = "clinic/published-figure.json"
    assert held.read(figure) == (ROOT / "notebooks" / figure).read_bytes()
    assert "build/matplotlibrc" in held.namelist()


def test_only_wrong_or_leftover_files_are_touched(cache, tmp_path):
    publish.update(ROOT, tmp_path)
    files = [path for path in (tmp_path / "live").rglob("*") if path.is_file()]
    damaged, left = tmp_path / "live/pyodide/python_stdlib.zip", tmp_path / "live/pyodide/old.whl"
    damaged.write_bytes(b"Library")
    left.touch()
    times = {path: path.stat().st_mtime_ns for path in files if path != damaged}
    publish.update(ROOT, tmp_path)
    assert {path: path.stat().st_mtime_ns for path in times} == times
    assert damaged.read_bytes() == b"library"
    assert not left.exists()
    (runtime.prepare(ROOT) / "python_stdlib.zip").write_bytes(b"Library")
    with pytest.raises(ExtensionError, match=r"python_stdlib\.zip is damaged"):
        publish.update(ROOT, tmp_path)


@pytest.mark.sweep
def test_site_without_runtime_says_so(tmp_path):
    book = Book(tmp_path)  # with one notebook, which is a chapter of the learner's edition
    (tmp_path / "notebooks/part").mkdir()
    book.write("import posenc\nprint(posenc.frequencies(4).tolist())", name="part/x")
    for page in ("glossary", "notation"):  # which point to chapters that this book doesn't have
        (tmp_path / f"book/{page}.md").unlink()
    html, cache = tmp_path / "_build/html", tmp_path / "cache"
    chapter = html / "notebooks/part/x.html"
    book.environment |= {"LIVE": "1", "LIVE_RUNTIME": str(cache), "no_proxy": ""}
    book.environment |= {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": ""}
    book.environment |= {"https_proxy": "http://127.0.0.1:9"}
    built, said = book.build()
    assert built, said
    assert "Built without live cells and JupyterLab: the Python for live cells can't be" in said
    assert "could not be fetched" in said
    page = chapter.read_text("utf-8")
    assert "[1.0, 0.01]" in page
    for part in ("live", "lite"):
        assert f"{part}/" not in page
        assert not (html / part).exists()
    assert [path.name for path in cache.iterdir()] == ["wheels"]
    assert not list((cache / "wheels").iterdir())
