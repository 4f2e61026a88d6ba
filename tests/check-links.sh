#!/bin/sh
# The relative links of Markdown pages lead somewhere: to a file that is there, and to a heading in it.
#
#     tests/check-links.sh FOLDER...      all *.md in and below each; prints a line a broken link, exits 1 if there is any
set -u
find "$@" -name '*.md' -type f | sort | while read -r page; do
    # Targets outside of code, a line each.
    awk '/^```/ { code = !code; next } !code && !/^    / { gsub(/`[^`]*`/, ""); print }' "$page" |
        grep -o '](<\{0,1\}[^)>]*' | sed 's/^](<\{0,1\}//; s/ .*//' |
        while read -r target; do
            case $target in *://* | mailto:*) continue ;; esac
            path=${target%%#*} anchor=
            case $target in *'#'*) anchor=${target#*#} ;; esac
            file=$page
            [ -z "$path" ] || file=$(dirname "$page")/$path
            if [ ! -e "$file" ]; then
                echo "$page: $target: there is no $file"
            elif [ -n "$anchor" ] && ! sed -n 's/^##* //p' "$file" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-' | grep -qxF -e "$anchor"; then
                echo "$page: $target: $file has no such heading"
            fi
        done
done | {
    bad=0
    while read -r line; do
        echo "$line"
        bad=1
    done
    exit $bad
}
