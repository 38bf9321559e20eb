"""A class on one machine: it is served, outlives faults, loses nothing, and says what is wrong."""

import asyncio
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import aiohttp
import pytest
from traitlets.config import PyFileConfigLoader

if sys.platform != "linux":
    pytest.skip(
        "a class on one machine: run the tests on Linux, as root, with bubblewrap",
        allow_module_level=True,
    )

ROOT = Path(__file__).parents[2]
HUB = ROOT / "teaching/hub"
sys.path.insert(0, str(HUB))

import processes  # noqa: E402
import serve  # noqa: E402
import trial as trials  # noqa: E402
from harness import Trial, free_port  # noqa: E402
from kernel_client import KernelClient  # noqa: E402
from lesson import Lesson  # noqa: E402
from prestart import prestart  # noqa: E402
from settings import ClassError, read  # noqa: E402

CHAPTER = "build/01-attention-cannot-see-order.ipynb"


@pytest.fixture(scope="module")
def edition(tmp_path_factory):
    """Return a course of one chapter: enough to work in, and made at once."""
    folder = tmp_path_factory.mktemp("course")
    (folder / "build").mkdir()
    authors = ROOT / "notebooks/build"
    shutil.copy(authors / "matplotlibrc", folder / "build")
    shutil.copy(authors / "attention-cannot-see-order.ipynb", folder / CHAPTER)
    return folder


def finished(coroutine):
    """Run it in another thread: this one's event loop is taken where tests drive a browser."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


def started(students, edition, **environment):
    try:
        trials._namespace()
    except ClassError as error:
        pytest.skip(f"a class on one machine: {error}")
    trial = Trial(students, edition, environment)
    try:
        trial.wait(200)
    except RuntimeError:
        trial.close()
        raise
    return trial


@pytest.fixture(scope="module")
def trial(edition):
    trial = started(3, edition)
    yield trial
    trial.close()


@pytest.fixture(scope="module")
def lesson(trial):
    """Return a class of three in which a server and the hub have died."""
    lesson = Lesson(trial, arrive=2, faults=("hub", "server"), limit=300, settle=3)
    finished(lesson.hold())
    return lesson


@pytest.mark.timeout(1200)  # more than the limits of what it waits for, on a busy machine
def test_everybody_is_served_and_nothing_is_lost_when_the_hub_and_a_server_die(lesson):
    result = lesson.result()
    assert (result["served"], result["lost_saves"]) == (3, [])
    assert result["saves"] >= 3
    assert all(result["recovery_seconds"].values()), result
    struck = lesson.students[1].name
    assert {*result["problems"]} <= {struck}, "the others noticed"
    assert lesson.cells_without_hub > 0
    assert result["memory_mb_max"] < 300


def test_students_are_themselves_and_can_not_look_at_each_other(lesson):
    first, second, _ = lesson.students
    trial = lesson.trial
    mine = trial.processes(first.name)
    assert any(processes.is_a(process, "server") for process in mine)
    homes = [trial.host_path(f"/home/{student.name}").stat() for student in (first, second)]
    assert {home.st_mode & 0o777 for home in homes} == {0o700}
    assert len({home.st_uid for home in homes}) == 2
    private = trial.host_path(trial.settings.private)
    assert private.stat().st_mode & 0o077 == 0
    server = next(process for process in mine if processes.is_a(process, "server"))
    listens = {at.laddr.port for at in server.net_connections() if at.status == "LISTEN"}
    asked_for = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    assert listens
    assert max(listens) < asked_for, "another program can be given the port of a server"
    limits = Path(f"/proc/{server.pid}/limits").read_text()
    assert re.search(rf"Max data size +{trial.settings.memory_mb * 2**20} ", limits)
    assert re.search(rf"Max processes +{trial.settings.processes} ", limits)


def test_who_takes_too_much_memory_gets_an_error_and_keeps_the_kernel(lesson):
    trial, name = lesson.trial, lesson.students[2].name
    home = f"{trial.settings.url}/user/{name}/api/kernels"

    async def run(*cells):
        headers = {"Authorization": f"token {trial.token()}"}
        async with aiohttp.ClientSession(headers=headers) as web:
            async with web.get(home) as answer:
                kernel = (await answer.json())[0]["id"]
            async with web.ws_connect(f"{home}/{kernel}/channels", max_msg_size=0) as socket:
                return [(await KernelClient(socket).run(cell))[0] for cell in cells]

    (error,), (shown,) = finished(run("x = bytearray(2**31)", "print(len(sentence))"))
    assert error.ename == "MemoryError"
    assert int(shown.text) > 0


async def login(url, name, password):
    """Log in; return the status, the page, and what the hub then tells about its administration."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as web:
        async with web.get(f"{url}/hub/login?next=/hub/home") as page:
            token = re.search(r'name="_xsrf" value="([^"]+)"', await page.text())[1]
        form = {"username": name, "password": password, "_xsrf": token}
        async with web.post(f"{url}/hub/login?next=/hub/home", data=form) as answer:
            page = await answer.text()
        async with web.get(f"{url}/hub/admin") as administration:
            return answer.status, page, administration.status


def test_the_passwords_that_the_trial_prints_are_those_of_a_student_and_a_teacher(trial):
    printed = re.findall(r"as (\S+) with the password ([^\s,.]+)", trial.output())
    assert [name for name, _ in printed] == ["student01", "teacher"]
    found = [finished(login(trial.settings.url, *each)) for each in printed]
    assert [(status, administers) for status, _, administers in found] == [(200, 403), (200, 200)]


def test_an_unknown_user_is_refused_in_words(trial):
    status, page, _ = finished(login(trial.settings.url, "nobody-here", "x"))
    assert status == 403
    assert "Invalid username or password" in page
    log = (trial.host_path(trial.settings.private) / "hub.log").read_text()
    assert "PAM Authentication failed ('nobody-here'" in log


def one(trial, kind):
    found = processes.descendants(trial.process.pid)
    return next(process for process in found if processes.is_a(process, kind))


def test_the_proxy_has_an_account_of_its_own_and_neither_rights_nor_secrets_of_root(trial):
    proxy = one(trial, "proxy")
    assert processes.user_id(proxy) == trial.user_ids["posenc-proxy"] > 0
    status = Path(f"/proc/{proxy.pid}/status").read_text()
    assert re.search(r"^Groups:\s*$", status, re.M)
    assert {*re.findall(r"^Cap(?:Prm|Eff|Amb):\t(\w+)$", status, re.M)} == {"0" * 16}
    assert {*proxy.environ()} == {"CONFIGPROXY_AUTH_TOKEN"}


@pytest.mark.timeout(240)
def test_a_proxy_that_dies_is_started_again_as_itself_and_finds_the_servers(trial, lesson):
    url = f"{trial.settings.url}/user/{lesson.students[2].name}/api/status"

    async def status():
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=60)) as web:
            headers = {"Authorization": f"token {trial.token()}"}
            async with web.get(url, headers=headers, allow_redirects=False) as answer:
                return answer.status

    before = one(trial, "proxy").pid
    assert finished(status()) == 200
    trial.kill("proxy")
    trial.wait(100)
    after = one(trial, "proxy")
    assert after.pid != before
    assert processes.user_id(after) == trial.user_ids["posenc-proxy"]
    end = time.monotonic() + 60
    while finished(status()) != 200:
        assert time.monotonic() < end, "the new proxy did not learn where servers are"
        time.sleep(0.5)
    assert finished(prestart(trial.settings, trial.token(), [lesson.students[2].name])) == {}


@pytest.mark.timeout(240)
def test_a_server_started_beforehand_holds_the_course_and_is_stopped_when_nobody_comes(edition):
    """It has a host of its own, too, on which alone it answers."""
    host = "http://class.example.org"
    trial = started(1, edition, CLASS_IDLE_MINUTES="0.2", CLASS_SUBDOMAIN_HOST=host)

    async def answers(name):
        url, found = f"{trial.settings.url}/user/{name}/api/status", []
        async with aiohttp.ClientSession() as web:
            for host in ("class.example.org", f"{name}.class.example.org"):
                headers = {"Authorization": f"token {trial.token()}", "Host": host}
                async with web.get(url, headers=headers, allow_redirects=False) as answer:
                    found.append(answer.status)
        return found

    try:
        name = trial.names[0]
        settings = trial.settings
        assert finished(prestart(settings, trial.token(), [name])) == {}
        assert finished(answers(name)) == [302, 200]
        assert (trial.host_path(f"/home/{name}") / "posenc-course" / CHAPTER).is_file()
        kinds = {kind for kind in ("server", "kernel") for process in trial.processes(name)
                 if processes.is_a(process, kind)}  # fmt: skip
        assert kinds == {"server", "kernel"}
        end = time.monotonic() + 60
        while trial.processes(name):
            assert time.monotonic() < end, "nobody stopped it"
            time.sleep(0.5)
    finally:
        place = trial.folder
        trial.close()
    assert not place.exists(), "the trial left something behind"


# What is wrong is said in one sentence -----------------------------------------------------------


def refusal(monkeypatch, tmp_path, **given):
    """Return what `serve.py` says before it serves."""
    for name, value in {"STATE": tmp_path, "STUDENTS": "root", "TEACHERS": "root", **given}.items():
        monkeypatch.setenv(f"CLASS_{name}", str(value))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with pytest.raises(ClassError) as caught:
        serve.check(read())
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_an_empty_course_folder_is_named_with_what_fills_it(monkeypatch, tmp_path):
    said = refusal(monkeypatch, tmp_path, PROXY=__file__, PORT=free_port())
    assert said.startswith(f"The course folder {tmp_path}/posenc-course is empty: ")
    done = subprocess.run(
        [sys.executable, HUB / "course.py", tmp_path / "repository", tmp_path],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert (
        done.stderr == f"The course folder {tmp_path} is empty: `make learn` fills _build/learn.\n"
    )


def test_a_missing_proxy_and_a_missing_group_are_named(monkeypatch, tmp_path):
    said = refusal(monkeypatch, tmp_path, PROXY=tmp_path / "proxy")
    assert said == f"The proxy is missing: {tmp_path}/proxy (`make book` fetches it)."
    said = refusal(
        monkeypatch, tmp_path, PROXY=__file__, PORT=free_port(), STUDENTS="no-such-group"
    )
    assert said == "There is no group 'no-such-group': `groupadd no-such-group` makes it."


def test_a_taken_port_is_named(monkeypatch, tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = refusal(monkeypatch, tmp_path, PROXY=__file__, PORT=port)
    assert said.startswith(f"Port {port} can't be had (Address already in use): ")


def test_an_account_that_can_not_run_the_proxy_is_named(monkeypatch, tmp_path):
    proxy = tmp_path / "proxy.js"  # in a folder that is closed to others
    proxy.write_text("")
    tmp_path.chmod(0o700)
    (tmp_path / "posenc-course/.git").mkdir(parents=True)
    (tmp_path / "posenc-course/1.ipynb").touch()
    given = {"PROXY": proxy, "PORT": free_port()}
    said = refusal(monkeypatch, tmp_path, **given, PROXY_USER="no-such")
    assert said == "There is no account 'no-such': `useradd --system no-such` makes it."
    said = refusal(monkeypatch, tmp_path, **given, PROXY_USER="root")
    assert said == "The proxy faces the network: proxy_user can't be 'root'."
    said = refusal(monkeypatch, tmp_path, **given, PROXY_USER="nobody")
    assert said.startswith("'nobody' can't run the proxy (")
    assert f" {proxy} --version): put the course where every account can read it" in said


@pytest.mark.parametrize(
    ("host", "cookies"), [("https://class.example.org", True), ("http://localhost:8000", False)]
)
def test_servers_have_hosts_of_their_own_if_so_set(monkeypatch, tmp_path, host, cookies):
    def configured():
        loader = PyFileConfigLoader("jupyterhub_config.py", path=str(HUB))
        return loader.load_config().JupyterHub

    (tmp_path / "private").mkdir()
    (tmp_path / "private/token").write_text("secret")
    monkeypatch.setenv("CLASS_STATE", str(tmp_path))
    assert "subdomain_host" not in configured()
    monkeypatch.setenv("CLASS_SUBDOMAIN_HOST", host)
    assert configured().subdomain_host == host
    assert configured().cookie_host_prefix_enabled is cookies


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("prot = 8000", "sets 'prot', which is none of address, port"),
        ("port = 'x'", "port is 'x' but must be of type int"),
        ("port = 65535", "port is 65535 but must be from 1024 to 65533"),
        ("port = 443", "port is 443 but must be from 1024 to 65533"),
        ("subdomain_host = 'a.org'", "'a.org' but must be like https://class.example.org."),
        ("subdomain_host = 'https://a.org/x'", "must be like https://class.example.org."),
        ("memory_mb = -1", "memory_mb is -1 but can't be negative"),
        ("port = ", "is not TOML"),
    ],
)
def test_a_setting_that_makes_no_sense_is_named(tmp_path, text, says):
    (tmp_path / "class.toml").write_text(text)
    with pytest.raises(ClassError, match=re.escape(says)):
        read(tmp_path / "class.toml")


def test_the_page_makes_the_groups_and_the_account_that_are_set_and_its_unit_is_read(tmp_path):
    page = (ROOT / "book/teaching/class.md").read_text("utf-8")
    settings = read(environment={})
    for group in (settings.students, settings.teachers):
        assert f"`groupadd {group}`" in page
    assert f"`useradd --system {settings.proxy_user}`" in page
    unit = (HUB / "posenc-class.service").read_text()
    (start,) = re.findall(r"^ExecStart=/opt/posenc/.venv/bin/python /opt/posenc/(.+)$", unit, re.M)
    assert (ROOT / start).samefile(serve.__file__)
    if not (analyze := shutil.which("systemd-analyze")):
        return
    for old, new in ("/opt/posenc/.venv/bin/python", sys.executable), ("/opt/posenc", str(ROOT)):
        unit = unit.replace(old, new)
    (tmp_path / "posenc-class.service").write_text(unit)
    command = [analyze, "verify", "--man=no", "--recursive-errors=no"]
    done = subprocess.run([*command, tmp_path / "posenc-class.service"], capture_output=True,
                          text=True, check=False)  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


def test_without_root_one_sentence_says_what_is_needed(monkeypatch, capsys):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert trials.main(["3"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("The trial needs Linux, root (sudo) and bubblewrap")
    assert said.count("\n") == 1
    assert serve.main([]) == 1
    assert "Only root can start servers as the students" in capsys.readouterr().err
