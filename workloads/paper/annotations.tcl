# What the runs of the paper collect: services and processes, from the checkpoint to the end of the measured part, which the
# workload marks when all of it has gone well.
library services
annotation set mark end { exit 0 }

# Requests of the disks by what they do and where they begin: the first twenty-four places, the rest together.
annotation set disk request { incr requests([list $REQUEST $DISK $SECTOR]) }
statistics create "disk requests"
annotation set simos exit {
    set named 0
    foreach {place count} [lsort -stride 2 -index 1 -integer -decreasing [lsort -stride 2 [array get requests]]] {
        set name [expr {[incr named] > 24 ? "all others" : [format "%s disk %s, sector %s" {*}$place]}]
        statistics entry "disk requests" $count $name
    }
}
