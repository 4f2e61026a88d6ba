/*
 * All combinations of configurable policies under random multiprocessor streams: invariants hold. memsys_check()
 * verifies single writer, inclusion and the agreement of all levels; here also that a fast-path byte never permits an
 * access that would change state.
 */
#include "tests/unit/memsys_fixture.h"

static uint64_t random_next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed * UINT64_C(0x2545f4914f6cdd1d) >> 24;
}

static uint32_t below(uint64_t *seed, uint32_t limit)
{
    return (uint32_t)(random_next(seed) % limit);
}

static const char *one_of(uint64_t *seed, const char *const *words, uint32_t count)
{
    return words[below(seed, count)];
}
#define ONE_OF(SEED, ...)                                                                                              \
    one_of(SEED, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

struct text {
    char bytes[2048];
    size_t length;
};

static void __attribute__((format(printf, 2, 3))) add(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text->length += (size_t)vsnprintf(text->bytes + text->length, sizeof text->bytes - text->length, format, arguments);
    va_end(arguments);
}

/* Returns the size, about SIZE. */
static unsigned add_cache(struct text *text, uint64_t *seed, const char *name, unsigned size, unsigned line)
{
    unsigned ways = 1u << below(seed, 5), sector = below(seed, 2) ? 1 : 1u << below(seed, 4);
    while (ways * line * sector > size && ways > 1)
        ways /= 2;
    while (ways * line * sector > size)
        sector /= 2;
    if (below(seed, 2)) { /* other ways and sets */
        const unsigned set = (ways = 1 + below(seed, 12)) * line * sector;
        size = (size + below(seed, size) + set - 1) / set * set;
    }
    add(text, "cache.%s.sector_lines=%u ", name, sector);
    add(text, "cache.%s.size=%u cache.%s.line=%u cache.%s.ways=%u cache.%s.replacement=%s cache.%s.hash=%s ", name,
        size, name, line, name, ways, name, ONE_OF(seed, "lru", "random", "plru", "srrip"), name,
        ONE_OF(seed, "none", "none", "xor"));
    return size;
}

/* A machine with small caches, so that lines conflict. */
static void any_machine(struct text *text, uint64_t *seed)
{
    unsigned levels = 1 + below(seed, 3), through = below(seed, levels + 1);
    if (below(seed, 2))
        through = 0;
    static const char *const models[] = {"one-level", "two-level", "three-level"};
    static const unsigned sizes[] = {256, 4096, 16384};
    unsigned split = below(seed, 4) ? 1 + below(seed, levels) : 0, line = 4u << below(seed, 3);
    unsigned largest = 0;
    text->length = 0;
    add(text, "cache.model=%s cache.protocol=%s cache.upgrades_on_uniprocessor=%s ", models[levels - 1],
        ONE_OF(seed, "invalidate", "mesi", "firefly"), ONE_OF(seed, "on", "off"));
    if (below(seed, 2))
        add(text, "cache.update_pages=0x1000-0x1fff,0x3000-0x3001 ");
    for (unsigned level = 1; level <= levels; level++) {
        char data[8], insn[8];
        snprintf(data, sizeof data, level == 1 ? "l1d" : "l%u", level);
        snprintf(insn, sizeof insn, "l%ui", level);
        unsigned size = sizes[level - 1] << below(seed, 3);
        while (size < largest)
            size *= 2;
        add(text, "cache.l%u.split=%s ", level, level <= split ? "on" : "off");
        largest = add_cache(text, seed, data, size, line);
        if (level <= split) {
            size = add_cache(text, seed, insn, size, line);
            largest = size > largest ? size : largest;
        }
        add(text, "cache.%s.write=%s cache.%s.write_allocate=%s ", data, level <= through ? "through" : "back", data,
            ONE_OF(seed, "on", "on", "off"));
        if (level == 1)
            add(text, "cache.l1d.index=%s cache.l1i.index=%s ", ONE_OF(seed, "physical", "physical", "virtual"),
                ONE_OF(seed, "physical", "physical", "virtual"));
        else
            add(text, "cache.%s.inclusive=%s cache.%s.inclusive=%s ", data, ONE_OF(seed, "on", "off"), insn,
                ONE_OF(seed, "on", "off"));
        line <<= below(seed, 4);
    }
    if (through == 0 && below(seed, 2))
        add(text,
            "cache.l2.inclusive=on cache.l3.inclusive=on cache.l1d.write_allocate=validate "
            "cache.l2.write_allocate=%s ",
            ONE_OF(seed, "on", "validate"));
    if (through > 0 && below(seed, 3) == 0)
        add(text, "cache.l1d.line=4 cache.l1d.write_allocate=validate %s",
            levels == 1 && split == 1 ? "cache.l1i.line=4 " : "");
    if (levels > 1 && below(seed, 3) == 0)
        add(text,
            "prefetch.stream.buffers=%u prefetch.stream.depth=%u prefetch.stream.level=%u prefetch.stream.allocate=%s ",
            1 + below(seed, 3), 1 + below(seed, 8), 1 + below(seed, levels - 1), ONE_OF(seed, "sequence", "miss"));
    if (below(seed, 4) == 0)
        add(text, "prefetch.insn.trigger=%s prefetch.insn.pages=all prefetch.insn.lines=2 ",
            ONE_OF(seed, "miss", "reference"));
}

/* Few pages, so that CPUs share them; each has several virtual pages. */
enum { PAGES = 6, ALIASES = 4 };

struct bytes {
    uint8_t byte[2][ALIASES][PAGES * PAGE_SIZE / 4];
};

static bool may(uint8_t byte, bool write)
{
    return byte & (write ? PERMIT_STORE : PERMIT_READ);
}

static void run(uint64_t *seed, unsigned steps)
{
    struct text text;
    any_machine(&text, seed);
    unsigned cpus = below(seed, 3) ? 1 + below(seed, 4) : 1;
    struct machine *m = machine(cpus, text.bytes);
    struct bytes *bytes = calloc(cpus, sizeof *bytes);
    uint32_t line[2] = {memsys_line(m->memsys, MEMSYS_L1I), memsys_line(m->memsys, MEMSYS_L1D)};
    for (unsigned step = 0; step < steps; step++) {
        unsigned cpu = below(seed, cpus), choice = below(seed, 100);
        paddr address =
            (below(seed, 8) ? below(seed, 3) * 1024 + below(seed, 512) : below(seed, PAGES * PAGE_SIZE)) & ~3u;
        if (choice < 94) {
            enum memsys_access access = choice % 3;
            bool data = access != MEMSYS_FETCH, write = access == MEMSYS_WRITE;
            unsigned alias = below(seed, 8) ? 0 : below(seed, ALIASES);
            uint8_t *byte = &bytes[cpu].byte[data][alias][address / line[data]];
            const struct bucket before = m->bucket[cpu];
            struct memsys_request request = {.access = access,
                                             .address = address,
                                             .virtual_address = address + alias * 0x11000,
                                             .size = 4,
                                             .max_permission = data ? PERMIT_READ_STORE : PERMIT_READ,
                                             .permission = byte,
                                             .bucket = &m->bucket[cpu]};
            bool allowed = may(*byte, write);
            struct memsys_entry entry = memsys_look(m->memsys, cpu, data ? MEMSYS_L1D : MEMSYS_L1I, address);
            if (!entry.valid && !data)
                entry = memsys_look(m->memsys, cpu, MEMSYS_L1D, address);
            if (allowed && (!entry.valid || entry.order != 0 || (write && !entry.dirty)))
                fail_msg("%s: step %u: cpu%u may use 0x%x without asking", text.bytes, step, cpu, address);
            cycles stall = memsys_access(m->memsys, cpu, &request);
            if (allowed && (stall || memcmp(&before, &m->bucket[cpu], sizeof before) != 0))
                fail_msg("%s: step %u: cpu%u could use 0x%x without asking, but that changed something", text.bytes,
                         step, cpu, address);
        } else if (choice < 97) {
            cache_op(m, cpu, below(seed, MEMSYS_CACHES), below(seed, 4), address);
        } else if (choice < 99) {
            (below(seed, 2) ? memsys_dma_write : memsys_dma_read)(m->memsys, address, below(seed, 300), 0);
        } else if (below(seed, 20) == 0) {
            memsys_flush(m->memsys);
        }
        struct err err = {""};
        if (step % 16 == 0 && !memsys_check(m->memsys, &err))
            fail_msg("%s: step %u: %s", text.bytes, step, err.text);
    }
    done(m);
    free(bytes);
}

static void any_configuration(void **state)
{
    (void)state;
    uint64_t seed = UINT64_C(0x9e3779b97f4a7c15);
    for (unsigned i = 0; i < 300; i++)
        run(&seed, 1200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_configuration)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
