# For test_events.sh: an annotation of every type, whose body prints every variable. `words` has what events of each type to
# observe; a type without an entry is an error, so that a new one gets one.
array set words {
    pc {function function:END} pre-pc {function} exc {any} interrupt {any} utlb {any} page_walk {found failed} inst {eret wait} mode {any} asid {any}
    cycle {1000} insn {500} time {0.000002} mark {*} console {*} simos {enter exit boot} module {*} load {box,64}
    store {box,64} miss {any} scache {instr read write} disk {any} packet {any}
}
if {[info exists linux]} { array set words {pc {start_kernel} pre-pc {start_kernel} exc {} interrupt {} utlb {} page_walk {} inst {} mode {} asid {} load {} store {} miss {} scache {}} }
set where [expr {[info exists linux] ? "jiffies" : "box"}]
# Misses of the test's own data and code: others of mxs are on wrong paths.
proc wanted {type} {
    if {$type ni {miss scache} || [info exists ::linux]} { return 1 }
    set page [expr {[uplevel #0 {set ADDRESS}] & ~0xfff}]
    return [expr {$page == [symbol cold] || $page == [symbol cold_code]}]
}
proc show {type} {
    if {![wanted $type]} return
    set line "$type:"
    foreach row $::variables {
        set name [dict get $row variable]
        append line " $name=[expr {$name eq "MEMORY" ? [uplevel #0 {set MEMORY($where)}] : [string map {{ } _} [uplevel #0 [list set $name]]]}]"
    }
    log $line
}
set variables [annotation variables]
if {[info exists linux]} { library services }
foreach row [annotation types] {
    set type [dict get $row type]
    log "type $type"
    if {![info exists words($type)]} { error "tests/guest/events.tcl has no events of type $type" }
    foreach event $words($type) {
        if {$type eq "module" && ![info exists linux]} continue
        annotation set $type $event [list show $type]
    }
}
foreach row $variables { log "variable [dict get $row variable] [dict get $row types]" }
