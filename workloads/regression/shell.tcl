# What the kernel's services for short programs cost: fork, exec, exit and page faults of a shell script.
# tests/guest/test_regress_workloads.sh; docs/how-to/regression-tests.md
position mark:begin -- sh -c {
    sleep 2
    simos-mark begin
    for i in 1 2 3; do ls / | wc -l; done
    simos-mark end
}
machine 1994 2015
repetitions 3 6
row "fork: L1-D misses" misses -service clone -cache l1d -within 5 -direction both
row "fork: L1-I misses" misses -service clone -cache l1i -within 5 -direction both
row "fork: clearing pages" misses -service clone -routine clear_page -cache l1d -within 10 -direction both
row "exec: cycles" cycles -service execve -within 5 -direction both
row "exit: instructions" insns -service exit_group -within 10 -direction both
row "demand zero: misses of the last level" misses -service "DEMAND ZERO" -cache l2 -within 10 -direction both
row "programs: L1-I misses" misses -mode user -cache l1i -within 5 -direction both
row "spin locks taken" acquires -kind spin -within 10 -direction both
row "processes" calls -service clone -exact
