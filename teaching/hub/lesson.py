"""One lesson: students who come to a trial, the faults that strike it, and what is measured."""

import asyncio
import random
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import processes
from harness import Trial
from learner import Learner

SAMPLE_EVERY = 5.0  # seconds


class Lesson:
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
                    self.cpu[student.name] = sum(map(processes.cpu_seconds, found))
            if time.monotonic() - last > SAMPLE_EVERY:
                last = time.monotonic()
                self.samples.append(await asyncio.to_thread(self._sample))
            await asyncio.sleep(0.5)

    def _sample(self) -> dict[str, Any]:
        names = {self.trial.user_ids[name]: name for name in self.trial.names}
        taken: dict[str, float] = dict.fromkeys(self.trial.names, 0.0)
        rest = 0.0
        for process in processes.descendants(self.trial.process.pid):
            if (owner := processes.user_id(process)) in names:
                taken[names[owner]] += processes.memory_mb(process)
            else:
                rest += processes.memory_mb(process)
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
        file = self.trial.host_path(f"/home/{student.name}") / student.path
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
