#!/bin/sh
# From roster to grades: teaching/class.sh new, release, collect, grade, similar, feedback, grades
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 2
python=${PYTHON:-$here/../.venv/bin/python}
command -v "$python" > /dev/null || python=python3
unset PYTHONDONTWRITEBYTECODE # or each of many processes would compile all it imports
PYTHONPATH=$here${PYTHONPATH:+:$PYTHONPATH} exec "$python" -P -m grading "$@"
