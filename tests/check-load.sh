#!/bin/sh
# docs/design/load.md: each function that it names is defined once, and where it says: in the file beside it, or the one above.
# Prints one line a function for which that does not hold; exit status 1 if there is any.
set -u
cd "$(dirname "$0")/.." || exit 1
bad=0
complain()
{
    echo "docs/design/load.md: $*"
    bad=1
}

names=$(grep -o '\<[a-z_]*[a-z]()' docs/design/load.md | tr -d '()' | sort -u)
[ "$(echo "$names" | wc -l)" -ge 25 ] || complain "names too few functions"
# NAME FILE, a line for each file that defines a function NAME once. A declaration that is continued ends in a semicolon,
# too.
found=$(git -c safe.directory="$PWD" ls-files -z 'cpu/*.[ch]' 'cache/*.[ch]' | xargs -0 awk -v names="$names" '
    BEGIN { n = split(names, list, "\n"); for (i = 1; i <= n; i++) wanted[list[i]] }
    FNR == 1 { split("", inside) }
    /^[a-z]/ {
        before = ""
        rest = $0
        while (match(rest, /[A-Za-z0-9_]+\(/)) {
            name = substr(rest, RSTART, RLENGTH - 1)
            before = before substr(rest, 1, RSTART - 1)
            if (before ~ /[;=]/) break
            if (name in wanted && before ~ /[ *]$/) inside[name]
            before = before name "("
            rest = substr(rest, RSTART + RLENGTH)
        }
    }
    /;[ \t]*$/ { split("", inside) }
    /^\{/ { for (name in inside) count[name " " FILENAME]++; split("", inside) }
    END { for (definition in count) if (count[definition] == 1) print definition }' | sort)
for name in $names; do
    files=$(echo "$found" | sed -n "s/^$name //p")
    case $(echo "$files" | grep -c .) in
    1) grep -q "${files#cpu/}" docs/design/load.md || complain "$name is in $files" ;;
    *) complain "$name is defined in:" $files ;;
    esac
done
exit $bad
