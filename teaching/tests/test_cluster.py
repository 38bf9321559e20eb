"""On a cluster: values that follow from what was measured, and a page that says it."""

import json
import math
import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
VALUES = (ROOT / "teaching/kubernetes/values.yaml").read_text("utf-8")
MEASURED = json.loads((ROOT / "teaching/kubernetes/classload.json").read_text("utf-8"))


def test_students_reach_only_name_servers_and_git_host():
    policy = yaml.safe_load(VALUES)["singleuser"]["networkPolicy"]
    allowed = {name for name, yes in policy["egressAllowRules"].items() if yes}
    assert policy["enabled"]
    assert all(name.startswith("dnsPorts") for name in allowed)
    (rule,) = policy["egress"]
    assert [port["port"] for port in rule["ports"]] == [443]
    assert rule["to"][0]["ipBlock"]["cidr"].endswith("/32")


def test_every_size_follows_from_what_was_measured():
    """Work out each `name = expression = number` of the comments, and each value with `# =`.

    A line without an expression gives what was measured, which is compared, or what is assumed.
    """
    runs = [MEASURED["cold"], MEASURED["prestarted"]]
    measured = {
        "memory": max(run["memory_mb_max"] for run in runs),
        "cpu": max(run["cpu_seconds_to_first_output"] for run in runs),
        "hub_cpu": max(run["hub_cpu_seconds_a_student"] for run in runs),
    }
    names = {"ceil": math.ceil, "floor": math.floor, "min": min, "max": max, "__builtins__": {}}
    for line in re.finditer(r"^#   (\w+) = (?:(.+) = )?([\d.]+)(?:  .*)?$", VALUES, re.M):
        name, expression, number = line.groups()
        names[name] = float(number)
        expected = eval(expression, names) if expression else measured.pop(name, names[name])
        assert names[name] == pytest.approx(expected, abs=1e-9), f"{line[0]}: it is {expected:g}"
    assert not measured, "measured, but not in the comments"
    sizes = re.findall(r"^ *(\w+): ([\d.]+)M? # = (.+)$", VALUES, re.M)
    assert len(sizes) == 7
    for name, number, expression in sizes:
        expected = eval(expression, names)
        assert float(number) == pytest.approx(expected, abs=1e-9), f"{name}: it is {expected:g}"
    (late,) = map(float, re.findall(r"above ([\d.]+) it answers late", VALUES))
    assert names["memory"] <= names["guarantee"]
    assert names["students"] <= names["nodes"] * names["on_a_node"]
    assert names["busy"] <= names["nodes"] * names["node_cores"]
    assert names["hub_busy"] <= late
    cpu = yaml.safe_load(VALUES)["singleuser"]["cpu"]["guarantee"]
    assert cpu * names["on_a_node"] <= names["node_cores"]


# What the rows of the page's table say of each run.
ROWS = {
    "students served": "{served} of {students}",
    "first output, half of them within": "{first_output_p50} s",
    "first output, 95 of 100 within": "{first_output_p95} s",
    "memory a student, on average": "{memory_mb_mean} MB",
    "memory a student, at most": "{memory_mb_max} MB",
    "CPU to the first output": "{cpu_seconds_to_first_output} s",
    "CPU of the hub for each": "{hub_cpu_seconds_a_student} s",
    "cells run": "{cells}",
    "files saved, and lost": "{saves}, 0",
    "killed kernel: the next output after": "{recovery_seconds[kernel]} s",
    "killed server: the next output after": "{recovery_seconds[server]} s",
    "killed hub: back after": "{recovery_seconds[hub]} s",
    "cells run while it was away": "{cells_while_the_hub_was_away}",
}


def test_the_pages_table_says_what_was_measured():
    page = (ROOT / "book/teaching/class.md").read_text("utf-8")
    runs = [MEASURED["cold"], MEASURED["prestarted"]]
    assert [run["lost_saves"] for run in runs] == [[], []]
    for title, row in ROWS.items():
        cells = " | ".join(row.format(**run) for run in runs)
        assert f"| {title} | {cells} |" in page
    machine = MEASURED["machine"]
    versions = "JupyterHub {jupyterhub}, JupyterLab {jupyterlab}".format(**machine["versions"])
    assert f"{machine['cores']} cores, {machine['memory_gib']} GiB" in page
    assert f"Python {machine['python']}, {versions}" in page
