#!/bin/sh
# signal.sh SIGNAL SECONDS COMMAND...: sends SIGNAL to COMMAND once it has used SECONDS (a decimal) of processor time, which
# is when it is at work however busy the machine is. The exit status is COMMAND's.
signal=$1
ticks=$(awk -v seconds="$2" -v hertz="$(getconf CLK_TCK)" 'BEGIN { print int(seconds * hertz) }')
shift 2
"$(dirname "$0")/limit.sh" 60 "$@" <&0 &
started=$!
# The command is limit.sh's child at the end of its chain of exec.
until child=$(cat "/proc/$started/task/$started/children" 2>/dev/null) && [ -n "$child" ] &&
    used=$(sed 's/.*) //' "/proc/${child% }/stat" 2>/dev/null | awk '{ print $12 + $13 }') && [ "${used:-0}" -ge "$ticks" ]; do
    kill -0 $started 2>/dev/null || break
    sleep 0.05
done
[ -z "$child" ] || kill -s "$signal" ${child% } 2>/dev/null
wait $started
