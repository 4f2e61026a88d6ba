# What reading and writing 3,000 blocks costs the kernel, on a router's caches (workloads/placement/study.sh).
position mark:begin -- sh -c {
    sleep 2
    simos-mark begin
    dd if=/dev/zero of=/dev/null bs=512 count=3000 2>/dev/null
    umask >/dev/null
    simos-mark end
}
machine router-34k
repetitions 5 40
row "read: cycles" cycles -service read -within 3 -direction both
row "write: cycles" cycles -service write -within 3 -direction both
row "kernel: L1-I misses" misses -mode kernel -cache l1i -within 3 -direction both
row "kernel: L1-D misses" misses -mode kernel -cache l1d -within 3 -direction both
row "read: instructions" insns -service read -within 1
