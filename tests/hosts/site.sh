#!/bin/sh
# The pages as a site (`make site`), opened as files in a browser without network: a search finds pages, and the first page has its
# figures and tables.
#
#     tests/hosts/site.sh SITE
set -u
site=$(realpath "$1")
command -v chromium >/dev/null || { echo "site: skipped: no chromium" && exit; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

# page NAME FILE EXPECTED: the document that the browser has made of it has the regular expression EXPECTED
page()
{
    unshare -rn true 2>/dev/null && alone="unshare -rn" || alone=
    # shellcheck disable=SC2086 # words of a command
    HOME=$work $alone chromium --headless --no-sandbox --disable-gpu --virtual-time-budget=20000 \
        --dump-dom "file://$site/$2" >"$work/dom" 2>"$work/err"
    if grep -qE "$3" "$work/dom"; then
        passed=$((passed + 1))
    else
        echo "FAIL site: $1: no $3 in $2"
        failed=$((failed + 1))
    fi
}

page "a search" "search.html?q=checkpoint" 'href="docs/how-to/checkpoints\.html[^"]*"'
page "a search for what is nowhere" "search.html?q=zzyzx" 'did not match any documents'
page "a figure" index.html '<img [^>]*src="_images/three-machines\.svg"'
page "a table" docs/reference/parameters.html '<table'
echo "site: $passed passed, $failed failed"
[ $failed = 0 ]
