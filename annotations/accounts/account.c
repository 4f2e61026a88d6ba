#include "annotations/accounts/account.h"

#include "cache/memsys.h"
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

_Static_assert(offsetof(struct account, row) == sizeof(struct bucket), "an account is a row of numbers");

struct account_plan account_plan_of(const struct machine_view *subject)
{
    struct account_plan plan = {.classify = subject->memsys ? memsys_classification(subject->memsys) : NULL};
    if (!plan.classify)
        return plan;
    plan.rows = MISS_KINDS;
    for (unsigned cache = 0; classify_cache_name(plan.classify, cache); cache++)
        for (enum miss_kind kind = 0; kind < MISS_KINDS; kind++) {
            if (!classify_cache_takes_kind(plan.classify, cache, kind))
                continue;
            if (plan.rows == ACCOUNT_ROWS)
                log_bug("more than %d kinds of misses", ACCOUNT_CACHES);
            plan.row[plan.rows++] = (struct account_row){(uint8_t)cache, (uint8_t)kind};
        }
    return plan;
}

const uint64_t *account_source(const struct account_plan *plan, unsigned cpu, enum mode mode, unsigned row)
{
    if (row < MISS_KINDS)
        return classify_wait_cycles(plan->classify, cpu, mode)[row];
    return classify_counts(plan->classify, cpu, plan->row[row].cache)->miss[mode][plan->row[row].kind];
}

void account_read(const struct account_plan *plan, const struct core *core, enum mode mode, struct account *now)
{
    now->bucket = core->mode_buckets[mode];
    for (unsigned row = 0; row < plan->rows; row++)
        memcpy(now->row[row], account_source(plan, core->number, mode, row), sizeof now->row[row]);
}

/* JSON */

static void write_classes(const uint64_t count[CLASS_COUNT], FILE *out)
{
    const char *separator = "";
    fputc('{', out);
    for (unsigned class = 0; class < CLASS_COUNT; class ++)
        if (count[class] > 0) {
            fprintf(out, "%s\"%s\": %" PRIu64, separator, classify_class_name((enum miss_class) class), count[class]);
            separator = ", ";
        }
    fputc('}', out);
}

static const char *const kinds[MISS_KINDS] = {[MISS_INSN] = "insn", [MISS_DATA] = "data"};

static void write_misses(const struct account_plan *plan, const struct account *account, FILE *out)
{
    const char *separator = "";
    fputs(", \"class\": {", out);
    for (unsigned row = MISS_KINDS; row < plan->rows; row++) {
        const struct account_row *at = &plan->row[row];
        bool first = row == MISS_KINDS || at[-1].cache != at->cache;
        bool last = row + 1 == plan->rows || at[1].cache != at->cache;
        if (first)
            fprintf(out, "%s\"%s\": {", separator, classify_cache_name(plan->classify, at->cache));
        fprintf(out, "%s\"%s\": ", first ? "" : ", ", kinds[at->kind]);
        write_classes(account->row[row], out);
        if (last)
            fputc('}', out);
        separator = ", ";
    }
    fputs("}, \"class_wait\": {", out);
    for (unsigned kind = 0; kind < MISS_KINDS; kind++) {
        fprintf(out, "%s\"%s\": ", kind ? ", " : "", kinds[kind]);
        write_classes(account->row[kind], out);
    }
    fputc('}', out);
}

cycles account_pipeline(const struct bucket *bucket)
{
    cycles sum = 0;
    for (unsigned i = 0; i < PIPELINE_COUNT; i++)
        sum += bucket->pipeline[i];
    return sum;
}

static void write_pipeline(const struct bucket *bucket, FILE *out)
{
    fputs(", \"pipeline\": {", out);
    for (unsigned i = 0; i < PIPELINE_COUNT; i++)
        fprintf(out, "%s\"%s\": %" PRIu64, i ? ", " : "", core_pipeline_name((enum pipeline_stall)i),
                bucket->pipeline[i]);
    fputc('}', out);
}

static const char *const stalls[STALL_COUNT] = {"l1i", "l2i", "l1d", "l2d", "upgrade", "write_buffer", "uncached"};
static const char *const misses[MISS_COUNT] = {"l1i", "l1d_read", "l1d_write", "l2_insn", "l2_data", "upgrade"};

void account_write_json(const struct account_plan *plan, const struct account *account, FILE *out)
{
    const struct bucket *b = &account->bucket;
    fprintf(out, "\"cycles\": %" PRIu64 ", \"insns\": %" PRIu64 ", \"wait\": %" PRIu64 ", \"stall\": {", b->cycles,
            b->insns, b->wait);
    for (unsigned i = 0; i < STALL_COUNT; i++)
        fprintf(out, "%s\"%s\": %" PRIu64, i ? ", " : "", stalls[i], b->stall[i]);
    fputs("}, \"miss\": {", out);
    for (unsigned i = 0; i < MISS_COUNT; i++)
        fprintf(out, "%s\"%s\": %" PRIu64, i ? ", " : "", misses[i], b->miss[i]);
    fputc('}', out);
    if (account_pipeline(b) > 0)
        write_pipeline(b, out);
    if (plan->rows > 0)
        write_misses(plan, account, out);
}

/* Write "ROW": {the members of COUNT that are not 0}; nothing if there are none. */
static void write_row(const char *row, const uint64_t *count, unsigned counts, const char *(*name)(unsigned), FILE *out)
{
    const char *separator = ": {";
    for (unsigned i = 0; i < counts; i++)
        if (count[i] > 0) {
            if (separator[0] == ':')
                fprintf(out, ", \"%s\"", row);
            fprintf(out, "%s\"%s\": %" PRIu64, separator, name(i), count[i]);
            separator = ", ";
        }
    if (separator[0] == ',')
        fputc('}', out);
}

static const char *stall_name(unsigned i)
{
    return stalls[i];
}

static const char *miss_name(unsigned i)
{
    return misses[i];
}

static const char *pipeline_name(unsigned i)
{
    return core_pipeline_name((enum pipeline_stall)i);
}

static const char *class_name(unsigned i)
{
    return classify_class_name((enum miss_class)i);
}

void account_write_sparse_json(const struct account_plan *plan, const struct account *account, FILE *out)
{
    const struct bucket *b = &account->bucket;
    fprintf(out, "\"cycles\": %" PRIu64 ", \"insns\": %" PRIu64, b->cycles, b->insns);
    if (b->wait)
        fprintf(out, ", \"wait\": %" PRIu64, b->wait);
    write_row("stall", b->stall, STALL_COUNT, stall_name, out);
    write_row("miss", b->miss, MISS_COUNT, miss_name, out);
    write_row("pipeline", b->pipeline, PIPELINE_COUNT, pipeline_name, out);
    for (unsigned row = MISS_KINDS; row < plan->rows; row++) {
        char name[64];
        snprintf(name, sizeof name, "%s_%s", classify_cache_name(plan->classify, plan->row[row].cache),
                 kinds[plan->row[row].kind]);
        write_row(name, account->row[row], CLASS_COUNT, class_name, out);
    }
}
