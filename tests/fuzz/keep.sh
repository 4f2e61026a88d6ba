#!/bin/sh
# Takes into the tree some of what a campaign has kept: of the fewest inputs that reach all that it reached, one in so many,
# from the small ones to the large.
#
#     tests/fuzz/keep.sh WORK CORPUS NAME...
#
# FILES, BYTES   of a reader in the tree that come from a campaign, at most (12, 4000); their names begin with "kept-"
set -eu
work=$(realpath "$1") corpus=$(realpath "$2")
shift 2
unset HOME XDG_CACHE_HOME
export ASAN_OPTIONS=detect_leaks=0
for name in "$@"; do
    dir=$(mktemp -d)
    rm -f "$corpus/$name"/kept-*
    mkdir -p "$corpus/$name" "$dir/all"
    (cd "$dir" && TMPDIR=$dir "$work/clang/fuzz/$name" -merge=1 -timeout=20 -close_fd_mask=3 "$dir/all" "$work/$name/corpus") >"$dir/log" 2>&1 ||
        tail -n 3 "$dir/log"
    count=$(ls "$dir/all" | wc -l)
    find "$dir/all" -type f -size +0 -size -1500c -printf '%s %f\n' | sort -n |
        awk -v step="$(((count + ${FILES:-12} - 1) / ${FILES:-12}))" -v left="${BYTES:-4000}" \
            'NR % step == 0 && (left -= $1) >= 0 { print $2 }' |
        while read -r input; do
            cp "$dir/all/$input" "$corpus/$name/kept-$(echo "$input" | cut -c1-8)"
        done
    echo "$name: $(find "$corpus/$name" -type f | wc -l) inputs, $(cat "$corpus/$name"/* | wc -c) bytes"
    rm -rf "$dir"
done
