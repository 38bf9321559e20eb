"""Put what was measured into the page about classes: python teaching/hub/report.py."""

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
MEASURED = Path(__file__).with_name("classload.json")
PAGE = ROOT / "book/teaching/class.md"
TITLES = {"cold": "nothing started", "prestarted": "servers started before"}


def table(measured: dict[str, Any]) -> str:
    """Return what was measured as a table for the page."""
    runs = {title: measured[name] for name, title in TITLES.items() if name in measured}
    rows = {
        "students served": [f"{run['served']} of {run['students']}" for run in runs.values()],
        "first output, half of them within": [f"{r['first_output_p50']} s" for r in runs.values()],
        "first output, 95 of 100 within": [f"{r['first_output_p95']} s" for r in runs.values()],
        "memory a student, on average": [f"{r['memory_mb_mean']} MB" for r in runs.values()],
        "memory a student, at most": [f"{r['memory_mb_max']} MB" for r in runs.values()],
        "CPU to the first output": [
            f"{run['cpu_seconds_to_first_output']} s" for run in runs.values()
        ],
        "CPU of the hub for each": [
            f"{run['hub_cpu_seconds_a_student']} s" for run in runs.values()
        ],
        "cells run": [f"{run['cells']}" for run in runs.values()],
        "files saved, and lost": [f"{r['saves']}, {len(r['lost_saves'])}" for r in runs.values()],
        "killed kernel: the next output after": _recovery(runs, "kernel"),
        "killed server: the next output after": _recovery(runs, "server"),
        "killed hub: back after": _recovery(runs, "hub"),
        "cells run while it was away": [
            f"{run['cells_while_the_hub_was_away']}" for run in runs.values()
        ],
    }
    lines = [f"| measured | {' | '.join(runs)} |", "|---|" + "---|" * len(runs)]
    lines += [f"| {label} | {' | '.join(values)} |" for label, values in rows.items()]
    machine = measured["machine"]
    conditions = (
        f"{machine['cores']} cores, {machine['memory_gib']} GiB, Python {machine['python']}, "
        f"JupyterHub {machine['versions']['jupyterhub']}, "
        f"JupyterLab {machine['versions']['jupyterlab']}; "
        f"all arrive within {measured['arrive_seconds']:g} s."
    )
    return "\n".join([*lines, "", conditions, ""])


def written(page: str, measured: dict[str, Any]) -> str:
    """Return the page with its table as it follows from what was measured."""
    begin, end = "% measured: report.py writes these lines\n", "% measured: so far\n"
    before, _, rest = page.partition(begin)
    _, _, after = rest.partition(end)
    return f"{before}{begin}\n{table(measured)}\n{end}{after}"


def _recovery(runs: dict[str, Any], fault: str) -> list[str]:
    return [f"{run['recovery_seconds'].get(fault, '-')} s" for run in runs.values()]


def main() -> int:
    """Renew the table in the page."""
    measured = json.loads(MEASURED.read_text("utf-8"))
    PAGE.write_text(written(PAGE.read_text("utf-8"), measured), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
