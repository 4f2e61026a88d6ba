#!/bin/sh
# What simulation costs, over the boot of the stock kernel and one small job: host instructions a guest instruction
# (counted by valgrind, so they are the same on every run and on a busy machine), host time, and set-up time.
#
#     tests/bench/bench.sh SIMOS
#
# Exit status 1 if a cost is above its limit: the limits are the project's own, far below what SimpleScalar's
# user-level simulators need (77 without caches, 341 with these).
set -u
simos=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
status=0

guest_insns()
{
    sed -n '/"machine": {/,/}/s/^ *"insns": \([0-9]*\),*$/\1/p' "$1" | head -n 1
}

# run NAME ARGUMENTS...: under valgrind; prints the host instructions.
count_host()
{
    valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null --log-file="$dir/valgrind" \
        "$simos" run --quiet --stats "$dir/stats.json" "$@" >/dev/null 2>"$dir/err"
    sed -n 's/^==[0-9]*== I *refs: *//p' "$dir/valgrind" | tr -d ,
}

# judge WHAT VALUE LIMIT UNIT
judge()
{
    if awk -v value="$2" -v limit="$3" 'BEGIN { exit !(value <= limit) }'; then
        printf '%-58s %8s %s (limit %s)\n' "$1" "$2" "$4" "$3"
    else
        printf '%-58s %8s %s ABOVE THE LIMIT of %s\n' "$1" "$2" "$4" "$3"
        status=1
    fi
}

# measure NAME LIMIT ARGUMENTS...
measure()
{
    name=$1 limit=$2
    shift 2
    first=$(count_host "$@" --max-insns 1 -- true)
    all=$(count_host "$@" -- true)
    insns=$(guest_insns "$dir/stats.json")
    if [ -z "$first" ] || [ -z "$all" ] || [ -z "$insns" ]; then
        echo "bench: $name: no figures: $(tail -n 1 "$dir/err")" >&2
        exit 1
    fi
    cost=$(awk -v all="$all" -v first="$first" -v insns="$insns" 'BEGIN { printf "%.2f", (all - first) / insns }')
    judge "$name: host instructions a guest instruction" "$cost" "$limit" ""
    "$simos" run --quiet "$@" -- true 2>&1 >/dev/null | sed -n 's/^host: /'"$name"': /p'
}

measure "no caches" 20 --set cache.model=none
measure "1994 caches" 40

# The best of five: what else the machine does is not our cost.
setup=$(for i in 1 2 3 4 5; do
    "$simos" run --quiet --max-insns 1 -- true 2>&1 | sed -n 's/^host: set up in \([0-9.]*\) s.*/\1/p'
done | sort -n | head -n 1)
judge "set-up before the first guest instruction" "${setup:-9}" 0.2 s
exit $status
