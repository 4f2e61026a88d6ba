# Services of Linux 6.1 and 6.12: what SOSP'95 did with 67 annotations for IRIX. Everything declared here runs natively; a
# symbol that this kernel does not have is named on stderr, and what needs it is not told apart.

library layout
service begin
library syscalls

namespace eval ::linux {
    # A rule, if the kernel has its symbol.
    proc rule {what args} {
        if {[catch {uplevel #0 [linsert $args 0 service]} message]} {
            log "services: $what: $message"
        }
    }

    proc has {name} {
        expr {![catch {symbol $name}]}
    }

    # The first of the symbols that this kernel has; if none, the first.
    proc one_of {args} {
        foreach name $args {
            if {[has $name]} {
                return $name
            }
        }
        return [lindex $args 0]
    }

    # Which process runs. $gp leads to its thread_info, and the kernel switches stacks in resume(prev, next, next_ti).
    service layout [list task [struct thread_info task] state [struct task_struct __state] dead 0x80 \
        pid [struct task_struct pid] tgid [struct task_struct tgid] comm [struct task_struct comm] \
        mm [struct task_struct mm] stack [struct task_struct stack] cpu [struct thread_info cpu]]
    rule "processes are not told apart" switch a1 resume
    rule "new processes" born a0 wake_up_new_task
    rule "names of processes" named a0 __set_task_comm
    # From Linux 6.12 on a process that blocks may stay in its run queue for a while; then it is woken by being enqueued
    # with the flags ENQUEUE_NOCLOCK and ENQUEUE_DELAYED.
    rule "blocked and descheduled time" woken a1 [one_of ttwu_do_wakeup ttwu_do_wakeup.constprop.0 \
        ttwu_do_activate ttwu_do_activate.isra.0]
    if {![has ttwu_do_wakeup] && [has enqueue_task]} {
        rule "blocked and descheduled time" woken a1 enqueue_task -when {a2 in 0x208 0x208}
    }
    rule "migrations" moved a0 set_task_cpu

    # What is done to run queues.
    foreach class {fair rt dl stop} {
        rule "run queues" count "run queue enters" enqueue_task_$class
        rule "run queues" count "run queue leaves" dequeue_task_$class
    }
    rule "run queues" count "run queue picks" __schedule
    rule "run queues" count "load balances" [one_of load_balance sched_balance_rq]

    # Page faults, SOSP'95 section 4.5: handle_mm_fault(vma, ...) of memory without a file is a page of zeros, with one a
    # page that is in memory already, unless it has to be read; a write to a page that is shared makes a copy.
    set file [struct vm_area_struct vm_ops]
    rule "DEMAND ZERO" become fault "DEMAND ZERO" handle_mm_fault -rank 1 -when [list a0 $file == 0]
    rule "QUICK FAULT" become fault "QUICK FAULT" handle_mm_fault -rank 1 -when [list a0 $file != 0]
    rule "PFAULT" become fault "PFAULT" do_wp_page -rank 2
    if {[has wp_page_copy]} {
        rule "COW FAULT" become fault "COW FAULT" wp_page_copy -rank 3
    } else { ;# it is part of do_wp_page, and begins with the allocation of the new page
        rule "COW FAULT" become fault "COW FAULT" [one_of __folio_alloc_noprof vma_alloc_folio __folio_alloc] -rank 3 \
            -when {ra within do_wp_page}
    }
    rule "DEMAND FILL" become fault "DEMAND FILL" page_cache_ra_unbounded -rank 4
    rule "DEMAND FILL" become fault "DEMAND FILL" page_cache_ra_order -rank 4
    rule "DEMAND FILL" become fault "DEMAND FILL" do_swap_page -rank 4

    # Interrupts, by the interrupt controller's number, with which its two handlers call generic_handle_domain_irq(domain,
    # hwirq): 7 local ones, then the board's devices (src/base/board.h), at last those between processors.
    proc interrupt {name handler first last} {
        rule $name become interrupt $name generic_handle_domain_irq \
            -when [list ra within $handler] -when [list a1 in $first $last]
    }
    interrupt "CLOCK INT" gic_handle_local_int 1 2
    interrupt "CONSOLE INT" gic_handle_shared_int 7 9
    interrupt "RTC INT" gic_handle_shared_int 10 10
    interrupt "DISK INT" gic_handle_shared_int 15 22
    interrupt "NET INT" gic_handle_shared_int 23 23
    interrupt "RNG INT" gic_handle_shared_int 24 24
    interrupt "DISK INT" gic_handle_shared_int 25 26
    interrupt "CPU INT" gic_handle_shared_int 31 134
    rule "SW INT" enter "SW INT" handle_softirqs

    rule "disk I/Os" count "disk I/Os" blk_mq_start_request
}

# `namespace eval ::linux { variable locks 0 }` before this library leaves the locks out.
if {![info exists ::linux::locks] || $::linux::locks} {
    library locks
}
