#include "src/sweep/sweep_report.h"
#include "src/base/printable.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* Parts: sums of counts */

struct part {
    const char *name;
    uint32_t modes, causes; /* bit sets */
    bool upgrades;
};

#define KERN       (1u << MODE_KERNEL)
#define USER       (1u << MODE_USER)
#define BIT(cause) (1u << (cause))
#define GONE       (BIT(SWEEP_COHERENCE) | BIT(SWEEP_FLUSHED))

static const struct part by_evictor[] = {
    {"KERN-self", KERN, BIT(SWEEP_SELF), false},   {"KERN-other", KERN, BIT(SWEEP_OTHER), false},
    {"KERN-cold", KERN, BIT(SWEEP_COLD), false},   {"USER-self", USER, BIT(SWEEP_SELF), false},
    {"USER-other", USER, BIT(SWEEP_OTHER), false}, {"USER-cold", USER, BIT(SWEEP_COLD), false},
    {"invalidated", KERN | USER, GONE, false},
};
/* Capacity includes conflict misses, as in figure 5.3. */
static const struct part by_class[] = {
    {"cold", KERN, BIT(SWEEP_COLD), false},           {"capacity", KERN, BIT(SWEEP_SELF) | BIT(SWEEP_OTHER), false},
    {"coherence", KERN, BIT(SWEEP_COHERENCE), false}, {"upgrades", KERN, 0, true},
    {"flushed", KERN, BIT(SWEEP_FLUSHED), false},
};

static const struct form {
    const struct part *parts;
    unsigned count;
    uint32_t modes; /* modes whose instructions are the denominator */
    const char *title;
} forms[SWEEP_TABLES] = {
    [SWEEP_BY_EVICTOR] = {by_evictor, sizeof by_evictor / sizeof by_evictor[0], KERN | USER,
                          "misses per 100 instructions, by mode and by the mode that evicted the line"},
    [SWEEP_BY_CLASS] = {by_class, sizeof by_class / sizeof by_class[0], KERN,
                        "kernel misses per 100 kernel instructions, by class"},
};

unsigned sweep_report_parts(enum sweep_table form, const char *names[SWEEP_PARTS_MAX])
{
    for (unsigned i = 0; i < forms[form].count; i++)
        names[i] = forms[form].parts[i].name;
    return forms[form].count;
}

static uint64_t count_of(const struct sweep_counts *counts, const struct part *part)
{
    uint64_t sum = 0;
    for (unsigned mode = 0; mode < MODE_COUNT; mode++) {
        if (!(part->modes >> mode & 1))
            continue;
        for (unsigned cause = 0; cause < SWEEP_CAUSES; cause++)
            if (part->causes >> cause & 1)
                sum += counts->misses[mode][SWEEP_INSN][cause] + counts->misses[mode][SWEEP_DATA][cause];
        if (part->upgrades)
            sum += counts->upgrades[mode];
    }
    return sum;
}

double sweep_report_value(const struct sweep_study *study, enum sweep_table form, const struct sweep_counts *counts,
                          unsigned part)
{
    uint64_t insns = 0;
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        if (forms[form].modes >> mode & 1)
            insns += study->insns[mode];
    return insns ? 100.0 * (double)count_of(counts, &forms[form].parts[part]) / (double)insns : 0;
}

/* Tables */

static void print_size(FILE *out, int width, uint32_t bytes)
{
    char text[16];
    if (bytes >= 1 << 20 && bytes % (1 << 20) == 0)
        snprintf(text, sizeof text, "%uM", bytes >> 20);
    else if (bytes >= 1 << 10 && bytes % (1 << 10) == 0)
        snprintf(text, sizeof text, "%uK", bytes >> 10);
    else
        snprintf(text, sizeof text, "%u", bytes);
    fprintf(out, "%*s", width, text);
}

static void print_row(const struct sweep_study *study, enum sweep_table form, const char *label,
                      const struct sweep_cache *cache, FILE *out)
{
    double total = 0;
    fprintf(out, "%-10s %-4s", label, cache->name);
    print_size(out, 6, cache->size);
    fprintf(out, " %5u %5u", cache->line, cache->ways);
    for (unsigned part = 0; part < forms[form].count; part++) {
        double value = sweep_report_value(study, form, &cache->counts, part);
        total += value;
        fprintf(out, " %11.4f", value);
    }
    fprintf(out, " %11.4f\n", total);
}

static void print_table(const struct sweep_study *study, unsigned series, enum sweep_table form, FILE *out)
{
    struct sweep_cache cache;
    fprintf(out, "%s\n%-10s %-4s%6s %5s %5s", forms[form].title, "", "", "size", "line", "ways");
    for (unsigned part = 0; part < forms[form].count; part++)
        fprintf(out, " %11s", forms[form].parts[part].name);
    fprintf(out, " %11s\n", "total");
    for (unsigned nth = 0; sweep_cache(study->sweep[series], 0, nth, &cache); nth++)
        for (unsigned point = 0; point < study->series[series].count; point++)
            if (sweep_cache(study->sweep[series], point, nth, &cache))
                print_row(study, form, study->series[series].label[point], &cache, out);
}

void sweep_report_tables(const struct sweep_study *study, FILE *out)
{
    for (unsigned i = 0; i < study->count; i++) {
        const struct sweep_series *series = &study->series[i];
        fprintf(out, "%s%s: %u points over %s in one pass (%s), %s\n", i ? "\n" : "", PRINTABLE(series->name),
                series->count, series->varied,
                sweep_method(study->sweep[i]) == SWEEP_STACK ? "stack distances" : "side by side", study->counted);
        fprintf(out,
                "instructions: user %" PRIu64 ", kernel %" PRIu64 ", idle %" PRIu64 "; references processed: %" PRIu64
                "\n",
                study->insns[MODE_USER], study->insns[MODE_KERNEL], study->insns[MODE_IDLE], study->references);
        print_table(study, i, SWEEP_BY_EVICTOR, out);
        if (study->cpus > 1)
            print_table(study, i, SWEEP_BY_CLASS, out);
    }
}

/* Counts */

static const char *const mode_names[MODE_COUNT] = {
    [MODE_USER] = "user", [MODE_KERNEL] = "kernel", [MODE_IDLE] = "idle"};
static const char *const kind_names[SWEEP_KINDS] = {[SWEEP_INSN] = "insn", [SWEEP_DATA] = "data"};
static const char *const cause_names[SWEEP_CAUSES] = {[SWEEP_COLD] = "cold",
                                                      [SWEEP_SELF] = "self",
                                                      [SWEEP_OTHER] = "other",
                                                      [SWEEP_COHERENCE] = "coherence",
                                                      [SWEEP_FLUSHED] = "flushed"};

/* The leading columns of a row of counts. */
struct row_key {
    const struct sweep_series *series;
    unsigned point;
    const struct sweep_cache *cache;
};

static void print_count(const struct row_key *row_key, const char *mode, const char *kind, const char *cause,
                        uint64_t count, FILE *out)
{
    fprintf(out, "%s\t%s\t%s\t%u\t%u\t%u\t%s\t%s\t%s\t%" PRIu64 "\n", PRINTABLE(row_key->series->name),
            row_key->series->label[row_key->point], row_key->cache->name, row_key->cache->size, row_key->cache->line,
            row_key->cache->ways, mode, kind, cause, count);
}

static void print_counts(const struct row_key *row_key, FILE *out)
{
    const struct sweep_counts *counts = &row_key->cache->counts;
    for (unsigned mode = 0; mode < MODE_COUNT; mode++) {
        for (unsigned kind = 0; kind < SWEEP_KINDS; kind++)
            for (unsigned cause = 0; cause < SWEEP_CAUSES; cause++)
                print_count(row_key, mode_names[mode], kind_names[kind], cause_names[cause],
                            counts->misses[mode][kind][cause], out);
        print_count(row_key, mode_names[mode], "data", "upgrade", counts->upgrades[mode], out);
    }
}

void sweep_report_counts(const struct sweep_study *study, FILE *out)
{
    fputs("series\tpoint\tcache\tsize\tline\tways\tmode\tkind\tcause\tcount\n", out);
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        fprintf(out, "all\t-\t-\t0\t0\t0\t%s\tinsn\texecuted\t%" PRIu64 "\n", mode_names[mode], study->insns[mode]);
    for (unsigned i = 0; i < study->count; i++)
        for (unsigned point = 0; point < study->series[i].count; point++) {
            struct sweep_cache cache;
            for (unsigned nth = 0; sweep_cache(study->sweep[i], point, nth, &cache); nth++)
                print_counts(&(struct row_key){&study->series[i], point, &cache}, out);
        }
}
