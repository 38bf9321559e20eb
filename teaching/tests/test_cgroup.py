"""A sandbox gets a cgroup of its own where one can be made, and none where it can't be."""

import subprocess

import pytest

from grading import cgroup


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """Stand in for the kernel's tree of cgroups, with this process in /a/b."""
    own = tmp_path / "self"
    own.write_text("1:name=systemd:/\n0::/a/b\n")
    monkeypatch.setattr(cgroup, "ROOT", tmp_path)
    monkeypatch.setattr(cgroup, "OWN", own)
    (tmp_path / "a/b").mkdir(parents=True)
    for folder in (tmp_path / "a/b", tmp_path / "a", tmp_path):
        for name in ("procs", "subtree_control"):
            (folder / f"cgroup.{name}").touch()
    return tmp_path


def test_the_nearest_cgroup_with_controllers_is_taken(tree):
    assert cgroup.made(1, 1) is None
    for folder, control, expected in (
        (tree, "cpu memory pids", tree),
        (tree / "a", "memory", tree),
        (tree / "a", "pids memory", tree / "a"),
        (tree / "a/b", "memory pids", tree / "a/b"),
    ):
        (folder / "cgroup.subtree_control").write_text(control)
        assert cgroup.parent() == expected


def test_commands_run_in_a_cgroup_with_limits(tree):
    (tree / "a/cgroup.subtree_control").write_text("memory pids")
    (tree / "a/submission-7").mkdir()  # left behind
    group = cgroup.made(2**30, 64)
    assert [path.name for path in (tree / "a").glob("sub*")] == [group.folder.name]
    told = {path.name: path.read_text().strip() for path in group.folder.iterdir()}
    limits = {"memory.max": str(2**30), "memory.oom.group": "1", "pids.max": "64"}
    assert told == limits | {"cgroup.procs": "0"}
    command = group.starting(["/bin/echo", "a b", "$c"])
    assert subprocess.check_output(command, text=True) == "a b $c\n"
    (group.folder / "cgroup.procs").unlink()
    (group.folder / "cgroup.procs").mkdir()  # nothing runs outside of a group
    assert subprocess.run(command, capture_output=True).stdout == b""


def test_a_cgroup_tells_oom_kills_and_is_removed(tree, monkeypatch):
    group = cgroup.Cgroup(tree, 1, 1)
    for said, expected in (("oom 3\noom_kill 0\n", False), ("oom 3\noom_kill 2\n", True)):
        (group.folder / "memory.events").write_text(said)
        assert group.full() is expected
    seen = []

    def ending(_):
        seen.extend(path.name for path in group.folder.iterdir())
        for path in group.folder.iterdir():
            path.unlink()

    monkeypatch.setattr(cgroup.time, "sleep", ending)
    group.remove()
    assert "cgroup.kill" in seen
    assert not group.folder.exists()
