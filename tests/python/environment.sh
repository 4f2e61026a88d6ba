#!/bin/sh
# Makes the virtual environment VENV with what the Python package and its tests need, or with LIST's packages.
#
#     tests/python/environment.sh PYTHON VENV [LIST]
#
# Packages come by name from where this host's pip takes them, once: their wheels are kept in
# ${SIMOS_CACHE:-${XDG_CACHE_HOME:-~/.cache}/simos}/wheels, and a second time nothing is fetched.
set -eu
python=$1 venv=$2
cd "$(dirname "$0")/../.."
cache=${SIMOS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/simos}/wheels
mkdir -p "$cache" "$(dirname "$venv")"
rm -rf "$venv"
"$python" -m venv "$venv"
pip="$venv/bin/python -m pip --disable-pip-version-check --quiet"

# The package's own dependencies, and those of its tests.
list=$venv/requirements.txt
if [ -n "${3-}" ]; then
    cp "$3" "$list"
else
    "$venv/bin/python" -c 'import tomllib
print("\n".join(tomllib.load(open("python/pyproject.toml", "rb"))["project"]["dependencies"]))' >"$list"
    cat tests/python/requirements.txt >>"$list"
fi

from_cache="$pip install --no-index --find-links $cache -r $list"
$from_cache 2>/dev/null || {
    echo "python: fetching packages into $cache" >&2
    $pip download --dest "$cache" -r "$list"
    $from_cache
}
