/*
 * Locks with ll and sc under contention. An ll is a load, a successful sc is a store, a failing one is no access; the
 * link belongs to the CPU, and an invalidation breaks it. A waiting CPU spins in its own cache until it loses the
 * line.
 */
#include "timing_machine.h"

enum { CPUS = 4, SPIN = 3 /* SPIN: instructions of an iteration: ll, branch, delay slot */ };

/* A CPU that repeatedly acquires, holds and releases a lock. */
struct locker {
    cycles now;
    uint8_t permission; /* fast-path byte of the lock's line */
    bool linked;
    unsigned accesses; /* accesses on the slow path */
    unsigned taken;
};

struct lock {
    struct machine *m;
    struct locker cpu[CPUS];
    bool held;
    unsigned holder;
};

/* An access as CPU models make it: on the fast path if the byte permits it. */
static void lock_access(struct lock *lock, unsigned cpu, enum memsys_access access)
{
    struct locker *locker = &lock->cpu[cpu];
    unsigned need = access == MEMSYS_WRITE ? PERMIT_STORE : PERMIT_READ;
    struct memsys_request request = {.access = access,
                                     .address = A,
                                     .virtual_address = A,
                                     .size = 4,
                                     .max_permission = PERMIT_READ_STORE,
                                     .permission = &locker->permission,
                                     .now = locker->now,
                                     .bucket = &lock->m->bucket[cpu]};
    if (!(locker->permission & need)) {
        locker->accesses++;
        locker->now += memsys_access(lock->m->memsys, cpu, &request);
    }
    locker->now++;
}

/* Break the links of CPUs that lost the line to a store of another CPU. */
static void break_links(struct lock *lock, unsigned cpu)
{
    for (unsigned other = 0; other < CPUS; other++)
        if (other != cpu && lock->cpu[other].permission == PERMIT_NONE)
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

/* While the lock is held the others spin without the bus: one miss each. */
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
        assert_int_equal(lock->cpu[cpu].now, 1000 * cpu + 100 + 1001 * SPIN); /* each iteration at full speed */
    }
    lock_done(lock);
}

/* The release invalidates their copies, and all request the line at once. */
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
    lock->held = true; /* only read: another CPU was faster */
    for (unsigned cpu = 1; cpu < CPUS; cpu++) {
        assert_int_equal(lock->cpu[cpu].permission, PERMIT_NONE);
        lock->cpu[cpu].now = 10101;
        try_lock(lock, cpu);
        assert_int_equal(lock->cpu[cpu].now, 10101 + 100 + DATA * (cpu - 1) + SPIN);
    }
    /* by the first holder at the start, and by this holder after its release */
    assert_int_equal(value(lock->m, "bus.supply_updates"), 2);
    assert_int_equal(value(lock->m, "bus.upgrades"), 2);
    lock_done(lock);
}

/* All link, one stores: the others' sc fail without an access. */
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

/* Many CPUs acquire the lock one after the other: each pays a miss and an upgrade, and all succeed. */
static unsigned fight(const char *settings)
{
    struct lock *lock = make_lock(settings);
    unsigned taken = 0;
    cycles release = 0;
    while (taken < 200) {
        unsigned cpu = 0; /* the CPU that lags most */
        for (unsigned other = 1; other < CPUS; other++)
            if (lock->cpu[other].now < lock->cpu[cpu].now)
                cpu = other;
        if (lock->held && lock->holder == cpu && lock->cpu[cpu].now >= release) {
            unlock(lock);
            lock->cpu[cpu].now += 500; /* other work */
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
