#!/bin/sh
# Grade submissions, each in a sandbox of its own: teaching/grade.sh COURSE ASSIGNMENT [--student S]
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 2
python=${PYTHON:-$here/../.venv/bin/python}
command -v "$python" > /dev/null || python=python3
PYTHONPATH=$here${PYTHONPATH:+:$PYTHONPATH} exec "$python" -P -m grading "$@"
