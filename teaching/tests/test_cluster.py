"""Beyond one machine: the image, the chart's values, and numbers that follow from measurements."""

import json
import runpy
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
CLUSTER = ROOT / "teaching/kubernetes"
MEASURED = json.loads((ROOT / "teaching/hub/classload.json").read_text("utf-8"))
SIZE = runpy.run_path(str(CLUSTER / "size.py"))
REPORT = runpy.run_path(str(ROOT / "teaching/hub/report.py"))

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


def parsed(name):
    return yaml.safe_load((CLUSTER / name).read_text("utf-8"))


@pytest.mark.parametrize("name", ["values.yaml", "30.yaml", "300.yaml", "3000.yaml"])
def test_the_chart_knows_every_value(name):
    assert [*strange(parsed(name), CHART)] == []


def test_a_value_that_the_chart_does_not_know_is_found():
    wrong = {"singleuser": {"memory": {"limits": "1G"}, "startTimeout": "300"}, "culling": {}}
    found = [".singleuser.memory.limits", ".singleuser.startTimeout is '300'", ".culling"]
    assert [*strange(wrong, CHART)] == found


def test_students_reach_nothing_but_the_hub_name_servers_and_the_git_host():
    policy = parsed("values.yaml")["singleuser"]["networkPolicy"]
    allowed = {name for name, yes in policy["egressAllowRules"].items() if yes}
    assert policy["enabled"]
    assert all(name.startswith("dnsPorts") for name in allowed)
    (rule,) = policy["egress"]
    assert [port["port"] for port in rule["ports"]] == [443]
    assert rule["to"][0]["ipBlock"]["cidr"].endswith("/32")


@pytest.mark.parametrize("students", [30, 300, 3000])
def test_each_size_follows_from_what_was_measured(students):
    assert (CLUSTER / f"{students}.yaml").read_text("utf-8") == SIZE["overlay"](students, MEASURED)
    values, size = parsed(f"{students}.yaml"), SIZE["sizes"](students, MEASURED)
    guarantee = int(values["singleuser"]["memory"]["guarantee"].removesuffix("M"))
    measured = [MEASURED[run]["memory_mb_max"] for run in ("cold", "prestarted")]
    assert max(measured) <= guarantee < max(measured) + 50
    fit = size["nodes"] * (32 - 4) * 1000 // guarantee
    assert students <= fit
    assert values["hub"]["activeServerLimit"] > students
    assert values["singleuser"]["cpu"]["guarantee"] * size["each"] <= 8
    assert size["busy"] <= size["all_cores"]
    hub = max(MEASURED[run]["hub_cpu_seconds_a_student"] for run in ("cold", "prestarted"))
    assert students * hub <= 0.7 * size["window"] + 1e-9


def test_the_page_s_tables_follow_from_what_was_measured():
    page = (ROOT / "book/teaching/class.md").read_text("utf-8")
    assert REPORT["written"](page, MEASURED) == page, "run `python teaching/hub/report.py`"
    assert f"| students served | {MEASURED['cold']['served']} of " in page
