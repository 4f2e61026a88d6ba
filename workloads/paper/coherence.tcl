# Communication between processors (SOSP'95, section 5.3): every coherence miss and upgrade of the outermost caches, by mode,
# by the data that it is of, and by line with the routine that misses it most. In the statistics file, under
# annotations.statistics; a miss is in exactly one entry by data and one by line.
library layout

# What is at an address: kinds of data, without the processes that they belong to; variables of the kernel by name.
proc data_at {address} {
    set data [symbol data $address]
    set kind [dict get $data kind]
    switch $kind {
        "kernel data" - "per-CPU data" {
            if {[dict exists $data symbol]} { return "$kind [dict get $data symbol]" }
        }
        slab { return [dict get $data name] }
        module { return [dict get $data name] }
    }
    return $kind
}

set classes {true_sharing false_sharing upgrade}
annotation set miss [concat outer data $classes] {
    set line [format %08x [expr {$PADDRESS & ~127}]]
    incr of_data([list $MODE $CLASS [data_at $ADDRESS]])
    incr of_line([list $MODE $CLASS $line])
    incr of_routine([list $line [symbol -at $pc]])
    if {![info exists data_of($line)]} { set data_of($line) [data_at $ADDRESS] }
}
