/*
 * The translation cache (cpu/translate/code_cache.c): pages, linking and unlinking of jumps, and overflow; and its
 * effect on running machines.
 */
#include <stdio.h>
#include <stdlib.h>
#include "tests/unit/test.h"
#include "cpu/translate/translate.h"
#include "cpu/host/x86_assembler.h"
#include "cpu/privileged/vmap.h"
#include "src/machine/machine_model.h"
#include "tests/unit/machine_program.h"

enum { CODE_BYTES = 1 << 20 };

struct fixture {
    struct core core;    /* only its architecture */
    struct translated e; /* without caches */
    struct translate_frame frame;
    struct code_cache *cache;
    struct x86 x; /* after the stubs */
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    struct err err = {""};
    f->core.architecture = &mips32r2;
    f->e.in.core = &f->core;
    f->e.frame = &f->frame;
    f->cache = code_cache_create(&f->e, &(struct translate_options){.code_bytes = CODE_BYTES}, &err);
    assert_non_null(f->cache);
    f->x = (struct x86){f->cache->next_free, f->cache->code_end};
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    code_cache_free(f->cache);
    free(f);
    return 0;
}

static uint32_t address_of(const uint8_t *at)
{
    return (uint32_t)(uintptr_t)at;
}

/* A linkable jump: after a comparison of memory with an immediate if CHECKED. Unlinked, it jumps to its stub. */
struct jump {
    uint32_t link, check;
    uint8_t *place;
    const uint8_t *stub;
};

static struct jump make_jump(struct fixture *f, vaddr target, bool checked)
{
    struct jump jump = {0};
    if (checked) {
        x86_cmp_imm32(&f->x, x86_mem(RAX, 0), 0);
        jump.check = address_of(f->x.at - 4);
    }
    jump.place = x86_jump(&f->x);
    jump.stub = f->x.at;
    x86_patch(jump.place, jump.stub);
    x86_ret(&f->x);
    jump.link = code_link_add(f->cache, (struct code_link){.jump = address_of(jump.place),
                                                           .check = jump.check,
                                                           .exit_stub = address_of(jump.stub),
                                                           .target = target});
    return jump;
}

/* Code to jump to. */
static const uint8_t *make_code(struct fixture *f)
{
    const uint8_t *code = f->x.at;
    x86_ret(&f->x);
    return code;
}

static struct code_page *make_page(struct fixture *f, unsigned number)
{
    struct code_page *page =
        code_page_get(f->cache, NULL, number << PAGE_SHIFT, 0x80000000u | number << PAGE_SHIFT, false, false);
    assert_non_null(page);
    page->has_code = true;
    return page;
}

static uint32_t immediate_at(uint32_t place)
{
    uint32_t value;
    memcpy(&value, (const void *)(uintptr_t)place, sizeof value);
    return value;
}

/* Pages */

static void pages_are_told_apart(void **state)
{
    struct fixture *f = *state;
    struct code_page *page = code_page_get(f->cache, NULL, 0x5000, 0x80005000, false, false);
    assert_ptr_equal(code_page_get(f->cache, NULL, 0x5000, 0x80005000, false, false), page);
    struct code_page *others[] = {
        code_page_get(f->cache, NULL, 0x5000, 0x80005000, true, false),
        code_page_get(f->cache, NULL, 0x5000, 0x00405000, true, false),
        code_page_get(f->cache, NULL, 0x5000, 0xa0005000, false, false),
        code_page_get(f->cache, NULL, 0x6000, 0x80005000, false, false),
        code_page_get(f->cache, NULL, 0x5000, 0x80005000, false, true),
    };
    for (unsigned i = 0; i < 5; i++) {
        assert_ptr_not_equal(others[i], page);
        for (unsigned j = 0; j < i; j++)
            assert_ptr_not_equal(others[i], others[j]);
        assert_false(code_is_translated(f->cache, others[i], others[i]->page + 0x124));
    }
}

static void a_frame_is_forgotten_in_all_its_pages(void **state)
{
    struct fixture *f = *state;
    struct code_page *pages[] = {
        code_page_get(f->cache, NULL, 0x5000, 0x80005000, false, false),
        code_page_get(f->cache, NULL, 0x5000, 0x00405000, true, false),
        code_page_get(f->cache, NULL, 0x6000, 0x00406000, true, false),
    };
    uint32_t code = address_of(make_code(f));
    for (unsigned i = 0; i < 3; i++) {
        pages[i]->entry[3] = pages[i]->entry[PAGE_INSNS - 1] = code;
        pages[i]->has_code = true;
    }
    code_discard_frame(f->cache, 0x5000);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(code_is_translated(f->cache, pages[i], 12), i == 2);
        assert_int_equal(code_is_translated(f->cache, pages[i], PAGE_SIZE - 4), i == 2);
    }
    assert_int_equal(f->cache->figures.dropped_pages, 2);
    code_discard_frame(f->cache, 0x5000); /* removed */
    assert_int_equal(f->cache->figures.dropped_pages, 2);
    code_discard_all(f->cache);
    assert_false(code_is_translated(f->cache, pages[2], 12));
    assert_int_equal(f->cache->figures.dropped_pages, 3);
}

static void pages_run_out(void **state)
{
    struct fixture *f = *state;
    for (unsigned i = 0; i < f->cache->page_limit; i++)
        make_page(f, i);
    assert_false(f->cache->full);
    assert_non_null(code_page_get(f->cache, NULL, 0x5000, 0x80005000, false, false)); /* found */
    assert_false(f->cache->full);
    assert_null(code_page_get(f->cache, NULL, 0x5000, 0x80005000, true, false));
    assert_true(f->cache->full);
}

/* Links */

static void a_link_is_made_and_undone(void **state)
{
    struct fixture *f = *state;
    struct code_page *page = make_page(f, 7);
    struct jump plain = make_jump(f, page->page + 8, false), checked = make_jump(f, page->page + 8, true);
    const uint8_t *code = make_code(f);
    code_link_to(f->cache, plain.link, page, address_of(code));
    code_link_to(f->cache, checked.link, page, address_of(code));
    assert_ptr_equal(x86_patched_target(plain.place), code);
    assert_ptr_equal(x86_patched_target(checked.place), code);
    assert_int_equal(immediate_at(checked.check), (uint32_t)(uintptr_t)page);
    code_discard_page(f->cache, page);
    assert_ptr_equal(x86_patched_target(plain.place), plain.stub);
    assert_ptr_equal(x86_patched_target(checked.place), checked.stub);
    assert_int_equal(page->links, 0);
    /* and again, to other code */
    page->has_code = true;
    code = make_code(f);
    code_link_to(f->cache, plain.link, page, address_of(code));
    assert_ptr_equal(x86_patched_target(plain.place), code);
    assert_ptr_equal(x86_patched_target(checked.place), checked.stub);
}

/* A jump after a check is linked to the currently mapped page; the mapping may change repeatedly. */
static void a_link_moves_to_another_page(void **state)
{
    struct fixture *f = *state;
    struct code_page *a = make_page(f, 7), *b = make_page(f, 8);
    struct jump jumps[5];
    const uint8_t *code_a = make_code(f), *code_b = make_code(f);
    for (unsigned i = 0; i < 5; i++) {
        jumps[i] = make_jump(f, 0x00400000, true);
        code_link_to(f->cache, jumps[i].link, a, address_of(code_a));
    }
    /* remove the first, the last and a middle one of the chain */
    for (unsigned i = 0; i < 5; i += 2) {
        code_link_to(f->cache, jumps[i].link, b, address_of(code_b));
        assert_int_equal(immediate_at(jumps[i].check), (uint32_t)(uintptr_t)b);
    }
    code_link_to(f->cache, jumps[4].link, b, address_of(code_b)); /* already linked there */
    code_discard_page(f->cache, a);
    for (unsigned i = 0; i < 5; i++)
        assert_ptr_equal(x86_patched_target(jumps[i].place), i % 2 == 0 ? code_b : jumps[i].stub);
    code_discard_page(f->cache, b);
    for (unsigned i = 0; i < 5; i++)
        assert_ptr_equal(x86_patched_target(jumps[i].place), jumps[i].stub);
}

/* Random linking and removal: every jump goes to its last link target, or to its stub. */
static void links_in_any_order(void **state)
{
    enum { JUMPS = 100, PAGES = 7, STEPS = 20000 };
    struct fixture *f = *state;
    struct code_page *pages[PAGES];
    struct jump jumps[JUMPS];
    int linked[JUMPS];
    const uint8_t *code[PAGES];
    uint32_t random = 12345;
    for (unsigned i = 0; i < PAGES; i++) {
        pages[i] = make_page(f, 100 + i);
        code[i] = make_code(f);
    }
    for (unsigned i = 0; i < JUMPS; i++) {
        jumps[i] = make_jump(f, 0x80000000, i % 2);
        linked[i] = -1;
    }
    for (unsigned step = 0; step < STEPS; step++) {
        random = random * 1664525 + 1013904223;
        unsigned page = (random >> 8) % PAGES, jump = (random >> 16) % JUMPS;
        if (random >> 28 == 0) {
            pages[page]->has_code = true;
            code_discard_page(f->cache, pages[page]);
            for (unsigned i = 0; i < JUMPS; i++)
                if (linked[i] == (int)page)
                    linked[i] = -1;
        } else {
            code_link_to(f->cache, jumps[jump].link, pages[page], address_of(code[page]));
            linked[jump] = (int)page;
        }
        for (unsigned i = 0; i < JUMPS; i++)
            if (x86_patched_target(jumps[i].place) != (linked[i] < 0 ? jumps[i].stub : code[linked[i]]))
                fail_msg("jump %u after step %u", i, step);
    }
}

static void links_run_out(void **state)
{
    struct fixture *f = *state;
    struct code_link link = {.jump = address_of(f->x.at), .exit_stub = address_of(f->x.at)};
    for (unsigned i = 1; i < f->cache->link_limit; i++)
        assert_int_equal(code_link_add(f->cache, link), i);
    assert_false(f->cache->full);
    assert_int_equal(code_link_add(f->cache, link), 0);
    assert_true(f->cache->full);
}

/* The host */

#if defined __SANITIZE_ADDRESS__ /* gcc */
#define ADDRESS_SANITIZER
#elif defined __has_feature
#if __has_feature(address_sanitizer) /* clang */
#define ADDRESS_SANITIZER
#endif
#endif

/* The number of mappings of this process; under the address sanitizer, which keeps freed memory, only of those below 2
 * GB.
 */
static unsigned mappings(void)
{
    unsigned count = 0;
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    assert_non_null(maps);
    while (fgets(line, sizeof line, maps) != NULL) {
#ifdef ADDRESS_SANITIZER
        count += strtoull(line, NULL, 16) < 0x80000000u;
#else
        count++;
#endif
    }
    fclose(maps);
    return count;
}

static void a_host_that_refuses(void **state)
{
    struct fixture *f = *state;
    struct err err = {""};
    unsigned before = mappings();
    assert_null(code_cache_create(&f->e, &(struct translate_options){.code_bytes = (uint64_t)1 << 42}, &err));
    assert_string_equal(err.text, "embra.code_cache: the host refuses 4194304 MB of executable memory below 2 GB");
    assert_int_equal(mappings(), before); /* all mappings have been released */
}

static void all_code_lies_below_2_gb(void **state)
{
    struct fixture *f = *state;
    assert_true((uintptr_t)f->cache->code_end <= 0x80000000u);
    assert_true((uintptr_t)(f->cache->pages + f->cache->page_limit) <= 0x80000000u);
    assert_int_equal(f->cache->code_end - f->cache->code, CODE_BYTES);
}

/* Machines */

static struct machine *translate_machine(const char *caches)
{
    return MACHINE_OF("cpu.model=embra", "machine.memory=16M", "embra.code_cache=1M", caches);
}

/* Every instruction waits for something, and something waits for every instruction. */
static struct machine *machine_with_costs(const char *caches)
{
    return MACHINE_OF("cpu.model=embra", "machine.memory=16M", "embra.code_cache=1M", caches, "mipsy.latency.alu=90",
                      "mipsy.latency.load=90", "mipsy.latency.load_fp=90", "mipsy.latency.fp_divide_double=90",
                      "mipsy.latency.fp_multiply_add=90", "mipsy.repeat.store=90", "mipsy.repeat.fp_multiply_add=90",
                      "mipsy.repeat.fp_divide_double=90", "mipsy.taken_delay=3");
}

static struct code_cache *cache_of(const struct machine *machine)
{
    return ((struct translated *)machine->cores[0]->model)->cache;
}

static void run_to(struct machine *machine, uint64_t insns)
{
    assert_int_equal(machine_run(machine, &(struct machine_limits){CYCLES_NEVER, insns}), MACHINE_STOP_INSNS);
}

static uint64_t figure(const struct machine *machine, const char *name)
{
    char path[64];
    double value;
    snprintf(path, sizeof path, "machine.models.embra.%s", name);
    assert_true(stats_value(machine->stats, path, &value));
    return (uint64_t)value;
}

/* A flush also clears the tables of all CPUs through which code is found. */
static void a_flush_is_complete(void **state)
{
    static const uint32_t program[] = {ADDIU(8, 8, 1), BRANCH_BACK(1), NOP};
    (void)state;
    struct machine *machine = MACHINE_OF("cpu.model=embra", "machine.memory=16M", "machine.cpus=2");
    start_program(machine, 0, program, 3);
    machine_power_on(machine, 1, PROGRAM_PC);
    run_to(machine, 100000);
    struct code_cache *cache = cache_of(machine);
    assert_non_null(machine->cores[0]->map->code[PROGRAM_PC >> PAGE_SHIFT]);
    assert_non_null(machine->cores[1]->map->code[PROGRAM_PC >> PAGE_SHIFT]);
    code_flush(cache, machine->cores[0]);
    assert_null(machine->cores[0]->map->code[PROGRAM_PC >> PAGE_SHIFT]);
    assert_null(machine->cores[1]->map->code[PROGRAM_PC >> PAGE_SHIFT]);
    assert_null(cache->by_frame[PROGRAM_BASE >> PAGE_SHIFT]);
    assert_ptr_equal(cache->next_free, cache->stubs_end);
    assert_int_equal(cache->page_count, 0);
    run_to(machine, 200000);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(machine->cores[i]->s.gpr[8], (machine->cores[i]->s.insns + 2) / 3);
    assert_int_equal(figure(machine, "flushes"), 1);
    machine_free(machine);
}

/* Statistics continue when the model is used again. */
static void figures_survive_other_models(void **state)
{
    static const uint32_t program[] = {ADDIU(8, 8, 1), BRANCH_BACK(1), NOP};
    (void)state;
    struct err err = {""};
    struct machine *machine = translate_machine("cache.model=none");
    start_program(machine, 0, program, 3);
    run_to(machine, 1000);
    uint64_t traces = figure(machine, "traces"), bytes = figure(machine, "code_bytes");
    assert_true(traces > 0 && bytes > 0);
    assert_true(machine_set_cpu_model(machine, "mipsy", &err));
    run_to(machine, 2000);
    assert_int_equal(figure(machine, "traces"), traces);
    assert_true(machine_set_cpu_model(machine, "embra", &err));
    assert_int_equal(figure(machine, "traces"), traces);
    run_to(machine, 3000);
    assert_true(figure(machine, "traces") > traces && figure(machine, "code_bytes") > bytes);
    /* excluded from comparisons of models */
    assert_true(machine_statistic_is_of_models("machine.models.embra.traces"));
    machine_free(machine);
}

/* LENGTH times INSN (its rt varies, and its displacement in steps of SCALE) in a loop that begins with increments of
 * registers without a host register (MANY) or of one with. Returns the loop's length in instructions. */
static unsigned write_loop(uint32_t *words, uint32_t insn, unsigned scale, unsigned length, bool many)
{
    enum { INCREMENTS = 40, A0 = 4, T0 = 8, S7 = 23 };
    unsigned count = 0;
    for (unsigned i = 0; i < INCREMENTS; i++) {
        unsigned reg = many ? T0 + i % 8 : A0;
        words[count++] = ADDIU(reg, reg, 1);
    }
    for (unsigned i = 0; i < length; i++)
        words[count++] = scale == 0 ? insn : insn | (T0 + i % 8) << 16 | i * scale % 2000;
    words[count++] = ADDIU(S7, S7, -1);
    words[count] = 0x16e00000 | ((-count - 1) & 0xffff); /* bnez $s7 to the start */
    words[count + 1] = NOP;
    return count + 2;
}

/* The instructions with the largest translations, in the longest loops that are translated with allocated registers,
 * and in longer ones: a trace never exceeds the memory that host_has_room() guarantees. */
static void the_largest_traces_have_room(void **state)
{
    static const struct {
        uint32_t insn;
        unsigned scale;
    } kinds[] = {{0xab000000 /* swl */, 5},   {0x8b000000 /* lwl */, 5}, {0xf7000000 /* sdc1 */, 8},
                 {0xd7000000 /* ldc1 */, 8},  {0xaf000000 /* sw */, 4},  {0x46220003 /* div.d */, 0},
                 {0x4c411021 /* madd.d */, 0}};
    static const char *const caches[] = {"cache.model=none", "cache.l1i.line=8", "cache.l1i.line=128"};
    static const unsigned lengths[] = {540, 900};
    enum { S7 = 23, T8 = 24, KINDS = sizeof kinds / sizeof kinds[0], CACHES = 3, LENGTHS = 2, BOUND = 640 << 10 };
    (void)state;
    for (unsigned i = 0; i < KINDS * CACHES * LENGTHS * 4; i++) {
        unsigned kind = i % KINDS, cached = i / KINDS % CACHES, length = i / KINDS / CACHES % LENGTHS;
        const unsigned spread = i / KINDS / CACHES / LENGTHS % 2, costs = i / KINDS / CACHES / LENGTHS / 2;
        struct machine *machine = (costs ? machine_with_costs : translate_machine)(caches[cached]);
        struct core *core = machine->cores[0];
        struct code_cache *cache = cache_of(machine);
        uint32_t *words = (uint32_t *)(void *)physmem_host(machine->mem, PROGRAM_BASE);
        unsigned count = write_loop(words, kinds[kind].insn, kinds[kind].scale, lengths[length], spread);
        machine_power_on(machine, 0, PROGRAM_PC);
        core->s.gpr[T8] = 0x80300000;
        core->s.gpr[S7] = 3;
        core->s.cp0[CP0_STATUS] = STATUS_CU1;
        struct code_page *page = code_page_get(cache, NULL, PROGRAM_BASE, PROGRAM_PC, false, false);
        const uint8_t *before = cache->next_free;
        translate_make_superblock(cache, core, page, PROGRAM_PC, SUPERBLOCK_NORMAL);
        assert_true(cache->next_free - before > 20000 && cache->next_free - before < BOUND);
        code_flush(cache, core);
        run_to(machine, 2 * count);
        assert_int_equal(core->s.gpr[S7], 1);
        machine_free(machine);
    }
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(pages_are_told_apart),
        TEST(a_frame_is_forgotten_in_all_its_pages),
        TEST(pages_run_out),
        TEST(a_link_is_made_and_undone),
        TEST(a_link_moves_to_another_page),
        TEST(links_in_any_order),
        TEST(links_run_out),
        TEST(a_host_that_refuses),
        TEST(all_code_lies_below_2_gb),
        cmocka_unit_test(a_flush_is_complete),
        cmocka_unit_test(figures_survive_other_models),
        cmocka_unit_test(the_largest_traces_have_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
