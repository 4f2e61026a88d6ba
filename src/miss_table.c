#include "src/miss_table.h"

#include "cache/classify.h"
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

enum { LABEL = 18, COLUMN = 15 };

static const char *const kind_names[MISS_KINDS] = {[MISS_INSN] = " insn", [MISS_DATA] = " data"};
static const char *const mode_names[MODE_COUNT] = {
    [MODE_USER] = " user", [MODE_KERNEL] = " kernel", [MODE_IDLE] = " idle"};

/* Of one kind of cache on all CPUs. */
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

static void print_heading(const bool used[CLASS_COUNT], FILE *out)
{
    fprintf(out, "%-*s", LABEL, "misses by class");
    for (unsigned class = 0; class < CLASS_COUNT; class ++)
        if (used[class])
            fprintf(out, " %*s", COLUMN, classify_class_name(class));
    fprintf(out, " %*s %*s\n", COLUMN, "evicted by self", COLUMN, "by other");
}

static void print_row(const char *name, const struct classify_counts *sum, enum mode mode, enum miss_kind kind,
                      bool alone, const bool used[CLASS_COUNT], FILE *out)
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
    for (unsigned class = 0; class < CLASS_COUNT; class ++)
        if (used[class])
            fprintf(out, " %*" PRIu64, COLUMN, sum->miss[mode][kind][class]);
    for (unsigned who = 0; who < MISS_EVICTORS; who++)
        fprintf(out, " %*" PRIu64, COLUMN, sum->evicted[mode][kind][who]);
    fputc('\n', out);
}

/* Does CACHE, or its other half, hold one kind only? Of "l1i" and "l1d", "l2i" and "l2", both do if the first is there.
 */
static bool is_split(const struct classify *classify, const char *name)
{
    const char *other;
    for (unsigned i = 0; (other = classify_cache_name(classify, i)); i++)
        if (strncmp(other, name, 2) == 0 && other[2] == 'i')
            return true;
    return false;
}

void miss_table_print(const struct machine *machine, FILE *out)
{
    const struct classify *classify = memsys_classified(machine->memsys);
    bool used[CLASS_COUNT] = {false};
    const char *name;
    if (!classify)
        return;
    for (unsigned cache = 0; classify_cache_name(classify, cache); cache++) {
        struct classify_counts sum = sum_of(machine, classify, cache);
        for (unsigned mode = 0; mode < MODE_COUNT; mode++)
            for (unsigned kind = 0; kind < MISS_KINDS; kind++)
                for (unsigned class = 0; class < CLASS_COUNT; class ++)
                    used[class] |= sum.miss[mode][kind][class] != 0;
    }
    print_heading(used, out);
    for (unsigned cache = 0; (name = classify_cache_name(classify, cache)); cache++) {
        struct classify_counts sum = sum_of(machine, classify, cache);
        for (unsigned kind = 0; kind < MISS_KINDS; kind++)
            for (unsigned mode = 0; mode < MODE_COUNT; mode++)
                print_row(name, &sum, mode, kind, is_split(classify, name), used, out);
    }
    fputc('\n', out);
}
