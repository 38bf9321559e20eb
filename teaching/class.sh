#!/bin/sh
# From roster to grades: teaching/class.sh new, release, collect, grade, feedback, grades
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 2
python=${PYTHON:-$here/../.venv/bin/python}
absent="The course's environment is missing: type 'make .venv/ready' in ${here%/*} first."
command -v "$python" > /dev/null || { echo "$absent" >&2; exit 2; }
unset PYTHONDONTWRITEBYTECODE # or each of many processes would compile all it imports
PYTHONPATH=$here${PYTHONPATH:+:$PYTHONPATH} exec "$python" -P -m grading "$@"
