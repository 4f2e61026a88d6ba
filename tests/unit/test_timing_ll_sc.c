/*
 * Locks with ll and sc under contention. An ll is a load, an sc that succeeds is a store, one that fails is no access;
 * the link is the CPU's, and an invalidation breaks it. What the memory system has to do for that: a waiting CPU spins
 * in its own cache and is told by losing the line.
 */
#include "timing_machine.h"

enum { CPUS = 4, SPIN = 3 /* instructions of a round: ll, branch, delay slot */ };

/* A CPU that takes a lock, holds it, and lets it go. */
struct locker {
    cycles now;
    uint8_t quick; /* of the lock's line */
    bool linked;
    unsigned accesses; /* that the memory system was asked for */
    unsigned taken;
};

struct lock {
    struct machine *m;
    struct locker cpu[CPUS];
    bool held;
    unsigned holder;
};

/* An access as models make it: by the quick byte, if that allows it. */
static void lock_access(struct lock *lock, unsigned cpu, enum memsys_access access)
{
    struct locker *locker = &lock->cpu[cpu];
    unsigned need = access == MEMSYS_WRITE ? QUICK_STORE : QUICK_READ;
    struct memsys_request request = {.access = access,
                                     .address = A,
                                     .virtual_address = A,
                                     .size = 4,
                                     .grant = QUICK_WRITE,
                                     .quick = &locker->quick,
                                     .now = locker->now,
                                     .bucket = &lock->m->bucket[cpu]};
    if (!(locker->quick & need)) {
        locker->accesses++;
        locker->now += memsys_access(lock->m->memsys, cpu, &request);
    }
    locker->now++;
}

/* The stores of others break the link: they have taken the line. */
static void break_links(struct lock *lock, unsigned cpu)
{
    for (unsigned other = 0; other < CPUS; other++)
        if (other != cpu && lock->cpu[other].quick == QUICK_NONE)
            lock->cpu[other].linked = false;
}

/* One ll, and an sc if the lock is free. */
static void try_lock(struct lock *lock, unsigned cpu)
{
    struct locker *locker = &lock->cpu[cpu];
    lock_access(lock, cpu, MEMSYS_READ);
    locker->linked = true;
    locker->now += SPIN - 1;
    if (lock->held || !locker->linked)
        return;
    lock_access(lock, cpu, MEMSYS_WRITE);
    break_links(lock, cpu);
    lock->held = true;
    lock->holder = cpu;
    locker->taken++;
}

static void unlock(struct lock *lock)
{
    lock_access(lock, lock->holder, MEMSYS_WRITE);
    break_links(lock, lock->holder);
    lock->held = false;
}

static struct lock *make_lock(const char *settings)
{
    struct lock *lock = calloc(1, sizeof *lock);
    lock->m = machine(CPUS, settings);
    return lock;
}

static void lock_done(struct lock *lock)
{
    done(lock->m);
    free(lock);
}

static unsigned bus_requests(struct lock *lock)
{
    return value(lock->m, "bus.address.requests");
}

/* While the lock is held the others spin without the bus: a first miss each, then nothing. */
static void waiting_costs_no_bus(void **state)
{
    (void)state;
    struct lock *lock = make_lock(BUS);
    try_lock(lock, 0);
    assert_true(lock->held);
    for (unsigned cpu = 1; cpu < CPUS; cpu++) {
        lock->cpu[cpu].now = 1000 * cpu;
        try_lock(lock, cpu);
    }
    unsigned before = bus_requests(lock);
    for (unsigned round = 0; round < 1000; round++)
        for (unsigned cpu = 1; cpu < CPUS; cpu++)
            try_lock(lock, cpu);
    assert_int_equal(bus_requests(lock), before);
    for (unsigned cpu = 1; cpu < CPUS; cpu++) {
        assert_int_equal(lock->cpu[cpu].accesses, 1);
        assert_int_equal(lock->cpu[cpu].now, 1000 * cpu + 100 + 1001 * SPIN); /* each round at full speed */
    }
    lock_done(lock);
}

/* The release takes their lines, and they come for it all at once. */
static void the_release_is_seen_by_a_miss(void **state)
{
    (void)state;
    struct lock *lock = make_lock(BUS);
    try_lock(lock, 0);
    for (unsigned cpu = 1; cpu < CPUS; cpu++) {
        lock->cpu[cpu].now = 1000 * cpu;
        try_lock(lock, cpu);
    }
    lock->cpu[0].now = 10000;
    unlock(lock); /* an upgrade: [10004, 10008) */
    assert_int_equal(lock->cpu[0].now, 10000 + 100 + 1);
    lock->held = true; /* look only: another has been quicker */
    for (unsigned cpu = 1; cpu < CPUS; cpu++) {
        assert_int_equal(lock->cpu[cpu].quick, QUICK_NONE);
        lock->cpu[cpu].now = 10101;
        try_lock(lock, cpu);
        assert_int_equal(lock->cpu[cpu].now, 10101 + 100 + DATA * (cpu - 1) + SPIN);
    }
    assert_int_equal(value(lock->m, "bus.supply_updates"), 2); /* of the first taker, at the start, and of this one */
    assert_int_equal(value(lock->m, "bus.upgrades"), 2);
    lock_done(lock);
}

/* All link, one stores: the others' sc would fail, and makes no access. */
static void one_sc_wins(void **state)
{
    (void)state;
    struct lock *lock = make_lock(BUS);
    for (unsigned cpu = 0; cpu < CPUS; cpu++) {
        lock->cpu[cpu].now = 1000 * cpu;
        lock_access(lock, cpu, MEMSYS_READ);
        lock->cpu[cpu].linked = true;
    }
    lock->cpu[2].now = 5000;
    lock_access(lock, 2, MEMSYS_WRITE);
    break_links(lock, 2);
    assert_int_equal(lock->cpu[2].now, 5101);
    for (unsigned cpu = 0; cpu < CPUS; cpu++)
        assert_int_equal(lock->cpu[cpu].linked, cpu == 2);
    assert_int_equal(value(lock->m, "bus.upgrades"), 1);
    lock_done(lock);
}

/* Many take the lock in turn: every one that gets it pays a miss and an upgrade, and all get it. */
static unsigned fight(const char *settings)
{
    struct lock *lock = make_lock(settings);
    unsigned taken = 0;
    cycles release = 0;
    while (taken < 200) {
        unsigned cpu = 0; /* furthest behind */
        for (unsigned other = 1; other < CPUS; other++)
            if (lock->cpu[other].now < lock->cpu[cpu].now)
                cpu = other;
        if (lock->held && lock->holder == cpu && lock->cpu[cpu].now >= release) {
            unlock(lock);
            lock->cpu[cpu].now += 500; /* something else */
        } else if (lock->held && lock->holder == cpu) {
            lock->cpu[cpu].now = release;
        } else {
            try_lock(lock, cpu);
            if (lock->held && lock->holder == cpu) {
                taken++;
                release = lock->cpu[cpu].now + 50;
            }
        }
    }
    cycles end = 0;
    for (unsigned cpu = 0; cpu < CPUS; cpu++) {
        assert_true(lock->cpu[cpu].taken > 200 / CPUS / 3);
        if (lock->cpu[cpu].now > end)
            end = lock->cpu[cpu].now;
    }
    lock_done(lock);
    return (unsigned)end;
}

static void contention_makes_locks_slower(void **state)
{
    (void)state;
    unsigned free_bus = fight("");
    unsigned bus = fight(BUS);
    unsigned atomic = fight(BUS "bus.model=atomic");
    assert_true(free_bus < bus);
    assert_true(bus < atomic);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waiting_costs_no_bus),
        cmocka_unit_test(the_release_is_seen_by_a_miss),
        cmocka_unit_test(one_sc_wins),
        cmocka_unit_test(contention_makes_locks_slower),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
