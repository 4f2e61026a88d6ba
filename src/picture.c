#include "src/picture.h"

#include "cache/memsys.h"
#include "src/picture_boxes.h"
#include <inttypes.h>
#include <string.h>

enum { TEXT_SIZE = 64 };

struct text {
    char text[TEXT_SIZE];
};

static struct text value(const struct params *params, const char *name)
{
    struct text value;
    if (!params_text(params, name, value.text, sizeof value.text))
        log_bug("no parameter %s", name);
    return value;
}

static struct text cache_value(const struct params *params, const char *cache, const char *key)
{
    char name[TEXT_SIZE];
    snprintf(name, sizeof name, "cache.%s.%s", cache, key);
    return value(params, name);
}

static uint64_t cache_number(const struct params *params, const char *cache, const char *key)
{
    char name[TEXT_SIZE];
    snprintf(name, sizeof name, "cache.%s.%s", cache, key);
    return params_u64(params, name);
}

/* "50ns, 10 cycles" of a time in ns. */
static struct text duration(const struct params *params, const char *name)
{
    struct text text;
    uint64_t ns = params_u64(params, name), hz = params_u64(params, "cpu.clock");
    uint64_t cycles = (uint64_t)(((unsigned __int128)ns * hz + 999999999) / 1000000000);
    snprintf(text.text, sizeof text.text, "%.20s, %" PRIu64 " cycle%s", value(params, name).text, cycles,
             cycles == 1 ? "" : "s");
    return text;
}

static void draw_cpus(struct picture *picture, const struct params *params)
{
    struct picture_box *box = picture_add_stage(picture, false)->box;
    uint64_t cpus = params_u64(params, "machine.cpus");
    uint64_t entries = params_u64(params, "cpu.tlb_entries");
    if (cpus == 1)
        picture_box_add(box, "CPU  %s, %s", value(params, "cpu.model").text, value(params, "cpu.clock").text);
    else
        picture_box_add(box, "CPU  %s, %s; %" PRIu64 " of them, each with its own caches",
                        value(params, "cpu.model").text, value(params, "cpu.clock").text, cpus);
    picture_box_add(box, "TLB  %" PRIu64 " entries of two pages, fully associative", entries);
}

static void draw_cache(struct picture_box *box, const struct params *params, const char *cache, const char *title)
{
    uint64_t ways = cache_number(params, cache, "ways"), line = cache_number(params, cache, "line");
    picture_box_add(box, "%s  %s", title, cache_value(params, cache, "size").text);
    if (ways == 1)
        picture_box_add(box, "direct-mapped, %" PRIu64 "-byte lines", line);
    else
        picture_box_add(box, "%" PRIu64 "-way LRU, %" PRIu64 "-byte lines", ways, line);
}

static void draw_first_level(struct picture *picture, const struct params *params)
{
    struct picture_stage *stage = picture_add_stage(picture, true);
    draw_cache(&stage->box[0], params, "l1i", "L1-I");
    draw_cache(&stage->box[1], params, "l1d", "L1-D");
    for (int side = 0; side < 2; side++)
        picture_box_add(&stage->box[side], "physically indexed");
    picture_box_add(&stage->box[1], "write-back, write-allocate");
}

static void draw_second_level(struct picture *picture, const struct params *params)
{
    struct picture_box *box = picture_add_stage(picture, false)->box;
    draw_cache(box, params, "l2", "L2");
    picture_box_add(box, "unified, physically indexed, write-back, write-allocate, includes L1");
    picture_box_add(box, "stall of a hit here: %s", duration(params, "memory.l2_hit_time").text);
}

static void draw_memory(struct picture *picture, const struct params *params)
{
    struct picture_box *box = picture_add_stage(picture, false)->box;
    picture_box_add(box, "Memory  %s", value(params, "machine.memory").text);
    if (strcmp(params_string(params, "cache.model"), "none") == 0) {
        picture_box_add(box, "no access takes time");
        return;
    }
    picture_box_add(box, "stall of a miss: %s", duration(params, "memory.miss_time").text);
    if (params_u64(params, "memory.upgrade_time"))
        picture_box_add(box, "stall of an upgrade: %s", duration(params, "memory.upgrade_time").text);
    if (params_u64(params, "memory.uncached_latency"))
        picture_box_add(box, "stall of an uncached access: %s", duration(params, "memory.uncached_latency").text);
}

bool picture_print(const char *name, const struct params *params, FILE *out, struct err *err)
{
    struct picture picture = {0};
    unsigned cpus = (unsigned)params_u64(params, "machine.cpus");
    struct memsys *memsys = memsys_create(params, cpus, params_u64(params, "cpu.clock"), err);
    if (!memsys)
        return false;
    memsys_free(memsys);
    draw_cpus(&picture, params);
    if (strcmp(params_string(params, "cache.model"), "none") != 0) {
        draw_first_level(&picture, params);
        draw_second_level(&picture, params);
    }
    draw_memory(&picture, params);
    fprintf(out, "machine %s\n", name);
    picture_draw(&picture, out);
    return true;
}
