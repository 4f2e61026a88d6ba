# An error in simos (`simos: bug:`) ends the run with status 134, and loses nothing that was counted or written until then.
# shellcheck shell=sh source=tests/guest/harness.sh
. "$(dirname "$0")/harness.sh"

SIMOS=$BUILD/simos-bug
SIMOS_BUG_AFTER=15000000 # cycles
export SIMOS_BUG_AFTER
ulimit -c 0
cat >"$work/exit.tcl" <<'TCL'
library services
TCL
for cpu in mipsy; do
    set -- run --quiet --cpu $cpu --symbols "$work" --script "$work/exit.tcl" --stats "$work/s.json" \
        --profile "$work/p.json" --stacks "$work/stacks" --timeline "$work/timeline.json" --trace "$work/trace" --net user \
        --pcap "$work/pcap" --record "$work/record"
    rm -f "$work/stacks" "$work/timeline.json" "$work/pcap"
    simos "$@" -- true
    check_equal "$cpu: an error in simos is status 134" 134 "$status"
    check_match "$cpu: it says what and where" '^simos: bug: src/base/event.c:[0-9]+: event ".*" keeps firing at cycle [0-9]+$' "$work/err"
    message=$(sed -n 's/^simos: \(bug: .*\)/\1/p' "$work/err")
    cycle=${message##* }
    check_equal "$cpu: once" "$message" "$(json "$work/s.json" .incomplete)"
    end=$(json "$work/s.json" .machine.time)
    check_between "$cpu: the statistics are those up to the error" "$cycle" $((cycle + 1000)) "$end"
    check_equal "$cpu: and add up" "$end" "$(json "$work/s.json" '[.cpu0.mode[].cycles] | add')"
    check_between "$cpu: with what scripts counted" 1000000 1000000000 "$(json "$work/s.json" .annotations.events.instructions)"
    check_between "$cpu: the profile is written" 100 100000 "$(json "$work/p.json" '.executions | length')"
    check_between "$cpu: the stacks" 3 1000000 "$(wc -l <"$work/stacks")"
    check_between "$cpu: the time line" 4 1000000 "$(json "$work/timeline.json" '.traceEvents | length')"
    for file in s.json p.json trace; do
        check_match "$cpu: a line says that $file is incomplete" "^simos: incomplete, up to the error: $work/$file\$" "$work/err"
    done
    check_equal "$cpu: the capture has its header" 4d3cb2a1 "$(od -An -tx1 -N4 "$work/pcap" | tr -d ' ')"
    "$BUILD/simos" sweep "$work/trace" --over figure-4.6 >"$work/sweep" 2>&1
    check_equal "$cpu: the trace is whole" 0 $?
    simos run --trust --quiet --replay "$work/record" --script "$work/exit.tcl"
    check_match "$cpu: a replay comes to the same error" "^simos: $message\$" "$work/err"
done

# The nodes of a cluster.
cat >"$work/cluster.tcl" <<'TCL'
node one -- true
node two -- sh -c {while :; do :; done}
TCL
simos cluster "$work/cluster.tcl" --cpu embra --set cache.model=none --stats "$work/c.json"
check_equal "cluster: an error in simos is status 134" 134 "$status"
check_match "cluster: it says what" '^simos: bug: src/base/event.c' "$work/err"
check_equal "cluster: the statistics of both nodes are written" "true true" \
    "$(json "$work/c-one.json" '.incomplete | startswith("bug: ")') $(json "$work/c-two.json" '.incomplete | startswith("bug: ")')"

finish
