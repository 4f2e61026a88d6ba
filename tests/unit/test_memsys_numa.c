/* NUMA nodes (memory.nodes): homes of pages, and what requests take by the nodes of requester, home and supplier, with
 * known answers. Random machines are in test_memsys_shared.c. */
#include "tests/unit/timing_machine.h"

/* Four nodes of two CPUs; at 200 MHz local memory takes 20 cycles, a cache in the node 30, an upgrade 25; across nodes
 * it is 100, 200 and 150. */
#define NUMA                                                                                                           \
    "cache.l2.size=64K cache.l2.line=64 memory.nodes=4 memory.miss_time=100 memory.intervention_time=150 "             \
    "memory.upgrade_time=125 memory.remote_time=500 memory.remote_intervention_time=1000 "                             \
    "memory.remote_upgrade_time=750 "
enum {
    CPUS = 8,
    PAGE = 4096,
    NEAR = 20,
    NEAR_CACHE = 30,
    NEAR_UPGRADE = 25,
    FAR = 100,
    FAR_CACHE = 200,
    FAR_UPGRADE = 150
};

/* First touch: the node whose CPU first requests a page from memory is its home for all. */
static void who_touches_a_page_first_has_it_near(void **state)
{
    (void)state;
    struct machine *m = machine(CPUS, NUMA);
    assert_int_equal(load(m, 5, A), NEAR);
    assert_int_equal(load(m, 4, A + 64), NEAR); /* the same node */
    assert_int_equal(load(m, 0, A + 128), FAR);
    assert_int_equal(load(m, 0, A + 192), FAR); /* a home stays */
    assert_int_equal(load(m, 0, A + PAGE), NEAR);
    assert_int_equal(value(m, "numa.node2.pages"), 1);
    assert_int_equal(value(m, "numa.node0.pages"), 1);
    assert_int_equal(value(m, "numa.node2.home2.memory"), 2);
    assert_int_equal(value(m, "numa.node0.home2.memory"), 2);
    assert_int_equal(value(m, "numa.node0.home0.memory"), 1);
    assert_int_equal(value(m, "cpu0.numa.local"), 1);
    assert_int_equal(value(m, "cpu0.numa.remote"), 2);
    done(m);
}

/* By address: pages, or larger parts, have homes in turn. */
static void homes_by_address_are_in_turn(void **state)
{
    (void)state;
    for (unsigned shift = 0; shift < 3; shift++) {
        char settings[600];
        snprintf(settings, sizeof settings, "%s memory.home=address memory.home_interleave=%uK", NUMA, 4u << shift);
        struct machine *m = machine(CPUS, settings);
        for (paddr page = 0; page < 16; page++)
            assert_int_equal(load(m, 2, page * PAGE), (page >> shift) % 4 == 1 ? NEAR : FAR);
        done(m);
    }
}

/* A line that two CPUs store to in turn costs the latency of a remote cache, to the cycle, and that of one in the node
 * if home and both CPUs are there. */
static void ping_pong_costs_what_the_owner_is_away(void **state)
{
    static const struct {
        unsigned home, one, other;
        unsigned time;
    } cases[] = {{0, 0, 1, NEAR_CACHE}, {0, 0, 2, FAR_CACHE}, {2, 0, 1, FAR_CACHE}, {4, 0, 2, FAR_CACHE}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine *m = machine(CPUS, NUMA);
        load(m, cases[i].home, A + 64); /* the page's home */
        store(m, cases[i].one, A);
        for (unsigned n = 0; n < 10; n++)
            assert_int_equal(store(m, n & 1 ? cases[i].one : cases[i].other, A), cases[i].time);
        char name[64];
        snprintf(name, sizeof name, "numa.node%u.home%u.cache%u", cases[i].other / 2, cases[i].home / 2,
                 cases[i].one / 2);
        assert_int_equal(value(m, name), cases[i].one / 2 == cases[i].other / 2 ? 10 : 5);
        done(m);
    }
}

/* An upgrade stays in the node if the home and all other sharers are there. */
static void upgrades_reach_the_home_and_the_sharers(void **state)
{
    static const struct {
        unsigned home, storing, sharing;
        unsigned time;
    } cases[] = {{0, 0, 1, NEAR_UPGRADE}, {0, 1, 2, FAR_UPGRADE}, {2, 0, 1, FAR_UPGRADE}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine *m = machine(CPUS, NUMA);
        load(m, cases[i].home, A + 64);
        load(m, cases[i].storing, A);
        load(m, cases[i].sharing, A);
        assert_int_equal(store(m, cases[i].storing, A), cases[i].time);
        char name[64];
        snprintf(name, sizeof name, "numa.node0.home%u.upgrades", cases[i].home / 2);
        assert_int_equal(value(m, name), 1);
        done(m);
    }
}

/* Nodes may have no CPU, only memory. */
static void nodes_may_be_memory_alone(void **state)
{
    (void)state;
    struct machine *m = machine(1, NUMA "memory.home=address");
    assert_int_equal(load(m, 0, 0), NEAR);
    assert_int_equal(load(m, 0, PAGE), FAR);
    assert_int_equal(load(m, 0, 4 * PAGE), NEAR);
    done(m);
}

/* In turn: each page that is first requested has its home in the next node, whoever requests it. */
static void homes_in_turn(void **state)
{
    (void)state;
    struct machine *m = machine(CPUS, NUMA "memory.home=round_robin");
    for (unsigned page = 0; page < 8; page++)
        assert_int_equal(load(m, 3, A + (7 - page) * PAGE), page % 4 == 1 ? NEAR : FAR);
    for (unsigned node = 0; node < 4; node++) {
        char name[32];
        snprintf(name, sizeof name, "numa.node%u.pages", node);
        assert_int_equal(value(m, name), 2);
    }
    done(m);
}

/* By allocation: a page that the guest's kernel has freed gets its home, and is hot or copied, from the next use on. */
static void a_freed_page_has_no_home(void **state)
{
    (void)state;
    struct machine *m = machine(CPUS, NUMA "memory.home=allocation memory.move_pages=both memory.move_threshold=2 "
                                           "memory.move_sharing_threshold=1 memory.move_interval=1ms");
    assert_true(memsys_follows_allocations(m->memsys));
    load(m, 0, A);
    load(m, 2, A + 64);
    load(m, 2, A + 128); /* it is copied */
    assert_int_equal(value(m, "numa.replications"), 1);
    memsys_page_freed(m->memsys, A);
    assert_int_equal(value(m, "numa.node0.pages"), 0);
    assert_int_equal(load(m, 4, A + 192), NEAR);
    assert_int_equal(value(m, "numa.node2.pages"), 1);
    assert_int_equal(load(m, 2, A + 256), FAR);
    assert_int_equal(load(m, 0, A + 320), FAR);
    assert_int_equal(store(m, 4, A + 192), NEAR_UPGRADE); /* there is no copy to end */
    assert_int_equal(value(m, "numa.collapses"), 0);
    done(m);
}

/* Moves of pages (Verghese et al., ASPLOS 1996): 8 misses make a page hot; 3 of another node make it shared; a move
 * takes 400 cycles. A page has 64 lines. */
#define MOVES                                                                                                          \
    NUMA "memory.move_threshold=8 memory.move_sharing_threshold=3 memory.move_time=2us memory.move_interval=1ms "
enum { MOVE = 400, THRESHOLD = 8, LINE = 64, LINES = PAGE / LINE };

static unsigned load_lines(struct machine *m, unsigned cpu, unsigned first, unsigned count)
{
    unsigned stalls = 0;
    for (unsigned i = 0; i < count; i++)
        stalls += load(m, cpu, A + (first + i) * LINE);
    return stalls;
}

/* A page that one node alone uses moves there, and all its later misses are near. Its lines have to be read again. */
static void a_page_migrates_to_who_uses_it(void **state)
{
    (void)state;
    struct machine *m = machine(CPUS, MOVES "memory.move_pages=migrate");
    load(m, 0, A + (LINES - 1) * LINE); /* the home is node 0 */
    assert_int_equal(load_lines(m, 7, 0, THRESHOLD), THRESHOLD * FAR + MOVE);
    assert_int_equal(m->bucket[7].stall[STALL_PAGE_MOVE], MOVE);
    assert_int_equal(value(m, "numa.migrations"), 1);
    assert_int_equal(value(m, "numa.node0.pages"), 0);
    assert_int_equal(value(m, "numa.node3.pages"), 1);
    assert_int_equal(load_lines(m, 7, 0, LINES), LINES * NEAR);
    assert_int_equal(load(m, 0, A + (LINES - 1) * LINE), FAR);
    /* once in an interval */
    load_lines(m, 0, 0, LINES - 1);
    assert_int_equal(value(m, "numa.migrations"), 1);
    assert_int_equal(value(m, "numa.hot_moved") + value(m, "numa.hot_written"), 0); /* shared: no copies wanted */
    done(m);
}

/* A page that all read is near everywhere, once it has been copied. */
static void a_page_that_is_only_read_is_near_everywhere(void **state)
{
    (void)state;
    struct machine *m = machine(CPUS, MOVES "memory.move_pages=both");
    load_lines(m, 0, 0, THRESHOLD);
    for (unsigned cpu = 2; cpu < CPUS; cpu += 2)
        assert_int_equal(load_lines(m, cpu, 0, THRESHOLD), THRESHOLD * FAR + MOVE);
    assert_int_equal(value(m, "numa.replications"), 3);
    for (unsigned cpu = 0; cpu < CPUS; cpu++)
        assert_int_equal(load_lines(m, cpu, THRESHOLD, LINES - THRESHOLD), (LINES - THRESHOLD) * NEAR);
    assert_int_equal(value(m, "numa.migrations"), 0);
    assert_int_equal(value(m, "numa.node0.pages"), 1);
    done(m);
}

/* The first store ends the copies, before it is made; so does a device. Then the page is as remote as before. */
static void a_store_ends_the_copies(void **state)
{
    (void)state;
    for (unsigned device = 0; device < 2; device++) {
        struct machine *m = machine(CPUS, MOVES "memory.move_pages=replicate");
        load_lines(m, 0, 0, THRESHOLD);
        load_lines(m, 2, 0, THRESHOLD);
        assert_int_equal(load(m, 2, A), NEAR); /* CPU 2 has a copy, of which its caches had nothing */
        if (device)
            memsys_dma_write(m->memsys, A + 2 * LINE, 4, 0);
        else
            assert_int_equal(store(m, 0, A), MOVE + NEAR_UPGRADE); /* the copies' lines have left */
        assert_int_equal(value(m, "numa.collapses"), 1);
        assert_int_equal(m->bucket[0].stall[STALL_PAGE_MOVE], device ? 0 : MOVE);
        assert_int_equal(load(m, 2, A + 3 * LINE), FAR);
        done(m);
    }
}

/* A page that is written is not copied. */
static void a_page_that_is_written_is_not_copied(void **state)
{
    (void)state;
    struct machine *m = machine(CPUS, MOVES "memory.move_pages=both");
    store(m, 0, A);
    load_lines(m, 0, 1, THRESHOLD);
    load_lines(m, 2, 1, THRESHOLD);
    assert_int_equal(value(m, "numa.hot_pages"), 1);
    assert_int_equal(value(m, "numa.hot_written"), 1);
    assert_int_equal(value(m, "numa.replications"), 0);
    done(m);
}

/* What a cache misses after a move are lines of a frame that it never held. */
static void moved_lines_are_new(void **state)
{
    (void)state;
    struct machine *m = machine(CPUS, MOVES "memory.move_pages=migrate cache.classify=full");
    load(m, 0, A + (LINES - 1) * LINE);
    load_lines(m, 7, 0, THRESHOLD);
    load_lines(m, 7, 0, THRESHOLD);
    assert_int_equal(value(m, "cpu7.l2.miss.data.kernel.cold"), 2 * THRESHOLD);
    done(m);
}

/* With misses of the TLB as the measure, cache misses move nothing. */
static void misses_of_the_tlb_may_be_the_measure(void **state)
{
    (void)state;
    struct machine *m = machine(CPUS, MOVES "memory.move_pages=migrate memory.move_on=tlb_misses");
    load_lines(m, 0, 0, 1);
    load_lines(m, 2, 0, 2 * THRESHOLD);
    assert_int_equal(value(m, "numa.hot_pages"), 0);
    for (unsigned i = 0; i < THRESHOLD; i++)
        memsys_tlb_missed(m->memsys, 2, A, 0);
    assert_int_equal(load(m, 2, A + 20 * LINE), FAR + MOVE);
    assert_int_equal(load(m, 2, A + 20 * LINE), NEAR);
    done(m);
}

/* Queues: a request keeps its home busy for 12 cycles, a message the links for 8. */
enum { HOME_BUSY = 12, LINK_BUSY = 8 };
#define HOMES NUMA "memory.home_occupancy=60 "
#define LINKS NUMA "memory.link_occupancy=40 "

/* A home takes one request at a time, from whatever node; and none waits for another home. */
static void requests_wait_for_their_home(void **state)
{
    (void)state;
    struct machine *m = machine(CPUS, HOMES);
    assert_int_equal(load_at(m, 0, A, 1000), NEAR);
    assert_int_equal(load_at(m, 1, A + LINE, 1000), NEAR + HOME_BUSY);
    assert_int_equal(load_at(m, 2, A + 2 * LINE, 1000), FAR + 2 * HOME_BUSY);
    assert_int_equal(load_at(m, 4, A + 3 * LINE, 1000 + HOME_BUSY), FAR + 2 * HOME_BUSY);
    assert_int_equal(load_at(m, 6, A + PAGE, 1000), NEAR);
    assert_int_equal(load_at(m, 3, A + 4 * LINE, 2000), FAR);
    assert_int_equal(value(m, "numa.node0.queue.busy"), 5 * HOME_BUSY);
    assert_int_equal(value(m, "numa.node0.queue.wait"), (1 + 2 + 2) * HOME_BUSY);
    assert_int_equal(value(m, "numa.node3.queue.requests"), 1);
    done(m);
}

/* A request takes the link out of its node and that into its home, and the answer those back; within a node there is
 * none. Two requests of a node wait for its link; two of different nodes for the home's. */
static void messages_wait_for_links(void **state)
{
    (void)state;
    struct machine *m = machine(CPUS, LINKS);
    assert_int_equal(load_at(m, 0, A, 1000), NEAR);
    assert_int_equal(load_at(m, 1, A + LINE, 1000), NEAR);
    assert_int_equal(load_at(m, 2, A + 2 * LINE, 1000), FAR);
    assert_int_equal(load_at(m, 3, A + 3 * LINE, 1000), FAR + LINK_BUSY);
    assert_int_equal(load_at(m, 4, A + 4 * LINE, 1000), FAR + 2 * LINK_BUSY);
    assert_int_equal(value(m, "numa.node1.link_out.requests"), 2);
    assert_int_equal(value(m, "numa.node1.link_in.requests"), 2);
    assert_int_equal(value(m, "numa.node0.link_in.requests"), 3);
    assert_int_equal(value(m, "numa.node0.link_out.requests"), 3);
    assert_int_equal(value(m, "numa.node0.link_in.wait"), 2 * LINK_BUSY); /* the fifth alone, behind both others */
    done(m);
}

/* A line that a third node has modified takes three messages; an upgrade one to the home, one to each other sharing
 * node, and the answer. */
static void owners_and_sharers_get_messages(void **state)
{
    (void)state;
    struct machine *m = machine(CPUS, LINKS);
    load_at(m, 0, A, 1000);
    store(m, 2, A + LINE); /* request and answer */
    load_at(m, 4, A + LINE, 5000);
    assert_int_equal(value(m, "numa.node1.link_in.requests"), 1 + 1);
    assert_int_equal(value(m, "numa.node1.link_out.requests"), 1 + 1);
    assert_int_equal(value(m, "numa.node2.link_in.requests"), 1);
    store(m, 4, A + LINE); /* CPU 2 shares it */
    assert_int_equal(value(m, "numa.node1.link_in.requests"), 3);
    assert_int_equal(value(m, "numa.node2.link_in.requests"), 2);
    done(m);
}

static void what_is_refused(void **state)
{
    static const struct {
        const char *settings, *message;
    } cases[] = {
        {"memory.nodes=4 cache.l2.shared=4",
         "memory.nodes is 4: not possible with cache.l2.shared = 4, more than the 2 CPUs of a node"},
        {"memory.nodes=2 memory.contention=on", "memory.nodes is 2: not possible with memory.contention=on"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct params *params = make_params(cases[i].settings);
        struct err err = {""};
        assert_null(memsys_create(params, CPUS, 200 * MHZ, &err));
        assert_string_equal(err.text, cases[i].message);
        params_free(params);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_touches_a_page_first_has_it_near),
        cmocka_unit_test(homes_by_address_are_in_turn),
        cmocka_unit_test(ping_pong_costs_what_the_owner_is_away),
        cmocka_unit_test(upgrades_reach_the_home_and_the_sharers),
        cmocka_unit_test(nodes_may_be_memory_alone),
        cmocka_unit_test(homes_in_turn),
        cmocka_unit_test(a_freed_page_has_no_home),
        cmocka_unit_test(a_page_migrates_to_who_uses_it),
        cmocka_unit_test(a_page_that_is_only_read_is_near_everywhere),
        cmocka_unit_test(a_store_ends_the_copies),
        cmocka_unit_test(a_page_that_is_written_is_not_copied),
        cmocka_unit_test(moved_lines_are_new),
        cmocka_unit_test(misses_of_the_tlb_may_be_the_measure),
        cmocka_unit_test(requests_wait_for_their_home),
        cmocka_unit_test(messages_wait_for_links),
        cmocka_unit_test(owners_and_sharers_get_messages),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
