/*
 * Comparison of two machines: every bit of documented state is compared, and nothing else.
 */
#include "tests/unit/machine_program.h"

#include "cache/memsys.h"
#include "src/run/compare.h"

#include "tests/unit/test.h"
#include <stdlib.h>

struct fixture {
    struct machine *machine[2];
    struct compare *compare;
};

/* Two machines in the middle of the same program, with caches and two CPUs. */
static void create(struct fixture *f, const char *caches)
{
    static const uint32_t program[] = {LUI(8, 0x8030), ADDIU(9, 9, 1), SW(9, 0, 8), LW(10, 64, 8),
                                       ADDIU(8, 8, 4), BRANCH_BACK(4), NOP};
    for (unsigned side = 0; side < 2; side++) {
        f->machine[side] = MACHINE_OF("machine.memory=16M", "machine.cpus=2", caches);
        for (unsigned cpu = 0; cpu < 2; cpu++)
            start_program(f->machine[side], cpu, program, sizeof program / 4);
        machine_run(f->machine[side], &(struct machine_limits){CYCLES_NEVER, 1001});
    }
    f->compare = compare_create(f->machine[0], f->machine[1]);
}

static void destroy(struct fixture *f)
{
    compare_free(f->compare);
    machine_free(f->machine[0]);
    machine_free(f->machine[1]);
}

static void count_differences(void *opaque, const struct compare_figure *figure)
{
    *(unsigned *)opaque += figure->differs;
}

static unsigned differences_of_cpu(const struct fixture *f, unsigned cpu)
{
    unsigned count = 0;
    compare_visit_cpu(f->compare, cpu, count_differences, &count);
    return count;
}

/* Equal machines are equal in all parts. */
static void test_same(void **state)
{
    static const char *const caches[] = {"cache.model=two-level", "cache.model=none"};
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct fixture f;
        uint32_t page;
        create(&f, caches[i]);
        assert_true(compare_state(f.compare));
        assert_true(compare_statistics(f.compare));
        assert_int_equal(compare_memory(f.compare, &page, 1), 0);
        assert_int_equal(differences_of_cpu(&f, 0) + differences_of_cpu(&f, 1), 0);
        destroy(&f);
    }
}

static bool byte_is_in(size_t at, size_t offset, size_t size)
{
    return at >= offset && at - offset < size;
}
#define IS_IN(at, member) byte_is_in(at, offsetof(struct cpu, member), sizeof((struct cpu *)NULL)->member)

/* Insignificant bytes of struct cpu: those that compare.h lists, and padding. */
static bool byte_means_nothing(size_t at)
{
    const size_t tlb = offsetof(struct cpu, tlb), entry = sizeof(struct tlb_entry);
    if (byte_is_in(at, offsetof(struct cpu, gpr[GPR_SINK]), 4) || IS_IN(at, branch_target) || IS_IN(at, ll_address))
        return true;
    if (IS_IN(at, tlb)) {
        size_t in = (at - tlb) % entry;
        return in > offsetof(struct tlb_entry, global) && in < offsetof(struct tlb_entry, lo);
    }
    return byte_is_in(at, offsetof(struct cpu, in_delay_slot) + 1, 3) ||
           byte_is_in(at, offsetof(struct cpu, delayed_register) + 1, 3) ||
           byte_is_in(at, offsetof(struct cpu, ll_bit) + 1, 3) || byte_is_in(at, offsetof(struct cpu, running) + 1, 2);
}

/* A changed bit in any byte of the architectural state of any CPU is detected. */
static void test_every_byte_of_a_cpu(void **state)
{
    (void)state;
    struct fixture f;
    create(&f, "cache.model=none");
    for (unsigned cpu = 0; cpu < 2; cpu++) {
        struct cpu *s = &f.machine[1]->cores[cpu]->s;
        s->in_delay_slot = f.machine[0]->cores[cpu]->s.in_delay_slot = false;
        s->ll_bit = f.machine[0]->cores[cpu]->s.ll_bit = false;
        for (size_t at = 0; at < sizeof *s; at++) {
            uint8_t *byte = (uint8_t *)s + at;
            *byte ^= 1;
            if (compare_state(f.compare) != byte_means_nothing(at) ||
                (differences_of_cpu(&f, cpu) == 0) != byte_means_nothing(at))
                fail_msg("byte %zu of struct cpu: %s", at, byte_means_nothing(at) ? "means nothing" : "is not seen");
            *byte ^= 1;
        }
        assert_true(compare_state(f.compare));
    }
    destroy(&f);
}

/* State that is significant only in a delay slot or while linked is compared only then. */
static void test_conditional_state(void **state)
{
    (void)state;
    struct fixture f;
    create(&f, "cache.model=none");
    for (unsigned side = 0; side < 2; side++) {
        struct cpu *s = &f.machine[side]->cores[0]->s;
        s->in_delay_slot = s->ll_bit = true;
        s->branch_target = s->ll_address = 0x1000;
    }
    assert_true(compare_state(f.compare));
    f.machine[1]->cores[0]->s.branch_target ^= 4;
    assert_false(compare_state(f.compare));
    f.machine[1]->cores[0]->s.branch_target ^= 4;
    f.machine[1]->cores[0]->s.ll_address ^= 4;
    assert_false(compare_state(f.compare));
    destroy(&f);
}

/* Accesses that each change the cache contents of CPU: an additional line, dirty, evicted, the order. */
static void use_cache(struct machine *machine, unsigned cpu, unsigned number)
{
    static const struct memsys_request requests[] = {{.access = MEMSYS_READ, .address = 0x3000, .size = 4},
                                                     {.access = MEMSYS_WRITE, .address = 0x3000, .size = 4},
                                                     {.access = MEMSYS_READ, .address = 0x5000, .size = 4},
                                                     {.access = MEMSYS_READ, .address = 0x3000, .size = 4}};
    static uint8_t nobody; /* must outlive the machine */
    struct bucket bucket;
    struct memsys_request request = requests[number];
    request.permission = &nobody;
    request.bucket = &bucket;
    memsys_access(machine->memsys, cpu, &request);
}

/* Accounts, time, events, first-level caches. */
static void test_beyond_the_architecture(void **state)
{
    (void)state;
    struct fixture f;
    create(&f, "cache.model=two-level");
    struct machine *m = f.machine[1];
    struct core *core = m->cores[1];
    uint64_t *const counts[] = {&core->mode_buckets[MODE_USER].cycles,
                                &core->mode_buckets[MODE_IDLE].miss[MISS_COUNT - 1],
                                &core->mode_buckets[MODE_KERNEL].stall[0],
                                &core->mode_buckets[MODE_KERNEL].wait,
                                &core->counts.mode_changes,
                                &core->counts.exceptions[EXC_SYS],
                                &core->charged_cycle,
                                &m->now,
                                &m->queue->now,
                                &m->off_time[1]};
    for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        ++*counts[i];
        if (compare_state(f.compare))
            fail_msg("count %u is not seen", i);
        --*counts[i];
    }
    core->bucket = &core->mode_buckets[MODE_USER];
    assert_false(compare_state(f.compare));
    core->bucket = &core->mode_buckets[core->mode];
    for (unsigned i = 0; i < 4; i++) {
        use_cache(m, 1, i);
        assert_false(compare_state(f.compare));
        use_cache(f.machine[0], 1, i);
        assert_true(compare_state(f.compare));
    }
    assert_true(compare_state(f.compare));
    event_schedule(m->queue, &core->timer, m->now + 100);
    assert_false(compare_state(f.compare));
    event_schedule(f.machine[0]->queue, &f.machine[0]->cores[1]->timer, m->now + 100);
    assert_true(compare_state(f.compare));
    event_schedule(m->queue, &core->timer, m->now + 101);
    assert_false(compare_state(f.compare));
    destroy(&f);
}

/* Equal events in another heap order are equal. */
static void test_order_of_events(void **state)
{
    (void)state;
    struct fixture f;
    create(&f, "cache.model=none");
    for (unsigned side = 0; side < 2; side++) {
        struct machine *m = f.machine[side];
        for (unsigned i = 0; i < 2; i++)
            event_schedule(m->queue, &m->cores[i ^ side]->timer, m->now + 1000 + 500 * (i ^ side));
    }
    assert_true(compare_state(f.compare));
    struct event other;
    event_init(&other, "another", NULL, NULL);
    event_cancel(f.machine[1]->queue, &f.machine[1]->cores[1]->timer);
    event_schedule(f.machine[1]->queue, &other, f.machine[1]->now + 1500);
    assert_false(compare_state(f.compare)); /* another event at the same time */
    destroy(&f);
}

static void note_name(void *opaque, const struct compare_figure *figure)
{
    char text[64];
    if (!figure->differs)
        return;
    compare_text(figure, 1, text, sizeof text);
    snprintf(opaque, 128, "%s %s", figure->name, text);
}

/* Statistics by their names, RAM by address. */
static void test_statistics_and_memory(void **state)
{
    (void)state;
    struct fixture f;
    char text[128] = "";
    uint32_t pages[4];
    create(&f, "cache.model=two-level");
    f.machine[1]->cores[1]->counts.exceptions[EXC_SYS] += 5;
    assert_false(compare_statistics(f.compare));
    compare_visit_statistics(f.compare, note_name, text);
    assert_string_equal(text, "cpu1.exceptions.syscall 5");
    *physmem_host(f.machine[1]->mem, 0x00ffffff) = 1;
    *physmem_host(f.machine[1]->mem, 0x00345678) = 0x12;
    assert_int_equal(compare_memory(f.compare, pages, 4), 2);
    assert_int_equal(pages[0], 0x345);
    assert_int_equal(pages[1], 0xfff);
    assert_int_equal(compare_memory(f.compare, pages, 1), 1);
    assert_false(compare_pages(f.compare, pages, 1));
    compare_visit_pages(f.compare, pages, 1, note_name, text);
    assert_string_equal(text, "RAM 00345678 00000012");
    *physmem_host(f.machine[1]->mem, 0x00345678) = 0;
    assert_true(compare_pages(f.compare, pages, 1));
    destroy(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same),
        cmocka_unit_test(test_every_byte_of_a_cpu),
        cmocka_unit_test(test_conditional_state),
        cmocka_unit_test(test_beyond_the_architecture),
        cmocka_unit_test(test_order_of_events),
        cmocka_unit_test(test_statistics_and_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
