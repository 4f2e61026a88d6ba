#include "src/trace/trace_export.h"

#include "cpu/segments.h"
#include "src/base/board.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Text formats, of a line for each reference */

static bool put_din(void *state, const struct reference *reference, FILE *const *out)
{
    (void)state;
    return trace_print_din(out[0], reference);
}

const struct trace_export trace_din = {.name = "din", .put = put_din};

/* Everything that the trace has: "CPU MODE PROCESS KIND PHYSICAL VIRTUAL SIZE TIME", `-` for what a reference has not.
 */

struct line {
    char text[160];
    size_t used;
};

static void add_word(struct line *line, const char *word)
{
    line->used += (size_t)snprintf(line->text + line->used, sizeof line->text - line->used, "%s ", word);
}

/* Append NUMBER if the reference HAS it. */
static void add_field(struct line *line, bool has, uint64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, number);
    add_word(line, has ? text : "-");
}

static void add_address(struct line *line, bool has, uint32_t address)
{
    char text[16];
    snprintf(text, sizeof text, "0x%08" PRIx32, address);
    add_word(line, has ? text : "-");
}

static void *create_references(const struct trace_info *info)
{
    bool *times = checked_memory(calloc(1, sizeof *times));
    *times = info->times;
    return times;
}

static bool put_references(void *state, const struct reference *r, FILE *const *out)
{
    const bool *times = state, access = reference_is_access(r->kind);
    const bool dma = r->kind == REFERENCE_DMA_READ || r->kind == REFERENCE_DMA_WRITE;
    struct line line = {.text = ""};
    add_field(&line, !dma && r->kind != REFERENCE_FLUSH, r->cpu);
    const bool owned = access || r->kind == REFERENCE_INSNS;
    add_word(&line, owned ? mode_name(r->mode) : "-");
    add_field(&line, owned, r->process);
    add_word(&line, r->walk ? trace_walk_name : trace_kind_names[r->kind]);
    add_address(&line, access || dma || r->kind == REFERENCE_CACHE_OP, r->address);
    add_address(&line, access || r->kind == REFERENCE_CACHE_OP || r->kind == REFERENCE_EXCEPTION, r->virtual_address);
    add_field(&line, access || dma || r->kind == REFERENCE_INSNS, r->kind == REFERENCE_INSNS ? r->insns : r->size);
    add_field(&line, *times, r->now);
    line.text[line.used - 1] = '\n';
    return fwrite(line.text, 1, line.used, out[0]) == line.used;
}

const struct trace_export trace_references = {
    .name = "references", .create = create_references, .destroy = free, .put = put_references};

/* What memory sees: requests for a line, to be read or written. A store that misses reads its line, as does an upgrade.
 * A DMA is a request for each line of its bytes. */
enum { LINE_OF_DMA = 64 /* bytes, in a trace that has no other request before it */ };

struct memory {
    uint32_t line; /* bytes of the last request of a cache */
    bool times;
    bool begun; /* DRAMSys: the first request has been written, at time BEGIN */
    cycles begin;
};

static const char *lacks_memory(const struct trace_info *info)
{
    return info->level < 2 ? "has references of CPUs; requests to memory have trace.level=2 or above" : NULL;
}

static const char *lacks_memory_or_time(const struct trace_info *info)
{
    return lacks_memory(info) ? lacks_memory(info)
           : info->times      ? NULL
                              : "has no times: they need trace.times=on when it is written";
}

static void *create_memory(const struct trace_info *info)
{
    struct memory *memory = checked_memory(calloc(1, sizeof *memory));
    *memory = (struct memory){.line = LINE_OF_DMA, .times = info->times};
    return memory;
}

/* Call PRINT for each line that REFERENCE is a request for. */
static bool put_lines(struct memory *memory, const struct reference *reference, FILE *out,
                      int (*print)(FILE *out, paddr address, bool write, cycles now))
{
    static const bool is_write[REFERENCE_KINDS] = {[REFERENCE_WRITE_BACK] = true, [REFERENCE_DMA_WRITE] = true};
    if (reference->kind > REFERENCE_DMA_WRITE)
        return true;
    const bool dma = reference->kind >= REFERENCE_DMA_READ;
    if (!dma && reference->size > 0)
        memory->line = reference->size;
    const uint64_t step = dma ? memory->line : UINT32_MAX,
                   end = (uint64_t)reference->address + (reference->size > 0 ? reference->size : 1);
    for (uint64_t at = dma ? reference->address - reference->address % step : reference->address; at < end; at += step)
        if (print(out, (paddr)at, is_write[reference->kind], reference->now) < 0)
            return false;
    return true;
}

/* Ramulator 1, memory trace: "0x1240 R" (its README.md, "Usage"). */
static int print_ramulator(FILE *out, paddr address, bool write, cycles now)
{
    (void)now;
    return fprintf(out, "0x%" PRIx32 " %c\n", address, write ? 'W' : 'R');
}

static bool put_ramulator(void *state, const struct reference *reference, FILE *const *out)
{
    return put_lines(state, reference, out[0], print_ramulator);
}

const struct trace_export trace_ramulator = {
    .name = "ramulator", .lacks = lacks_memory, .create = create_memory, .destroy = free, .put = put_ramulator};

/* Ramulator 1, CPU trace: "3 4672 W", with the number of instructions before that access no memory, and the decimal
 * address (src/Processor.cpp, get_unfiltered_request(), which its cores with caches read). */

struct instructions {
    uint64_t before[BOARD_MAX_CPUS]; /* by CPU: executed since the last line, the present one included */
};

static const char *lacks_instructions(const struct trace_info *info)
{
    return info->level > 0 ? "has no instructions: they need trace.level=0" : NULL;
}

static void *create_instructions(const struct trace_info *info)
{
    (void)info;
    return checked_memory(calloc(1, sizeof(struct instructions)));
}

static bool put_ramulator_cpu(void *state, const struct reference *reference, FILE *const *out)
{
    uint64_t *before = &((struct instructions *)state)->before[reference->cpu];
    const bool write = reference->kind == REFERENCE_WRITE;
    if (reference->kind == REFERENCE_FETCH)
        ++*before;
    if ((reference->kind != REFERENCE_READ && !write) || vaddr_in_kseg1(reference->virtual_address))
        return true;
    const uint64_t others = *before > 0 ? *before - 1 : 0;
    *before = 0;
    return fprintf(out[reference->cpu], "%" PRIu64 " %" PRIu32 " %c\n", others, reference->address, write ? 'W' : 'R') >
           0;
}

const struct trace_export trace_ramulator_cpu = {.name = "ramulator-cpu",
                                                 .each_cpu = true,
                                                 .lacks = lacks_instructions,
                                                 .create = create_instructions,
                                                 .destroy = free,
                                                 .put = put_ramulator_cpu};

/* Ramulator 2, frontend LoadStoreTrace: "LD 0x1240". */
static int print_ramulator2(FILE *out, paddr address, bool write, cycles now)
{
    (void)now;
    return fprintf(out, "%s 0x%" PRIx32 "\n", write ? "ST" : "LD", address);
}

static bool put_ramulator2(void *state, const struct reference *reference, FILE *const *out)
{
    return put_lines(state, reference, out[0], print_ramulator2);
}

const struct trace_export trace_ramulator2 = {
    .name = "ramulator2", .lacks = lacks_memory, .create = create_memory, .destroy = free, .put = put_ramulator2};

/* DRAMSim3: "0x1240 READ 17", with the cycle of the CPU. */
static int print_dramsim3(FILE *out, paddr address, bool write, cycles now)
{
    return fprintf(out, "0x%" PRIx32 " %s %" PRIu64 "\n", address, write ? "WRITE" : "READ", now);
}

static bool put_dramsim3(void *state, const struct reference *reference, FILE *const *out)
{
    return put_lines(state, reference, out[0], print_dramsim3);
}

const struct trace_export trace_dramsim3 = {
    .name = "dramsim3", .lacks = lacks_memory_or_time, .create = create_memory, .destroy = free, .put = put_dramsim3};

/* DRAMSys, trace player with absolute times: "17: read 0x1240", with the cycles of the CPU since the first request, for
 * which its StlPlayer has 32 bits (its configs/README.md, "STL Traces"; the suffix of the file tells it
 * from one with relative times). */
static int print_dramsys(FILE *out, paddr address, bool write, cycles now)
{
    return fprintf(out, "%" PRIu64 ": %s 0x%" PRIx32 "\n", now, write ? "write" : "read", address);
}

static bool put_dramsys(void *state, const struct reference *reference, FILE *const *out)
{
    struct memory *memory = state;
    struct reference since = *reference;
    if (reference->kind > REFERENCE_DMA_WRITE)
        return true;
    if (!memory->begun)
        memory->begin = reference->now;
    memory->begun = true;
    /* a CPU may be behind the one that made the first request by a quantum */
    since.now = reference->now > memory->begin ? reference->now - memory->begin : 0;
    if (since.now > UINT32_MAX) {
        errno = EOVERFLOW;
        return false;
    }
    return put_lines(memory, &since, out[0], print_dramsys);
}

const struct trace_export trace_dramsys = {.name = "dramsys",
                                           .suffix = "stl",
                                           .lacks = lacks_memory_or_time,
                                           .create = create_memory,
                                           .destroy = free,
                                           .put = put_dramsys};

const struct trace_export *trace_export_find(const char *name)
{
    static const struct trace_export *const formats[] = {
        &trace_din,       &trace_references,    &trace_champsim,   &trace_drmemtrace, &trace_drmemtrace_system,
        &trace_ramulator, &trace_ramulator_cpu, &trace_ramulator2, &trace_dramsim3,   &trace_dramsys};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(formats[i]->name, name) == 0)
            return formats[i];
    return NULL;
}
