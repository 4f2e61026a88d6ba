# Communication between processors (SOSP'95, section 5.3): every coherence miss and upgrade of the outermost caches by the
# data that it is of, and by line (of 128 bytes, as 1994-mp8 has) with the routine that misses it most. Under annotations.statistics; the sum of each
# is all of them.
library layout

# What is at ADDRESS: a slab or a module by its name, everything else by kind.
proc data_at {address} {
    set data [symbol data $address]
    set kind [dict get $data kind]
    if {$kind in {slab module}} { return [dict get $data name] }
    return $kind
}

proc routine_at {address} {
    set name [lindex [split [symbol -at $address] +] 0]
    return [expr {$name eq "" ? "the TLB refill handler" : $name}]
}

annotation set miss {outer data true_sharing false_sharing upgrade} {
    set data [data_at $ADDRESS]
    set line [format %08x [expr {$PADDRESS & ~127}]]
    incr by_data([list $MODE $CLASS $data])
    if {$MODE eq "kernel" && $CLASS ne "upgrade"} {
        incr by_line($line)
        incr by_routine([list $line [routine_at $pc]])
        set data_of($line) $data
    }
}

# The lines with most coherence misses of the kernel; the rest together.
foreach name {"coherence by data" "coherence by line"} { statistics create $name }
annotation set simos exit {
    foreach key [lsort [array names by_data]] { statistics entry "coherence by data" $by_data($key) [join $key ", "] }
    set named 0
    foreach {line misses} [lsort -stride 2 -index 1 -integer -decreasing [lsort -stride 2 [array get by_line]]] {
        if {[incr named] > 24} {
            statistics entry "coherence by line" $misses "all others"
            continue
        }
        set routines {}
        foreach {key count} [array get by_routine "$line *"] { lappend routines [lindex $key 1] $count }
        set routines [lsort -stride 2 -index 1 -integer -decreasing [lsort -stride 2 $routines]]
        statistics entry "coherence by line" $misses "$line, $data_of($line), [lindex $routines 0]"
    }
}
