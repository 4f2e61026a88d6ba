# What simos sees of each window in which a program of the workload counts misses, between its marks 1 and 2: of each
# cache the misses by who missed and by who has displaced the line since mark 1, how many of them the program's process had at
# exception level, and how often what happened. One line a window on stderr: `window JSON`.
library services
annotation set mark end { exit 0 }

# A dict of dicts as JSON.
proc json {misses} {
    set rows {}
    dict for {victim causes} $misses {
        set row {}
        dict for {cause count} $causes { lappend row "\"$cause\":$count" }
        lappend rows "\"$victim\":{[join $row ,]}"
    }
    return "{[join $rows ,]}"
}

# What happens in a window: calls of these services.
set events {{CLOCK INT} {DISK INT} {NET INT} {SW INT} {OTHER INT} UTLB KTLB futex DAEMONS}
proc calls {event} { return [service figure $event calls] }

# Status.EXL: from an exception to where the kernel leaves this level. The process is the one that counts, as it does of IRIX.
annotation set miss any -tag level -disabled {
    if {$sr & 2 && $TASK == $counting} { incr exception($CACHE) }
}

annotation set mark 1 {
    service displaced begin
    set counting $TASK
    array set exception {l1i 0 l1d 0 l2 0}
    annotation enable level
    foreach event $events { set before($event) [calls $event] }
}
annotation set mark 2 {
    annotation disable level
    set parts {}
    set happened {}
    foreach event $events {
        set count [expr {[calls $event] - $before($event)}]
        if {$count > 0} { lappend happened "\"$event\":$count" }
    }
    lappend parts "\"events\":{[join $happened ,]}"
    foreach cache {l1i l1d l2} { lappend parts "\"$cache\":[json [service displaced $cache]]" }
    set levels {}
    foreach cache {l1i l1d l2} { lappend levels "\"$cache\":$exception($cache)" }
    lappend parts "\"exception\":{[join $levels ,]}"
    log "window {[join $parts ,]}"
}
