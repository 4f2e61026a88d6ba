/*
 * Cycles by mode, routine, cause, data structure and class of miss, from the cores' cycle watches
 * (cpu/observe/cycle_watch.h): the rows of a run add up to its accounts, cause by cause.
 *
 * The data of a cycle that a processor waits for memory is what the access wants, and its class that of the latest miss
 * at the address, of the outermost cache. The data of the cycles in which a processor waits for a spin lock is the
 * lock.
 */
#include "annotations/services/service_cycles.h"

#include "annotations/services/numbers.h"
#include "annotations/services/service_charge.h"
#include "annotations/services/service_locks.h"
#include "annotations/services/service_whatif.h"
#include "annotations/services/services_state.h"

#include "cache/classify/miss_observer.h"
#include "cpu/observe/cycle_watch.h"
#include "cpu/observe/probe.h"
#include "src/measure/measures.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Widths of the parts of a key of `counts`. */
enum { ROUTINE_BITS = 26, DATA_BITS = 27, MODE_BITS = 2, STATE_BITS = 5, CLASS_BITS = 4 };
_Static_assert(ROUTINE_BITS + DATA_BITS + MODE_BITS + STATE_BITS + CLASS_BITS <= 64, "a key has 64 bits");
_Static_assert((int)PROBE_STATES <= 1 << STATE_BITS && CLASS_COUNT + 1 < 1 << CLASS_BITS, "room for states, classes");

/* Data without a name: none; a lock has its entry in the lock table and this bit. */
enum { NO_DATA = 0, NO_CLASS = CLASS_COUNT + 1 };
#define LOCK_DATA (UINT64_C(1) << 63)

/* The latest misses of a processor, by address. */
enum { LATEST = 1024 };
struct latest_miss {
    vaddr address;
    bool fetch;
    uint8_t class;
};

enum { TEXT_MAX = 128 };

/* Which items of a struct whatif match the texts of numbers. */
struct matches {
    uint32_t *misses; /* [number]: items of misses */
    int8_t *whole;    /* [number]: 1 + the item of another kind; 0: none */
    size_t count;     /* numbers known so far */
};

struct cycle_record {
    struct services *services;
    const struct miss_names *names;
    cycle_routine_fn *routine;
    void *opaque;
    struct miss_observer *observer; /* NULL: no caches */
    bool classified;
    struct numbers routines, data;
    struct tally counts;
    struct tally_row waiting[BOARD_MAX_CPUS]; /* the last wait, which may go on: its row, and what is not yet in it */
    struct cycle_watch watch[BOARD_MAX_CPUS];
    struct bucket begin[BOARD_MAX_CPUS][MODE_COUNT]; /* the accounts at the beginning */
    struct latest_miss (*latest)[LATEST];            /* by processor */
    struct whatif *whatif;                           /* NULL: everything takes its time */
    struct matches of_routine, of_data;              /* items of it that match */
};

/* Keys */

static uint64_t key_of(size_t routine, size_t data, enum mode mode, unsigned state, unsigned class)
{
    return ((((uint64_t)routine << DATA_BITS | data) << MODE_BITS | mode) << STATE_BITS | state) << CLASS_BITS | class;
}

static size_t routine_of(uint64_t key)
{
    return key >> (DATA_BITS + MODE_BITS + STATE_BITS + CLASS_BITS);
}

static size_t data_of(uint64_t key)
{
    return key >> (MODE_BITS + STATE_BITS + CLASS_BITS) & ((UINT64_C(1) << DATA_BITS) - 1);
}

static enum mode mode_of(uint64_t key)
{
    return key >> (STATE_BITS + CLASS_BITS) & ((1 << MODE_BITS) - 1);
}

static unsigned state_of(uint64_t key)
{
    return key >> CLASS_BITS & ((1 << STATE_BITS) - 1);
}

static unsigned class_of(uint64_t key)
{
    return key & ((1 << CLASS_BITS) - 1);
}

/* Counting */

static struct latest_miss *latest_at(struct cycle_record *record, unsigned cpu, vaddr address, bool fetch)
{
    const uint32_t hash = (address >> 2 ^ address >> 12) * 2 + fetch;
    return &record->latest[cpu][hash % LATEST];
}

/* Reported with the first level first, so that the class of the outermost cache stays. */
static void missed(void *opaque, const struct observed_miss *miss)
{
    struct cycle_record *record = opaque;
    const bool fetch = miss->access == MEMSYS_FETCH;
    const vaddr address = fetch ? miss->pc : miss->virtual_address;
    *latest_at(record, miss->cpu, address, fetch) = (struct latest_miss){
        .address = address, .fetch = fetch, .class = (uint8_t)(miss->upgrade ? CLASS_UPGRADE : miss->class)};
}

static unsigned class_at(struct cycle_record *record, unsigned cpu, vaddr address, bool fetch)
{
    const struct latest_miss *miss = latest_at(record, cpu, address, fetch);
    return miss->address == address && miss->fetch == fetch ? miss->class : NO_CLASS;
}

/* Texts */

static void text_of_routine(const struct cycle_record *record, uint64_t routine, char *text)
{
    if (routine == CYCLES_TLB_REFILL)
        snprintf(text, TEXT_MAX, "%s", CYCLES_REFILL_NAME);
    else
        record->names->routine_text(record->opaque, routine, text, TEXT_MAX);
}

static void text_of_data(const struct cycle_record *record, uint64_t data, char *text)
{
    if (data & LOCK_DATA) {
        char name[TEXT_MAX - sizeof CYCLES_LOCK_PREFIX];
        services_lock_text(record->services, (unsigned)(data & ~LOCK_DATA), name, sizeof name);
        snprintf(text, TEXT_MAX, CYCLES_LOCK_PREFIX "%s", name);
    } else {
        record->names->data_text(record->opaque, data, text, TEXT_MAX);
    }
}

static const char *text_of_class(const struct cycle_record *record, unsigned class)
{
    if (class == NO_CLASS)
        return "";
    return record->classified && class < CLASS_COUNT ? classify_class_name((enum miss_class) class)
           : class == CLASS_UPGRADE                  ? classify_class_name(CLASS_UPGRADE)
                                                     : "any";
}

/* What if */

/* Find out which items match the routines, or the data, with numbers that are not known yet. */
static void match_routines(struct cycle_record *record)
{
    struct matches *of = &record->of_routine;
    for (; of->count < record->routines.count; of->count++) {
        char text[TEXT_MAX];
        const uint64_t routine = record->routines.values[of->count];
        if ((of->count & (of->count - 1)) == 0) {
            const size_t room = of->count ? 2 * of->count : 1;
            of->misses = checked_memory(realloc(of->misses, room * sizeof *of->misses));
            of->whole = checked_memory(realloc(of->whole, room * sizeof *of->whole));
        }
        text_of_routine(record, routine, text);
        const uint32_t whole =
            whatif_matches(record->whatif, WHATIF_ROUTINE, WHATIF_OF_ROUTINE, text) |
            (routine == CYCLES_TLB_REFILL ? whatif_matches(record->whatif, WHATIF_TLB, WHATIF_OF_ROUTINE, text) : 0);
        of->misses[of->count] = whatif_matches(record->whatif, WHATIF_MISS, WHATIF_OF_ROUTINE, text);
        of->whole[of->count] = (int8_t)__builtin_ffs((int)whole);
    }
}

static void match_data(struct cycle_record *record)
{
    struct matches *of = &record->of_data;
    for (; of->count < record->data.count; of->count++) {
        char text[TEXT_MAX];
        uint32_t lock = 0;
        if ((of->count & (of->count - 1)) == 0) {
            const size_t room = of->count ? 2 * of->count : 1;
            of->misses = checked_memory(realloc(of->misses, room * sizeof *of->misses));
            of->whole = checked_memory(realloc(of->whole, room * sizeof *of->whole));
        }
        text_of_data(record, record->data.values[of->count], text);
        if (record->data.values[of->count] & LOCK_DATA)
            lock = whatif_matches(record->whatif, WHATIF_LOCK, WHATIF_OF_ROUTINE, text + strlen(CYCLES_LOCK_PREFIX));
        of->misses[of->count] = whatif_matches(record->whatif, WHATIF_MISS, WHATIF_OF_DATA, text);
        of->whole[of->count] = (int8_t)__builtin_ffs((int)lock);
    }
}

/* memsys_forgive_fn */
static bool forgive(void *opaque, unsigned cpu, const struct memsys_request *request, enum stall stall, cycles duration)
{
    struct cycle_record *record = opaque;
    struct core *core = record->services->machine->cores[cpu];
    const bool fetch = request->access == MEMSYS_FETCH;
    vaddr low, high;
    const size_t routine =
        number_of(&record->routines, record->routine(record->opaque, core, request->pc, &low, &high));
    match_routines(record);
    uint32_t items = record->of_routine.misses[routine];
    if (items == 0)
        return false;
    const char *class =
        text_of_class(record, class_at(record, cpu, fetch ? request->pc : request->virtual_address, fetch));
    items &= whatif_matches(record->whatif, WHATIF_MISS, WHATIF_OF_CLASS, class) &
             whatif_matches(record->whatif, WHATIF_MISS, WHATIF_OF_CAUSE, probe_state_name(PROBE_STALL + stall));
    if (items != 0 && fetch) {
        items &= whatif_matches(record->whatif, WHATIF_MISS, WHATIF_OF_DATA, "");
    } else if (items != 0) {
        const size_t data = number_of(
            &record->data, record->names->data(record->opaque, core, request->virtual_address, request->address));
        match_data(record);
        items &= record->of_data.misses[data];
    }
    if (items == 0)
        return false;
    record->whatif->item[__builtin_ctz(items)].cycles += (int64_t)duration;
    return true;
}

/* Is PLACE, of which the number is set, free or lent? */
static void set_free(struct cycle_record *record, size_t routine, size_t lock, struct cycle_place *place)
{
    match_routines(record);
    match_data(record);
    place->is_free = record->of_routine.whole[routine] != 0;
    place->is_lent = lock != NO_DATA && record->of_data.whole[lock - 1] != 0;
}

/* SPENDING has been taken back, because it was of a free place, or to pay back what waits for locks lent. */
static void count_back(struct cycle_record *record, const struct cycle_spending *spending)
{
    int8_t item = record->of_routine.whole[spending->place >> 32];
    for (unsigned i = 0; item == 0 && i < record->whatif->count; i++)
        if (record->whatif->item[i].kind == WHATIF_LOCK)
            item = (int8_t)(i + 1);
    if (item != 0)
        record->whatif->item[item - 1].cycles += spending->back;
}

/* What a watch calls */

/* The lock that the processor waits for, as data; NO_DATA: none. */
static size_t lock_of(struct cycle_record *record, unsigned cpu)
{
    struct services *services = record->services;
    const struct sync *sync = services->percpu[cpu].sync;
    if (!services->locks || !sync->on || !sync->waiting)
        return NO_DATA;
    return 1 + number_of(&record->data, LOCK_DATA | services_lock_waited_for(services, sync));
}

static void find(void *opaque, struct core *core, vaddr pc, struct cycle_place *place)
{
    struct cycle_record *record = opaque;
    *place = (struct cycle_place){.low = pc, .high = pc + 4};
    const size_t routine =
        number_of(&record->routines, record->routine(record->opaque, core, pc, &place->low, &place->high));
    const size_t lock = lock_of(record, core->number);
    place->number = (uint64_t)routine << 32 | lock;
    if (record->whatif)
        set_free(record, routine, lock, place);
}

static bool is_fetch(unsigned state)
{
    return state >= PROBE_STALL && state < PROBE_STALL + STALL_COUNT && stall_side(state - PROBE_STALL) == SIDE_INSN;
}

static bool is_data(unsigned state)
{
    return state >= PROBE_STALL && state < PROBE_INTERLOCK && !is_fetch(state);
}

static bool has_class(unsigned state)
{
    return state >= PROBE_STALL && state <= PROBE_STALL + STALL_UPGRADE;
}

/* Put the wait of processor CPU, if there is one, into its row. What follows of it comes there, too. */
static void end_wait(struct cycle_record *record, unsigned cpu)
{
    struct tally_row *wait = &record->waiting[cpu];
    if (wait->count || wait->cycles)
        tally_add(&record->counts, wait->key, wait->count, wait->cycles);
    wait->count = 0;
    wait->cycles = 0;
}

static void end_waits(struct cycle_record *record)
{
    for (unsigned cpu = 0; cpu < record->services->machine->cpus; cpu++)
        end_wait(record, cpu);
}

/* SPENDING, no execution, has KEY. All of a wait is in one row, that of its end: where it begins the miss may not be
 * known yet, and another may have taken its place before it ends. */
static void add_wait(struct cycle_record *record, unsigned cpu, uint64_t key, const struct cycle_spending *spending)
{
    struct tally_row *wait = &record->waiting[cpu];
    if (spending->count > 0)
        end_wait(record, cpu);
    else if (wait->count == 0)
        key = wait->key;
    else if (class_of(key) == NO_CLASS)
        key = key - NO_CLASS + class_of(wait->key);
    *wait = (struct tally_row){key, wait->count + spending->count, wait->cycles + spending->cycles};
}

static void spent(void *opaque, struct core *core, const struct cycle_spending *spending)
{
    struct cycle_record *record = opaque;
    const unsigned state = spending->state;
    const size_t lock = (uint32_t)spending->place, routine = spending->place >> 32;
    size_t data = lock;
    unsigned class = NO_CLASS;
    if (spending->back > 0)
        count_back(record, spending);
    if (state == PROBE_WAIT) {
        tally_add(&record->counts, key_of(0, NO_DATA, spending->mode, state, NO_CLASS), spending->count,
                  spending->cycles);
        return;
    }
    const bool of_data = is_data(state) && spending->has_address;
    if (of_data && lock == NO_DATA) {
        paddr physical = 0;
        tlb_probe_address(core, spending->address, &physical);
        data = 1 + number_of(&record->data, record->names->data(record->opaque, core, spending->address, physical));
    }
    if (has_class(state) && (of_data || is_fetch(state)))
        class = class_at(record, core->number, of_data ? spending->address : spending->pc, !of_data);
    const uint64_t key = key_of(1 + routine, data, spending->mode, state, class);
    if (state == PROBE_RUN)
        tally_add(&record->counts, key, spending->count, spending->cycles);
    else
        add_wait(record, core->number, key, spending);
}

/* Begin and end */

static void begin(struct cycle_record *record)
{
    struct services *services = record->services;
    tally_clear(&record->counts);
    memset(record->waiting, 0, sizeof record->waiting);
    for (unsigned i = 0; record->whatif && i < record->whatif->count; i++)
        record->whatif->item[i].cycles = 0;
    for (unsigned cpu = 0; cpu < services->machine->cpus; cpu++) {
        struct core *core = services->machine->cores[cpu];
        record->watch[cpu].find = find;
        record->watch[cpu].spent = spent;
        record->watch[cpu].opaque = record;
        cycle_watch_attach(core, &record->watch[cpu]);
        memcpy(record->begin[cpu], core->mode_buckets, sizeof record->begin[cpu]);
    }
}

void services_record_cycles(struct services *services, const struct miss_names *names, cycle_routine_fn *routine,
                            void *opaque)
{
    const struct machine_view *machine = services->machine;
    services_charge(services);
    if (!services->cycles) {
        struct cycle_record *record = checked_memory(calloc(1, sizeof *record));
        record->services = services;
        record->names = names;
        record->routine = routine;
        record->opaque = opaque;
        record->latest = checked_memory(calloc(machine->cpus, sizeof *record->latest));
        record->classified = machine->memsys && memsys_classification(machine->memsys);
        if (machine->memsys && !memsys_is_flat(machine->memsys))
            record->observer = miss_observer_begin(machine->memsys, missed, record);
        services->cycles = record;
    }
    begin(services->cycles);
}

bool services_records_cycles(const struct services *services)
{
    return services && services->cycles;
}

void services_set_whatif(struct services *services, struct whatif *whatif)
{
    struct cycle_record *record = services->cycles;
    record->whatif = whatif;
    for (unsigned cpu = 0; cpu < services->machine->cpus; cpu++)
        record->watch[cpu].takes_back =
            whatif_has(whatif, WHATIF_ROUTINE) || whatif_has(whatif, WHATIF_LOCK) || whatif_has(whatif, WHATIF_TLB);
    if (whatif_has(whatif, WHATIF_MISS) && record->observer)
        memsys_set_forgive(services->machine->memsys, forgive, record);
}

static void release_matches(struct matches *matches)
{
    free(matches->misses);
    free(matches->whole);
}

void service_cycles_free(struct cycle_record *record)
{
    if (!record)
        return;
    const struct machine_view *machine = record->services->machine;
    for (unsigned cpu = 0; cpu < machine->cpus; cpu++)
        if (machine->cores[cpu]->watch == &record->watch[cpu])
            cycle_watch_attach(machine->cores[cpu], NULL);
    if (record->whatif && record->observer)
        memsys_set_forgive(machine->memsys, NULL, NULL);
    whatif_free(record->whatif);
    release_matches(&record->of_routine);
    release_matches(&record->of_data);
    miss_observer_end(record->observer);
    numbers_release(&record->routines);
    numbers_release(&record->data);
    tally_release(&record->counts);
    free(record->latest);
    free(record);
}

void service_cycles_reset(struct services *services)
{
    if (services->cycles)
        begin(services->cycles);
}

/* The cycles of STATE in BUCKET. */
static uint64_t cycles_of(const struct bucket *bucket, unsigned state)
{
    if (state == PROBE_RUN)
        return bucket_execute(bucket) - bucket_pipeline(bucket);
    if (state < PROBE_INTERLOCK)
        return bucket->stall[state - PROBE_STALL];
    if (state < PROBE_PIPELINE)
        return bucket->interlock[state - PROBE_INTERLOCK];
    return state < PROBE_WAIT ? bucket->pipeline[state - PROBE_PIPELINE] : bucket->wait;
}

bool service_cycles_check(struct services *services, struct err *err)
{
    struct cycle_record *record = services->cycles;
    int64_t sum[MODE_COUNT][PROBE_STATES] = {{0}}, charged[MODE_COUNT][PROBE_STATES] = {{0}};
    if (!record)
        return true;
    for (unsigned cpu = 0; cpu < services->machine->cpus; cpu++) {
        cycle_watch_settle(services->machine->cores[cpu]);
        for (unsigned mode = 0; mode < MODE_COUNT; mode++)
            for (unsigned state = 0; state < PROBE_STATES; state++)
                charged[mode][state] += (int64_t)(cycles_of(&services->machine->cores[cpu]->mode_buckets[mode], state) -
                                                  cycles_of(&record->begin[cpu][mode], state));
    }
    end_waits(record);
    for (size_t i = 0; i < record->counts.count; i++) {
        const struct tally_row *row = &record->counts.rows[i];
        sum[mode_of(row->key)][state_of(row->key)] += row->cycles;
    }
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        for (unsigned state = 0; state < PROBE_STATES; state++)
            if (sum[mode][state] != charged[mode][state])
                return err_set(err, "the cycles by place of %s, %s add up to %" PRId64 " of %" PRId64,
                               mode_name((enum mode)mode), probe_state_name(state), sum[mode][state],
                               charged[mode][state]);
    return true;
}

/* Results */

struct row {
    const char *routine, *data, *class;
    uint8_t mode, state;
    uint64_t count;
    int64_t cycles;
};

static int by_texts(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    const int texts[] = {x->mode - y->mode, strcmp(x->routine, y->routine), x->state - y->state,
                         strcmp(x->data, y->data), strcmp(x->class, y->class)};
    for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i])
            return texts[i];
    return 0;
}

static void put_row(const struct row *row, struct json_writer *json)
{
    json_line(json, 6);
    json_begin_array(json);
    json_put_text(json, mode_name(row->mode));
    json_put_text(json, row->routine);
    json_put_text(json, row->state == PROBE_RUN ? "execute" : probe_state_name(row->state));
    json_put_text(json, row->data);
    json_put_text(json, row->class);
    json_put_count(json, row->count);
    json_put_integer(json, row->cycles);
    json_end_array(json);
}

/* Write ROWS, those with the same texts as one; none that is 0. */
static void put_rows(struct row *rows, size_t count, struct json_writer *json)
{
    for (size_t i = 0; i < count; i++) {
        struct row sum = rows[i];
        for (; i + 1 < count && by_texts(&rows[i], &rows[i + 1]) == 0; i++) {
            sum.count += rows[i + 1].count;
            sum.cycles += rows[i + 1].cycles;
        }
        if (sum.count || sum.cycles)
            put_row(&sum, json);
    }
}

void service_cycles_write_json(const struct services *services, struct json_writer *json)
{
    static const char *const columns[] = {"mode", "routine", "cause", "data", "class", "count", "cycles"};
    struct cycle_record *record = services->cycles;
    end_waits(record);
    char(*routines)[TEXT_MAX] = checked_memory(calloc(record->routines.count + 1, sizeof *routines));
    char(*data)[TEXT_MAX] = checked_memory(calloc(record->data.count + 1, sizeof *data));
    struct row *rows = checked_memory(calloc(record->counts.count + 1, sizeof *rows));
    snprintf(routines[0], TEXT_MAX, "%s", CYCLES_WAIT_NAME);
    for (size_t i = 0; i < record->routines.count; i++)
        text_of_routine(record, record->routines.values[i], routines[1 + i]);
    for (size_t i = 0; i < record->data.count; i++)
        text_of_data(record, record->data.values[i], data[1 + i]);
    for (size_t i = 0; i < record->counts.count; i++) {
        const struct tally_row *from = &record->counts.rows[i];
        rows[i] = (struct row){.routine = routines[routine_of(from->key)],
                               .data = data[data_of(from->key)],
                               .class = text_of_class(record, class_of(from->key)),
                               .mode = (uint8_t)mode_of(from->key),
                               .state = (uint8_t)state_of(from->key),
                               .count = from->count,
                               .cycles = from->cycles};
    }
    qsort(rows, record->counts.count, sizeof *rows, by_texts);
    json_line(json, 4);
    json_member_object(json, "cycles");
    json_line(json, 5);
    json_member_array(json, "columns");
    for (unsigned i = 0; i < sizeof columns / sizeof columns[0]; i++)
        json_put_text(json, columns[i]);
    json_end_array(json);
    json_line(json, 5);
    json_member_array(json, "rows");
    put_rows(rows, record->counts.count, json);
    json_line(json, 5);
    json_end_array(json);
    if (record->whatif)
        whatif_write_json(record->whatif, json);
    json_end_object(json);
    free(rows);
    free(routines);
    free(data);
}
