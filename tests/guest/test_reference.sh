#!/bin/sh
# Recorded streams: what eight CPUs refer to under load, replayed in the memory system and in the independent reference
# model (tests/unit/reference_*.h), which agree on every hit, miss, class, state and write-back: the machine of SOSP'95
# with each protocol, and machines with other caches. Their page-table walkers refer to it as well.
. "$(dirname "$0")/harness.sh"

job='for i in 1 2 3 4 5 6 7 8; do (seq 30 | sort -r | md5sum) & done; wait'
simos run --quiet --cpus 8 --set cpu.page_walker=on --trace "$work/eight.trace" --set trace.start=boot -- sh -c "$job"
check_equal 'eight CPUs with a trace: status' 0 "$status"
# From where all of them run.
"$BUILD/tests/test_memsys_reference" trace "$work/eight.trace" 5 8000000 150000 >"$work/replay" 2>&1
check_equal 'replays agree with the reference: status' 0 $?
check_equal 'replays that were made whole' 8 "$(grep -c '8 CPUs: 150000 references .* agree$' "$work/replay")"
[ "$failed" = 0 ] || cat "$work/replay"
finish
