#!/bin/sh
# Makes a wheel of simoslab with the program, its guest, its pages and the libraries that it is linked with.
#
#     .ci/release/wheel.sh MAKE VERSION PROGRAM SITE WORK OUTPUT
#
# WORK/venv is the environment of requirements.txt; PROGRAM is linked, with PROGRAM.map beside it. SOURCE_DATE_EPOCH is the age
# of what the wheel holds. The libraries stand beside the program, in lib/; those of the C library are the machine's own:
# its release says which machines the wheel is for.
set -eu
umask 022
[ $# = 6 ] || { echo "usage: wheel.sh MAKE VERSION PROGRAM SITE WORK OUTPUT" >&2; exit 2; }
make=$1 version=$2 program=$3 site=$4 work=$5 output=$6
venv=$work/venv
PATH=$PWD/$venv/bin:$PATH
export PATH
sources=$work/python
tree=$sources/simos_program
home=$tree/lib/simos

rm -rf "$sources"
cp -rL python "$sources"
find "$sources" -name __pycache__ -prune -exec rm -rf {} +
cp LICENSE "$sources"
strip -o "$work/stripped" "$program"
$make --no-print-directory PROGRAM="$program" DESTDIR="$PWD/$tree" PREFIX= install >"$work/install.log" 2>&1 || {
    tail "$work/install.log" >&2
    exit 1
}
# What a shell looks for in its own folders is of no use here: `simos completion` prints it.
rm -rf "$tree/bin" "$home/.folders" "$tree/share/bash-completion" "$tree/share/zsh" "$tree/share/fish"
cp -r "$sources/notebooks" "$tree/share/doc/simos/notebooks"
install "$work/stripped" "$home/simos"

# Libraries, and the scripts that Tcl begins with.
.ci/release/parts.sh libraries "$program" >"$work/libraries"
mkdir "$home/lib"
while read -r name file; do
    install -m 644 "$file" "$home/lib/$name"
    patchelf --force-rpath --set-rpath "\$ORIGIN" "$home/lib/$name"
done <"$work/libraries"
patchelf --force-rpath --set-rpath "\$ORIGIN/lib" "$home/simos"
tcl=$(sed -n 's/^libtcl\([0-9.]*\)\.so .*/\1/p' "$work/libraries")
cp -rL "/usr/share/tcltk/tcl$tcl" "$home/tcl$tcl"

# The pages for a browser.
cp -r "$site" "$tree/share/doc/simos/site"

# What all that is, and under which terms.
doc=$tree/share/doc/simos
# shellcheck disable=SC2046 # files
set -- $(for set in kernel busybox; do workloads/fetch.sh $set; done | sed 's/^[^ ]*  //')
{
    .ci/release/parts.sh linked "$program" "$work/libraries"
    .ci/release/parts.sh packages guest "$@"
    for package in sphinx furo; do
        python -c 'import importlib.metadata, sys; print("site", *[sys.argv[1], importlib.metadata.version(sys.argv[1])] * 2, sep="\t")' $package
    done
} >"$work/parts.tsv"
.ci/release/parts.sh licences "$doc/licences" "$@" <"$work/parts.tsv"
python .ci/release/sbom.py "$version" .ci/release/licences.tsv "$doc/licences" <"$work/parts.tsv" >"$doc/simos-$version.cdx.json"
sed "s/@VERSION@/$version/" .ci/release/terms.md >"$doc/licences/README.md"
awk -F '\t' '{ printf "    %-8s %-34s %-26s %s %s\n", $1, $2, $3, $4, $5 }' "$work/parts.tsv" >>"$doc/licences/README.md"
# With readline in it, what the wheel holds may be given on under the GPL only.
sed -i 's/^license = .*/license = { text = "BSD-2-Clause AND GPL-3.0-or-later AND GPL-2.0-only, see licences in share\/doc\/simos" }/' "$sources/pyproject.toml"

rm -rf "$work/wheel"
python -m pip wheel -q --no-deps --no-build-isolation --disable-pip-version-check -w "$work/wheel" "$sources"
mkdir -p "$output"
rm -f "$output"/simoslab-*.whl
# The oldest C library that has what is called gives the wheel its name.
auditwheel -v repair --plat auto -w "$output" "$work"/wheel/*.whl >"$work/auditwheel.log" 2>&1 || {
    tail "$work/auditwheel.log" >&2
    exit 1
}
for wheel in "$output"/simoslab-*.whl; do
    echo "$wheel: $(($(stat -c %s "$wheel") / 1000000)) MB"
done
