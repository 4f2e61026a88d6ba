#include "src/run/lockstep.h"

#include "cpu/registers.h"
#include "cache/memsys.h"
#include "src/base/splitmix.h"
#include "src/run/lockstep_pair.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGES_WATCHED = 64 };

/* A position in the run: after CHUNKS chunks, which are INSNS instructions. */
struct position {
    uint64_t chunks, insns;
};

struct lockstep {
    struct lockstep_setup setup;
    struct lockstep_pair pair; /* of the first run */
    bool has_caches;
    struct position verified; /* the last position where everything was equal, RAM included */
    uint64_t next_memory;     /* instruction count at which RAM is compared next */
    uint32_t pages[PAGES_WATCHED];
    unsigned page_count; /* pages that differed when all of RAM was compared */
    uint64_t comparisons, memory_comparisons;
};

struct lockstep *lockstep_create(const struct lockstep_setup *setup, struct err *err)
{
    struct lockstep *lockstep = checked_memory(calloc(1, sizeof *lockstep));
    lockstep->setup = *setup;
    if (!lockstep->setup.chunk)
        lockstep->setup.chunk = LOCKSTEP_CHUNK;
    if (!lockstep->setup.memory_chunk)
        lockstep->setup.memory_chunk = LOCKSTEP_MEMORY_CHUNK;
    if (!lockstep_pair_create(&lockstep->pair, &lockstep->setup, true, err)) {
        lockstep_free(lockstep);
        return NULL;
    }
    lockstep->has_caches = !memsys_is_flat(lockstep->pair.machine[0]->memsys);
    return lockstep;
}

void lockstep_free(struct lockstep *lockstep)
{
    if (!lockstep)
        return;
    lockstep_pair_free(&lockstep->pair);
    free(lockstep);
}

struct machine *lockstep_machine(struct lockstep *lockstep, unsigned side)
{
    return lockstep->pair.machine[side];
}

uint64_t lockstep_comparisons(const struct lockstep *lockstep)
{
    return lockstep->comparisons;
}

uint64_t lockstep_memory_comparisons(const struct lockstep *lockstep)
{
    return lockstep->memory_comparisons;
}

/* ---- chunks ---- */

/* The length of chunk NUMBER: 1 to twice the mean, pseudo-random: from a generator whose seed is the number. */
static uint64_t chunk_length(const struct lockstep *lockstep, uint64_t number)
{
    return 1 + splitmix_next(&number) % (2 * lockstep->setup.chunk);
}

/* The end of the chunk that starts at POSITION. */
static struct position next_position(const struct lockstep *lockstep, struct position position)
{
    uint64_t insns = position.insns + chunk_length(lockstep, position.chunks);
    return (struct position){position.chunks + 1,
                             insns < lockstep->setup.limits.insns ? insns : lockstep->setup.limits.insns};
}

static bool is_last(const struct lockstep *lockstep, const struct lockstep_pair *pair, struct position position)
{
    return lockstep_pair_ended(pair) || position.insns >= lockstep->setup.limits.insns;
}

/* Compare after a chunk of the first run. */
static bool chunk_differs(struct lockstep *lockstep, struct position position)
{
    struct lockstep_pair *pair = &lockstep->pair;
    bool whole = position.insns >= lockstep->next_memory || is_last(lockstep, pair, position);
    bool differs = lockstep_pair_differs(pair, whole || lockstep->has_caches, NULL, 0);
    lockstep->comparisons++;
    lockstep_pair_discard_output(pair);
    if (!differs && !whole)
        return false;
    /* find the differing pages: a differing register may have been loaded from one of them */
    lockstep->memory_comparisons++;
    lockstep->page_count = compare_memory(pair->compare, lockstep->pages, PAGES_WATCHED);
    if (differs || lockstep->page_count > 0)
        return true;
    lockstep->next_memory = position.insns + lockstep->setup.memory_chunk;
    lockstep->verified = position;
    return false;
}

/* ---- search ---- */

/* Run a fresh PAIR to POSITION in the same chunks as the first run. */
static void run_chunks(struct lockstep *lockstep, struct lockstep_pair *pair, struct position position)
{
    for (struct position at = {0}; at.chunks < position.chunks;) {
        at = next_position(lockstep, at);
        lockstep_pair_run(pair, at.insns);
        lockstep_pair_discard_output(pair);
    }
}

static bool differs_closely(const struct lockstep *lockstep, const struct lockstep_pair *pair)
{
    return lockstep_pair_differs(pair, true, lockstep->pages, lockstep->page_count);
}

/* Find the chunk between `verified` and END in which the machines begin to differ: *GOOD is its start, *BAD its end.
 * Returns false with ERR if they do not differ this time. */
static bool find_chunk(struct lockstep *lockstep, struct position end, struct position *good, struct position *bad,
                       struct err *err)
{
    struct lockstep_pair pair;
    bool done = lockstep_pair_create(&pair, &lockstep->setup, false, err), found = false;
    if (done) {
        run_chunks(lockstep, &pair, lockstep->verified);
        *good = lockstep->verified;
        while (!found && good->chunks < end.chunks) {
            *bad = next_position(lockstep, *good);
            lockstep_pair_run(&pair, bad->insns);
            found = differs_closely(lockstep, &pair);
            lockstep_pair_discard_output(&pair);
            if (!found)
                *good = *bad;
        }
        if (!found)
            err_set(err,
                    "lockstep: %s and %s differed before instruction %" PRIu64
                    ", but not in a second run: one of them is not deterministic",
                    lockstep->setup.name[0], lockstep->setup.name[1], end.insns);
    }
    lockstep_pair_free(&pair);
    return found;
}

/* Run WORK(OPAQUE) in a forked copy of this process. Returns its result, 0 or 1; -1 with ERR if the fork fails. */
static int in_child(int (*work)(void *opaque), void *opaque, struct err *err)
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(work(opaque));
    if (child < 0) {
        err_set(err, "lockstep: fork: %s", strerror(errno));
        return -1;
    }
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) {
            err_set(err, "lockstep: waitpid: %s", strerror(errno));
            return -1;
        }
    /* A crash counts as a difference. */
    return WIFEXITED(status) ? WEXITSTATUS(status) != 0 : 1;
}

struct attempt {
    struct lockstep *lockstep;
    struct lockstep_pair *pair;
    uint64_t insns;
    struct lockstep_trace *trace; /* shared between processes */
};

static int try_insns(void *opaque)
{
    const struct attempt *attempt = opaque;
    lockstep_pair_run(attempt->pair, attempt->insns);
    return differs_closely(attempt->lockstep, attempt->pair);
}

/* PAIR is at GOOD, and the machines differ at BAD. *INSNS: the first instruction after which they differ. */
static bool bisect(struct lockstep *lockstep, struct lockstep_pair *pair, uint64_t good, uint64_t bad, uint64_t *insns,
                   struct err *err)
{
    while (bad - good > 1) {
        struct attempt attempt = {.lockstep = lockstep, .pair = pair, .insns = good + (bad - good) / 2};
        int differs = in_child(try_insns, &attempt, err);
        if (differs < 0)
            return false;
        if (differs)
            bad = attempt.insns;
        else
            good = attempt.insns;
    }
    *insns = bad;
    return true;
}

/* State of a CPU before a step. */
struct before {
    vaddr pc;
    uint64_t insns, interrupts, exceptions;
    bool slot;
};

static void note_step(struct lockstep_trace *trace, const struct core *core, const struct before *before,
                      uint64_t number)
{
    struct lockstep_step *step = &trace->steps[number % LOCKSTEP_HISTORY];
    *step = (struct lockstep_step){
        .number = number, .cpu = core->number, .pc = before->pc, .slot = before->slot, .exception = -1};
    if (core_interrupts(core) != before->interrupts) {
        step->interrupt = true; /* the step executed the first instruction of the handler */
        step->pc = core->s.pc - 4;
        step->slot = false;
    } else if (core_exceptions(core) != before->exceptions) {
        step->exception = (int)core_exception_code(core);
    }
    step->word_known = core_debug_read((struct core *)core, step->pc, &step->word, 4) == 4;
}

/* Single-step side 0 and record the instruction. */
static void step_first(struct lockstep_pair *pair, struct lockstep_trace *trace, uint64_t number)
{
    struct machine *machine = pair->machine[0];
    struct before before[BOARD_MAX_CPUS];
    for (unsigned i = 0; i < machine->cpus; i++) {
        const struct core *core = machine->cores[i];
        before[i] = (struct before){.pc = core->s.pc,
                                    .insns = core->s.insns,
                                    .interrupts = core_interrupts(core),
                                    .exceptions = core_exceptions(core),
                                    .slot = core->s.in_delay_slot};
    }
    pair->reason[0] = machine_run(machine, &(struct machine_limits){pair->setup->limits.time, number});
    for (unsigned i = 0; i < machine->cpus; i++)
        if (machine->cores[i]->s.insns != before[i].insns)
            note_step(trace, machine->cores[i], &before[i], number);
}

/* Single-step both machines from the last equal position to the difference: record what side 0 executes, and where they
 * differ when stepped. */
static int trace_steps(void *opaque)
{
    const struct attempt *attempt = opaque;
    struct lockstep_pair *pair = attempt->pair;
    uint64_t at = machine_insns(pair->machine[0]);
    pair->reason[0] = MACHINE_STOP_INSNS;
    while (at < attempt->insns && pair->reason[0] == MACHINE_STOP_INSNS) {
        step_first(pair, attempt->trace, ++at);
        pair->reason[1] = machine_run(pair->machine[1], &(struct machine_limits){pair->setup->limits.time, at});
        if (!attempt->trace->stepped_difference && differs_closely(attempt->lockstep, pair))
            attempt->trace->stepped_difference = at;
    }
    return 0;
}

/* Report the difference after instruction INSNS. PAIR is at the last equal position. */
static void report(struct lockstep *lockstep, struct lockstep_pair *pair, uint64_t insns, struct err *err)
{
    char what[256];
    struct lockstep_trace *trace = mmap(NULL, sizeof *trace, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (trace == MAP_FAILED)
        log_bug("out of memory");
    struct attempt attempt = {.lockstep = lockstep, .pair = pair, .insns = insns, .trace = trace};
    if (in_child(trace_steps, &attempt, err) >= 0) {
        lockstep_pair_run(pair, insns);
        lockstep_report(pair, trace, lockstep->pages, lockstep->page_count, what, sizeof what);
        err_set(err, "lockstep: %s and %s differ after instruction %" PRIu64 ": %s", lockstep->setup.name[0],
                lockstep->setup.name[1], insns, what);
    }
    munmap(trace, sizeof *trace);
}

/* Find and report the first difference, at or before END. */
static void search(struct lockstep *lockstep, struct position end, struct err *err)
{
    struct position good, bad;
    struct lockstep_pair pair;
    uint64_t insns;
    if (lockstep->setup.searching)
        lockstep->setup.searching(lockstep->setup.opaque, end.insns);
    if (!find_chunk(lockstep, end, &good, &bad, err))
        return;
    if (lockstep_pair_create(&pair, &lockstep->setup, false, err)) {
        run_chunks(lockstep, &pair, good);
        if (bisect(lockstep, &pair, good.insns, bad.insns, &insns, err))
            report(lockstep, &pair, insns, err);
    }
    lockstep_pair_free(&pair);
}

bool lockstep_run(struct lockstep *lockstep, enum machine_stop *reason, struct err *err)
{
    struct lockstep_pair *pair = &lockstep->pair;
    struct position position = {0};
    lockstep->next_memory = lockstep->setup.memory_chunk;
    do {
        position = next_position(lockstep, position);
        if (!lockstep_pair_run(pair, position.insns))
            break;
        if (chunk_differs(lockstep, position)) {
            search(lockstep, position, err);
            return false;
        }
    } while (!is_last(lockstep, pair, position));
    *reason = pair->reason[0];
    return true;
}
