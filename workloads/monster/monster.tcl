# What Monster measured (Nagle, Uhlig and Mudge 1992, section 4.2), by logic analysers: cycles by mode, by region of the kernel and
# by stall; the instruction mix by mode. The regions bcopy, bzero and bcmp of Ultrix are Linux's functions that copy, clear and
# compare blocks of memory.
analyser define cycles {
    set regions {
        bcopy {memmove __rmemcpy memcpy copy_page} bzero {memset clear_page} bcmp {memcmp bcmp}
    }
    recogniser user -mode user
    recogniser kernel -mode kernel
    recogniser idle -mode idle
    recogniser bus -pc {in 0 0xffffffff}
    set kinds {run run insn {l1i l2i} data {l1d l2d upgrade} uncached uncached write write_buffer fp fp multiply multiply
        other {integer memory branch} wait wait}
    foreach {kind states} $kinds { recogniser $kind -state $states }

    # The state is the region of the last instruction on the bus: its stalls follow it.
    set names kernel
    foreach {region functions} $regions {
        lappend names $region
        set parts($region) {}
        foreach function $functions {
            if {[catch { recogniser $function -mode kernel -pc [list within $function] }]} continue
            lappend parts($region) $function
        }
    }
    state {*}$names
    foreach {region functions} $regions {
        foreach function $parts($region) { on $function * -> $region }
    }
    on {kernel bus} * -> kernel
    foreach {kind states} $kinds {
        also [list user $kind] * -count user.$kind
        also [list idle $kind] * -count idle.$kind
        set outside {}
        foreach {region functions} $regions {
            also [list kernel $kind !bus] $region -count $region.$kind
            foreach function $parts($region) {
                also [list kernel $kind $function] * -count $region.$kind
                lappend outside !$function
            }
        }
        also [list kernel $kind !bus] kernel -count kernel.$kind
        also [list kernel $kind bus {*}$outside] * -count kernel.$kind
    }
}
analyser define mix -clock graduation {
    set kinds {nops nop jumps {jump call return indirect} branches branch loads {load ll} stores {store sc} alu {alu shift}
        multiply {multiply divide} fp {fp_add fp_multiply fp_multiply_add fp_divide fp_sqrt fp_convert fp_compare fp_move}
        system {trap cp0 tlb cache prefetch} marker marker}
    foreach mode {user kernel idle} { recogniser $mode -mode $mode; also $mode * -count $mode }
    foreach {kind words} $kinds {
        recogniser $kind -kind $words
        foreach mode {user kernel} { also [list $mode $kind] * -count $mode.$kind }
    }
    recogniser add -instruction addu
    also add * -count addu
}
# The same instruction on the pins: what is there does not all execute (section 3.3; phantoms.tcl counts it rightly).
analyser define bus -clock fetch {
    recogniser add -instruction addu
    also add * -count addu
}
