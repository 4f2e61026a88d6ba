/*
 * The memory system against the independent reference model of reference_*.h, on random machines and random
 * multiprocessor streams with sharing, false sharing, devices and CACHE operations. Every combination of levels,
 * protocol and number of CPUs is covered, and every policy many times.
 *
 * Compared after every access: stall, buckets, fast-path bytes, states of the line in all caches; counts and classes
 * of misses almost as often; all contents and orders of use at intervals.
 *
 *     build/tests/test_memsys_reference                         some machines, as in `make test-unit`
 *     build/tests/test_memsys_reference soak FIRST MACHINES [STEPS]   those with numbers from FIRST, longer streams
 *     build/tests/test_memsys_reference only PATTERN            the tests with such names (* and ?)
 *     build/tests/test_memsys_reference one NUMBER STEPS        one, everything compared after every step
 *     build/tests/test_memsys_reference usual NUMBER STEPS      the same, of a typical machine
 *     build/tests/test_memsys_reference trace FILE MACHINES SKIP COUNT    part of a recorded stream (simos run
 * --trace), on the machine of the paper with each protocol and on random ones
 */
#include "cache/state/replacement.h"
#include "tests/unit/reference_trace.h"

static void random_access(struct pair *p, struct ref_stream *stream, unsigned cpu)
{
    static const enum memsys_access kinds[] = {MEMSYS_FETCH, MEMSYS_FETCH, MEMSYS_FETCH, MEMSYS_READ,
                                               MEMSYS_READ,  MEMSYS_WRITE, MEMSYS_WRITE};
    struct ref_access a = {.cpu = cpu, .kind = kinds[ref_below(&stream->seed, 7)]};
    uint32_t line = pair_first(p, cpu, a.kind == MEMSYS_FETCH)->s.line;
    a.size = a.kind == MEMSYS_FETCH ? 4 : 1u << ref_below(&stream->seed, line < 8 ? 3 : 4);
    a.address = ref_next_address(stream, cpu, a.kind) & ~(a.size - 1);
    a.virtual_address = ref_virtual(a.address, ref_one_in(&stream->seed, 5) ? ref_below(&stream->seed, 4) : cpu % 4);
    const bool by_space = pair_first(p, cpu, a.kind == MEMSYS_FETCH)->s.by_space;
    if (by_space && ref_one_in(&stream->seed, 4)) /* the kernel accesses a user page or the reverse */
        a.virtual_address ^= 0x80000000;
    a.space = ref_space_of(stream, cpu, a.virtual_address);
    uint8_t grant = a.kind != MEMSYS_FETCH ? PERMIT_READ_STORE : PERMIT_READ;
    if (ref_one_in(&stream->seed, 12) && grant != PERMIT_NONE)
        grant = ref_below(&stream->seed, 2) ? PERMIT_NONE : PERMIT_READ;
    pair_access(p, &a, grant, ref_one_in(&stream->seed, 16));
}

static void random_prepare(struct pair *p, struct ref_stream *stream, unsigned cpu)
{
    struct ref_access a = {.cpu = cpu, .kind = MEMSYS_READ, .size = 1};
    a.address = ref_next_address(stream, cpu, MEMSYS_WRITE);
    a.virtual_address = ref_virtual(a.address, cpu % 4);
    a.space = ref_space_of(stream, cpu, a.virtual_address);
    pair_prepare(p, &a);
}

/* At any address of any segment: an index operation need not be at that of a line. */
static void random_cache_op(struct pair *p, struct ref_stream *stream, unsigned cpu, paddr address)
{
    static const enum memsys_cache caches[] = {MEMSYS_L1I, MEMSYS_L1D, MEMSYS_L2, MEMSYS_L3};
    uint64_t *seed = &stream->seed;
    struct ref_access a = {.cpu = cpu, .address = address};
    a.virtual_address = ref_virtual(address, ref_below(seed, 4)) ^ (ref_one_in(seed, 4) ? 0x80000000 : 0);
    a.space = ref_space_of(stream, cpu, a.virtual_address);
    pair_cache_op(p, caches[ref_below(seed, 4)], (enum memsys_cache_op)ref_below(seed, 4), &a);
}

static void random_dma(struct pair *p, struct ref_stream *stream, paddr address)
{
    uint32_t size = ref_below(&stream->seed, 4) ? ref_below(&stream->seed, 300) : ref_below(&stream->seed, 5000);
    pair_dma(p, ref_below(&stream->seed, 2), address, size + 1);
}

static void switch_context(struct pair *p, struct ref_stream *stream, unsigned cpu)
{
    static const uint8_t spaces[] = {1, 0x22, 0x83};
    const enum mode mode = (enum mode)ref_below(&stream->seed, MODE_COUNT);
    const uint32_t process = ref_below(&stream->seed, 3);
    stream->space[cpu] = spaces[process];
    pair_set_context(p, cpu, mode, process);
}

static void random_step(struct pair *p, struct ref_stream *stream)
{
    uint64_t *seed = &stream->seed;
    unsigned cpu = ref_below(seed, p->reference.s.cpus);
    uint32_t choice = ref_below(seed, 10000);
    if (choice < 9400) {
        random_access(p, stream, cpu);
        return;
    }
    if (choice < 9500) {
        random_prepare(p, stream, cpu);
        return;
    }
    paddr address = ref_next_address(stream, cpu, MEMSYS_READ);
    if (p->reference.s.cache[MEMSYS_L1D].assist && choice % 2) {
        pair_hint(p, cpu, address);
        return;
    }
    if (choice < 9750)
        random_cache_op(p, stream, cpu, address);
    else if (choice < 9850)
        random_dma(p, stream, address);
    else if (choice < 9880)
        pair_uncached(p, cpu, address);
    else if (choice < 9995)
        switch_context(p, stream, cpu);
    else if (choice < 9998 && p->reference.ranges < REF_RANGES)
        pair_set_protocol(p, address, ref_below(seed, 2) ? address : address | 0x1fff,
                          (enum memsys_protocol)ref_below(seed, ref_protocol_count()));
    else
        pair_flush(p);
}

static void run_machine(const struct ref_settings *settings, uint64_t seed, const char *label, unsigned steps,
                        unsigned interval)
{
    struct pair *p = pair_make(settings, ref_below(&seed, 2), label);
    uint32_t last_size = settings->cache[ref_id(settings, settings->levels, false)].size;
    struct ref_stream stream = {.seed = seed, .reach = 2 * last_size};
    p->interval = interval;
    for (p->step = 1; p->step <= steps; p->step++)
        random_step(p, &stream);
    pair_compare_everything(p);
    pair_free(p);
}

static struct ref_settings machine_of(unsigned number, uint64_t *seed)
{
    struct ref_settings settings;
    *seed = (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
    for (int i = 0; i < 8; i++)
        ref_random(seed);
    ref_random_machine(&settings, seed, number);
    return settings;
}

static void run(unsigned number, unsigned steps, unsigned interval)
{
    uint64_t seed;
    struct ref_settings settings = machine_of(number, &seed);
    char label[100];
    snprintf(label, sizeof label, "machine number %u, %u CPUs", number, settings.cpus);
    run_machine(&settings, seed, label, steps, interval);
}

/* --- what the machines have ------------------------------------------------------------------------------------- */

/* Properties of a machine: its choices, and those of its data caches by level. */
enum property {
    HAS_LEVELS = 0,
    HAS_PROTOCOL = 3,
    HAS_CPUS = HAS_PROTOCOL + REF_PROTOCOLS_MAX,
    HAS_CLASSIFY = HAS_CPUS + REF_CPU_CHOICES,
    HAS_UPDATE_PAGES = HAS_CLASSIFY + 4, /* without, with */
    HAS_ASSIST = HAS_UPDATE_PAGES + 2,   /* without, with */
    HAS_WORDS = HAS_ASSIST + 2,          /* without, with */
    HAS_CACHE = HAS_WORDS + 2,           /* of each level: */
    HAS_REPLACEMENT = 0,
    HAS_HASH = REF_POLICIES, /* none, or any */
    HAS_THROUGH = HAS_HASH + 2,
    HAS_ALLOCATE = HAS_THROUGH + 2,
    HAS_VALIDATE = HAS_ALLOCATE + 2,  /* with HAS_ALLOCATE + 1; without, with */
    HAS_INCLUSIVE = HAS_VALIDATE + 2, /* level 1: virtual index */
    HAS_SPLIT = HAS_INCLUSIVE + 2,
    HAS_WAYS = HAS_SPLIT + 2, /* a power of two, or not; likewise: */
    HAS_SETS = HAS_WAYS + 2,
    HAS_SECTORS = HAS_SETS + 2, /* none, or any */
    CACHE_PROPERTIES = HAS_SECTORS + 2,
    HAS_PREPARE = HAS_CACHE + REF_LEVELS * CACHE_PROPERTIES,
    PROPERTIES = HAS_PREPARE + REF_PREPARES
};

static unsigned list_properties(const struct ref_settings *s, unsigned property[PROPERTIES])
{
    unsigned count = 0;
    property[count++] = HAS_LEVELS + s->levels - 1;
    property[count++] = HAS_PROTOCOL + s->protocol;
    for (unsigned choice = 0; choice < REF_CPU_CHOICES; choice++)
        if (s->cpus == ref_cpu_choices[choice])
            property[count++] = HAS_CPUS + choice;
    property[count++] = HAS_CLASSIFY + s->classify;
    property[count++] = HAS_UPDATE_PAGES + (s->update_ranges > 0);
    property[count++] = HAS_ASSIST + (s->cache[MEMSYS_L1D].assist > 0);
    property[count++] = HAS_WORDS + s->cache[MEMSYS_L1D].words;
    for (unsigned level = 1; level <= s->levels; level++) {
        const struct ref_cache_settings *c = &s->cache[ref_id(s, level, false)];
        unsigned base = HAS_CACHE + (level - 1) * CACHE_PROPERTIES;
        property[count++] = base + HAS_REPLACEMENT + c->replacement;
        property[count++] = base + HAS_HASH + (c->hashed || c->by_space);
        property[count++] = base + HAS_THROUGH + c->through;
        property[count++] = base + HAS_ALLOCATE + c->allocate;
        property[count++] = base + HAS_VALIDATE + c->validate;
        property[count++] = base + HAS_INCLUSIVE + (level == 1 ? c->virtual_index : c->inclusive);
        property[count++] = base + HAS_SPLIT + s->split[level];
        property[count++] = base + HAS_WAYS + !ref_is_power(c->ways);
        property[count++] = base + HAS_SETS + !ref_is_power(c->size / c->line / c->ways);
        property[count++] = base + HAS_SECTORS + (c->sector_lines > 1);
    }
    property[count++] = HAS_PREPARE + s->prepare;
    return count;
}

/* A protocol that does not exist. */
static bool is_none(unsigned property)
{
    return property >= HAS_PROTOCOL + ref_protocol_count() && property < HAS_CPUS;
}

/* Two properties that no machine combines, of which B is one of pref 30. */
static bool prepare_excludes(unsigned a, unsigned b)
{
    if (a >= HAS_PREPARE)
        return true;
    return b == HAS_PREPARE + REF_PREPARE_ALLOCATES &&
           (a == HAS_WORDS + 1 || a == HAS_CACHE + HAS_THROUGH + 1 ||
            (a >= HAS_CACHE + CACHE_PROPERTIES && (a - HAS_CACHE) % CACHE_PROPERTIES == HAS_INCLUSIVE) ||
            (a >= HAS_CACHE + CACHE_PROPERTIES && (a - HAS_CACHE) % CACHE_PROPERTIES == HAS_THROUGH + 1));
}

/* Two properties that no machine combines: two of one choice; a missing level; a level split, or write-through, outside
 * one that is not; an assist cache of a unified level, or with stores that allocate without a read; an allocation
 * without a read where the cache writes through or a level outside is not inclusive, or with a classification; words
 * that are lines where the cache writes back or reads what it allocates. */
static bool exclude_each_other(unsigned a, unsigned b)
{
    if (is_none(a) || is_none(b))
        return true;
    if (b >= HAS_PREPARE)
        return prepare_excludes(a, b);
    static const unsigned choices[] = {HAS_LEVELS,       HAS_PROTOCOL, HAS_CPUS,  HAS_CLASSIFY,
                                       HAS_UPDATE_PAGES, HAS_ASSIST,   HAS_WORDS, HAS_CACHE};
    static const unsigned cache_choices[] = {HAS_REPLACEMENT, HAS_HASH,      HAS_THROUGH,     HAS_ALLOCATE,
                                             HAS_VALIDATE,    HAS_INCLUSIVE, HAS_SPLIT,       HAS_WAYS,
                                             HAS_SETS,        HAS_SECTORS,   CACHE_PROPERTIES};
    if (b < HAS_CACHE) {
        for (int i = 0; i < 7; i++)
            if (a >= choices[i] && b < choices[i + 1])
                return b >= choices[i];
        return false;
    }
    unsigned level = (b - HAS_CACHE) / CACHE_PROPERTIES + 1, second = (b - HAS_CACHE) % CACHE_PROPERTIES;
    if (a == HAS_ASSIST + 1 && level == 1 && (second == HAS_SPLIT || second == HAS_VALIDATE + 1))
        return true;
    if (a == HAS_WORDS + 1 && level == 1 &&
        (second == HAS_THROUGH || second == HAS_ALLOCATE + 1 || second == HAS_VALIDATE + 1))
        return true;
    if (a > HAS_CLASSIFY && a < HAS_UPDATE_PAGES && second == HAS_VALIDATE + 1)
        return true;
    if (a < HAS_CACHE)
        return a < HAS_PROTOCOL && a - HAS_LEVELS + 1 < level;
    unsigned first = (a - HAS_CACHE) % CACHE_PROPERTIES;
    if ((a - HAS_CACHE) / CACHE_PROPERTIES + 1 < level)
        return (first == HAS_SPLIT && second == HAS_SPLIT + 1) || (first == HAS_THROUGH && second == HAS_THROUGH + 1) ||
               (first == HAS_VALIDATE + 1 && (second == HAS_INCLUSIVE || second == HAS_THROUGH + 1));
    if (second == HAS_VALIDATE + 1 && (first == HAS_THROUGH + 1 || first == HAS_ALLOCATE))
        return true;
    for (int i = 0; i < 10; i++)
        if (first >= cache_choices[i] && first < cache_choices[i + 1])
            return second < cache_choices[i + 1];
    return false;
}

/* --- tests ------------------------------------------------------------------------------------------------------ */

/* MACHINES suffices for every pair of properties with four protocols and seven replacement policies. */
enum { MACHINES = 1000, STEPS = 700 };

/* The machines of `make test-unit` cover every possible pair of properties. */
static void every_pair_of_properties_comes(void **state)
{
    static bool seen[PROPERTIES][PROPERTIES];
    unsigned property[PROPERTIES], missing = 0;
    (void)state;
    for (unsigned number = 0; number < MACHINES; number++) {
        uint64_t seed;
        struct ref_settings settings = machine_of(number, &seed);
        unsigned count = list_properties(&settings, property);
        for (unsigned i = 0; i < count; i++)
            for (unsigned j = i; j < count; j++)
                seen[property[i]][property[j]] = true;
    }
    for (unsigned a = 0; a < PROPERTIES; a++) {
        for (unsigned b = a + 1; b < PROPERTIES; b++) {
            if (seen[a][b] == !exclude_each_other(a, b))
                continue;
            print_error("properties %u and %u are%s together\n", a, b, seen[a][b] ? "" : " never");
            missing++;
        }
    }
    assert_int_equal(missing, 0);
}

/* The reference model has the policies that there are, in any order. */
static void every_policy_has_a_reference(void **state)
{
    (void)state;
    for (unsigned i = 0; i < replacement_count(); i++) {
        unsigned found = 0;
        for (unsigned j = 0; j < REF_POLICIES; j++)
            found += strcmp(replacement_at(i)->name, ref_policies[j].name) == 0;
        if (found != 1)
            fail_msg("tests/unit/reference_replacement.h has %u rows of %s", found, replacement_at(i)->name);
    }
    assert_int_equal(REF_POLICIES, replacement_count());
}

static void random_machines(void **state)
{
    (void)state;
    for (unsigned number = 0; number < MACHINES; number++)
        run(number, STEPS, 200);
    run(4241, 2000, 200);  /* a prefetch fills a line at its own time, not at that of the last miss */
    run(54328, 2000, 200); /* the same of pref 30 */
    run(70070, 2000, 200); /* words stored at the second level are valid in the third */
    run(50420, 7000, 200);
}

/* The machine of SOSP'95 table 3.1: caches of the size they have. */
static struct ref_settings paper_machine(unsigned cpus, enum memsys_protocol protocol, enum classify_mode classify)
{
    struct ref_settings s = {.cpus = cpus,
                             .levels = 2,
                             .split = {[1] = true},
                             .protocol = protocol,
                             .classify = classify,
                             .level_time = {[2] = 10, [3] = 40},
                             .miss = 100,
                             .upgrade = 100,
                             .update = 100,
                             .intervention = 100,
                             .uncached = 100};
    s.cache[MEMSYS_L1I] = s.cache[MEMSYS_L1D] =
        (struct ref_cache_settings){.exists = true, .size = 16384, .line = 16, .ways = 2, .allocate = true};
    s.cache[MEMSYS_L2] = (struct ref_cache_settings){
        .exists = true, .size = 1 << 20, .line = 128, .ways = 1, .allocate = true, .inclusive = true};
    return s;
}

static void machine_of_the_paper(void **state)
{
    (void)state;
    struct ref_settings one = paper_machine(1, MEMSYS_INVALIDATE, CLASSIFY_OFF),
                        four = paper_machine(4, MEMSYS_INVALIDATE, CLASSIFY_FULL),
                        eight = paper_machine(8, MEMSYS_MESI, CLASSIFY_OFF);
    run_machine(&one, 1, "1994", 30000, 10000);
    run_machine(&four, 2, "1994, 4 CPUs", 30000, 10000);
    run_machine(&eight, 3, "1994, 8 CPUs, Illinois", 30000, 10000);
}

/* Processors since 2019: 48 KB in 12 ways; 1.25 MB in 20 ways, or 3 MB in 3 ways; and 1.5 MB, 3072 sets of 8 ways. The
 * last two levels have sectors, too, or none. */
static void machines_of_today(void **state)
{
    (void)state;
    for (unsigned number = 0; number < 8; number++) {
        struct ref_settings s =
            paper_machine(number & 1 ? 4 : 1, MEMSYS_MESI, number & 2 ? CLASSIFY_FULL : CLASSIFY_OFF);
        s.levels = 3;
        s.level_time[3] = 60;
        s.cache[MEMSYS_L1I] = (struct ref_cache_settings){.exists = true, .size = 32 << 10, .line = 64, .ways = 8};
        s.cache[MEMSYS_L1D] = (struct ref_cache_settings){.exists = true, .size = 48 << 10, .line = 64, .ways = 12};
        s.cache[MEMSYS_L2] = (struct ref_cache_settings){.exists = true, .size = 1280 << 10, .line = 64, .ways = 20};
        s.cache[MEMSYS_L3] = (struct ref_cache_settings){.exists = true, .size = 1536 << 10, .line = 64, .ways = 8};
        if (number & 1) {
            s.cache[MEMSYS_L2].size = 3 << 20;
            s.cache[MEMSYS_L2].ways = 3;
        }
        for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++) {
            s.cache[id].allocate = true;
            s.cache[id].sector_lines = number & 4 && ref_level(id) > 1 ? 4 : 1;
        }
        char label[40];
        snprintf(label, sizeof label, "machine %u of today", number);
        run_machine(&s, number + 1, label, 20000, 10000);
    }
}

/* Two levels of the typical kind, for which cache/hierarchy/shapes.c has shapes: the second level is inclusive, the
 * first has LRU, perhaps passes stores on, and has no other feature; two of three have no observers. */
static struct ref_settings usual_machine(unsigned number, uint64_t *seed)
{
    struct ref_settings s;
    *seed = UINT64_C(0x6a09e667f3bcc909) * (number + 1);
    ref_random_machine(&s, seed, 1 + number % 15 * 3);
    if (number % 3)
        s.classify = CLASSIFY_OFF;
    s.prepare = REF_PREPARE_PREFETCHES;
    s.split[1] = true;
    s.split[2] = false;
    memset(s.cache, 0, sizeof s.cache);
    for (enum memsys_cache id = MEMSYS_L1I; id <= MEMSYS_L1D; id++)
        s.cache[id] = (struct ref_cache_settings){.exists = true,
                                                  .size = 512u << ref_below(seed, 3),
                                                  .line = 4u << ref_below(seed, 5),
                                                  .ways = 1u << ref_below(seed, 4),
                                                  .allocate = true};
    if (ref_one_in(seed, 3)) {
        s.cache[MEMSYS_L1D].through = true;
        s.cache[MEMSYS_L1D].allocate = ref_below(seed, 2);
        s.cache[MEMSYS_L1D].virtual_index = ref_below(seed, 2);
        if (number % 4 == 3) {
            s.cache[MEMSYS_L1D].words = true;
            s.cache[MEMSYS_L1D].allocate = false;
            s.cache[MEMSYS_L1D].line = REF_WORD;
        }
    }
    for (enum memsys_cache id = MEMSYS_L1I; id <= MEMSYS_L1D; id++)
        while (s.cache[id].ways * s.cache[id].line > s.cache[id].size)
            s.cache[id].ways /= 2;
    uint32_t line =
        s.cache[MEMSYS_L1I].line > s.cache[MEMSYS_L1D].line ? s.cache[MEMSYS_L1I].line : s.cache[MEMSYS_L1D].line;
    s.cache[MEMSYS_L2] = (struct ref_cache_settings){.exists = true,
                                                     .size = 4096u << ref_below(seed, 3),
                                                     .line = line << ref_below(seed, 5),
                                                     .ways = ref_below(seed, 2) ? 1 : 1u << ref_below(seed, 4),
                                                     .replacement = ref_below(seed, REF_POLICIES),
                                                     .hashed = ref_one_in(seed, 4),
                                                     .allocate = ref_below(seed, 2),
                                                     .inclusive = true};
    while (s.cache[MEMSYS_L2].ways * s.cache[MEMSYS_L2].line > s.cache[MEMSYS_L2].size)
        s.cache[MEMSYS_L2].ways /= 2;
    ref_random_shapes(&s, *seed, number);
    ref_fit_inclusive(&s);
    return s;
}

static void run_usual(unsigned number, unsigned steps, unsigned interval)
{
    uint64_t seed;
    struct ref_settings settings = usual_machine(number, &seed);
    char label[100];
    snprintf(label, sizeof label, "usual machine number %u, %u CPUs", number, settings.cpus);
    run_machine(&settings, seed, label, steps, interval);
}

static void machines_of_the_usual_kind(void **state)
{
    (void)state;
    for (unsigned number = 0; number < 120; number++)
        run_usual(number, STEPS, 200);
    run_usual(5145, 9000, 1000); /* the line at address 0 is replaced by one that the second level has, and missed */
}

static int soak(unsigned first, unsigned machines, unsigned steps, unsigned interval)
{
    for (unsigned number = first; number < first + machines; number++) {
        run(number, steps, interval);
        if (interval > 1)
            run_usual(number, steps, interval);
        if (number % 100 == 99)
            fprintf(stderr, "%u machines\n", number + 1 - first);
    }
    return 0;
}

/* Random machines whose lines are at least as long as the recorded machine's accesses. */
static bool has_lines_of(const struct ref_settings *s, uint32_t line)
{
    return s->cache[ref_id(s, 1, false)].line >= line && s->cache[ref_id(s, 1, true)].line >= line;
}

static int replay_on_machines(const struct recorded *part, unsigned machines)
{
    for (unsigned protocol = 0; protocol < ref_protocol_count(); protocol++) {
        struct ref_settings s = paper_machine(1, (enum memsys_protocol)protocol, CLASSIFY_FULL);
        replay(part, &s, ref_protocols[protocol].name, 100000);
    }
    for (unsigned number = 0; machines > 0; number++) {
        uint64_t seed;
        char label[100];
        struct ref_settings s = machine_of(number, &seed);
        if (!has_lines_of(&s, 8))
            continue;
        snprintf(label, sizeof label, "machine number %u", number);
        replay(part, &s, label, 20000);
        machines--;
    }
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_policy_has_a_reference),
        cmocka_unit_test(every_pair_of_properties_comes),
        cmocka_unit_test(random_machines),
        cmocka_unit_test(machine_of_the_paper),
        cmocka_unit_test(machines_of_today),
        cmocka_unit_test(machines_of_the_usual_kind),
    };
    if ((argc == 4 || argc == 5) && strcmp(argv[1], "soak") == 0)
        return soak((unsigned)atoi(argv[2]), (unsigned)atoi(argv[3]), argc == 5 ? (unsigned)atoi(argv[4]) : 20000, 500);
    if (argc == 3 && strcmp(argv[1], "only") == 0)
        cmocka_set_test_filter(argv[2]);
    if (argc == 4 && strcmp(argv[1], "one") == 0)
        return soak((unsigned)atoi(argv[2]), 1, (unsigned)atoi(argv[3]), 1);
    if (argc == 4 && strcmp(argv[1], "usual") == 0) {
        run_usual((unsigned)atoi(argv[2]), (unsigned)atoi(argv[3]), 1);
        return 0;
    }
    if (argc == 6 && strcmp(argv[1], "trace") == 0)
        return replay_on_machines(&(struct recorded){argv[2], strtoull(argv[4], NULL, 10), strtoull(argv[5], NULL, 10)},
                                  (unsigned)atoi(argv[3]));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
