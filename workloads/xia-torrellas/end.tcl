# Measure from mark to mark: what the workload does behind its end, such as printing its results, is not counted. With USER_INSNS in the
# environment the run ends before that, when the processors have executed so many instructions in user mode since the warm-up, all
# together: the same work under every scheme. With DETAILS in the environment misses are counted by routine, data structure and class;
# what is missed in block operations, and read misses of coherence, are counted too.
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
