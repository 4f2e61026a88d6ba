#!/bin/sh
# Writes requirements.txt, of requirements.in and all that it depends on: the newest versions for the oldest Python that makes a
# release, with the sums of their wheels for each Python of PYTHONS. pip takes no other files then, wherever it takes them from.
#
#     .ci/release/pin.sh PYTHON       PYTHON has venv; PYTHONS ("3.11 3.13"): the oldest first
set -eu
LC_ALL=C
export LC_ALL
folder=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" -m venv "$work/venv"
list=$folder/requirements.in
for python in ${PYTHONS:-3.11 3.13}; do
    "$work/venv/bin/python" -m pip --disable-pip-version-check download --quiet --only-binary=:all: --python-version "$python" \
        --dest "$work/wheels" -r "$list"
    # The others have the versions of the first.
    [ -f "$work/versions" ] || for wheel in "$work"/wheels/*.whl; do
        name=${wheel##*/}
        version=${name#*-}
        printf '%s==%s\n' "$(echo "${name%%-*}" | tr 'A-Z_' 'a-z-')" "${version%%-*}"
    done >"$work/versions"
    list=$work/versions
done
{
    echo "# requirements.in with what it depends on, pinned by pin.sh (\`make release-update\`)."
    while IFS= read -r pinned; do
        printf '%s' "$pinned"
        for wheel in "$work/wheels/$(echo "${pinned%==*}" | tr - _)-${pinned#*==}"-*.whl; do
            printf ' \\\n    --hash=sha256:%s' "$(sha256sum "$wheel" | cut -d ' ' -f 1)"
        done
        echo
    done <"$work/versions"
} >"$work/requirements.txt"
mv "$work/requirements.txt" "$folder/requirements.txt"
echo "$folder/requirements.txt: $(wc -l <"$work/versions") packages"
