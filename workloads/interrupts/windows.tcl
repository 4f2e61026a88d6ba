# What simos sees of each window in which a program of the workload counts misses, between its marks 1 and 2: of each
# cache the misses by who missed and by who has displaced the line since mark 1, and how often what happened. One line a
# window on stderr: `window JSON`.
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

annotation set mark 1 {
    service displaced begin
    foreach event $events { set before($event) [calls $event] }
}
annotation set mark 2 {
    set parts {}
    set happened {}
    foreach event $events {
        set count [expr {[calls $event] - $before($event)}]
        if {$count > 0} { lappend happened "\"$event\":$count" }
    }
    lappend parts "\"events\":{[join $happened ,]}"
    foreach cache {l1i l1d l2} { lappend parts "\"$cache\":[json [service displaced $cache]]" }
    log "window {[join $parts ,]}"
}
