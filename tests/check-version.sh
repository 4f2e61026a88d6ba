#!/bin/sh
# The version has one place, VERSION in the Makefile: everything else that states it says the same, and the same date.
# Prints a line for each that does not, exit status 1.
#
#     tests/check-version.sh
set -u
cd "$(dirname "$0")/.." || exit 1
version=$(sed -n 's/^VERSION := //p' Makefile)
bad=0
# same WHERE WHAT WANTED
same()
{
    [ "$2" = "$3" ] || { echo "$1: \"$2\", not \"$3\"" && bad=1; }
}
changes=$(sed -n 's/^## \[\([0-9][^]]*\)\] - \(.*\)/\1 \2/p' CHANGELOG.md | head -n 1)
entry=$(sed -n '1s/^simos (\(.*\)) .*/\1/p' debian/changelog)
day=$(sed -n 's/^ -- .*>  //p' debian/changelog | head -n 1)
[ -n "$version" ] || { echo "Makefile: no VERSION" && bad=1; }
same CHANGELOG.md "${changes% *}" "$version"
same debian/changelog "$entry" "$version"
same CITATION.cff "$(sed -n 's/^version: "\(.*\)"/\1/p' CITATION.cff)" "$version"
same python/pyproject.toml "$(sed -n 's/^version = "\(.*\)"/\1/p' python/pyproject.toml)" "$version"
same python/simoslab/__init__.py "$(sed -n 's/^__version__ = "\(.*\)"/\1/p' python/simoslab/__init__.py)" "$version"
same "CHANGELOG.md, the date" "${changes#* }" "$(date -u -d "$day" +%Y-%m-%d)"
same "CITATION.cff, the date" "$(sed -n 's/^date-released: //p' CITATION.cff)" "$(date -u -d "$day" +%Y-%m-%d)"
exit $bad
