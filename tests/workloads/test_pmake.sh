#!/bin/sh
# Program development: objects that are the same on every CPU model, and those of another emulator.
. "$(dirname "$0")/../guest/harness.sh"
. "$(dirname "$0")/check.sh"
limit=7200

grep '\.o$' "$workloads/pmake.answer" >"$work/expected"
check_equal "pmake: 17 objects and an archive" "17 18" "$(wc -l <"$work/expected") $(wc -l <"$workloads/pmake.answer")"
objects_of_qemu >"$work/objects.qemu"
check_same_file "pmake: the same objects as QEMU makes of the same compiler" "$work/objects.qemu" "$work/expected"
for make in 1 2 3 4; do
    cat "$workloads/pmake.answer"
done >"$work/four"
check_same_file "pmake-mp8: each of four makes comes to the same" "$work/four" "$workloads/pmake-mp8.answer"
check_models pmake
check_workload pmake-mp8 1994-mp8 mipsy
check_equal "pmake-r3000: 14 objects and a program" "14 15" \
    "$(grep -c '\.o$' "$workloads/pmake-r3000.answer") $(wc -l <"$workloads/pmake-r3000.answer")"
check_workload pmake-r3000 1994-r3000 embra
check_workload pmake-r3000 1994-r3000 mipsy
check_workload pmake-r3000 1998-r3000 mipsy
check_same_file "pmake-pcc: the same objects on the guest's own kernel" "$workloads/pmake-r3000.answer" "$workloads/pmake-pcc.answer"
check_workload pmake-pcc 1994 mipsy
finish
