#!/bin/sh
# Engineering: what both simulators come to is what the host's own processor comes to, on every CPU model.
. "$(dirname "$0")/../guest/harness.sh"
. "$(dirname "$0")/check.sh"
limit=7200
source=$root/workloads/jobs/engineering

# check_answer NAME PAIRS: the program's checksum, and all figures of the memory system, natively.
check_answer()
{
    eval "$(grep -o '[A-Z]*=[0-9]*' "$root/workloads/jobs/$1.list")"
    gcc -O2 -DNATIVE -DROUNDS="$ROUNDS" -DCOUNT="$COUNT" -o "$work/program" "$source/program.c"
    gcc -O2 -std=gnu17 -o "$work/memsys" "$source/memsys.c"
    for pair in $(seq "$2"); do
        echo "processor: checksum $("$work/program")"
        "$work/memsys" "$REFERENCES"
    done >"$work/expected"
    sed 's/^\(processor: checksum [0-9a-f]*\),.*/\1/' "$workloads/$1.answer" >"$work/answer"
    check_same_file "$1: as on the host" "$work/expected" "$work/answer"
}

check_answer engineering-short 1
check_answer engineering 1
check_answer engineering-mp8 6
check_models engineering
check_workload engineering-mp8 1994-mp8 mipsy
finish
