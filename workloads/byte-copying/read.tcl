# What the reads of each buffer of the program `read` cost, between its marks 1000 + N and 2000 + N: cycles charged to
# the service that the kernel calls pread64, and misses of the data cache by class. One line a buffer on stderr:
# `read JSON`.
library services

annotation set miss {l1d data any} -tag misses -disabled { dict incr misses $CLASS }
annotation set mark {1[0-9][0-9][0-9]} {
    set misses {}
    set begin [service figure pread64 cycles]
    annotation enable misses
}
annotation set mark {2[0-9][0-9][0-9]} {
    annotation disable misses
    set classes {}
    dict for {class count} $misses { lappend classes "\"$class\":$count" }
    log "read {\"place\":[expr {$EVENT - 2000}],\"cycles\":[expr {[service figure pread64 cycles] - $begin}],\"misses\":{[join $classes ,]}}"
}
