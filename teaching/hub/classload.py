"""Hold a class of simulated students on this machine, break things, and measure what they see.

They arrive within some seconds, log in, pull the course, open a chapter, run its cells and save;
once all are at work a kernel, a server and the hub are killed. Prints a table, writes JSON.
"""

import argparse
import asyncio
import contextlib
import importlib.metadata
import json
import os
import platform
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import replace
from pathlib import Path
from typing import Any

import processes
from learner import Learner
from prestart import prestart
from settings import HERE, ROOT, Settings, read

FAULTS = ("kernel", "server", "hub")
VERSIONS = ("jupyterhub", "jupyterlab", "jupyter-server", "ipykernel", "nbgitpuller", "numpy")
SAMPLE_EVERY = 5.0  # seconds


def free_port() -> int:
    """Return a port that is free, as are the two after it."""
    while True:
        with contextlib.ExitStack() as open_sockets:
            first = 0
            try:
                for step in range(3):
                    trial = open_sockets.enter_context(socket.socket())
                    trial.bind(("127.0.0.1", first + step if first else 0))
                    first = first or trial.getsockname()[1]
            except (OSError, OverflowError):
                continue
            return first


class Trial:
    """A class on loopback, and what is known of it from outside."""

    def __init__(self, students: int, edition: Path | None, environment: dict[str, str]) -> None:
        port = free_port()
        self.settings: Settings = replace(read(), port=port)
        command = [sys.executable, str(HERE / "trial.py"), str(students)]
        command += ["--edition", str(edition)] if edition else []
        environment = os.environ | {"CLASS_PORT": str(port)} | environment
        self.log = tempfile.TemporaryFile("w+")  # noqa: SIM115  (closed with the trial)
        self.process = subprocess.Popen(
            command, env=environment, stdout=self.log, stderr=subprocess.STDOUT
        )
        self.place = Path()
        self.names = [f"student{number:02}" for number in range(1, students + 1)]

    def wait(self, seconds: float = 300) -> None:
        """Wait until the hub answers, or raise with what the trial said."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            if self.healthy():
                self.place = Path(self.said().split("trial: ")[1].splitlines()[0])
                self.numbers = processes.owners(self.place / "etc/passwd")
                return
            time.sleep(0.25)
        raise RuntimeError(f"The class did not start: {self.said()}")

    def said(self) -> str:
        """Return what the trial has printed."""
        self.log.seek(0)
        return self.log.read()

    def healthy(self) -> bool:
        """Say whether the hub answers through the proxy."""
        with contextlib.suppress(OSError):
            return (
                urllib.request.urlopen(f"{self.settings.url}/hub/health", timeout=2).status == 200
            )
        return False

    def inside(self, path: Path | str) -> Path:
        """Return where a folder of the trial stands outside of it."""
        return self.place / Path(path).relative_to("/")

    def token(self) -> str:
        """Return the token with which servers are started beforehand."""
        return self.inside(self.settings.private / "token").read_text().strip()

    def processes(self, name: str) -> list[int]:
        """Return the processes of a student."""
        found = processes.below(self.process.pid)
        return [process for process, owner in found.items() if owner == self.numbers[name]]

    def cpu_of(self, kind: str) -> float:
        """Return the CPU seconds that all processes of a kind have taken."""
        found = processes.below(self.process.pid)
        return sum(processes.cpu(process) for process in found if processes.is_a(process, kind))

    def kill(self, kind: str, name: str = "") -> float:
        """Kill the hub, or a student's server or kernel; return when."""
        found = self.processes(name) if name else list(processes.below(self.process.pid))
        victim = next(process for process in found if processes.is_a(process, kind))
        os.kill(victim, signal.SIGKILL)
        return time.monotonic()

    def close(self) -> None:
        """End the class and all its processes."""
        self.process.terminate()
        self.process.wait(30)
        self.log.close()


class Class:
    """Students who come to a trial, the faults that strike it, and what is measured."""

    def __init__(
        self, trial: Trial, arrive: float, faults: tuple[str, ...], limit: float, settle: float = 10
    ) -> None:
        self.trial, self.arrive, self.faults, self.limit = trial, arrive, faults, limit
        self.settle = settle  # seconds in which all just work, before the faults and after
        self.samples: list[dict[str, Any]] = []
        self.recovery: dict[str, float | None] = {}
        self.cpu: dict[str, float] = {}
        self.cells_without_hub = 0
        self.hub_cpu = 0.0
        settings, files = trial.settings, lab_files()
        self.students = [
            Learner(settings.url, settings.link, name, f"trial-{name}", files)
            for name in trial.names
        ]

    async def hold(self) -> None:
        """Let them come, work, be struck, recover and save; then close."""
        closing, hub_before = asyncio.Event(), self.trial.cpu_of("hub")
        draw = random.Random(30)
        seats = len(self.students)
        moments = sorted(draw.uniform(0, self.arrive) for _ in range(seats))
        coming = [
            asyncio.create_task(self._come(student, moment, closing))
            for student, moment in zip(self.students, moments, strict=True)
        ]
        watching = asyncio.create_task(self._watch(closing))
        end = time.monotonic() + self.limit
        while time.monotonic() < end and not all("output" in s.times for s in self.students):
            await asyncio.sleep(0.5)
        self.hub_cpu = self.trial.cpu_of("hub") - hub_before
        await asyncio.sleep(self.settle)
        served = [student for student in self.students if "output" in student.times]
        for fault, student in zip(self.faults, served, strict=False):
            self.recovery[fault] = await self._strike(fault, student)
        await asyncio.sleep(self.settle)
        closing.set()
        await asyncio.wait(coming, timeout=150)
        for task in coming:
            task.cancel()
        await watching

    async def _come(self, student: Learner, moment: float, closing: asyncio.Event) -> None:
        await asyncio.sleep(moment)
        await student.attend(closing)

    async def _strike(self, fault: str, student: Learner) -> float | None:
        """Kill something; return after how many seconds it is there again."""
        before = sum(other.cells for other in self.students)
        moment = self.trial.kill(fault, "" if fault == "hub" else student.name)
        while time.monotonic() - moment < 120:
            await asyncio.sleep(0.25)
            if fault == "hub":
                if await asyncio.to_thread(self.trial.healthy):
                    self.cells_without_hub = sum(other.cells for other in self.students) - before
                    return time.monotonic() - moment
            elif student.outputs and student.outputs[-1] > moment + 0.5:
                return student.outputs[-1] - moment
        return None

    async def _watch(self, closing: asyncio.Event) -> None:
        """Note memory every few seconds, and CPU time when a student has a first output."""
        last = 0.0
        while not closing.is_set():
            for student in self.students:
                if "output" in student.times and student.name not in self.cpu:
                    found = self.trial.processes(student.name)
                    self.cpu[student.name] = sum(map(processes.cpu, found))
            if time.monotonic() - last > SAMPLE_EVERY:
                last = time.monotonic()
                self.samples.append(await asyncio.to_thread(self._sample))
            await asyncio.sleep(0.5)

    def _sample(self) -> dict[str, Any]:
        names = {self.trial.numbers[name]: name for name in self.trial.names}
        taken: dict[str, float] = dict.fromkeys(self.trial.names, 0.0)
        rest = 0.0
        for process, owner in processes.below(self.trial.process.pid).items():
            if owner in names:
                taken[names[owner]] += processes.memory(process)
            else:
                rest += processes.memory(process)
        return {"students": taken, "rest": rest}

    def result(self) -> dict[str, Any]:
        """Return what came of it."""
        first = sorted(s.times["output"] for s in self.students if "output" in s.times)
        peak = max(self.samples, key=lambda sample: sum(sample["students"].values()))
        memory = sorted(value for value in peak["students"].values() if value)
        lost = [student.name for student in self.students if student.lost(self._on_disk(student))]
        steps = ("login", "server", "pulled", "lab", "output")
        return {
            "students": len(self.students),
            "served": len(first),
            "first_output_p50": _quantile(first, 0.5),
            "first_output_p95": _quantile(first, 0.95),
            "steps_p50": {
                step: _quantile(
                    sorted(s.times[step] for s in self.students if step in s.times), 0.5
                )
                for step in steps
            },
            "memory_mb_mean": round(statistics.fmean(memory), 1) if memory else None,
            "memory_mb_max": round(memory[-1], 1) if memory else None,
            "memory_mb_hub_and_proxy": round(peak["rest"], 1),
            "cpu_seconds_to_first_output": _quantile(sorted(self.cpu.values()), 0.5),
            "hub_cpu_seconds_a_student": round(self.hub_cpu / len(self.students), 2),
            "cells": sum(student.cells for student in self.students),
            "cells_of_the_least": min(student.cells for student in self.students),
            "saves": sum(student.saves for student in self.students),
            "lost_saves": lost,
            "recovery_seconds": {
                fault: value and round(value, 1) for fault, value in self.recovery.items()
            },
            "cells_while_the_hub_was_away": self.cells_without_hub,
            "requests_a_student": round(statistics.fmean(s.requests for s in self.students)),
            "megabytes_a_student": round(statistics.fmean(s.bytes for s in self.students) / 1e6, 1),
            "problems": {s.name: s.problems for s in self.students if s.problems},
        }

    def _on_disk(self, student: Learner) -> str | None:
        file = self.trial.inside(f"/home/{student.name}") / student.path
        return file.read_text("utf-8") if file.is_file() else None


def _quantile(values: list[float], part: float) -> float | None:
    """Return the value that this part of all values does not exceed."""
    if not values:
        return None
    return round(values[min(len(values) - 1, max(0, round(part * len(values) + 0.5) - 1))], 1)


def lab_files() -> list[str]:
    """Return as many files as JupyterLab's page fetches in a browser: about 110, and 15 MB."""
    share, found = Path(sys.prefix) / "share/jupyter", []
    for folder, pattern, url, most, megabytes in (
        ("lab/static", "*.js", "static/lab", 50, 7),
        ("labextensions", "**/static/*.js", "lab/extensions", 60, 8),
    ):
        files = sorted((share / folder).glob(pattern), key=lambda file: -file.stat().st_size)
        room = megabytes * 1e6
        for file in files[:200]:
            if most and file.stat().st_size <= room:
                room, most = room - file.stat().st_size, most - 1
                found.append(f"{url}/{file.relative_to(share / folder).as_posix()}")
    return found


def scenario(options: argparse.Namespace, *, prestarted: bool) -> dict[str, Any]:
    """Hold one class and return what came of it."""
    trial = Trial(options.students, options.edition, {})
    try:
        trial.wait()
        began = time.monotonic()
        if prestarted:
            failed = asyncio.run(
                prestart(trial.settings.url, trial.settings.link, trial.token(), trial.names)
            )
            if failed:
                print("Not started beforehand:", failed, file=sys.stderr)
        took = time.monotonic() - began
        lesson = Class(trial, options.arrive, tuple(options.faults), options.limit)
        asyncio.run(lesson.hold())
        result = lesson.result()
        if prestarted:
            result["prestart_seconds"] = round(took, 1)
        return result
    finally:
        trial.close()


def machine() -> dict[str, Any]:
    """Name the machine and the versions that were measured."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "cores": os.cpu_count(),
        "memory_gib": round(memory, 1),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "versions": {name: importlib.metadata.version(name) for name in VERSIONS},
    }


def table(results: dict[str, Any]) -> str:
    """Return the results for people."""
    rows = {
        "served": lambda r: f"{r['served']} of {r['students']}",
        "first output, p50": lambda r: f"{r['first_output_p50']} s",
        "first output, p95": lambda r: f"{r['first_output_p95']} s",
        "memory a student, mean": lambda r: f"{r['memory_mb_mean']} MB",
        "memory a student, most": lambda r: f"{r['memory_mb_max']} MB",
        "CPU to first output": lambda r: f"{r['cpu_seconds_to_first_output']} s",
        "CPU of the hub, a student": lambda r: f"{r['hub_cpu_seconds_a_student']} s",
        "cells run": lambda r: f"{r['cells']}",
        "saves, lost": lambda r: f"{r['saves']}, {len(r['lost_saves'])}",
        **{
            f"{fault} killed, back after": lambda r, fault=fault: (
                f"{r['recovery_seconds'].get(fault, '-')} s"
            )
            for fault in FAULTS
        },
        "cells run without the hub": lambda r: f"{r['cells_while_the_hub_was_away']}",
    }
    lines = [f"{'':28}" + "".join(f"{name:>14}" for name in results)]
    for label, say in rows.items():
        lines.append(f"{label:28}" + "".join(f"{say(result):>14}" for result in results.values()))
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """Measure; return 1 if a student was not served or a save was lost."""
    parser = argparse.ArgumentParser(prog="classload.py", description=__doc__)
    parser.add_argument("--students", type=int, default=30)
    parser.add_argument("--arrive", type=float, default=20, help="seconds in which all arrive")
    parser.add_argument("--faults", nargs="*", choices=FAULTS, default=FAULTS)
    parser.add_argument("--only", choices=("cold", "prestarted"))
    parser.add_argument("--limit", type=float, default=300, help="seconds to wait for all outputs")
    parser.add_argument("--edition", type=Path, default=ROOT / "_build/learn")
    parser.add_argument("--json", type=Path, help="where to write the result")
    options = parser.parse_args(arguments)
    wanted = [options.only] if options.only else ["cold", "prestarted"]
    results = {name: scenario(options, prestarted=name == "prestarted") for name in wanted}
    print(table(results))
    for name, result in results.items():
        for student, said in result["problems"].items():
            print(f"{name}, {student}:", *said, sep="\n    ")
    if options.json:
        record = {"machine": machine(), "arrive_seconds": options.arrive, **results}
        options.json.write_text(json.dumps(record, indent=1) + "\n", "utf-8")
    whole = all(r["served"] == r["students"] and not r["lost_saves"] for r in results.values())
    return 0 if whole else 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except RuntimeError as error:
        sys.exit(str(error))
