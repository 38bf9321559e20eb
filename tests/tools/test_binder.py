"""The image that Binder and hubs serve: what it would be built from."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(sys.platform != "linux", reason="Binder's image: run the tests on Linux")
def test_the_image_holds_lock_packages_and_learners_notebooks(tmp_path):
    shutil.copytree(ROOT / ".binder", tmp_path / ".binder")
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    dockerfile = done.stdout + done.stderr
    assert '--file ".binder/environment.yml"' in dockerfile
    assert "COPY --chown=0:0 src/ ${REPO_DIR}/" in dockerfile
    assert "RUN ./.binder/postBuild" in dockerfile
    for folder in ROOT.glob("packages/*"):
        assert (folder / "pyproject.toml").is_file(), folder
    ours = (ROOT / ".binder/postBuild").read_text("utf-8")
    assert "--no-deps --require-hashes --requirement requirements.lock" in ours
    assert "--no-deps --no-build-isolation . ./packages/*" in ours
    assert "posenc_book.learn _build/learn" in ours
    for path in re.findall(r"^cp (\S+)", ours, re.M):
        assert (ROOT / path).is_file()


@pytest.mark.skipif(sys.platform == "win32", reason="Binder's image: run the tests on Linux")
def test_the_post_build_script_is_valid_bash():
    script = ROOT / ".binder/postBuild"
    assert script.read_text("utf-8").startswith("#!/usr/bin/env bash\n")
    bash = shutil.which("bash")
    assert not bash or subprocess.run([bash, "-n", script], check=False).returncode == 0
