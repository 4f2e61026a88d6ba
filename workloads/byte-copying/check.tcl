# Does the cache have what the column of a cell says, when its copy begins? simos looks at the tags of every line of both
# buffers: a hot buffer is present; a clean one is absent, and the lines in its place are clean; a dirty one is absent, and
# the lines in its place are modified. A cell of which that is not true ends the run.
#
#     simos run --kernel copy.elf --initrd none --set guest.symbols=copy.sym --script check.tcl

set checked 0

# What `memory lines` says of a line of a buffer of that temperature.
set expected {
    {state {clean modified} victim {{}}}
    {state absent victim clean}
    {state absent victim modified}
}
set names {hot clean dirty}

proc check {cell buffer address bytes temperature} {
    global expected names
    set first [expr {$address & ~31}]
    foreach line [memory lines $first [expr {($address + $bytes - $first + 31) / 32}]] {
        if {![dict exists $line victim]} { dict set line victim {} }
        dict for {key values} [lindex $expected $temperature] {
            if {[dict get $line $key] ni $values} {
                error "$cell: the $buffer is not [lindex $names $temperature]: $line"
            }
        }
    }
}

# struct cell of copy.h
annotation set pc measure {
    lassign [memory read $a0 8] routine copy from to bytes source destination placement
    set cell "[memory string $routine], [lindex $names $source] to [lindex $names $destination],\
        offset [expr {$to & 7}], [memory string $placement]"
    check $cell source $from $bytes $source
    check $cell destination $to $bytes $destination
    incr checked
}

annotation set simos exit { log "checked $checked copies" }
