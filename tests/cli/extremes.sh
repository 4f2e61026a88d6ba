#!/bin/sh
# Every parameter at each end of its range, and at each of its words: the run works, or one line refuses it. A tiny bare
# program on machines that make use of many parameters; those of the network also as two nodes of a hub.
#
#     tests/cli/extremes.sh SIMOS
set -u
simos=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# shellcheck source=tests/cli/bare.sh
. "$(dirname "$0")/bare.sh"

# ori $8, $0, 1; lui $9, 0x8001; sw $8, 0($9); lw $10, 4($9); addiu $9, $9, 64; b .-12; pref 0, 8($9): walks through memory
program "$dir/walk" '\001\0\010\064' '\001\200\011\074' '\0\0\050\255' '\004\0\052\215' '\100\0\051\045' '\374\377\0\020' '\010\0\040\315'
# 800 lines are more than the first level holds; two nodes need longer to meet.
short="--max-insns 5000" long="--max-insns 20000"
bare="--kernel $dir/walk --initrd none --set guest.symbols=none --quiet --table none"

# NAME VALUE, one a line, of every parameter that has a range or words
"$simos" params | awk '
    NR == 1 { range = index($0, " RANGE") + 1; unit = index($0, " UNIT") + 1; next }
    /^ / { next }
    {
        text = substr($0, range, unit - range)
        gsub(/ /, "", text)
        if (split(text, end, /\.\./) == 2)
            print $1, end[1] "\n" $1, end[2]
        else if (text == "on|off" || index(text, "|"))
            for (i = split(text, word, "|"); i > 0; i--)
                print $1, word[i]
    }' >"$dir/values"
count=$(wc -l <"$dir/values")
check "parameters with ranges or words were found" many "$([ "$count" -gt 300 ] && echo many || echo "$count")"

# accepted RULE STATUS ERR: ends by itself or at its limit, or is refused with one line; no signal, no `bug:`
accepted()
{
    right=yes said=0
    while IFS= read -r line || [ -n "$line" ]; do # by the shell itself: there are thousands of runs
        case $line in
        'simos: bug'*) right=$line ;;
        'simos: '*) said=$((said + 1)) ;;
        esac
    done <"$3"
    case $2 in
    0 | 124) ;;
    125) [ $said = 1 ] || right="status 125 without its line: $(head -n 2 "$3")" ;;
    *) right="status $2: $(tail -n 1 "$3")" ;;
    esac
    check "$1" yes "$right"
}

for machine in 1994 2015-mp8; do # in order and out of order; two levels and three
    works=0
    while read -r name value; do
        # shellcheck disable=SC2086
        tests/limit.sh 30 "$simos" run --machine $machine $bare $short --set "$name=$value" --stats "$dir/s.json" >/dev/null 2>"$dir/err" </dev/null
        status=$?
        accepted "$machine: $name=$value" $status "$dir/err"
        [ $status = 125 ] || works=$((works + 1))
    done <"$dir/values"
    check "$machine: three of four work" yes "$([ $works -gt $((3 * count / 4)) ] && echo yes || echo "$works of $count")"
done

# Two nodes of a hub, in either order, with the parameter at both; and a replay of one, which has the others' frames.
grep '^net\.' "$dir/values" | grep -v '^net.node' >"$dir/net"
echo "net.lookahead 1ns" >>"$dir/net" # shorter than a cycle: 0 is not an extreme, but a default
check "parameters of the network" yes "$([ "$(wc -l <"$dir/net")" -ge 8 ] && echo yes)"
while read -r name value; do
    hub="$bare $long --net hub:$dir/hub --set net.join_time=2 --set $name=$value"
    # shellcheck disable=SC2086
    {
        tests/limit.sh 30 "$simos" run $hub --set net.node=1 >/dev/null 2>"$dir/err1" </dev/null &
        tests/limit.sh 30 "$simos" run $hub --record "$dir/record" --stats "$dir/run.json" >/dev/null 2>"$dir/err" </dev/null
        status=$?
        wait $!
        accepted "hub: $name=$value: the other node" $? "$dir/err1"
        accepted "hub: $name=$value" $status "$dir/err"
        case $name=$value in
        net.nodes=* | net.lookahead=10s) [ $status != 125 ] || continue ;; # not two nodes; longer than frames take
        *) check "hub: $name=$value works" 124 $status ;;
        esac
        tests/limit.sh 30 "$simos" run $hub --replay "$dir/record" --stats "$dir/again.json" >/dev/null 2>"$dir/err" </dev/null
        accepted "hub: $name=$value: replayed" $? "$dir/err"
        check "hub: $name=$value: replayed with the same figures" "$(jq -cS 'del(.host)' "$dir/run.json")" \
            "$(jq -cS 'del(.host)' "$dir/again.json")"
    }
    tests/limit.sh 30 "$simos" run $bare $short --net user --set "$name=$value" >/dev/null 2>"$dir/err" </dev/null
    accepted "user: $name=$value" $? "$dir/err"
done <"$dir/net"

# The same in one process, where the nodes take turns.
printf 'node a %s --set net.lookahead=1ns\nnode b %s --set net.lookahead=1ns\n' "--kernel $dir/walk --initrd none" \
    "--kernel $dir/walk --initrd none" >"$dir/cluster.tcl"
tests/limit.sh 30 "$simos" cluster --trust --max-insns 2000 --set guest.symbols=none --quiet "$dir/cluster.tcl" >/dev/null 2>"$dir/err" </dev/null
check "cluster: windows shorter than a cycle" 124 $?

echo "extremes: $passed passed, $failed failed"
[ "$failed" = 0 ]
