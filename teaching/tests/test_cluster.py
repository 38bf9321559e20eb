"""On a cluster: values that the chart knows, and that follow from what was measured."""

import json
import math
import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
VALUES = (ROOT / "teaching/kubernetes/values.yaml").read_text("utf-8")
MEASURED = json.loads((ROOT / "teaching/kubernetes/classload.json").read_text("utf-8"))

# What the chart knows (4.x) of what we set. `...` is anything: Kubernetes's or JupyterHub's own.
NUMBER = (int, float)
CHART = {
    "hub": {
        "config": {
            "JupyterHub": {"authenticator_class": str},
            "Authenticator": {"admin_users": list},
        },
        "concurrentSpawnLimit": int,
        "activeServerLimit": int,
        "resources": ...,
        "networkPolicy": {"enabled": bool},
    },
    "proxy": {
        "https": {"enabled": bool, "hosts": list, "letsencrypt": {"contactEmail": str}},
        "chp": {"resources": ...},
    },
    "singleuser": {
        "image": {"name": str, "tag": str},
        "cmd": list,
        "defaultUrl": str,
        "startTimeout": int,
        "extraEnv": ...,
        "lifecycleHooks": {"postStart": {"exec": {"command": list}}},
        "storage": {"type": ("dynamic", "static", "none"), "capacity": str},
        "allowPrivilegeEscalation": bool,
        "networkPolicy": {
            "enabled": bool,
            "egress": list,
            "egressAllowRules": dict.fromkeys(
                [
                    "cloudMetadataServer",
                    "dnsPortsCloudMetadataServer",
                    "dnsPortsKubeSystemNamespace",
                    "dnsPortsPrivateIPs",
                    "nonPrivateIPs",
                    "privateIPs",
                ],
                bool,
            ),
        },
        "cloudMetadata": {"blockWithIptables": bool},
        "profileList": list,
        "memory": {"guarantee": str, "limit": str},
        "cpu": {"guarantee": NUMBER, "limit": NUMBER},
    },
    "cull": {"enabled": bool, "timeout": int, "every": int, "maxAge": int, "concurrency": int},
    "prePuller": {"hook": {"enabled": bool}, "continuous": {"enabled": bool}},
    "scheduling": {
        "userScheduler": {"enabled": bool},
        "podPriority": {"enabled": bool},
        "userPlaceholder": {"enabled": bool, "replicas": int},
        "userPods": {"nodeAffinity": {"matchNodePurpose": ("ignore", "prefer", "require")}},
    },
}


def strange(values, known, place=""):
    """Yield what the chart would not know, or not as this."""
    for name, value in values.items():
        here = f"{place}.{name}"
        kind = known.get(name)
        if isinstance(kind, dict) and isinstance(value, dict):
            yield from strange(value, kind, here)
        elif kind is None or isinstance(kind, dict):
            yield here
        elif isinstance(kind, tuple) and isinstance(kind[0], str):
            if value not in kind:
                yield f"{here} is {value!r}"
        elif kind is not ... and (
            not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool)
        ):
            yield f"{here} is {value!r}"


def test_the_chart_knows_every_value():
    assert [*strange(yaml.safe_load(VALUES), CHART)] == []


def test_a_value_that_the_chart_does_not_know_is_found():
    wrong = {"singleuser": {"memory": {"limits": "1G"}, "startTimeout": "300"}, "culling": {}}
    found = [".singleuser.memory.limits", ".singleuser.startTimeout is '300'", ".culling"]
    assert [*strange(wrong, CHART)] == found


def test_students_reach_nothing_but_the_hub_name_servers_and_the_git_host():
    policy = yaml.safe_load(VALUES)["singleuser"]["networkPolicy"]
    allowed = {name for name, yes in policy["egressAllowRules"].items() if yes}
    assert policy["enabled"]
    assert all(name.startswith("dnsPorts") for name in allowed)
    (rule,) = policy["egress"]
    assert [port["port"] for port in rule["ports"]] == [443]
    assert rule["to"][0]["ipBlock"]["cidr"].endswith("/32")


def given_in_comments(values, measured):
    """Work out each line `name = expression = number` of the comments; return names and numbers.

    A line without an expression gives what was measured, which is compared, or what is assumed.
    """
    runs = [measured[run] for run in ("cold", "prestarted") if run in measured]
    known = {
        "memory": max(run["memory_mb_max"] for run in runs),
        "cpu": max(run["cpu_seconds_to_first_output"] for run in runs),
        "hub_cpu": max(run["hub_cpu_seconds_a_student"] for run in runs),
    }
    names = {"ceil": math.ceil, "floor": math.floor, "min": min, "max": max, "__builtins__": {}}
    for line in re.finditer(r"^#   (\w+) = (?:(.+) = )?([\d.]+)(?:  .*)?$", values, re.M):
        name, expression, number = line.groups()
        names[name] = float(number)
        expected = eval(expression, names) if expression else known.pop(name, names[name])
        assert names[name] == pytest.approx(expected, abs=1e-9), f"{line[0]}: it is {expected:g}"
    assert not known, "measured, but not in the comments"
    return names


def check_values(values, measured):
    """Compare every value that has `# = expression` behind it with what that comes to."""
    names, found = given_in_comments(values, measured), []
    for line in re.finditer(r"^ *(\w+): ([\d.]+)M? # = (.+)$", values, re.M):
        name, number, expression = line.groups()
        expected = eval(expression, names)
        assert float(number) == pytest.approx(expected, abs=1e-9), f"{line[0]}: it is {expected:g}"
        found.append(name)
    assert sorted(found) == sorted([
        *("concurrentSpawnLimit", "activeServerLimit", "guarantee", "limit", "guarantee"),
        *("concurrency", "replicas"),
    ])  # fmt: skip
    return names


def test_every_size_follows_from_what_was_measured():
    names = check_values(VALUES, MEASURED)
    (late,) = map(float, re.findall(r"above ([\d.]+) it answers late", VALUES))
    assert names["memory"] <= names["guarantee"]
    assert names["students"] <= names["nodes"] * names["on_a_node"]
    assert names["busy"] <= names["nodes"] * names["node_cores"]
    assert names["hub_busy"] <= late
    cpu = yaml.safe_load(VALUES)["singleuser"]["cpu"]["guarantee"]
    assert cpu * names["on_a_node"] <= names["node_cores"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("memory = 227.6", "memory = 227.5"),
        ("hub_cpu = 0.26", "hub_cpu = 0.25"),
        ("= 112  students", "= 113  students"),
        ("students = 300", "students = 600"),
        ("window = 300", "window = 60"),
        ("guarantee: 250M", "guarantee: 300M"),
        ("0.07", "0.08"),
        ("30 # = max(10, ceil(students / 10))", "30"),
        ("#   cpu = 3.6", "#   cpu: 3.6"),
    ],
)
def test_a_size_that_does_not_follow_is_found(old, new):
    assert VALUES.count(old) == 1
    with pytest.raises((AssertionError, NameError)):
        check_values(VALUES.replace(old, new), MEASURED)


@pytest.mark.parametrize("run", ["cold", "prestarted"])
def test_other_measurements_ask_for_other_values(run):
    more = {name: 2 * value for name, value in MEASURED[run].items() if isinstance(value, float)}
    with pytest.raises(AssertionError, match="it is"):
        check_values(VALUES, MEASURED | {run: MEASURED[run] | more})


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
