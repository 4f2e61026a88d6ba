#!/bin/sh
# Compares two outputs of corpus --all case by case.
#
#   compare.sh EXPECTED-DIRECTORY REFERENCE OTHER
#
# A case NAME.LEVEL that has a file NAME in the directory is compared with that instead of with the reference. Prints
# each case that differs, or is missing from OTHER, and "N passed, N failed" last; exit status 1 if one failed.
set -eu

exec awk -v expected="$1" '
function finish() {
    if (name == "")
        return
    if (reading_reference) {
        order[++cases] = name
        reference[name] = body
    } else {
        other[name] = body
        seen[name] = 1
    }
}
FNR == 1 { finish(); name = ""; file++ }
{ reading_reference = file == 1 }
/^== / { finish(); name = substr($0, 4); body = ""; next }
{ body = body $0 "\n" }
END {
    reading_reference = file == 1
    finish()
    for (i = 1; i <= cases; i++) {
        name = order[i]
        want = reference[name]
        source = "reference"
        path = name
        sub(/\.[^.]*$/, "", path)
        path = expected "/" path
        text = ""
        found = 0
        while ((getline line < path) > 0) {
            found = 1
            text = text line "\n"
        }
        close(path)
        if (found) {
            want = text
            source = path
        }
        if ((name in seen) && other[name] == want) {
            passed++
            continue
        }
        failed++
        printf "== %s\nwanted (%s):\n%s", name, source, want
        if (name in seen)
            printf "got:\n%s", other[name]
        else
            print "got nothing"
    }
    if (cases == 0) {
        print "no cases"
        failed = 1
    }
    printf "%d passed, %d failed\n", passed, failed
    exit failed > 0
}' "$2" "$3"
