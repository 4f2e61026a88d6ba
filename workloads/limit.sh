#!/bin/sh
# `simos restore CHECKPOINT OPTION...`, which ends N instructions later, all processors together, or where the workload ends before
# that: status 0 either way. N empty: where the workload ends.
#
#     workloads/limit.sh SIMOS CHECKPOINT N [OPTION...]
set -eu
simos=$1 checkpoint=$2 insns=$3
shift 3
if [ -n "$insns" ]; then
    # The option counts from power-on.
    before=$("$simos" info "$checkpoint" | sed -n 's/.* \([0-9]*\) instructions, .*/\1/p')
    [ -n "$before" ] || exit 1
    set -- "$@" --max-insns $((before + insns))
fi
status=0
"$simos" restore "$checkpoint" "$@" || status=$?
[ "$status" != 124 ] || status=0
exit $status
