#!/bin/sh
# What a checkpoint costs: a guest with 128 MB and Debian's userland at the prompt of its shell (bash on the console) is
# saved; how large the file is, and how long it takes to restore it, up to the guest's first instruction (the least of
# ten; the file has been read before). To be read on a machine that has nothing else to do.
#
#     tests/checkpoint/cost.sh BUILD IMAGE
#
# Exit status 0 if that is less than 40 MB and 0.3 s.
set -u
build=$1 image=$2
dir=$(mktemp -d "${TMPDIR:-/tmp}/simos-cost.XXXXXX")
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
"$build/simos" run --cpu embra --disk "$image" --console "file:$dir/console" --seconds 12 \
    --checkpoint "$dir/prompt.ckpt@time:12" >/dev/null 2>"$dir/err" </dev/null
if [ "$(tail -c 14 "$dir/console")" != 'root@simos:~# ' ]; then
    echo "cost.sh: no prompt"
    tail -n 3 "$dir/err"
    exit 2
fi
bytes=$(wc -c <"$dir/prompt.ckpt")
for _ in 1 2 3 4 5 6 7 8 9 10; do
    "$build/simos" restore "$dir/prompt.ckpt" --console none --max-insns 1 2>&1 >/dev/null </dev/null |
        sed -n 's/^host: set up in \([0-9.]*\) s.*/\1/p'
done >"$dir/times"
least=$(sort -n "$dir/times" | head -n 1)
echo "checkpoint of a 128 MB guest at its prompt: $bytes bytes, restored in ${least:-no} s"
[ "$bytes" -lt 40000000 ] && [ -n "$least" ] && awk "BEGIN { exit !($least < 0.3) }"
