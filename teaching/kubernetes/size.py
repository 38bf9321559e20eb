"""Size a class on Kubernetes from what was measured: python teaching/kubernetes/size.py.

Reads teaching/hub/classload.json and writes 30.yaml, 300.yaml and 3000.yaml beside this file.
"""

import json
import math
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
MEASURED = HERE.parent / "hub/classload.json"
CLASSES = (30, 300, 3000)

# What is assumed, not measured. A node of the size that every provider rents:
NODE_CORES, NODE_GB = 8, 32
NODE_KEEPS_GB = 4  # for its system and for the pods of the cluster
WINDOW = 300  # seconds in which everybody arrives, if the hub can keep up
START = 30  # seconds that one server takes to start: to be scheduled, to mount, to answer
HUB_BUSY = 0.7  # of its one core: a hub is a single process, and beyond this its answers are late

TEMPLATE = """# {students:,} students. size.py writes this from teaching/hub/classload.json.
#
# Measured: a student takes {most} MB at most and computes {cpu} s until the first
# output; the hub computes {hub} s for each who arrives.
# Assumed: nodes of {cores} cores and {gb} GB that keep {keeps} GB for themselves; a server
# takes {start} s to start.
#
# Memory: {most} MB, rounded up to the next 50, is guaranteed; four times that is the limit.
# Nodes: ({gb} - {keeps}) GB / {guarantee} MB = {each} students a node,
# {students:,} / {each} = {nodes} nodes.
# CPU: {cores} cores / {each} students = {share} each: CPU keeps nobody from a node with room.
# The hub: {students:,} x {hub} s / {hub_busy} = {least} s is the least in which all can arrive;
# sized for {window} s.
# Arriving: {students:,} x {cpu} s / {window} s = {busy} cores busy, of {all_cores}.
hub:
  # {students:,} x {start} s / {window} s are starting at any time; at least 10.
  concurrentSpawnLimit: {starting}
  # A tenth more than there are students.
  activeServerLimit: {active}
  # One process, so one core.
  resources:
    requests:
      cpu: 1
      memory: 1Gi
proxy:
  chp:
    resources:
      requests:
        cpu: 1
        memory: 512Mi
singleuser:
  memory:
    guarantee: {guarantee}M
    limit: {limit}M
  cpu:
    guarantee: {share}
    limit: 2
cull:
  # One in ten is asked at a time, at least 10.
  concurrency: {concurrency}
scheduling:
  userPlaceholder:
    # All of a class that fits on a node, else those of one node: the next is there in time.
    replicas: {placeholders}
"""


def sizes(students: int, measured: dict[str, Any]) -> dict[str, Any]:
    """Return what a class of so many needs."""
    runs = [run for run in (measured.get("cold"), measured.get("prestarted")) if run]
    most = max(run["memory_mb_max"] for run in runs)
    cpu = max(run["cpu_seconds_to_first_output"] for run in runs)
    guarantee = math.ceil(most / 50) * 50
    hub = max(run["hub_cpu_seconds_a_student"] for run in runs)
    least = math.ceil(students * hub / HUB_BUSY)
    window = max(WINDOW, math.ceil(least / 60) * 60)
    each = (NODE_GB - NODE_KEEPS_GB) * 1000 // guarantee
    nodes = math.ceil(students / each)
    return {
        "students": students,
        "most": most,
        "cpu": cpu,
        "cores": NODE_CORES,
        "gb": NODE_GB,
        "keeps": NODE_KEEPS_GB,
        "hub": hub,
        "hub_busy": HUB_BUSY,
        "least": least,
        "window": window,
        "start": START,
        "guarantee": guarantee,
        "limit": 4 * guarantee,
        "each": each,
        "nodes": nodes,
        "share": math.floor(100 * NODE_CORES / each) / 100,
        "busy": round(students * cpu / window, 1),
        "all_cores": nodes * NODE_CORES,
        "starting": max(10, math.ceil(students * START / window)),
        "active": math.ceil(students * 11 / 10),
        "concurrency": max(10, math.ceil(students / 10)),
        "placeholders": min(students, each),
    }


def overlay(students: int, measured: dict[str, Any]) -> str:
    """Return the values that a class of so many adds to values.yaml, with the arithmetic."""
    return TEMPLATE.format(**sizes(students, measured))


def main() -> int:
    """Write the three files."""
    try:
        measured = json.loads(MEASURED.read_text("utf-8"))
    except (OSError, ValueError) as error:
        print(f"{MEASURED} can't be read ({error}): `make classload` writes it.", file=sys.stderr)
        return 1
    for students in CLASSES:
        (HERE / f"{students}.yaml").write_text(overlay(students, measured), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
