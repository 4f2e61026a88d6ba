/* The built-in machines' memory systems behave as their papers describe: latencies and stalls. */
#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"
#include "cache/memsys.h"
#include "src/machine/machine.h"

/* LONG: everything in flight has ended after it. */
enum { LONG = 100000, BASE = 0x01000000 };

struct system {
    struct memsys *memsys;
    struct bucket bucket;
    uint8_t permission; /* fast-path byte of all lines; not evaluated */
    cycles now;
};

static struct system *make(const char *name)
{
    struct system *s = calloc(1, sizeof *s);
    struct machine_options options;
    struct err err = {""};
    machine_options_init(&options);
    if (!machine_options_describe(&options, name, &err))
        fail_msg("%s", err.text);
    s->memsys = memsys_create(options.params, (unsigned)params_u64(options.params, "machine.cpus"),
                              params_u64(options.params, "cpu.clock"), &err);
    if (!s->memsys)
        fail_msg("%s", err.text);
    machine_options_release(&options);
    return s;
}

static void done(struct system *s)
{
    struct err err = {""};
    if (!memsys_check(s->memsys, &err))
        fail_msg("%s", err.text);
    memsys_free(s->memsys);
    free(s);
}

/* An access of CPU at NOW. Returns the stall cycles. */
static cycles access_at(struct system *s, unsigned cpu, enum memsys_access kind, paddr address, cycles now)
{
    const struct memsys_request request = {.address = address,
                                           .virtual_address = address,
                                           .access = kind,
                                           .size = 4,
                                           .max_permission = PERMIT_READ_STORE,
                                           .permission = &s->permission,
                                           .now = now,
                                           .bucket = &s->bucket};
    return memsys_access(s->memsys, cpu, &request);
}

/* The same with nothing in flight. */
static cycles access_alone(struct system *s, unsigned cpu, enum memsys_access kind, paddr address)
{
    s->now += LONG;
    return access_at(s, cpu, kind, address, s->now);
}

static cycles load(struct system *s, paddr address)
{
    return access_alone(s, 0, MEMSYS_READ, address);
}

/* Loads and fetches served by each level without contention. Lines STRIDE apart evict one another from the first level,
 * the second ... */
static void reads_cost_what_the_papers_say(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        paddr l1_stride, l2_stride;
        cycles l2, l3, memory;
        int ways; /* of the first level, at most */
    } machines[] = {
        {"1994", 8 << 10, 0, 10, 0, 100, 2},
        {"1994-mp8", 8 << 10, 0, 10, 0, 100, 2},
        {"1996", 16 << 10, 0, 10, 0, 60, 2},
        {"1998", 32 << 10, 0, 15, 0, 125, 2},
        {"dash-cluster", 64 << 10, 0, 14, 0, 29, 2},
        {"dash-4x4", 64 << 10, 0, 14, 0, 29, 2},
        {"origin-2000", 16 << 10, 0, 10, 0, 61, 2},
        {"decstation-3100", 64 << 10, 0, 0, 0, 5, 2},
        {"hp-720", 256 << 10, 0, 0, 0, 20, 2},
        {"hp-755", 256 << 10, 0, 0, 0, 37, 2},
        {"hp-712", 256 << 10, 0, 0, 0, 23, 2},
        {"origin-200", 16 << 10, 0, 12, 0, 71, 2},
        {"ar9344", 8 << 10, 0, 0, 0, 87, 2},
        {"indigo2-r4400", 16 << 10, 0, 15, 0, 189, 2},
        {"challenge-r4400", 16 << 10, 0, 15, 0, 212, 2},
        {"router-34k", 8 << 10, 0, 0, 0, 80, 2},
        {"mt7621", 8 << 10, 0, 20, 0, 110, 4},
        {"interaptiv-4", 8 << 10, 0, 25, 0, 100, 4},
        {"ultra-1", 16 << 10, 0, 7, 0, 72, 2},
        {"xia-torrellas", 8 << 10, 32 << 10, 5, 33, 107, 2},
        {"xia-torrellas-4x", 8 << 10, 32 << 10, 20, 132, 428, 2},
    };
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++)
        for (int kind = MEMSYS_FETCH; kind <= MEMSYS_READ; kind++) {
            struct system *s = make(machines[i].name);
            cycles cold = access_alone(s, 0, (enum memsys_access)kind, BASE);
            cycles hit = access_alone(s, 0, (enum memsys_access)kind, BASE);
            for (int line = 1; line <= machines[i].ways; line++)
                access_alone(s, 0, (enum memsys_access)kind, BASE + line * machines[i].l1_stride);
            cycles l2 = machines[i].l2 ? access_alone(s, 0, (enum memsys_access)kind, BASE) : 0;
            for (int line = 1; line <= 4; line++)
                if (machines[i].l3)
                    access_alone(s, 0, (enum memsys_access)kind, BASE + line * machines[i].l2_stride);
            cycles l3 = machines[i].l3 ? access_alone(s, 0, (enum memsys_access)kind, BASE) : 0;
            if (cold != machines[i].memory || hit != 0 || l2 != machines[i].l2 || l3 != machines[i].l3)
                fail_msg("%s, %s: memory %d, hit %d, second level %d, third level %d", machines[i].name,
                         kind == MEMSYS_FETCH ? "fetch" : "load", (int)cold, (int)hit, (int)l2, (int)l3);
            done(s);
        }
}

/* A page's home is the node of CPU 0, which reads a line first. Another cluster's CPU reads one over the network; and
 * one that the last cluster has modified, which takes longest. The Origin's second node is as far as its memory. */
static void remote_reads_cost_what_the_papers_say(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned near, far, owner; /* CPUs: of the home's node, of another, and one that owns a line */
        cycles local, remote, dirty;
    } machines[] = {{"dash-4x4", 3, 4, 12, 29, 99, 134}, {"origin-2000", 1, 2, 1, 61, 106, 106}};
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        struct system *s = make(machines[i].name);
        access_alone(s, 0, MEMSYS_READ, BASE);
        assert_int_equal(access_alone(s, machines[i].near, MEMSYS_READ, BASE + 0x200), machines[i].local);
        assert_int_equal(access_alone(s, machines[i].far, MEMSYS_READ, BASE + 0x400), machines[i].remote);
        access_alone(s, machines[i].owner, MEMSYS_READ, BASE + 0x600);
        access_alone(s, machines[i].owner, MEMSYS_WRITE, BASE + 0x600);
        assert_int_equal(access_alone(s, machines[i].far, MEMSYS_READ, BASE + 0x600), machines[i].dirty);
        done(s);
    }
}

/* Monster, section 4.2: stalls "occur when the 4-entry write buffer fills to capacity"; "one word per 5 cycles". With
 * one store per cycle, the first four find an entry, the fifth comes a cycle before the first has been written, and
 * then each waits until five cycles after the previous one. */
static void decstation_stores_go_at_a_word_in_5_cycles(void **state)
{
    (void)state;
    struct system *s = make("decstation-3100");
    cycles now = LONG;
    for (int i = 0; i < 40; i++) {
        cycles stall = access_at(s, 0, MEMSYS_WRITE, BASE + 4 * i, now);
        cycles expected = i < 4 ? 0 : i == 4 ? 1 : 4;
        if (stall != expected)
            fail_msg("store %d waits %d cycles, not %d", i, (int)stall, (int)expected);
        now += 1 + stall;
    }
    assert_int_equal(access_at(s, 0, MEMSYS_WRITE, BASE, now + 20), 0); /* the buffer is empty */
    done(s);
}

/* Copy 4 KB word by word from BASE to the next 4 KB. Returns the sum of the stalls. */
static cycles copy(struct system *s)
{
    cycles stalls = 0;
    for (int word = 0; word < 1024; word++) {
        stalls += load(s, BASE + 4 * word);
        stalls += access_alone(s, 0, MEMSYS_WRITE, BASE + 4096 + 4 * word);
    }
    return stalls;
}

/* Inouye, Walpole, Zhang, table 5: copies of 4 KB with an uncached source ("clean-hot") minus copies with everything
 * cached ("hot-hot"): memcpy 6707 - 4147 on the 720, 8Wld-8Wst 8124 - 3384 on the 755, memcpy 6328 - 3384 on the
 * 712. */
static void hp_copies_take_as_much_longer_as_measured(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int measured;
    } machines[] = {{"hp-720", 2560}, {"hp-755", 4740}, {"hp-712", 2944}};
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        struct system *s = make(machines[i].name);
        copy(s);
        assert_int_equal(copy(s), 0);
        for (int line = 0; line < 128; line++) /* replace the source by clean lines */
            load(s, BASE + (256 << 10) + 32 * line);
        int longer = (int)copy(s);
        if (abs(longer - machines[i].measured) * 1000 > machines[i].measured)
            fail_msg("%s: %d cycles longer, the paper has %d", machines[i].name, longer, machines[i].measured);
        done(s);
    }
}

/* Table 2: the 712's cache is "combined": fetched lines hit for loads. */
static void hp_712_has_one_cache(void **state)
{
    (void)state;
    struct system *s = make("hp-712");
    assert_int_equal(access_alone(s, 0, MEMSYS_FETCH, BASE), 23);
    assert_int_equal(load(s, BASE + 28), 0);
    assert_int_equal(load(s, BASE + 32), 23);
    assert_int_equal(access_alone(s, 0, MEMSYS_FETCH, BASE + 32), 0);
    done(s);
}

/* SOSP'95 section 3.5: three states, so the first store to a line that was read is an upgrade; in the Illinois protocol
 * (Xia and Torrellas, DASH, R10000) an exclusive clean line can be stored to immediately. */
static void stores_to_lines_that_were_read(void **state)
{
    (void)state;
    struct system *s = make("1994-mp8");
    load(s, BASE);
    assert_int_equal(access_alone(s, 0, MEMSYS_WRITE, BASE), 100);
    assert_int_equal(access_alone(s, 0, MEMSYS_WRITE, BASE), 0);
    assert_int_equal(access_alone(s, 7, MEMSYS_READ, BASE), 100);
    assert_int_equal(access_alone(s, 0, MEMSYS_WRITE, BASE), 100);
    done(s);
    s = make("origin-200");
    load(s, BASE);
    assert_int_equal(access_alone(s, 0, MEMSYS_WRITE, BASE), 0);
    assert_int_equal(access_alone(s, 3, MEMSYS_READ, BASE), 71);
    assert_int_equal(access_alone(s, 0, MEMSYS_WRITE, BASE), 71);
    done(s);
}

/* Xia and Torrellas, section 2.3: "writes are nonblocking", with 8 entries between the levels. */
static void xia_torrellas_stores_do_not_wait(void **state)
{
    (void)state;
    struct system *s = make("xia-torrellas");
    for (int line = 0; line < 8; line++)
        assert_int_equal(access_at(s, 0, MEMSYS_WRITE, BASE + 32 * line, LONG), 0);
    assert_true(access_at(s, 0, MEMSYS_WRITE, BASE + 32 * 8, LONG) > 0); /* the ninth at the same time stalls */
    done(s);
}

/* Section 2.3: "contention is fully modeled"; memory is "fixed, nonpipelined": of four CPUs that miss at the same time
 * each waits for the accesses of those before it, 30 cycles each. */
static void xia_torrellas_memory_is_used_by_one_at_a_time(void **state)
{
    (void)state;
    struct system *s = make("xia-torrellas");
    for (unsigned cpu = 0; cpu < 4; cpu++)
        assert_int_equal(access_at(s, cpu, MEMSYS_READ, BASE + 0x10000 * cpu, LONG), 107 + 30 * cpu);
    done(s);
}

/* Section 3.5: "a uniform memory access time shared memory": no contention. */
static void mp8_memory_is_uniform(void **state)
{
    (void)state;
    struct system *s = make("1994-mp8");
    for (unsigned cpu = 0; cpu < 8; cpu++)
        assert_int_equal(access_at(s, cpu, MEMSYS_READ, BASE + 0x10000 * cpu, LONG), 100);
    done(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_cost_what_the_papers_say),
        cmocka_unit_test(remote_reads_cost_what_the_papers_say),
        cmocka_unit_test(decstation_stores_go_at_a_word_in_5_cycles),
        cmocka_unit_test(hp_copies_take_as_much_longer_as_measured),
        cmocka_unit_test(hp_712_has_one_cache),
        cmocka_unit_test(stores_to_lines_that_were_read),
        cmocka_unit_test(xia_torrellas_stores_do_not_wait),
        cmocka_unit_test(xia_torrellas_memory_is_used_by_one_at_a_time),
        cmocka_unit_test(mp8_memory_is_uniform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
