"""On a cluster: values that follow from what the table of the teacher's page says was measured."""

import math
import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
VALUES = (ROOT / "teaching/kubernetes/values.yaml").read_text("utf-8")
PAGE = (ROOT / "book/teaching/class.md").read_text("utf-8")


def test_students_reach_only_name_servers_and_git_host():
    policy = yaml.safe_load(VALUES)["singleuser"]["networkPolicy"]
    assert policy["enabled"]
    for rule in ("cloudMetadataServer", "nonPrivateIPs", "privateIPs"):
        assert policy["egressAllowRules"][rule] is False
    (rule,) = policy["egress"]
    assert [port["port"] for port in rule["ports"]] == [443]
    assert rule["to"][0]["ipBlock"]["cidr"].endswith("/32")


def test_every_size_follows_from_what_was_measured():
    """Work out each `name = expression = number` of the comments, and each value with `# =`.

    A line without an expression gives what was measured, which is compared, or what is assumed.
    """
    rows = {
        "memory": "memory a student, at most",
        "cpu": "CPU to the first output",
        "hub_cpu": "CPU of the hub for each",
    }
    measured = {
        name: max(map(float, re.search(rf"\| {row} \| ([\d.]+) \w+ \| ([\d.]+)", PAGE).groups()))
        for name, row in rows.items()
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
