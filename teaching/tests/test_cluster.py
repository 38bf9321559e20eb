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

# What the chart knows (4.x) of what we set; below `...` is Kubernetes's or JupyterHub's own.
CHART = """
hub.config.JupyterHub.authenticator_class hub.config.Authenticator.admin_users
hub.concurrentSpawnLimit hub.activeServerLimit hub.resources... hub.networkPolicy.enabled
proxy.https.enabled proxy.https.hosts proxy.https.letsencrypt.contactEmail proxy.chp.resources...
singleuser.image.name singleuser.image.tag singleuser.defaultUrl singleuser.startTimeout
singleuser.extraEnv... singleuser.lifecycleHooks.postStart.exec.command
singleuser.storage.type singleuser.storage.capacity singleuser.allowPrivilegeEscalation
singleuser.networkPolicy.enabled singleuser.networkPolicy.egress
singleuser.networkPolicy.egressAllowRules... singleuser.cloudMetadata.blockWithIptables
singleuser.profileList singleuser.memory.guarantee singleuser.memory.limit
singleuser.cpu.guarantee singleuser.cpu.limit
cull.enabled cull.timeout cull.every cull.maxAge cull.concurrency
prePuller.hook.enabled prePuller.continuous.enabled
scheduling.userScheduler.enabled scheduling.podPriority.enabled
scheduling.userPlaceholder.enabled scheduling.userPlaceholder.replicas
scheduling.userPods.nodeAffinity.matchNodePurpose
"""


def names_of(values, above=""):
    """Yield the names of all values, joined by dots."""
    for name, value in values.items():
        if isinstance(value, dict):
            yield from names_of(value, f"{above}{name}.")
        else:
            yield f"{above}{name}"


def test_the_chart_knows_every_value():
    known = CHART.split()
    whole = tuple(each[:-2] for each in known if each.endswith("..."))
    for name in names_of(yaml.safe_load(VALUES)):
        assert name in known or name.startswith(whole), name


def test_students_reach_only_name_servers_and_git_host():
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
