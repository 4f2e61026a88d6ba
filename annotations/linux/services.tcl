# Services of Linux 6.1 and 6.12; SOSP'95 used 67 annotations for IRIX. All rules run in C. A symbol that this kernel
# does not have is named on stderr, and the services that need it are not distinguished.

library layout
service begin
library syscalls

namespace eval ::linux {
    # Add a rule, if the kernel has its symbol. WHAT describes it in the message if not.
    proc rule {what args} {
        if {[catch {uplevel #0 [linsert $args 0 service]} message]} {
            log "services: $what: $message"
        }
    }

    # A name that several functions have is no error here; without symbols no name is known.
    proc has {name} {
        expr {![catch {symbol -match $name} found] && [dict size $found] > 0}
    }

    # The first of the symbols in ARGS that this kernel has; if it has none, the first one.
    proc one_of {args} {
        foreach name $args {
            if {[has $name]} {
                return $name
            }
        }
        return [lindex $args 0]
    }

    # Of a kernel for one processor, spin locks are nothing, and much of the scheduler is inlined.
    variable multiprocessor [expr {[has set_task_cpu] || ![has activate_task]}]

    # The current process: $gp points at its thread_info, and resume(prev, next, next_ti) is the context switch.
    service layout [list task [struct thread_info task] state [struct task_struct __state] dead 0x80 \
        pid [struct task_struct pid] tgid [struct task_struct tgid] comm [struct task_struct comm] \
        mm [struct task_struct mm] stack [struct task_struct stack] cpu [struct thread_info cpu]]
    rule "processes are not distinguished" switch a1 resume
    rule "new processes" born a0 wake_up_new_task
    rule "names of processes" named a0 __set_task_comm
    # From Linux 6.12 on a blocked process may stay in its run queue (delayed dequeue). It is woken by enqueue_task()
    # with the flags ENQUEUE_NOCLOCK and ENQUEUE_DELAYED.
    if {$multiprocessor} {
        rule "migrations" moved a0 set_task_cpu
        rule "blocked and descheduled time" woken a1 [one_of ttwu_do_wakeup ttwu_do_wakeup.constprop.0 \
            ttwu_do_activate ttwu_do_activate.isra.0]
    } else {
        rule "blocked and descheduled time" woken a1 activate_task -when {ra within try_to_wake_up}
    }
    if {![has ttwu_do_wakeup] && [has enqueue_task]} {
        rule "blocked and descheduled time" woken a1 enqueue_task -when {a2 in 0x208 0x208}
    }

    # Run queue operations.
    foreach class [concat fair rt dl [expr {$multiprocessor ? "stop" : ""}]] {
        rule "run queues" count "run queue enters" enqueue_task_$class
        rule "run queues" count "run queue leaves" dequeue_task_$class
    }
    rule "run queues" count "run queue picks" __schedule
    if {$multiprocessor} {
        rule "run queues" count "load balances" [one_of load_balance sched_balance_rq]
    }

    # Page faults, SOSP'95 section 4.5: handle_mm_fault(vma, ...) of anonymous memory is a demand-zero fault, of a file
    # mapping a quick fault, unless the page has to be read (demand fill); a write to a shared page copies it.
    set file [struct vm_area_struct vm_ops]
    rule "DEMAND ZERO" become fault "DEMAND ZERO" handle_mm_fault -rank 1 -when [list a0 $file == 0]
    rule "QUICK FAULT" become fault "QUICK FAULT" handle_mm_fault -rank 1 -when [list a0 $file != 0]
    rule "PFAULT" become fault "PFAULT" do_wp_page -rank 2
    if {[has wp_page_copy]} {
        rule "COW FAULT" become fault "COW FAULT" wp_page_copy -rank 3
    } else { ;# inlined into do_wp_page; the copy starts with the allocation of the new page
        rule "COW FAULT" become fault "COW FAULT" [one_of __folio_alloc_noprof vma_alloc_folio __folio_alloc] -rank 3 \
            -when {ra within do_wp_page}
    }
    rule "DEMAND FILL" become fault "DEMAND FILL" page_cache_ra_unbounded -rank 4
    rule "DEMAND FILL" become fault "DEMAND FILL" page_cache_ra_order -rank 4
    rule "DEMAND FILL" become fault "DEMAND FILL" do_swap_page -rank 4

    # Interrupts, by the GIC's number, with which its two handlers call generic_handle_domain_irq(domain, hwirq): 7
    # local interrupts, then the board's devices (src/base/board.h), then inter-processor interrupts.
    proc interrupt {name handler first last} {
        rule $name become interrupt $name generic_handle_domain_irq \
            -when [list ra within $handler] -when [list a1 in $first $last]
    }
    if {[has gic_handle_local_int]} {
        interrupt "CLOCK INT" gic_handle_local_int 1 2
        interrupt "CONSOLE INT" gic_handle_shared_int 7 9
        interrupt "RTC INT" gic_handle_shared_int 10 10
        interrupt "DISK INT" gic_handle_shared_int 15 22
        interrupt "NET INT" gic_handle_shared_int 23 23
        interrupt "RNG INT" gic_handle_shared_int 24 24
        interrupt "DISK INT" gic_handle_shared_int 25 26
        interrupt "CPU INT" gic_handle_shared_int 31 134
    } else {
        # The DECstations, whose numbers depend on the board: by the device's handler; the floating-point unit's is one.
        rule "CLOCK INT" become interrupt "CLOCK INT" ds1287_interrupt
        rule "CONSOLE INT" become interrupt "CONSOLE INT" dz_interrupt
        rule "NET INT" become interrupt "NET INT" lance_interrupt
        rule "FPU INT" become interrupt "FPU INT" handle_fpe_int
    }
    rule "SW INT" enter "SW INT" handle_softirqs

    rule "disk I/Os" count "disk I/Os" blk_mq_start_request
}

# `namespace eval ::linux { variable locks 0 }` before `library services` disables the accounting of locks.
if {![info exists ::linux::locks] || $::linux::locks} {
    library locks
}
