#include "src/trace/trace_export.h"

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

/* What memory sees: requests for a line, to be read or written. A store that misses reads its line, as does an upgrade.
 * A DMA is a request for each line of its bytes. */
enum { LINE_OF_DMA = 64 /* bytes, in a trace that has no other request before it */ };

struct memory {
    uint32_t line; /* bytes of the last request of a cache */
    bool times;
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

const struct trace_export *trace_export_find(const char *name)
{
    static const struct trace_export *const formats[] = {&trace_din, &trace_champsim, &trace_ramulator2,
                                                         &trace_dramsim3};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(formats[i]->name, name) == 0)
            return formats[i];
    return NULL;
}
