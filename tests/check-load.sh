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

# definitions NAME: the files in which a function NAME is defined
definitions()
{
    git -c safe.directory="$PWD" grep -lE "^[a-z][^;=]*[ *]$1\([^;]*\$" -- 'cpu/*.[ch]' 'cache/*.[ch]' |
        while read -r file; do
            # a declaration that is continued ends in a semicolon, too
            awk -v name="$1" '
                $0 ~ "^[a-z][^;=]*[ *]" name "\\(" { inside = 1 }
                inside && /;[ \t]*$/ { inside = 0 }
                inside && /^\{/ { count++; inside = 0 }
                END { exit count != 1 }' "$file" && echo "$file"
        done
}

names=$(grep -o '\<[a-z_]*[a-z]()' docs/design/load.md | tr -d '()' | sort -u)
[ "$(echo "$names" | wc -l)" -ge 25 ] || complain "names too few functions"
for name in $names; do
    files=$(definitions "$name")
    case $(echo "$files" | grep -c .) in
    1) grep -q "${files#cpu/}" docs/design/load.md || complain "$name is in $files" ;;
    *) complain "$name is defined in:" $files ;;
    esac
done
exit $bad
