#include "cpu/core/isolated.h"

#include "cpu/privileged/load_delay.h"
#include "cpu/privileged/watch_registers.h"
#include <stdlib.h>
#include <string.h>

enum { SIZE = 64 << 10, LINE = 4, SIZE_MAX_BYTES = 16 << 20 };

enum line_state { LINE_AS_BEFORE, LINE_VALID, LINE_INVALID };
enum { STATE_BITS = 2, STATE_MASK = (1 << STATE_BITS) - 1 };

struct lines {
    uint32_t size, line;
    uint8_t shift;   /* log2 of line */
    uint32_t *state; /* by line: the isolation in which it was made, and enum line_state in the low bits */
    uint32_t *tag;   /* address of the line, by line */
    uint32_t *words; /* by word of the cache */
};

struct isolated {
    bool begun;      /* there were accesses in this isolation, ... */
    uint32_t number; /* ... which has this number, a multiple of 1 << STATE_BITS */
    struct lines caches[ISOLATED_CACHES];
};

static struct isolated *isolated_of(struct core *core)
{
    if (core->isolated_caches == NULL) {
        core->isolated_caches = checked_memory(calloc(1, sizeof *core->isolated_caches));
        for (unsigned i = 0; i < ISOLATED_CACHES; i++)
            isolated_set_geometry(core, (enum isolated_cache)i, SIZE, LINE);
    }
    return core->isolated_caches;
}

static void free_lines(struct lines *lines)
{
    free(lines->state);
    free(lines->tag);
    free(lines->words);
    lines->state = NULL;
    lines->tag = lines->words = NULL;
}

void isolated_free(struct core *core)
{
    for (unsigned i = 0; core->isolated_caches && i < ISOLATED_CACHES; i++)
        free_lines(&core->isolated_caches->caches[i]);
    free(core->isolated_caches);
}

void isolated_set_geometry(struct core *core, enum isolated_cache cache, uint32_t size, uint32_t line)
{
    struct lines *lines = &isolated_of(core)->caches[cache];
    if (lines->size == size && lines->line == line)
        return;
    free_lines(lines);
    lines->size = size;
    lines->line = line;
    lines->shift = (uint8_t)__builtin_ctz(line);
    lines->state = checked_memory(calloc(size / line, sizeof *lines->state));
    lines->tag = checked_memory(calloc(size / line, sizeof *lines->tag));
    lines->words = checked_memory(calloc(size / sizeof *lines->words, sizeof *lines->words));
}

void core_update_isolation(struct core *core)
{
    const bool isolated = core->s.cp0[CP0_STATUS] & core->architecture->isolates;
    if (isolated == core->isolated)
        return;
    core->isolated = isolated;
    core_update_checked(core);
    if (core->isolated_caches)
        core->isolated_caches->begun = false;
}

enum isolated_cache isolated_cache(const struct core *core)
{
    return core->s.cp0[CP0_STATUS] & core->architecture->swaps ? ISOLATED_INSTRUCTIONS : ISOLATED_DATA;
}

/* A new isolation begins: all lines are as before. */
static void begin(struct isolated *isolated)
{
    isolated->begun = true;
    isolated->number += 1 << STATE_BITS;
    for (unsigned i = 0; isolated->number == 0 && i < ISOLATED_CACHES; i++) { /* the numbers begin anew */
        struct lines *lines = &isolated->caches[i];
        memset(lines->state, 0, (size_t)(lines->size >> lines->shift) * sizeof *lines->state);
    }
    if (isolated->number == 0)
        isolated->number = 1 << STATE_BITS;
}

/* The lines of the cache that PA is in, and the number of its line. */
static struct lines *find(struct core *core, paddr pa, uint32_t *number)
{
    struct isolated *isolated = isolated_of(core);
    if (!isolated->begun)
        begin(isolated);
    struct lines *lines = &isolated->caches[isolated_cache(core)];
    *number = (pa & (lines->size - 1)) >> lines->shift;
    return lines;
}

static enum line_state state_of(const struct core *core, const struct lines *lines, uint32_t number)
{
    const uint32_t state = lines->state[number];
    return (state & ~(uint32_t)STATE_MASK) == core->isolated_caches->number ? state & STATE_MASK : LINE_AS_BEFORE;
}

static void set_state(const struct core *core, struct lines *lines, uint32_t number, enum line_state state)
{
    lines->state[number] = core->isolated_caches->number | state;
}

static uint32_t word_of_memory(const struct core *core, paddr pa)
{
    uint32_t word = 0;
    if (physmem_page_is_ram(core->mem, pa))
        memcpy(&word, physmem_host(core->mem, pa & ~3u), sizeof word);
    return word;
}

uint32_t isolated_load(struct core *core, paddr pa, unsigned size, bool resident)
{
    uint32_t number, *status = &core->s.cp0[CP0_STATUS];
    const struct lines *lines = find(core, pa, &number);
    const enum line_state state = state_of(core, lines, number);
    const bool hit =
        state == LINE_AS_BEFORE ? resident : state == LINE_VALID && lines->tag[number] == (pa & ~(lines->line - 1));
    uint32_t word = state == LINE_AS_BEFORE ? word_of_memory(core, pa) : lines->words[(pa & (lines->size - 1)) / 4];
    *status = hit ? *status & ~core->architecture->isolated_missed : *status | core->architecture->isolated_missed;
    word >>= (pa & 3) * 8;
    return size == 1 ? word & 0xff : size == 2 ? word & 0xffff : word;
}

void isolated_store(struct core *core, paddr pa, unsigned size, uint32_t value)
{
    uint32_t number;
    struct lines *lines = find(core, pa, &number);
    const paddr line = pa & ~(lines->line - 1);
    if (size < 4) {
        set_state(core, lines, number, LINE_INVALID);
        return;
    }
    if (state_of(core, lines, number) != LINE_VALID || lines->tag[number] != line)
        for (uint32_t offset = 0; offset < lines->line; offset += 4)
            lines->words[((line + offset) & (lines->size - 1)) / 4] = word_of_memory(core, line + offset);
    set_state(core, lines, number, LINE_VALID);
    lines->tag[number] = line;
    lines->words[(pa & (lines->size - 1)) / 4] = value;
}

/* Checkpoint section. The lines are saved while a cache is isolated. */

static const struct saved_field fields[] = {
    SAVED_LIMITED(struct core, s.delayed_register, SAVED_U8, ISA_REG_FCC - 1),
    SAVED_FIELD(struct core, s.delayed_value, SAVED_U32),
};

static bool has_lines(const struct core *core)
{
    return core->isolated && core->isolated_caches && core->isolated_caches->begun;
}

static void write_lines(void *base, struct saved_out *out)
{
    struct core *core = base;
    saved_put_u32(out, has_lines(core));
    for (unsigned i = 0; has_lines(core) && i < ISOLATED_CACHES; i++) {
        const struct lines *lines = &core->isolated_caches->caches[i];
        const uint32_t count = lines->size / lines->line;
        saved_put_u32(out, lines->size);
        saved_put_u32(out, lines->line);
        for (uint32_t n = 0; n < count; n++) {
            saved_put_u32(out, (uint32_t)state_of(core, lines, n));
            saved_put_u32(out, lines->tag[n]);
        }
        for (uint32_t n = 0; n < lines->size / 4; n++)
            saved_put_u32(out, lines->words[n]);
    }
}

static bool is_power(uint32_t number, uint32_t least, uint32_t most)
{
    return number >= least && number <= most && (number & (number - 1)) == 0;
}

static bool read_lines(void *base, struct saved_in *in, struct err *err)
{
    struct core *core = base;
    uint32_t has, size, line;
    if (!saved_get_u32(in, &has))
        return false;
    for (unsigned i = 0; has && i < ISOLATED_CACHES; i++) {
        if (!saved_get_u32(in, &size) || !saved_get_u32(in, &line))
            return false;
        if (!is_power(size, 4, SIZE_MAX_BYTES) || !is_power(line, 4, size))
            return err_set(err, "an isolated cache of %u bytes with lines of %u", size, line);
        isolated_set_geometry(core, (enum isolated_cache)i, size, line);
        struct lines *lines = &core->isolated_caches->caches[i];
        const uint32_t count = size / line;
        bool done = true;
        core->isolated_caches->number = 1 << STATE_BITS;
        for (uint32_t n = 0; done && n < count; n++) {
            done = saved_get_u32(in, &lines->state[n]) && saved_get_u32(in, &lines->tag[n]);
            lines->state[n] = (lines->state[n] & STATE_MASK) | core->isolated_caches->number;
        }
        for (uint32_t n = 0; done && n < size / 4; n++)
            done = saved_get_u32(in, &lines->words[n]);
        if (!done)
            return false;
    }
    if (has)
        core->isolated_caches->begun = true;
    return true;
}

static bool after_load(void *base, struct err *err)
{
    struct core *core = base;
    core->isolated = core->s.cp0[CP0_STATUS] & core->architecture->isolates;
    core_update_checked(core);
    return load_delay_is_register(core->s.delayed_register) ||
           err_set(err, "register %u cannot be that of a load", core->s.delayed_register);
}

void isolated_register_saved(struct core *core, struct saved *saved)
{
    static const struct saved_ops ops = {.write = write_lines, .read = read_lines, .after_load = after_load};
    char name[24];
    snprintf(name, sizeof name, "cpu%u.mips1", core->number);
    if (core->has_load_delay)
        saved_add(saved,
                  &(struct saved_section){.name = name, .version = 1, .base = core, SAVED_TABLE(fields), .ops = &ops});
}
