#include "src/observe/profile.h"

#include "annotations/tcl/annotate.h"
#include "src/base/json_writer.h"
#include "src/base/printable.h"
#include "src/base/save_file.h"
#include "src/base/symbols.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PRINTED_ROWS = 15, NAME_COLUMN = 26 /* of 80 columns */ };

/* Names */

void profile_name_routine(const struct machine *machine, uint64_t key, char name[PROFILE_NAME])
{
    vaddr pc = (vaddr)key;
    uint32_t process = (uint32_t)(key >> 32);
    const struct symbol *symbol = NULL;
    if (annotate_profile_text(machine->annotate, CLASSIFY_BY_PC, key, name, PROFILE_NAME))
        return;
    if (process == 0 && machine->symbols)
        symbol = symbols_at(machine->symbols, pc);
    if (symbol)
        snprintf(name, PROFILE_NAME, "%s", symbol->name);
    else if (process == 0)
        snprintf(name, PROFILE_NAME, "kernel code, page 0x%05x", pc >> PAGE_SHIFT);
    else
        snprintf(name, PROFILE_NAME, "process %u, page 0x%05x", process - 1, pc >> PAGE_SHIFT);
}

void profile_name_location(const struct machine *machine, struct core *core, char *name, size_t size)
{
    char text[PROFILE_NAME];
    if (machine->annotate) {
        annotate_routine_text(machine->annotate, core, name, size);
        return;
    }
    uint64_t process = core->mode == MODE_USER ? 1 + core_asid(core) : 0;
    profile_name_routine(machine, process << 32 | core->s.pc, text);
    snprintf(name, size, "%s", text);
}

/* Unmapped kernel addresses (kseg0, kseg1) are named by physical page. */
static void name_data(const struct machine *machine, char *name, uint64_t key)
{
    vaddr address = (vaddr)key;
    if (annotate_profile_text(machine->annotate, CLASSIFY_BY_ADDRESS, key, name, PROFILE_NAME))
        return;
    uint32_t process = (uint32_t)(key >> 32);
    if (vaddr_is_unmapped(address))
        snprintf(name, PROFILE_NAME, "physical page 0x%05x", vaddr_physical(address) >> PAGE_SHIFT);
    else if (!vaddr_in_kuseg(address))
        snprintf(name, PROFILE_NAME, "kernel page 0x%05x", address >> PAGE_SHIFT);
    else if (process == 0)
        snprintf(name, PROFILE_NAME, "user page 0x%05x, by the kernel", address >> PAGE_SHIFT);
    else
        snprintf(name, PROFILE_NAME, "process %u, page 0x%05x", process - 1, address >> PAGE_SHIFT);
}

/* Rows */

static void add(struct classify_profile_entry *sum, const struct classify_profile_entry *part)
{
    sum->stall += part->stall;
    sum->insn_stall += part->insn_stall;
    sum->pipeline_stall += part->pipeline_stall;
    for (unsigned i = 0; i < CLASSIFY_CACHES_MAX; i++)
        sum->miss[i] += part->miss[i];
    for (unsigned i = 0; i < CLASS_COUNT; i++)
        sum->class[i] += part->class[i];
}

static int by_name(const void *a, const void *b)
{
    const struct profile_row *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->sum.key > y->sum.key) - (x->sum.key < y->sum.key);
}

static int by_stall(const void *a, const void *b)
{
    const struct profile_row *x = a, *y = b;
    const uint64_t a_stall = x->sum.stall + x->sum.pipeline_stall, b_stall = y->sum.stall + y->sum.pipeline_stall;
    if (a_stall != b_stall)
        return a_stall < b_stall ? 1 : -1;
    return (x->sum.key > y->sum.key) - (x->sum.key < y->sum.key);
}

/* Combine rows of the same name; ROWS are sorted by name. Returns the number of remaining rows. */
static size_t join(struct profile_row *rows, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && strcmp(rows[kept - 1].name, rows[i].name) == 0)
            add(&rows[kept - 1].sum, &rows[i].sum);
        else
            rows[kept++] = rows[i];
    }
    return kept;
}

struct profile_row *profile_rows(const struct machine *machine, enum classify_profile which, size_t *count)
{
    const struct classify *classify = memsys_classification(machine->memsys);
    *count = 0;
    if (!classify)
        return NULL;
    size_t entries;
    struct classify_profile_entry *entry = classify_profile(classify, which, &entries);
    if (entries == 0) {
        free(entry);
        return NULL;
    }
    struct profile_row *rows = checked_memory(calloc(entries, sizeof *rows));
    for (size_t i = 0; i < entries; i++) {
        rows[i].sum = entry[i];
        if (which == CLASSIFY_BY_PC)
            profile_name_routine(machine, entry[i].key, rows[i].name);
        else
            name_data(machine, rows[i].name, entry[i].key);
    }
    free(entry);
    qsort(rows, entries, sizeof *rows, by_name);
    *count = join(rows, entries);
    qsort(rows, *count, sizeof *rows, by_stall);
    return rows;
}

/* Text output */

static enum miss_class most_frequent(const struct classify_profile_entry *entry)
{
    enum miss_class most = 0;
    for (unsigned class = 1; class < CLASS_COUNT; class ++)
        if (entry->class[class] > entry -> class[most])
            most = (enum miss_class) class;
    return most;
}

static uint64_t sum_of(const uint64_t *values, unsigned count)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

static void print_table(const struct machine *machine, enum classify_profile which, const char *title, FILE *out)
{
    size_t count;
    struct profile_row *rows = profile_rows(machine, which, &count);
    uint64_t total = 0, pipeline = 0;
    for (size_t i = 0; i < count; i++) {
        total += rows[i].sum.stall + rows[i].sum.pipeline_stall;
        pipeline += rows[i].sum.pipeline_stall;
    }
    if (count > 0)
        fprintf(out, "\n%-*s %12s %8s %10s  mostly%s\n", NAME_COLUMN, title, "stall cycles", "share", "misses",
                pipeline > 0 ? "\n(stall with that of the pipeline)" : "");
    for (size_t i = 0; i < count && i < PRINTED_ROWS; i++) {
        const struct classify_profile_entry *sum = &rows[i].sum;
        uint64_t accesses = sum_of(sum->class, CLASS_COUNT);
        enum miss_class class = most_frequent(sum);
        const uint64_t stall = sum->stall + sum->pipeline_stall;
        fprintf(out, "%-*.*s %12" PRIu64 " %6.2f %% %10" PRIu64, NAME_COLUMN, NAME_COLUMN, PRINTABLE(rows[i].name),
                stall, total ? 100.0 * (double)stall / (double)total : 0, accesses);
        if (accesses)
            fprintf(out, "  %s %.0f %%", classify_class_name(class),
                    100.0 * (double)sum->class[class] / (double)accesses);
        fputc('\n', out);
    }
    free(rows);
}

void profile_print(const struct machine *machine, FILE *out)
{
    print_table(machine, CLASSIFY_BY_PC, "stall by routine", out);
    print_table(machine, CLASSIFY_BY_ADDRESS, "stall by data", out);
}

/* JSON output */

static void write_row(const struct classify *classify, const struct profile_row *row, bool by_pc,
                      struct json_writer *json)
{
    char first[16];
    snprintf(first, sizeof first, "0x%08x", (vaddr)row->sum.key);
    json_begin_object(json);
    json_member_text(json, "name", row->name);
    json_member_text(json, "first", first);
    json_member_count(json, "stall", row->sum.stall);
    if (by_pc) {
        json_member_count(json, "insn_stall", row->sum.insn_stall);
        json_member_count(json, "pipeline_stall", row->sum.pipeline_stall);
    }
    json_member_object(json, "misses");
    for (unsigned cache = 0; cache < CLASSIFY_CACHES_MAX; cache++)
        if (row->sum.miss[cache])
            json_member_count(json, classify_cache_name(classify, cache), row->sum.miss[cache]);
    json_end_object(json);
    json_member_object(json, "classes");
    for (unsigned class = 0; class < CLASS_COUNT; class ++)
        if (row->sum.class[class])
            json_member_count(json, classify_class_name((enum miss_class) class), row->sum.class[class]);
    json_end_object(json);
    json_end_object(json);
}

static void write_rows(const struct machine *machine, enum classify_profile which, const char *key,
                       struct json_writer *json)
{
    size_t count;
    struct profile_row *rows = profile_rows(machine, which, &count);
    json_line(json, 2);
    json_member_array(json, key);
    for (size_t i = 0; i < count; i++) {
        json_line(json, 4);
        write_row(memsys_classification(machine->memsys), &rows[i], which == CLASSIFY_BY_PC, json);
    }
    if (count > 0)
        json_line(json, 2);
    json_end_array(json);
    free(rows);
}

static void write_executions(const struct machine *machine, struct json_writer *json)
{
    size_t count;
    struct execution_row *rows = profile_executions(machine, &count);
    json_line(json, 2);
    json_member_array(json, "executions");
    for (size_t i = 0; i < count; i++) {
        char first[16];
        snprintf(first, sizeof first, "0x%08x", (vaddr)rows[i].key);
        json_line(json, 4);
        json_begin_object(json);
        json_member_text(json, "name", rows[i].name);
        json_member_text(json, "first", first);
        for (unsigned mode = 0; mode < MODE_COUNT; mode++)
            if (rows[i].insns[mode] != 0)
                json_member_count(json, mode_name((enum mode)mode), (uint64_t)rows[i].insns[mode]);
        json_end_object(json);
    }
    json_line(json, 2);
    json_end_array(json);
    free(rows);
}

static void write_calls(const struct machine *machine, struct json_writer *json)
{
    size_t count;
    struct call_row *rows = profile_calls(machine, &count);
    json_line(json, 2);
    json_member_array(json, "calls");
    for (size_t i = 0; i < count; i++) {
        json_line(json, 4);
        json_begin_object(json);
        json_member_text(json, "from", rows[i].from);
        json_member_text(json, "to", rows[i].to);
        json_member_count(json, "count", (uint64_t)rows[i].count);
        json_end_object(json);
    }
    json_line(json, 2);
    json_end_array(json);
    free(rows);
}

static void write_json(const void *machine, FILE *out)
{
    struct json_writer json = json_writer_to(out);
    json_begin_object(&json);
    write_rows(machine, CLASSIFY_BY_PC, "routines", &json);
    write_rows(machine, CLASSIFY_BY_ADDRESS, "data", &json);
    if (((const struct machine *)machine)->execution_profile) {
        write_executions(machine, &json);
        write_calls(machine, &json);
        profile_write_locality(machine, &json);
        profile_write_layout(machine, &json);
    }
    json_line(&json, 0);
    json_end_object(&json);
    putc('\n', out);
}

bool profile_save_json(const struct machine *machine, const char *path, struct err *err)
{
    return save_file("profile", path, write_json, machine, err);
}
