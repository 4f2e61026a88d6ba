/* The memory system, one behaviour per test: Illinois (Papamarcos and Patel, ISCA'84) and Firefly (Thacker, Stewart and
 * Satterthwaite, IEEE TC August 1988), effects of load-linked loops on a line, and of stores to memory on other CPUs'
 * copies. The 3-state protocol is in test_memsys.c. */
#include "cache/hierarchy/protocol.h"
#include "tests/unit/memsys_fixture.h"
#include "tests/unit/reference_protocol.h"

static char state_of(struct machine *m, unsigned cpu, paddr address)
{
    return memsys_state(m->memsys, cpu, address);
}

/* Illinois */

static void first_reader_owns_the_clean_line(void **state)
{
    (void)state;
    struct machine *m = machine(2, "cache.protocol=mesi");
    load(m, 0, A);
    assert_int_equal(state_of(m, 0, A), 'E');
    assert_int_equal(store(m, 0, A), 0);
    assert_int_equal(state_of(m, 0, A), 'M');
    assert_int_equal(m->bucket[0].miss[MISS_UPGRADE], 0);
    done(m);
}

static void second_reader_makes_both_share(void **state)
{
    (void)state;
    struct machine *m = machine(3, "cache.protocol=mesi memory.intervention_time=300");
    assert_int_equal(load(m, 1, A), MEMORY);
    assert_int_equal(load(m, 2, A), 60); /* clean intervention */
    assert_int_equal(state_of(m, 1, A), 'S');
    assert_int_equal(state_of(m, 2, A), 'S');
    assert_int_equal(load(m, 0, A), 60);
    assert_int_equal(value(m, "cpu1.l2.clean_supplies"), 2); /* by the lowest-numbered sharer */
    assert_int_equal(value(m, "cpu2.l2.clean_supplies"), 0);
    assert_int_equal(value(m, "memory.fills"), 1);
    assert_int_equal(store(m, 2, A), MEMORY); /* an upgrade */
    assert_int_equal(m->bucket[2].miss[MISS_UPGRADE], 1);
    assert_int_equal(state_of(m, 2, A), 'M');
    assert_int_equal(state_of(m, 0, A), 'I');
    assert_int_equal(state_of(m, 1, A), 'I');
    done(m);
}

static void modified_line_is_supplied_and_written_to_memory(void **state)
{
    (void)state;
    struct machine *m = machine(2, "cache.protocol=mesi memory.intervention_time=300");
    store(m, 0, A);
    assert_int_equal(load(m, 1, A), 60);
    assert_int_equal(value(m, "cpu0.l2.interventions"), 1);
    assert_int_equal(value(m, "memory.write_backs"), 1);
    assert_int_equal(state_of(m, 0, A), 'S');
    done(m);
}

static void writer_takes_a_clean_line_from_its_owner(void **state)
{
    (void)state;
    struct machine *m = machine(2, "cache.protocol=mesi memory.intervention_time=300");
    load(m, 0, A);
    assert_int_equal(store(m, 1, A), 60);
    assert_int_equal(value(m, "cpu0.l2.clean_supplies"), 1);
    assert_int_equal(value(m, "cpu0.l2.invalidations"), 1);
    assert_int_equal(value(m, "memory.fills"), 1);
    assert_int_equal(state_of(m, 1, A), 'M');
    assert_int_equal(m->bucket[1].miss[MISS_UPGRADE], 0);
    done(m);
}

static void last_sharer_does_not_become_owner(void **state)
{
    (void)state;
    struct machine *m = machine(2, "cache.protocol=mesi");
    load(m, 0, A);
    load(m, 1, A);
    load(m, 1, A + L2_STRIDE); /* A is evicted from CPU 1 */
    assert_int_equal(state_of(m, 1, A), 'I');
    assert_int_equal(state_of(m, 0, A), 'S');
    assert_int_equal(store(m, 0, A), MEMORY); /* still shared: an upgrade */
    done(m);
}

static void written_back_line_stays_owned(void **state)
{
    (void)state;
    struct machine *m = machine(2, "cache.protocol=mesi");
    store(m, 0, A);
    cache_op(m, 0, MEMSYS_L2, MEMSYS_HIT_WRITEBACK, A);
    assert_int_equal(state_of(m, 0, A), 'E');
    assert_int_equal(store(m, 0, A), 0);
    memsys_dma_read(m->memsys, A, 4, 0);
    assert_int_equal(state_of(m, 0, A), 'S');
    done(m);
}

/* Firefly */

static void store_to_shared_line_updates_it(void **state)
{
    (void)state;
    struct machine *m = machine(3, "cache.protocol=firefly memory.update_time=150");
    load(m, 0, A);
    load(m, 1, A);
    load(m, 2, A);
    assert_int_equal(store(m, 0, A), 30);
    assert_int_equal(store(m, 0, A), 30); /* for each store */
    assert_int_equal(load(m, 1, A), 0);   /* no copy was invalidated */
    assert_int_equal(load(m, 2, A), 0);
    assert_int_equal(value(m, "cpu0.l2.updates"), 2);
    assert_int_equal(value(m, "cpu1.l2.updates_received"), 2);
    assert_int_equal(value(m, "memory.updates"), 2);
    assert_int_equal(value(m, "cpu0.l2.upgrades"), 0);
    assert_int_equal(m->bucket[0].stall[STALL_UPGRADE], 60);
    assert_int_equal(m->bucket[0].miss[MISS_UPGRADE], 0); /* the account agrees with the counter */
    assert_int_equal(state_of(m, 0, A), 'S');
    load(m, 0, A + L2_STRIDE);
    assert_int_equal(value(m, "memory.write_backs"), 0); /* memory is up to date */
    done(m);
}

static void update_that_nobody_hears_is_the_last(void **state)
{
    (void)state;
    struct machine *m = machine(2, "cache.protocol=firefly");
    load(m, 0, A);
    load(m, 1, A);
    load(m, 1, A + L2_STRIDE);
    assert_int_equal(store(m, 0, A), MEMORY);
    assert_int_equal(state_of(m, 0, A), 'E'); /* memory was written; the line is exclusive now */
    assert_int_equal(store(m, 0, A), 0);
    assert_int_equal(state_of(m, 0, A), 'M');
    done(m);
}

static void store_miss_reads_and_updates(void **state)
{
    (void)state;
    struct machine *m = machine(2, "cache.protocol=firefly");
    store(m, 0, A);
    assert_int_equal(state_of(m, 0, A), 'M');
    assert_int_equal(store(m, 1, A), MEMORY);
    assert_int_equal(state_of(m, 0, A), 'S');
    assert_int_equal(state_of(m, 1, A), 'S');
    assert_int_equal(value(m, "cpu0.l2.interventions"), 1);
    assert_int_equal(value(m, "cpu1.l2.updates"), 1);
    assert_int_equal(load(m, 0, A), 0);
    done(m);
}

static void pages_choose_their_protocol(void **state)
{
    (void)state;
    struct machine *m = machine(2, "cache.update_pages=0x100000-0x100fff,0x200000-0x200000");
    load(m, 0, A);
    load(m, 1, A);
    store(m, 0, A);
    assert_int_equal(load(m, 1, A), 0);
    load(m, 0, A + 0x1000); /* the next page */
    load(m, 1, A + 0x1000);
    store(m, 0, A + 0x1000);
    assert_true(load(m, 1, A + 0x1000) > 0);
    assert_int_equal(value(m, "cpu0.l2.updates"), 1);
    load(m, 0, 0x200ff0); /* a page is updated if any byte of it is in the range */
    assert_int_equal(state_of(m, 0, 0x200ff0), 'E');
    load(m, 0, 0x201000);
    assert_int_equal(state_of(m, 0, 0x201000), 'S');
    memsys_set_protocol(m->memsys, 0x201000, 0x201fff, MEMSYS_MESI);
    load(m, 0, 0x201080);
    assert_int_equal(state_of(m, 0, 0x201080), 'E');
    done(m);
}

/* Stores that no cache keeps */

static void store_that_reaches_memory_takes_other_copies(void **state)
{
    (void)state;
    static const char *const protocols[] = {"invalidate", "mesi", "firefly"};
    for (unsigned i = 0; i < 3; i++) {
        char settings[96];
        snprintf(settings, sizeof settings, "cache.model=one-level cache.l1d.write=through cache.protocol=%s",
                 protocols[i]);
        struct machine *m = machine(2, settings);
        load(m, 0, A);
        load(m, 1, A);
        assert_int_equal(store(m, 0, A), 0);
        assert_int_equal(load(m, 1, A), i == 2 ? 0 : MEMORY);
        assert_int_equal(value(m, "cpu1.l1d.invalidations"), i == 2 ? 0 : 1);
        assert_int_equal(value(m, "memory.writes"), 1);
        assert_int_equal(value(m, "cpu0.l1d.upgrades"), 0);
        done(m);
    }
}

/* Of three CPUs that share a line of an update page, one stores through to it twice, and once when it is alone. */
static void store_through_to_an_update_page_is_an_update(void **state)
{
    (void)state;
    struct machine *m =
        machine(3, "cache.model=one-level cache.l1d.write=through cache.update_pages=0x100000-0x100fff");
    for (unsigned cpu = 0; cpu < 3; cpu++)
        load(m, cpu, A);
    store(m, 0, A);
    store(m, 0, A + 4);
    load(m, 0, A + 128);
    store(m, 0, A + 128); /* no other cache has this line */
    assert_int_equal(value(m, "cpu0.l1d.updates"), 2);
    assert_int_equal(value(m, "memory.updates"), 2);
    assert_int_equal(value(m, "memory.writes"), 3);
    assert_int_equal(value(m, "cpu1.l1d.updates_received"), 2);
    assert_int_equal(value(m, "cpu2.l1d.updates_received"), 2);
    assert_int_equal(value(m, "cpu0.l1d.updates_received"), 0);
    assert_int_equal(m->bucket[0].miss[MISS_UPGRADE], 0);
    done(m);
}

static void device_write_invalidates_whatever_the_protocol(void **state)
{
    (void)state;
    static const char *const protocols[] = {"cache.protocol=mesi", "cache.protocol=firefly"};
    for (unsigned i = 0; i < 2; i++) {
        struct machine *m = machine(2, protocols[i]);
        store(m, 0, A);
        load(m, 1, A + 128);
        memsys_dma_write(m->memsys, A, 256, 0);
        assert_int_equal(state_of(m, 0, A), 'I');
        assert_int_equal(state_of(m, 1, A + 128), 'I');
        assert_int_equal(value(m, "memory.write_backs"), 0); /* it was completely overwritten */
        done(m);
    }
}

/* Load-linked and store-conditional: a load and, if it succeeds, a store. */

static void spinning_load_linked_is_quiet_until_the_store(void **state)
{
    (void)state;
    static const char *const protocols[] = {"cache.protocol=invalidate", "cache.protocol=mesi"};
    for (unsigned i = 0; i < 2; i++) {
        struct machine *m = machine(3, protocols[i]);
        store(m, 0, A); /* acquires the lock */
        for (unsigned cpu = 1; cpu < 3; cpu++) {
            assert_int_equal(load(m, cpu, A), MEMORY);
            for (unsigned round = 0; round < 5; round++)
                assert_int_equal(load(m, cpu, A), 0);
        }
        assert_int_equal(store(m, 0, A), MEMORY); /* releases it: both spinning CPUs lose their copy, once */
        assert_int_equal(value(m, "cpu1.l2.invalidations"), 1);
        assert_int_equal(value(m, "cpu2.l2.invalidations"), 1);
        assert_int_equal(load(m, 1, A), MEMORY);
        assert_int_equal(load(m, 2, A), MEMORY);
        assert_int_equal(store(m, 1, A), MEMORY); /* the successful sc is an upgrade; the failing one makes no access */
        assert_int_equal(state_of(m, 1, A), 'M');
        assert_int_equal(state_of(m, 2, A), 'I');
        done(m);
    }
}

/* Each row of cache/protocols.def can be selected and is in the reference model; each choice has a row. */
static void every_protocol_is_a_choice(void **state)
{
    (void)state;
    struct params *params = params_create();
    params_define(params, memsys_param_defs, memsys_param_count);
    for (unsigned i = 0; i < protocol_count; i++) {
        struct err err = {""};
        if (!params_set(params, "cache.protocol", protocols[i].name, &err))
            fail_msg("%s", err.text);
        assert_int_equal(protocol_find(protocols[i].name), i);
        assert_string_equal(memsys_protocol_brief(protocols[i].name), protocols[i].brief);
        if (i >= ref_protocol_count() || strcmp(ref_protocols[i].name, protocols[i].name) != 0)
            fail_msg("tests/unit/reference_protocol.h has no row of %s", protocols[i].name);
    }
    assert_int_equal(ref_protocol_count(), protocol_count);
    char choices[128];
    unsigned count = 0;
    for (size_t i = 0; i < memsys_param_count; i++)
        if (strcmp(memsys_param_defs[i].name, "cache.protocol") == 0)
            snprintf(choices, sizeof choices, "%s", memsys_param_defs[i].choices);
    for (const char *word = strtok(choices, "|"); word; word = strtok(NULL, "|"), count++)
        assert_in_range(protocol_find(word), 0, protocol_count - 1);
    assert_int_equal(count, protocol_count);
    params_free(params);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_reader_owns_the_clean_line),
        cmocka_unit_test(second_reader_makes_both_share),
        cmocka_unit_test(modified_line_is_supplied_and_written_to_memory),
        cmocka_unit_test(writer_takes_a_clean_line_from_its_owner),
        cmocka_unit_test(last_sharer_does_not_become_owner),
        cmocka_unit_test(written_back_line_stays_owned),
        cmocka_unit_test(store_to_shared_line_updates_it),
        cmocka_unit_test(update_that_nobody_hears_is_the_last),
        cmocka_unit_test(store_miss_reads_and_updates),
        cmocka_unit_test(pages_choose_their_protocol),
        cmocka_unit_test(store_that_reaches_memory_takes_other_copies),
        cmocka_unit_test(store_through_to_an_update_page_is_an_update),
        cmocka_unit_test(device_write_invalidates_whatever_the_protocol),
        cmocka_unit_test(spinning_load_linked_is_quiet_until_the_store),
        cmocka_unit_test(every_protocol_is_a_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
