/*
 * Journeys into the past of a run (src/history/history.h).
 *
 *     round_trips SIMOS FOLDER COUNT SEED WORDS...
 *
 * WORDS are those of `simos run WORDS...`. SIMOS and FOLDER are those of `instants`, and not used. The machine runs
 * once without a past. Then again, with one: it stops at COUNT instants between boot and the end (numbers of
 * instructions, drawn from SEED), and from each goes back to an earlier one, from there forward to a third one, and
 * returns. At some of them the CPU model changes. Keys are pressed meanwhile. Wherever it comes to an instant
 * again, all that a checkpoint would have, and all statistics, must be what they were the first time; at the end the
 * statistics must be those of the run without a past, apart from what a CPU model says of its own work.
 */
#include "src/cli/commands.h"
#include "src/history/history.h"
#include "src/host/external.h"
#include "src/machine/machine_saved.h"
#include "src/machine/save_request.h"
#include "src/run/run_options.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct state;

struct instant {
    uint64_t insns;
    struct state *state;
    uint64_t cpu_insns[BOARD_MAX_CPUS];
    bool changes; /* the CPU model changes there */
};

struct test {
    struct run_options run;
    struct instant *at; /* in order */
    unsigned count;
    uint64_t state; /* of the random numbers */
    uint64_t userland, last;
    char *plain;
    const char *models[2];
    unsigned model;
    struct machine *machine;
    struct external_source *keys;
    uint64_t next_key; /* instructions */
    unsigned passed, failed, journeys;
};

__attribute__((format(printf, 1, 2), noreturn)) static void give_up(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("round_trips: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    exit(2);
}

__attribute__((format(printf, 3, 4))) static void check(struct test *test, bool good, const char *format, ...)
{
    va_list arguments;
    test->passed += good;
    test->failed += !good;
    if (good)
        return;
    va_start(arguments, format);
    printf("FAIL ");
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
}

static uint64_t draw(struct test *test, uint64_t sides)
{
    test->state ^= test->state << 13; /* xorshift64, Marsaglia 2003 */
    test->state ^= test->state >> 7;
    test->state ^= test->state << 17;
    return (test->state >> 11) % sides;
}

/* State */

static void hash_bytes(void *opaque, const void *bytes, size_t count)
{
    uint64_t *hash = opaque, word;
    const char *at = bytes;
    for (; count >= sizeof word; at += sizeof word, count -= sizeof word) {
        memcpy(&word, at, sizeof word);
        *hash = (*hash ^ word) * 0x9e3779b97f4a7c15u;
        *hash ^= *hash >> 29;
    }
    for (; count > 0; count--)
        *hash = (*hash ^ (uint8_t)*at++) * 0x100000001b3u;
}

/* The statistics as text, to be freed, without what CPU models say of their own work. */
static char *statistics(const struct machine *machine)
{
    char *text;
    size_t size;
    FILE *out = checked_memory(open_memstream(&text, &size));
    stats_write_json(machine->stats, out);
    fclose(out);
    char *models = strstr(text, "\"models\": {");
    char *end = models ? strstr(models, "\n    }") : NULL;
    if (!end)
        give_up("no machine.models in the statistics");
    memmove(models, end, strlen(end) + 1);
    return text;
}

/* Hashes of the sections that a checkpoint would have, and of the statistics. */
enum { PARTS_MAX = 300 };
struct state {
    unsigned count;
    uint64_t hash[PARTS_MAX];
    char name[PARTS_MAX][SAVED_NAME_MAX + 1];
};

static void look_once(struct machine *machine, struct state *state)
{
    struct err err = {""};
    struct saved *list = machine_saved_list(machine, &err);
    const struct saved_section *section;
    memset(state, 0, sizeof *state);
    if (!list)
        give_up("%s", err.text);
    for (size_t i = 0; (section = saved_at(list, i)) && i < PARTS_MAX - 1; i++) {
        if (strcmp(section->name, "net.user") ==
            0) /* it has the number of libslirp's next packet, which is the host's */
            continue;
        saved_write(section, &(struct saved_out){.put = hash_bytes, .opaque = &state->hash[state->count]});
        snprintf(state->name[state->count++], sizeof state->name[0], "%s", section->name);
    }
    saved_free(list);
    char *text = statistics(machine);
    hash_bytes(&state->hash[state->count], text, strlen(text));
    snprintf(state->name[state->count++], sizeof state->name[0], "statistics");
    free(text);
}

/* Whoever saves a machine lets it forget what has passed, such as the reservations of a bus: so the second one counts.
 */
static void look(struct machine *machine, struct state *state)
{
    look_once(machine, state);
    look_once(machine, state);
}

/* The machine */

static void userland_up(void *opaque)
{
    machine_request_stop(((struct test *)opaque)->machine);
}

static const struct machine_host host = {.userland_up = userland_up};

/* A key every 100,003 instructions. */
static void take_keys(void *opaque, const struct external_waits *waits)
{
    struct test *test = opaque;
    (void)waits;
    if (machine_insns(test->machine) < test->next_key || machine_input_space(test->machine, 0) == 0)
        return;
    const char key = (char)('a' + test->next_key % 26);
    external_deliver(test->keys, &key, 1);
    test->next_key = machine_insns(test->machine) + 100003;
}

static void deliver_key(void *opaque, const void *bytes, size_t count)
{
    machine_input(((struct test *)opaque)->machine, 0, bytes, count);
}

static void create(struct test *test)
{
    static const struct external_ops ops = {.deliver = deliver_key, .take = take_keys};
    struct err err = {""};
    test->machine = machine_create(&test->run.options, &host, test, &err);
    if (!test->machine || !machine_load(test->machine, &err))
        give_up("%s", err.text);
    test->keys = external_add(test->machine->external, "keys", &ops, test);
    test->next_key = 0;
    test->model = 0;
}

static enum machine_stop run_to(const struct test *test, uint64_t insns)
{
    return machine_run(test->machine, &(struct machine_limits){CYCLES_NEVER, insns});
}

static void change_model(struct test *test, struct history *history)
{
    struct err err = {""};
    test->model = !test->model;
    if (!machine_set_cpu_model(test->machine, test->models[test->model], &err))
        give_up("%s", err.text);
    history_changed(history);
}

/* How long the run is, roughly: the models do not change. */
static void measure(struct test *test)
{
    create(test);
    if (run_to(test, UINT64_MAX) != MACHINE_STOP_REQUEST)
        give_up("userland does not come up");
    test->userland = machine_insns(test->machine);
    test->models[0] = machine_cpu_model(test->machine);
    test->models[1] = strcmp(test->models[0], "mipsy") == 0 ? "embra" : "mipsy";
    if (run_to(test, UINT64_MAX) != MACHINE_STOP_EXIT)
        give_up("the job does not end");
    test->last = machine_insns(test->machine);
    machine_free(test->machine);
}

static int by_insns(const void *a, const void *b)
{
    const struct instant *one = a, *other = b;
    return (one->insns > other->insns) - (one->insns < other->insns);
}

static void choose_instants(struct test *test)
{
    const uint64_t length = (test->last - test->userland) / 10 * 9; /* other models take other ways */
    test->at = checked_memory(calloc(test->count, sizeof *test->at));
    for (unsigned i = 0; i < test->count; i++) {
        test->at[i].insns = test->userland + 1 + draw(test, length);
        test->at[i].changes = draw(test, 10) == 0;
    }
    qsort(test->at, test->count, sizeof *test->at, by_insns);
}

static void run_plain(struct test *test)
{
    create(test);
    run_to(test, UINT64_MAX);
    for (unsigned i = 0; i < test->count; i++) {
        if (run_to(test, test->at[i].insns) != MACHINE_STOP_INSNS)
            give_up("instruction %" PRIu64 " is not reached", test->at[i].insns);
        if (test->at[i].changes)
            change_model(test, NULL);
    }
    run_to(test, UINT64_MAX);
    test->plain = statistics(test->machine);
    machine_free(test->machine);
}

/* The front end: it is asked to run to a number of instructions, and answers with the state there. */

static void enter(void *opaque)
{
    (void)opaque;
}

static enum machine_stop run(void *opaque, const struct machine_limits *limits)
{
    return save_request_run(((struct test *)opaque)->machine, limits);
}

static void answer(void *opaque, const char *question, size_t size, FILE *out)
{
    struct test *test = opaque;
    struct state *state = checked_memory(calloc(1, sizeof *state));
    uint64_t insns;
    (void)size;
    memcpy(&insns, question, sizeof insns);
    enum machine_stop reason = MACHINE_STOP_REQUEST;
    while (machine_insns(test->machine) < insns && reason != MACHINE_STOP_HORIZON && reason != MACHINE_STOP_FAILED)
        reason = run_to(test, insns);
    if (machine_insns(test->machine) == insns)
        look(test->machine, state);
    fwrite(state, sizeof *state, 1, out);
    fprintf(out, "%s", test->machine->failure.text);
    free(state);
}

static bool never(void *opaque)
{
    (void)opaque;
    return false;
}

static int nothing(void *opaque)
{
    (void)opaque;
    return -1;
}

/* Journeys */

/* The state at instant NUMBER, as the place says. */
static void compare(struct test *test, struct history *history, unsigned number, const char *how)
{
    const struct state *expected = test->at[number].state;
    struct state *state = checked_memory(calloc(1, sizeof *state));
    struct err err = {""};
    char *bytes = NULL;
    size_t size = 0;
    if (!history_is_past(history))
        look(test->machine, state);
    else {
        const enum history_outcome outcome =
            history_ask(history, (const char *)&test->at[number].insns, sizeof(uint64_t), &bytes, &size, &err);
        /* where the model changed, the state was noted before the change */
        if ((outcome == HISTORY_STAYED || outcome == HISTORY_CHANGE) && size >= sizeof *state)
            memcpy(state, bytes, sizeof *state);
    }
    check(test, memcmp(state, expected, sizeof *state) == 0, "%s instruction %" PRIu64 ": another state; %s%s", how,
          test->at[number].insns, err.text, size > sizeof *state ? bytes + sizeof *state : "");
    for (unsigned i = 0; i < expected->count; i++)
        if (state->hash[i] != expected->hash[i])
            printf("     %s\n", expected->name[i]);
    free(state);
    free(bytes);
}

static bool go(struct test *test, struct history *history, enum history_unit unit, unsigned cpu, uint64_t value)
{
    struct err err = {""};
    const bool done = history_go(history, &(struct history_target){unit, cpu, value}, &err);
    const struct history_counts counts = history_counts(history);
    check(test, done, "no way to %" PRIu64 ": %s (%u snapshots hold %" PRIu64 " MB)", value, err.text, counts.snapshots,
          counts.bytes >> 20);
    return done;
}

/* The last instant from FROM on, up to BEHIND, that can be come to without a change by hand. */
static unsigned last_without_change(const struct test *test, unsigned from, unsigned behind)
{
    unsigned to = from;
    while (to + 1 < behind && !test->at[to].changes)
        to++;
    return to;
}

/* From instant HERE, where the present is. */
static void travel(struct test *test, struct history *history, unsigned here)
{
    const unsigned back = (unsigned)draw(test, here), cpu = (unsigned)draw(test, test->machine->cpus);
    test->journeys++;
    /* on some ways first to where one CPU is */
    if (draw(test, 4) == 0 && test->at[back].cpu_insns[cpu] < test->at[here].cpu_insns[cpu] &&
        go(test, history, HISTORY_CPU_INSNS, cpu, test->at[back].cpu_insns[cpu]))
        check(test, history_cpu_insns(history, cpu) == test->at[back].cpu_insns[cpu], "CPU %u is elsewhere", cpu);
    if (!go(test, history, HISTORY_INSNS, 0, test->at[back].insns))
        return;
    if (!test->at[back].changes) /* the state was noted before the change, and this is behind it */
        compare(test, history, back, "back to");
    const unsigned to = last_without_change(test, back, here);
    if (to > back && !test->at[back].changes)
        compare(test, history, back + 1 + (unsigned)draw(test, to - back), "forward to");
    history_return(history);
}

static void run_with_past(struct test *test)
{
    struct err err = {""};
    const struct history_front front = {
        .opaque = test, .enter = enter, .run = run, .answer = answer, .is_ending = never, .interrupt_fd = nothing};
    struct history_options options = {.memory = UINT64_C(2) << 30};
    create(test);
    options.every = (test->last - test->userland) / 20 + 1;
    struct history *history = history_begin(test->machine, &options, &front, &err);
    if (!history)
        give_up("%s", err.text);
    run_to(test, UINT64_MAX);
    for (unsigned i = 0; i < test->count; i++) {
        struct instant *instant = &test->at[i];
        if (run_to(test, instant->insns) != MACHINE_STOP_INSNS)
            give_up("instruction %" PRIu64 " is not reached", instant->insns);
        instant->state = checked_memory(malloc(sizeof *instant->state));
        look(test->machine, instant->state);
        for (unsigned cpu = 0; cpu < test->machine->cpus; cpu++)
            instant->cpu_insns[cpu] = test->machine->cores[cpu]->s.insns;
        if (i > 0)
            travel(test, history, i);
        compare(test, history, i, "still at");
        if (instant->changes)
            change_model(test, history);
    }
    const struct history_counts counts = history_counts(history);
    check(test, counts.lost == 0 && counts.refused == 0 && counts.bytes <= counts.limit,
          "%u snapshots lost, %u refused", counts.lost, counts.refused);
    check(test, run_to(test, UINT64_MAX) == MACHINE_STOP_EXIT, "the job does not end");
    history_end(history);
    char *text = statistics(test->machine);
    check(test, strcmp(text, test->plain) == 0, "the statistics at the end are others");
    free(text);
    machine_free(test->machine);
}

int main(int argc, char **argv)
{
    struct err err = {""};
    if (argc < 6)
        give_up("usage: round_trips SIMOS FOLDER COUNT SEED WORDS...");
    struct test test = {.count = (unsigned)strtoul(argv[3], NULL, 0),
                        .state = strtoull(argv[4], NULL, 0) * 0x9e3779b97f4a7c15u + 1};
    const char *words[argc];
    words[0] = "run";
    for (int i = 5; i < argc; i++)
        words[i - 4] = argv[i];
    if (!run_options_parse(&test.run, &simos_commands, COMMAND_PLACE_ALONE, argc - 4, words, &err))
        give_up("%s", err.text);
    if (test.count == 0)
        give_up("no instants");
    measure(&test);
    choose_instants(&test);
    run_plain(&test);
    run_with_past(&test);
    printf("round_trips: %u journeys: %u passed, %u failed\n", test.journeys, test.passed, test.failed);
    run_options_release(&test.run);
    free(test.plain);
    for (unsigned i = 0; i < test.count; i++)
        free(test.at[i].state);
    free(test.at);
    return test.failed > 0;
}
