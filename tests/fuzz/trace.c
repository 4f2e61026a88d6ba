/*
 * Traces: `simos trace FILE` in every format, `simos sweep --trace FILE`. An input is the header (16 bytes) and the
 * records of one block, unpacked, around which lengths and checksums are right; or, behind a byte 0, the file as it is.
 */
#include "cache/observe/trace.h"
#include "cache/observe/trace_block.h"
#include "src/base/board.h"
#include "src/trace/trace_export.h"
#include "tests/fuzz/fuzz.h"

#include <zlib.h>

enum { RECORDS_MAX = 1 << 16 };

static struct fuzz_file file;
static uint8_t image[TRACE_HEADER_BYTES + TRACE_BLOCK_HEADER_BYTES + 2 * RECORDS_MAX];

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    file = fuzz_file_create();
    return 0;
}

static void write_block(const uint8_t *input, size_t size)
{
    uint8_t *at = image + TRACE_HEADER_BYTES, *packed = at + TRACE_BLOCK_HEADER_BYTES;
    uLongf stored = sizeof image - TRACE_HEADER_BYTES - TRACE_BLOCK_HEADER_BYTES;
    fuzz_take(&input, &size, image, TRACE_HEADER_BYTES);
    size = size < RECORDS_MAX ? size : RECORDS_MAX;
    if (compress2(packed, &stored, input, size, Z_NO_COMPRESSION) != Z_OK)
        fuzz_fail("zlib", "cannot pack");
    trace_put(at, size, 4);
    trace_put(at + 4, stored, 4);
    trace_put(at + 8, crc32(0, packed, (uInt)stored), 4);
    fuzz_file_fill(&file, image, TRACE_HEADER_BYTES + TRACE_BLOCK_HEADER_BYTES + stored);
}

/* Every format that takes the trace. */
enum { EXPORTS = 9 };
static const struct trace_export *const exports[EXPORTS] = {
    &trace_din,       &trace_champsim,      &trace_drmemtrace, &trace_drmemtrace_system,
    &trace_ramulator, &trace_ramulator_cpu, &trace_ramulator2, &trace_dramsim3,
    &trace_dramsys};
static bool takes[EXPORTS];
static void *states[EXPORTS];
static FILE *sinks[BOARD_MAX_CPUS];

static void begin_exports(const struct trace_info *info)
{
    for (unsigned i = 0; i < BOARD_MAX_CPUS; i++)
        sinks[i] = fuzz_sink();
    for (unsigned i = 0; i < EXPORTS; i++) {
        takes[i] = !exports[i]->lacks || !exports[i]->lacks(info);
        states[i] = takes[i] && exports[i]->create ? exports[i]->create(info) : NULL;
    }
}

static void put_exports(const struct reference *reference)
{
    for (unsigned i = 0; i < EXPORTS; i++) {
        errno = 0;
        if (!takes[i] || exports[i]->put(states[i], reference, sinks))
            continue;
        /* the command ends there: DRAMSys has 32 bits for times */
        if (exports[i] != &trace_dramsys || errno != EOVERFLOW)
            fuzz_fail("a reference", "cannot be printed");
        takes[i] = false;
    }
}

static void end_exports(void)
{
    for (unsigned i = 0; i < EXPORTS; i++) {
        if (takes[i] && exports[i]->end && !exports[i]->end(states[i], sinks))
            fuzz_fail("the last reference", "cannot be printed");
        if (states[i])
            exports[i]->destroy(states[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    struct trace_info info;
    struct reference reference;
    struct err err = {""};
    enum trace_next next = TRACE_END;
    if (size > 0 && *input == 0)
        fuzz_file_fill(&file, input + 1, size - 1);
    else
        write_block(input, size);
    struct trace_reader *reader = trace_reader_open(file.path, &info, &err);
    fuzz_check(reader, &err);
    if (reader)
        begin_exports(&info);
    while (reader && (next = trace_reader_next(reader, &reference, &err)) == TRACE_REFERENCE)
        if (trace_filter_passes(&trace_filter_all, &reference))
            put_exports(&reference);
    if (reader) {
        end_exports();
        fuzz_check(next == TRACE_END, &err);
    }
    trace_reader_close(reader);
    return 0;
}
