/* The pages of programs that executed, and the frames that they were in (cpu/observe/execution_pages.h). */
#include "cpu/observe/execution_pages.h"
#include "cpu/observe/execution_profile.h"
#include "cpu/observe/executions.h"
#include "tests/unit/core_fixture.h"

enum { FRAMES = 0x00100000, PAGE = (int)PAGE_SIZE };

static const uint64_t FILE_A = (uint64_t)7 << 32, FILE_B = (uint64_t)8 << 32;

/* Virtual page N below 16 MB is in frame `at[N]` of those from FRAMES on; 0: not mapped. */
static unsigned at[4096];

static bool find_mapped(const struct core *core, vaddr address, paddr *pa)
{
    const unsigned frame = at[address >> PAGE_SHIFT & 4095];
    (void)core;
    *pa = FRAMES + frame * PAGE_SIZE + address % PAGE_SIZE;
    return frame > 0;
}

static struct execution_pages *pages;
static struct execution_page *sorted;
static size_t count;

static int set_up(void **state)
{
    fixture_setup(state);
    ((struct fixture *)*state)->core->find_mapped = find_mapped;
    memset(at, 0, sizeof at);
    pages = execution_pages_create();
    return 0;
}

static int tear_down(void **state)
{
    free(sorted);
    sorted = NULL;
    execution_pages_free(pages);
    return fixture_teardown(state);
}

/* The process executes the word WORD of page NUMBER of FILE, which is in FRAME; it has the file mapped from BASE on. */
static void see(struct fixture *f, uint64_t file, unsigned number, unsigned word, vaddr base, unsigned frame)
{
    const vaddr offset = number * PAGE_SIZE + word * 4;
    at[(base + offset) >> PAGE_SHIFT] = frame;
    execution_pages_see(pages, f->core, file + offset, base + offset);
}

static const struct execution_page *page(unsigned number)
{
    free(sorted);
    sorted = execution_pages_sorted(pages, &count);
    assert_true(number < count);
    return &sorted[number];
}

static void test_one_page_of_two_processes(void **state)
{
    struct fixture *f = *state;
    *(uint32_t *)(void *)physmem_host(f->mem, FRAMES + 3 * PAGE + 8) = 0x12345678;
    see(f, FILE_B, 5, 1, 0x400000, 4);
    see(f, FILE_A, 2, 1, 0x400000, 3);
    see(f, FILE_A, 2, 9, 0x400000, 3);
    see(f, FILE_A, 2, 1, 0x700000, 3); /* mapped elsewhere */
    assert_true(page(0)->key == FILE_A + 2 * PAGE_SIZE);
    assert_int_equal(count, 2);
    assert_int_equal(page(0)->address, 0x402000);
    assert_int_equal(page(0)->frame, FRAMES + 3 * PAGE);
    assert_false(page(0)->moved);
    assert_int_equal(page(0)->word[2], 0x12345678);
    assert_true(page(1)->key == FILE_B + 5 * PAGE_SIZE);
    *(uint32_t *)(void *)physmem_host(f->mem, FRAMES + 3 * PAGE + 8) = 0;
    assert_int_equal(page(0)->word[2], 0x12345678); /* as it was at first */
}

static void test_two_frames(void **state)
{
    struct fixture *f = *state;
    see(f, FILE_A, 2, 1, 0x400000, 3);
    see(f, FILE_A, 3, 1, 0x400000, 5);
    see(f, FILE_A, 2, 1, 0x400000, 4);
    assert_true(page(0)->moved);
    assert_null(page(0)->word);
    assert_false(page(1)->moved);
    see(f, FILE_A, 2, 1, 0x400000, 5); /* where the other one was */
    assert_true(page(1)->moved);
}

static void test_two_pages_of_a_frame(void **state)
{
    struct fixture *f = *state;
    see(f, FILE_A, 2, 1, 0x400000, 3);
    see(f, FILE_B, 2, 1, 0x400000, 3);
    see(f, FILE_B, 3, 1, 0x400000, 4);
    assert_true(page(0)->moved && page(1)->moved);
    assert_null(page(1)->word);
    assert_false(page(2)->moved);
}

static void test_what_has_no_page(void **state)
{
    struct fixture *f = *state;
    see(f, FILE_A, 2, 1, 0x400000, 0); /* not mapped */
    at[0x400] = 1;
    execution_pages_see(pages, f->core, FILE_A + 8, 0x400004); /* the key has another place on its page */
    at[0x401] = (0x10000000 - FRAMES) / PAGE_SIZE;
    execution_pages_see(pages, f->core, FILE_A + 4096, 0x401000); /* not RAM */
    assert_null(execution_pages_sorted(pages, &count));
    assert_int_equal(count, 0);
}

/* Pages are recorded when asked for, of user mode only. */
static void test_executions(void **state)
{
    struct fixture *f = *state;
    struct execution_profile *profile = execution_profile_create();
    struct insn insn;
    const enum isa_id id = isa_decode(f->core->decoder, 0, &insn);
    executions_start(f->core, profile);
    assert_null(execution_profile_pages(profile));
    at[0x400] = 1;
    executions_insn(f->core, 0x400000, id, &insn);
    execution_profile_record_pages(profile);
    executions_insn(f->core, 0x400000, id, &insn); /* in kernel mode */
    assert_null(execution_pages_sorted(execution_profile_pages(profile), &count));
    set_user_mode(f->core);
    core_account(f->core);
    executions_insn(f->core, 0x400008, id, &insn);
    sorted = execution_pages_sorted(execution_profile_pages(profile), &count);
    assert_int_equal(count, 1);
    assert_int_equal(sorted[0].address, 0x400000);
    for (unsigned i = 0; i < FIXTURE_CPUS; i++)
        executions_free(f->cores[i]);
    execution_profile_free(profile);
}

#undef TEST
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_one_page_of_two_processes), TEST(test_two_frames), TEST(test_two_pages_of_a_frame),
        TEST(test_what_has_no_page),          TEST(test_executions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
