# Whole workloads: requests of the disks by what they are of and by the process that made them, and the compiler's system calls.
library layout

# ext4 writes and reads what files hold by routines of its own or of the page cache, and everything else, its journal too, by
# buffer heads (fs/buffer.c). A request without data is a flush.
proc origin {request} {
    set bio [field request $request bio]
    if {$bio == 0} { return none }
    switch -glob [symbol -at [field bio $bio bi_end_io]] {
        end_bio_bh_io_sync* { return metadata }
        blkdev_* { return device }
    }
    return file
}
annotation set pc blk_mq_start_request {
    set operation [lindex {read write flush} [expr {[field request $a0 cmd_flags] & 255}]]
    set name "$operation of [origin $a0] by $PROCESS"
    incr origins($name)
}
annotation set exc syscall -process cc1 { incr calls($v0) }

foreach name {"disk requests by origin" "system calls of the compiler"} { statistics create $name }
annotation set simos exit {
    foreach name [lsort [array names origins]] { statistics entry "disk requests by origin" $origins($name) $name }
    foreach number [lsort [array names calls]] { statistics entry "system calls of the compiler" $calls($number) [expr {$number}] }
}
