"""Put the learner's edition into a git repository that students pull: python course.py FOLDER."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
WHO = ["-c", "user.name=The course", "-c", "user.email=course@localhost"]


def main(arguments: list[str]) -> int:
    """Write or renew the repository; return 1 with one sentence if that can't be done."""
    if len(arguments) not in (1, 2):
        print(
            "Name the folder: python teaching/hub/course.py /srv/class/posenc-course",
            file=sys.stderr,
        )
        return 1
    target = Path(arguments[0])
    edition = Path(arguments[1]) if len(arguments) == 2 else None
    try:
        files = _read(edition) if edition else _made()
        commit(files, target)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as error:
        print(f"git could not keep the course in {target}: {error.stderr.strip()}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{target} can't be written: {error.strerror}", file=sys.stderr)
        return 1
    return 0


def commit(files: dict[str, bytes], target: Path) -> None:
    """Make the repository hold these files, as one more commit if anything has changed."""
    target.mkdir(parents=True, exist_ok=True)
    if not (target / ".git").exists():
        _git(target, "init", "--quiet", "--initial-branch=main")
    for old in _git(target, "ls-files", "-z").split("\0"):
        if old and old not in files:
            (target / old).unlink(missing_ok=True)
    for name, content in files.items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes(content)
    _git(target, "add", "--all")
    if _git(target, "status", "--porcelain"):
        _git(target, *WHO, "commit", "--quiet", "--message=The course")
    # Students read it as themselves.
    subprocess.run(["chmod", "-R", "a+rX", target], check=True)


def _made() -> dict[str, bytes]:
    from posenc_book.edition.exercises import ExerciseError
    from posenc_book.edition.notebook import learners

    try:
        return learners(ROOT)
    except ExerciseError as error:
        raise ValueError(str(error)) from None


def _read(edition: Path) -> dict[str, bytes]:
    names = [path for path in edition.rglob("*") if path.is_file() and path.suffix != ".zip"]
    files = {path.relative_to(edition).as_posix(): path.read_bytes() for path in names}
    if not any(name.endswith(".ipynb") for name in files):
        raise ValueError(f"The course folder {edition} is empty: `make learn` fills _build/learn.")
    return {name: files[name] for name in files if not name.startswith(".")}


def _git(folder: Path, *words: str) -> str:
    command = ["git", "-c", f"safe.directory={folder}", "-C", str(folder), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
