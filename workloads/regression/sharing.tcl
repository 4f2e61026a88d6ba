# What four processors share: classes of misses of the kernel while pipelines start and end.
# tests/guest/test_regress_workloads.sh; docs/how-to/regression-tests.md
position mark:begin --cpus 4 -- sh -c {
    sleep 2
    simos-mark begin
    for i in 1 2 3 4; do ls / | wc -l & done
    wait
    simos-mark end
}
machine 1994
repetitions 4 8
row "true sharing" misses -mode kernel -class true_sharing -within 30 -direction both
row "false sharing" misses -mode kernel -class false_sharing -within 30 -direction both
row "task structures" misses -data "slab task_struct" -class *sharing -within 30 -direction both
row "upgrades" misses -class upgrade -within 30 -direction both
row "processes" calls -service clone -exact
