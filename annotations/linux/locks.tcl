# Locks of Linux: queued spin locks and reader-writer locks, whose routines are not inlined, and sleeping locks.
# A slow path (`waits`) must be declared before the functions that call it.

namespace eval ::linux {
    proc lock {kind action args} {
        foreach symbol $args {
            rule "locks" lock $kind $action $symbol
        }
    }

    if {$::linux::multiprocessor} {
        lock spin waits queued_spin_lock_slowpath
        lock spin takes _raw_spin_lock _raw_spin_lock_irq _raw_spin_lock_irqsave _raw_spin_lock_bh
        lock spin tries _raw_spin_trylock _raw_spin_trylock_bh
        lock spin gives _raw_spin_unlock_irqrestore _raw_spin_unlock_bh
        rule "releases of spin locks" lock releases _text _etext

        lock read waits queued_read_lock_slowpath
        lock read takes _raw_read_lock _raw_read_lock_irq _raw_read_lock_irqsave _raw_read_lock_bh
        lock read tries _raw_read_trylock
        lock read gives _raw_read_unlock_irqrestore _raw_read_unlock_bh
        lock write waits queued_write_lock_slowpath
        lock write takes _raw_write_lock _raw_write_lock_nested _raw_write_lock_irq _raw_write_lock_irqsave \
            _raw_write_lock_bh
        lock write tries _raw_write_trylock
        lock write gives _raw_write_unlock_irqrestore _raw_write_unlock_bh
    }

    lock mutex waits [one_of __mutex_lock.constprop.0 __mutex_lock]
    lock mutex takes mutex_lock mutex_lock_interruptible mutex_lock_killable mutex_lock_io
    lock mutex tries mutex_trylock
    lock mutex gives mutex_unlock
    lock shared waits rwsem_down_read_slowpath
    lock shared takes down_read down_read_interruptible down_read_killable
    lock shared tries down_read_trylock
    lock shared gives up_read
    lock exclusive waits rwsem_down_write_slowpath
    lock exclusive takes down_write down_write_killable
    lock exclusive tries down_write_trylock
    lock exclusive gives up_write
    lock semaphore waits ___down_common
    lock semaphore takes down down_interruptible down_killable down_timeout
    lock semaphore gives up

    # Static kernel variables are below the end of the kernel image, which `library layout` sets.
    if {[info exists ::linux::image_end]} {
        service lock variables $::linux::image_end
    }
}
