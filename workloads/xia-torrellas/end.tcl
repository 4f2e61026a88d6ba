# Measure from mark to mark: what the workload does behind its end, such as printing its results, is not counted. With USER_INSNS in the
# environment the run ends before that, when the processors have executed so many instructions in user mode since the warm-up, all
# together: the same work under every scheme. With DETAILS in the environment misses are counted by routine, data structure and class;
# what is missed in block operations, and read misses of coherence, are counted too. With CONFLICTS the data that displaced what the
# kernel's reads miss.
annotation set mark end { exit 0 }

proc user_insns {} {
    return [expr [join [dict values [stats cpu*.mode.user.insns]] +]]
}

# All instructions until the next look are at least as many as those in user mode, so that none is too late by more than this.
set user_insns_step 1000

proc end_or_go_on {} {
    global user_insns_end user_insns_step
    set left [expr {$user_insns_end - [user_insns]}]
    if {$left <= 0} {
        exit 0
    }
    annotation set insn [expr {[insns] + max($left, $user_insns_step)}] -once end_or_go_on
}

if {[info exists env(USER_INSNS)]} {
    # Statistics begin behind the warm-up of WARMUP instructions.
    annotation set simos restore {
        annotation set insn [expr {[insns] + $env(WARMUP) + 1}] -once {
            set user_insns_end [expr {[user_insns] + $env(USER_INSNS)}]
            end_or_go_on
        }
    }
}

if {[info exists env(DETAILS)]} {
    library misses
    # A processor in a block operation; exceptions within it are not part of it.
    automaton define blocks -per cpu {
        state other block handler
        on exc any block push handler
        on exc any handler push handler
        on inst eret handler pop
        on pc copy_page other push block
        on pc copy_page:END block pop
        on pc clear_page other push block
        on pc clear_page:END block pop
        on pc __raw_copy_to_user other push block
        on pc __raw_copy_to_user:END block pop
        on pc __raw_copy_from_user other push block
        on pc __raw_copy_from_user:END block pop
        on pc __bzero other push block
        on pc __bzero:END block pop
    }
    statistics create coherence
    annotation set miss {l1d read true_sharing false_sharing} {
        if {$MODE eq "kernel"} {
            statistics entry coherence 1 reads
        }
    }
}

# A primary data cache has 8 KB, one way and lines of 32 bytes, and reads alone bring lines in: each miss displaces the line that missed
# before in its set. Of the kernel's variables each line counts as a structure of its own.
proc structure_at {line} {
    set data [symbol data physical:[expr {$line << 5}]]
    set kind [dict get $data kind]
    if {$kind in {slab module}} { return [dict get $data name] }
    return [expr {$kind in {"kernel data" "per-CPU data"} ? [format "%s %08x" $kind [expr {$line << 5}]] : $kind}]
}

if {[info exists env(CONFLICTS)]} {
    library layout
    annotation set miss {l1d read} {
        set line [expr {$PADDRESS >> 5}]
        set place $CPU,[expr {$line & 255}]
        if {$MODE eq "kernel" && $CLASS eq "conflict" && [info exists displaced($CPU,$line)]} {
            set structure [structure_at $line]
            incr missed($structure)
            incr conflicts([list $structure $displaced($CPU,$line)])
        }
        if {[info exists present($place)]} { set displaced($CPU,$present($place)) [structure_at $line] }
        set present($place) $line
    }
    # Of each structure how many of its lines were missed, and how many of them the one displaced that displaced most.
    statistics create conflicts
    annotation set simos exit {
        foreach {key count} [array get conflicts] {
            lassign $key structure
            if {![info exists most($structure)] || $count > [lindex $most($structure) 0]} { set most($structure) [list $count [lindex $key 1]] }
        }
        foreach structure [lsort [array names missed]] {
            lassign $most($structure) count name
            statistics entry conflicts $missed($structure) $structure
            statistics entry conflicts $count "$structure, displaced by $name"
        }
    }
}
