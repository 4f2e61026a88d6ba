#include "src/report/diagram.h"

#include "src/machine/machine.h"

#include "cache/memsys.h"
#include "cache/protocols.h"
#include "src/base/event.h"
#include "src/base/printable.h"
#include "src/report/diagram_boxes.h"
#include <inttypes.h>
#include <string.h>

enum { TEXT_SIZE = 64, LEVELS_MAX = 3 };

struct text {
    char text[TEXT_SIZE];
};

/* Parameter values */

static struct text value(const struct params *params, const char *name)
{
    struct text value;
    if (!params_text(params, name, value.text, sizeof value.text))
        log_bug("no parameter %s", name);
    return value;
}

/* The name of parameter KEY of cache CACHE. */
static struct text key_of(const char *cache, const char *key)
{
    struct text name;
    snprintf(name.text, sizeof name.text, "cache.%s.%s", cache, key);
    return name;
}

static struct text cache_value(const struct params *params, const char *cache, const char *key)
{
    return value(params, key_of(cache, key).text);
}

static uint64_t cache_number(const struct params *params, const char *cache, const char *key)
{
    return params_u64(params, key_of(cache, key).text);
}

static bool cache_is(const struct params *params, const char *cache, const char *key, const char *text)
{
    return params_is(params, key_of(cache, key).text, text);
}

/* "50ns, 10 cycles" for a time in ns: rounded up, as in the simulation. */
static struct text duration(const struct params *params, const char *name)
{
    struct text text;
    uint64_t ns = params_u64(params, name), hz = params_u64(params, "cpu.clock");
    uint64_t cycles = cycles_of_nsec(ns, hz);
    snprintf(text.text, sizeof text.text, "%.20s, %" PRIu64 " cycle%s", value(params, name).text, cycles,
             cycles == 1 ? "" : "s");
    return text;
}

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* Boxes, from top to bottom */

static void draw_cpus(struct picture *picture, const struct params *params)
{
    struct picture_box *box = picture_add_stage(picture, false)->box;
    uint64_t cpus = params_u64(params, "machine.cpus");
    char count[TEXT_SIZE] = "CPU";
    if (cpus > 1)
        snprintf(count, sizeof count, "%" PRIu64 " CPUs", cpus);
    picture_box_add(box, "%s  %s, %s%s", count, value(params, "cpu.model").text, value(params, "cpu.clock").text,
                    cpus > 1 ? "; each with caches of its own" : "");
    const struct tlb_format *tlb = &machine_architecture(params)->tlb;
    picture_box_add(box, "TLB  %" PRIu64 " entries of %s, fully associative",
                    tlb->entries ? tlb->entries : params_u64(params, "cpu.tlb_entries"),
                    tlb->entry_shift > PAGE_SHIFT ? "two pages" : "a page");
}

/* Draw the properties common to all caches: size, ways, lines, index. */
static void draw_array(struct picture_box *box, const struct params *params, const char *cache, const char *title)
{
    uint64_t ways = cache_number(params, cache, "ways"), line = cache_number(params, cache, "line");
    const char *replacement = memsys_replacement_label(cache_value(params, cache, "replacement").text);
    bool hashed = !cache_is(params, cache, "hash", "none");
    bool has_index = params_find(params, key_of(cache, "index").text) != NULL;
    picture_box_add(box, "%s  %s", title, cache_value(params, cache, "size").text);
    if (ways == 1)
        picture_box_add(box, "direct-mapped, %" PRIu64 "-byte lines", line);
    else
        picture_box_add(box, "%" PRIu64 "-way, %s, %" PRIu64 "-byte lines", ways, replacement, line);
    const uint64_t sector = cache_number(params, cache, "sector_lines");
    if (sector > 1)
        picture_box_add(box, "sectors of %" PRIu64 " lines", sector);
    picture_box_add(box, "%sly indexed%s", has_index ? cache_value(params, cache, "index").text : "physical",
                    hashed ? ", hashed" : "");
    uint64_t ports = cache_number(params, cache, "ports"), misses = cache_number(params, cache, "outstanding");
    if (ports > 1 || misses > 1)
        picture_box_add(box, "%" PRIu64 " port%s, %" PRIu64 " outstanding miss%s", ports, plural(ports), misses,
                        misses == 1 ? "" : "es");
}

static void draw_policy(struct picture_box *box, const struct params *params, const char *cache)
{
    picture_box_add(box, "write-%s, %s", cache_value(params, cache, "write").text,
                    cache_is(params, cache, "write_allocate", "on")    ? "write-allocate"
                    : cache_is(params, cache, "write_allocate", "off") ? "no write-allocate"
                                                                       : "write-validate");
}

static void draw_assist(struct picture_box *box, const struct params *params)
{
    const uint64_t lines = cache_number(params, "l1d", "assist");
    if (lines > 0)
        picture_box_add(box, "assist cache  %" PRIu64 " line%s, fully associative", lines, plural(lines));
}

static void draw_times(struct picture_box *box, const struct params *params, const char *cache, unsigned level)
{
    char name[TEXT_SIZE];
    if (level > 1) {
        picture_box_add(box, cache_number(params, cache, "inclusive")   ? "inclusive of the level above"
                             : cache_number(params, cache, "exclusive") ? "exclusive of the level above"
                                                                        : "not inclusive of the level above");
        snprintf(name, sizeof name, "memory.l%u_hit_time", level);
        picture_box_add(box, "stall of a hit: %s", duration(params, name).text);
    }
    if (cache_number(params, cache, "occupancy"))
        picture_box_add(box, "busy with a write: %s", duration(params, key_of(cache, "occupancy").text).text);
    if (level > 1 && cache_number(params, cache, "banks") > 1)
        picture_box_add(box, "%" PRIu64 " banks", cache_number(params, cache, "banks"));
}

/* Draw who shares the data or unified CACHE of LEVEL. */
static void draw_sharing(struct picture_box *box, const struct params *params, const char *cache, unsigned level)
{
    char upgrade[TEXT_SIZE], intervention[TEXT_SIZE], hit[TEXT_SIZE];
    const uint64_t cpus = params_u64(params, "machine.cpus");
    if (cpus == 1 || cache_is(params, cache, "shared", "1"))
        return;
    if (cache_is(params, cache, "shared", "all"))
        picture_box_add(box, "shared by all CPUs");
    else
        picture_box_add(box, "shared by %s CPUs", cache_value(params, cache, "shared").text);
    snprintf(hit, sizeof hit, "memory.l%u_hit_time", level);
    snprintf(upgrade, sizeof upgrade, "memory.l%u_upgrade_time", level);
    snprintf(intervention, sizeof intervention, "memory.l%u_intervention_time", level);
    picture_box_add(box, "stall if a cache above has modified the line: %s",
                    duration(params, params_u64(params, intervention) ? intervention : hit).text);
    picture_box_add(box, "stall of a store if others have it: %s",
                    duration(params, params_u64(params, upgrade) ? upgrade : hit).text);
    if (cache_number(params, cache, "directory_entries") > 0)
        picture_box_add(box, "directory of %" PRIu64 " lines in caches above, %" PRIu64 " ways",
                        cache_number(params, cache, "directory_entries"),
                        cache_number(params, cache, "directory_ways"));
    if (cache_value(params, cache, "partition").text[0])
        picture_box_add(box, "ways by CPU: %.60s", cache_value(params, cache, "partition").text);
}

static void draw_write_buffer(struct picture *picture, const struct params *params, const char *cache, bool split)
{
    uint64_t depth = cache_number(params, cache, "write_buffer.depth");
    uint64_t width = cache_number(params, cache, "write_buffer.width");
    uint64_t retire = cache_number(params, cache, "write_buffer.retire");
    if (depth == 0)
        return;
    struct picture_box *box = &picture_add_stage(picture, split)->box[split];
    picture_box_add(box, "write buffer  %" PRIu64 " entr%s of %" PRIu64 " bytes", depth, depth == 1 ? "y" : "ies",
                    width ? width : cache_number(params, cache, "line"));
    if (retire)
        picture_box_add(box, "retires one in %" PRIu64 " cycle%s", retire, plural(retire));
    else
        picture_box_add(box, "retires as fast as the next level");
    picture_box_add(box, "%s%s",
                    cache_is(params, cache, "write_buffer.reads", "forward") ? "reads pass"
                    : cache_is(params, cache, "write_buffer.reads", "match") ? "reads wait for writes to their line"
                                                                             : "reads wait for all writes",
                    cache_number(params, cache, "write_buffer.merge") ? "; writes merge" : "");
}

static void draw_level(struct picture *picture, const struct params *params, unsigned level)
{
    static const char *const insn[] = {"l1i", "l2i", "l3i"}, *const data[] = {"l1d", "l2", "l3"};
    char split_name[TEXT_SIZE], title[TEXT_SIZE];
    snprintf(split_name, sizeof split_name, "cache.l%u.split", level);
    bool split = params_bool(params, split_name);
    struct picture_stage *stage = picture_add_stage(picture, split);
    struct picture_box *box = &stage->box[split];
    if (split) {
        snprintf(title, sizeof title, "L%u-I", level);
        draw_array(&stage->box[0], params, insn[level - 1], title);
        draw_times(&stage->box[0], params, insn[level - 1], level);
    }
    snprintf(title, sizeof title, split ? "L%u-D" : "L%u", level);
    draw_array(box, params, data[level - 1], title);
    draw_policy(box, params, data[level - 1]);
    if (level == 1)
        draw_assist(box, params);
    draw_times(box, params, data[level - 1], level);
    if (level > 1)
        draw_sharing(box, params, data[level - 1], level);
    draw_write_buffer(picture, params, data[level - 1], split);
}

static void draw_coherence(struct picture_box *box, const struct params *params)
{
    const char *const pages = params_string(params, "cache.update_pages");
    picture_box_add(box, "coherence between CPUs: %s", memsys_protocol_brief(params_string(params, "cache.protocol")));
    if (*pages)
        picture_box_add(box, "update (Firefly) in pages %.60s", pages);
}

static void draw_bus(struct picture *picture, const struct params *params)
{
    uint64_t arbitration = params_u64(params, "bus.arbitration"), address = params_u64(params, "bus.address_cycles");
    if (!params_bool(params, "memory.contention") || params_is(params, "bus.model", "none"))
        return;
    struct picture_box *box = picture_add_stage(picture, false)->box;
    picture_box_add(box, "Bus  %s, %s bytes wide", value(params, "bus.clock").text, value(params, "bus.width").text);
    picture_box_add(box, "%s%s",
                    params_is(params, "bus.model", "split") ? "split transactions" : "one transaction at a time",
                    params_bool(params, "bus.multiplexed") ? ", address and data on the same wires" : "");
    picture_box_add(box, "arbitration %" PRIu64 " bus cycle%s, address %" PRIu64 " bus cycle%s", arbitration,
                    plural(arbitration), address, plural(address));
    if (params_u64(params, "bus.request_time"))
        picture_box_add(box, "a CPU's request comes after %s", duration(params, "bus.request_time").text);
}

static void draw_banks(struct picture_box *box, const struct params *params)
{
    uint64_t banks = params_u64(params, "dram.banks");
    if (!params_bool(params, "memory.contention"))
        return;
    if (params_u64(params, "dram.latency"))
        picture_box_add(box, "first datum after %s", duration(params, "dram.latency").text);
    if (banks)
        picture_box_add(box, "%" PRIu64 " bank%s", banks, plural(banks));
}

static void draw_nodes(struct picture_box *box, const struct params *params)
{
    static const struct {
        const char *name, *text;
    } moves[] = {{"migrate", "migrate"}, {"replicate", "are copied"}, {"both", "migrate or are copied"}},
      busy[] = {{"memory.home_occupancy", "a home busy with a request"},
                {"memory.link_occupancy", "links busy with a message"}};
    char home[32];
    snprintf(home, sizeof home, "%s", params_string(params, "memory.home"));
    for (char *c = home; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    picture_box_add(box, "%s NUMA nodes, homes by %s", params_string(params, "memory.nodes"), home);
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        if (params_is(params, "memory.move_pages", moves[i].name))
            picture_box_add(box, "pages %s after %s misses", moves[i].text,
                            value(params, "memory.move_threshold").text);
    for (size_t i = 0; i < sizeof busy / sizeof *busy; i++)
        if (params_u64(params, busy[i].name) != 0)
            picture_box_add(box, "%s: %s", busy[i].text, duration(params, busy[i].name).text);
}

static void draw_memory(struct picture *picture, const struct params *params, bool caches)
{
    static const struct {
        const char *param, *what;
    } other_times[] = {
        {"memory.upgrade_time", "of a store to a shared line"},
        {"memory.update_time", "of an update"},
        {"memory.intervention_time", "of a miss served by another CPU's cache"},
        {"memory.remote_time", "of a miss that another node's memory serves"},
        {"memory.remote_intervention_time", "of one served by a cache of another node"},
        {"memory.remote_upgrade_time", "of a store to a line shared with another node"},
        {"memory.uncached_latency", "of an uncached access"},
    };
    struct picture_box *box = picture_add_stage(picture, false)->box;
    picture_box_add(box, "Memory  %s", value(params, "machine.memory").text);
    if (!caches) {
        picture_box_add(box, "no access takes time");
        return;
    }
    if (!params_is(params, "memory.nodes", "1"))
        draw_nodes(box, params);
    picture_box_add(box, "stall of a miss: %s", duration(params, "memory.miss_time").text);
    for (size_t i = 0; i < sizeof other_times / sizeof other_times[0]; i++)
        if (params_u64(params, other_times[i].param))
            picture_box_add(box, "stall %s: %s", other_times[i].what, duration(params, other_times[i].param).text);
    draw_banks(box, params);
    if (params_u64(params, "machine.cpus") > 1)
        draw_coherence(box, params);
}

static unsigned level_count(const struct params *params)
{
    static const char *const models[LEVELS_MAX + 1] = {"none", "one-level", "two-level", "three-level"};
    for (unsigned levels = 0; levels <= LEVELS_MAX; levels++)
        if (params_is(params, "cache.model", models[levels]))
            return levels;
    log_bug("a picture of cache.model %s", params_string(params, "cache.model"));
}

void diagram_make(struct picture *picture, const struct params *params)
{
    const unsigned levels = level_count(params);
    *picture = (struct picture){.count = 0};
    draw_cpus(picture, params);
    for (unsigned level = 1; level <= levels; level++)
        draw_level(picture, params, level);
    if (levels)
        draw_bus(picture, params);
    draw_memory(picture, params, levels > 0);
}

bool diagram_print(const char *name, const struct params *params, FILE *out, struct err *err)
{
    struct picture picture;
    const unsigned cpus = (unsigned)params_u64(params, "machine.cpus");
    struct memsys *memsys = memsys_create(params, cpus, params_u64(params, "cpu.clock"), err);
    if (!memsys)
        return false;
    memsys_free(memsys);
    diagram_make(&picture, params);
    fprintf(out, "machine %s\n", PRINTABLE(name));
    picture_draw(&picture, out);
    return true;
}
