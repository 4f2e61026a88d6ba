#!/bin/sh
# Makes a page by the Python package here, in the virtual environment of the package's tests (tests/python/python.mk):
#
#     workloads/pages/run.sh PAGE OUT
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
python=$root/build/python/venv/bin/python
[ -x "$python" ] || { echo "pages: no $python; make build/python/venv/.ready" >&2; exit 1; }
PYTHONPATH=$here/..:$root/python PYTHONDONTWRITEBYTECODE=1 exec "$python" -m pages "$@"
