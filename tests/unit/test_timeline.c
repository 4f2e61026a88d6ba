/*
 * Stacks and time lines (docs/reference/annotations.md): weights of stacks are exact and sum up to all cycles, samples
 * only subdivide them; slices nest, have the final name of their call, and end when the buffer is full.
 */
#include "annotations/timeline/stack_profile.h"
#include "annotations/timeline/timeline.h"
#include "tests/unit/services_fixture.h"

static char *text_of(const struct stack_profile *contexts, enum stack_profile_weight weight)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    stack_profile_write(contexts, weight, out);
    fclose(out);
    return text;
}

/* A page fault within a call, and user code: used by both tests. */
static void run(struct world *w)
{
    struct core *core = w->f->core;
    begin_user(w);
    execute(core, 10);
    enter_call(core, 4003);
    allow_nesting(core);
    execute(core, 20);
    enter(core, EXC_TLBS);
    execute(core, 5);
    pass(core, FAULT);
    go_back(core, false);
    execute(core, 7);
    go_back(core, true);
    execute(core, 1);
}

static void name(void *opaque, struct core *core, char *text, size_t size)
{
    (void)core;
    snprintf(text, size, "%s", (const char *)opaque);
}

/* Cycles of a fault before its classification have its initial name. */
static void test_stacks(void **state)
{
    struct world *w = *state;
    struct stack_profile *contexts = stack_profile_create(&w->machine, w->services);
    run(w);
    stack_profile_update(contexts);
    char *cycles = text_of(contexts, STACK_PROFILE_CYCLES), *stall = text_of(contexts, STACK_PROFILE_STALL);
    assert_string_equal(cycles, "alpha;USER 22\nalpha;read 54\nalpha;read;PFAULT 10\n");
    assert_string_equal(stall, "alpha;USER 11\nalpha;read 27\nalpha;read;PFAULT 5\n");
    free(cycles);
    free(stall);
    stack_profile_reset(contexts);
    execute(w->f->core, 4);
    stack_profile_update(contexts);
    cycles = text_of(contexts, STACK_PROFILE_CYCLES);
    assert_string_equal(cycles, "alpha;USER 8\n");
    free(cycles);
    stack_profile_free(contexts);
}

/* A sample attributes the cycles of a stack since its last sample to a routine; later cycles have none. Names are
 * sanitised. */
static void test_samples(void **state)
{
    struct world *w = *state;
    struct core *core = w->f->core;
    struct stack_profile *contexts = stack_profile_create(&w->machine, w->services);
    begin_user(w);
    execute(core, 10);
    stack_profile_sample(contexts, name, "first");
    stack_profile_sample(contexts, name, "nothing more");
    execute(core, 20);
    stack_profile_sample(contexts, name, "sec;ond\n");
    execute(core, 3);
    stack_profile_update(contexts);
    char *text = text_of(contexts, STACK_PROFILE_CYCLES);
    assert_string_equal(text, "alpha;USER 6\nalpha;USER;first 20\nalpha;USER;sec?ond? 40\n");
    free(text);
    stack_profile_free(contexts);
}

static char *trace_of(const struct timeline *timeline)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    timeline_write(timeline, out);
    fclose(out);
    return text;
}

static void has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("no %s in %s", part, text);
}

/* 200 MHz: a cycle is 5 ns. Slices begin and end with their calls, and nest. */
static void test_slices(void **state)
{
    struct world *w = *state;
    struct timeline *timeline = timeline_create(&w->machine, w->services, 100);
    begin_user(w);
    timeline_start(timeline);
    cycles begin = w->f->core->s.cycle;
    run(w);
    timeline_add_mark(timeline, "here \"x\"", begin + 4);
    timeline_stop(timeline);
    size_t count = timeline_count(timeline);
    execute(w->f->core, 10);
    assert_int_equal(timeline_count(timeline), count);
    assert_false(timeline_is_full(timeline));
    char *text = trace_of(timeline);
    has(text, "\"complete\": true");
    has(text, "{\"name\": \"alpha\", \"cat\": \"process\", \"ph\": \"X\"");
    has(text, "{\"name\": \"read\", \"cat\": \"service\", \"ph\": \"X\", \"ts\": 0.100, \"dur\": 0.320");
    has(text, "{\"name\": \"FIRST\", \"cat\": \"fault\", \"ph\": \"X\", \"ts\": 0.300, \"dur\": 0.050");
    has(text, "{\"name\": \"here \\\"x\\\"\", \"cat\": \"mark\", \"ph\": \"i\", \"ts\": 0.020");
    assert_null(strstr(text, "\"PFAULT\""));
    const char *service = strstr(text, "\"read\""), *fault = strstr(text, "\"FIRST\"");
    assert_true(strstr(text, "\"alpha\"") < service);
    assert_true(service < fault);
    free(text);
    timeline_free(timeline);
}

/* When the buffer is full current slices end, nothing more is recorded, and the file says so. */
static void test_full(void **state)
{
    struct world *w = *state;
    struct core *core = w->f->core;
    struct timeline *timeline = timeline_create(&w->machine, w->services, 3);
    begin_user(w);
    timeline_start(timeline);
    for (unsigned i = 0; i < 10; i++) {
        execute(core, 1);
        enter(core, EXC_INT);
        execute(core, 1);
        go_back(core, true);
    }
    assert_true(timeline_is_full(timeline));
    assert_in_range(timeline_count(timeline), 3, 3 + 2 * FIXTURE_CPUS);
    timeline_stop(timeline);
    char *text = trace_of(timeline);
    has(text, "\"complete\": false");
    free(text);
    timeline_free(timeline);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_stacks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_samples, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_slices, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_full, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
