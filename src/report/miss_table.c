#include "src/report/miss_table.h"

#include "cache/classify/classify.h"
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

enum { LABEL = 18, COLUMN = 14, CLASSES_A_PART = 4 }; /* 78 columns */

static const char *const kind_names[MISS_KINDS] = {[MISS_INSN] = " insn", [MISS_DATA] = " data"};
static const char *const mode_names[MODE_COUNT] = {
    [MODE_USER] = " user", [MODE_KERNEL] = " kernel", [MODE_IDLE] = " idle"};

/* The counts of one cache, summed over all CPUs. */
static struct classify_counts sum_of(const struct machine *machine, const struct classify *classify, unsigned cache)
{
    struct classify_counts sum = {0};
    uint64_t *to = &sum.miss[0][0][0];
    for (unsigned cpu = 0; cpu < machine->cpus; cpu++) {
        const uint64_t *from = &classify_counts(classify, cpu, cache)->miss[0][0][0];
        for (size_t i = 0; i < sizeof sum / sizeof *to; i++)
            to[i] += from[i];
    }
    return sum;
}

/* The columns of one part of the table: classes, or the mode that evicted the line. */
struct part {
    const char *title;
    unsigned count;
    unsigned class[CLASSES_A_PART]; /* unless `evictors` */
    bool evictors;
};

static const char *column_name(const struct part *part, unsigned column)
{
    static const char *const evictors[MISS_EVICTORS] = {[EVICTED_BY_SELF] = "self", [EVICTED_BY_OTHER] = "other"};
    return part->evictors ? evictors[column] : classify_class_name(part->class[column]);
}

static uint64_t column_of(const struct part *part, unsigned column, const struct classify_counts *sum, enum mode mode,
                          enum miss_kind kind)
{
    return part->evictors ? sum->evicted[mode][kind][column] : sum->miss[mode][kind][part->class[column]];
}

static void print_heading(const struct part *part, FILE *out)
{
    fprintf(out, "%-*s", LABEL, part->title);
    for (unsigned i = 0; i < part->count; i++)
        fprintf(out, " %*s", COLUMN, column_name(part, i));
    fputc('\n', out);
}

static void print_row(const char *name, const struct classify_counts *sum, enum mode mode, enum miss_kind kind,
                      bool alone, const struct part *part, FILE *out)
{
    char label[32];
    uint64_t total = 0;
    for (unsigned class = 0; class < CLASS_COUNT; class ++)
        total += sum->miss[mode][kind][class];
    if (total == 0)
        return;
    snprintf(label, sizeof label, "%c%c%s%s%s", toupper((unsigned char)name[0]), name[1],
             alone ? strcmp(name + 2, "i") == 0 ? "-I" : "-D" : "", alone ? "" : kind_names[kind], mode_names[mode]);
    fprintf(out, "%-*s", LABEL, label);
    for (unsigned i = 0; i < part->count; i++)
        fprintf(out, " %*" PRIu64, COLUMN, column_of(part, i, sum, mode, kind));
    fputc('\n', out);
}

/* Is CACHE half of a split cache? "l1i" and "l1d" are, and "l2i" and "l2". */
static bool is_split(const struct classify *classify, const char *name)
{
    const char *other;
    for (unsigned i = 0; (other = classify_cache_name(classify, i)); i++)
        if (strncmp(other, name, 2) == 0 && other[2] == 'i')
            return true;
    return false;
}

static void print_part(const struct machine *machine, const struct classify *classify, const struct part *part,
                       FILE *out)
{
    const char *name;
    print_heading(part, out);
    for (unsigned cache = 0; (name = classify_cache_name(classify, cache)); cache++) {
        struct classify_counts sum = sum_of(machine, classify, cache);
        for (unsigned kind = 0; kind < MISS_KINDS; kind++)
            for (unsigned mode = 0; mode < MODE_COUNT; mode++)
                print_row(name, &sum, mode, kind, is_split(classify, name), part, out);
    }
    fputc('\n', out);
}

/* Does any cache have misses of CLASS? */
static bool is_used(const struct machine *machine, const struct classify *classify, unsigned class)
{
    for (unsigned cache = 0; classify_cache_name(classify, cache); cache++) {
        struct classify_counts sum = sum_of(machine, classify, cache);
        for (unsigned mode = 0; mode < MODE_COUNT; mode++)
            for (unsigned kind = 0; kind < MISS_KINDS; kind++)
                if (sum.miss[mode][kind][class] != 0)
                    return true;
    }
    return false;
}

void miss_table_print(const struct machine *machine, FILE *out)
{
    const struct classify *classify = memsys_classification(machine->memsys);
    if (!classify)
        return;
    struct part part = {.title = "misses by class"};
    const struct part evictors = {.title = "evicted by", .count = MISS_EVICTORS, .evictors = true};
    bool any = false;
    for (unsigned class = 0; class < CLASS_COUNT; class ++) {
        if (!is_used(machine, classify, class))
            continue;
        if (part.count == CLASSES_A_PART) {
            print_part(machine, classify, &part, out);
            part.count = 0;
        }
        part.class[part.count++] = class;
        any = true;
    }
    if (any) {
        print_part(machine, classify, &part, out);
        print_part(machine, classify, &evictors, out);
    }
}
