/* Results: event rates (SOSP'95 tables 4.2 and 5.2), services (tables 4.8 and 5.4), processes. */
#include "annotations/services/service_report.h"

#include "annotations/services/service_cycles.h"
#include "annotations/services/service_displacement.h"
#include "annotations/services/service_locks.h"
#include "annotations/services/service_misses.h"
#include "annotations/services/service_queues.h"
#include "annotations/services/service_shares.h"
#include "annotations/services/service_totals.h"
#include "annotations/services/services.h"
#include "annotations/services/services_state.h"

#include "cache/memsys.h"
#include "src/base/json_writer.h"
#include "src/base/printable.h"
#include "src/measure/measures.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The sums over all processors of every service that occurred, and their total. */
struct summary {
    double seconds; /* simulated time */
    unsigned count;
    struct row {
        unsigned service;
        struct service_sum sum;
    } row[SERVICES_MAX];
    struct account total, kernel; /* kernel: all but user and idle */
};

static cycles end_of(const struct services *services)
{
    cycles end = services->begun;
    for (unsigned cpu = 0; cpu < services->machine->cpus; cpu++)
        if (services->percpu[cpu].core->s.cycle > end)
            end = services->percpu[cpu].core->s.cycle;
    return end;
}

static int by_cycles(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->sum.charge.all.bucket.cycles != y->sum.charge.all.bucket.cycles)
        return x->sum.charge.all.bucket.cycles < y->sum.charge.all.bucket.cycles ? 1 : -1;
    return x->service < y->service ? -1 : 1;
}

static bool is_of_kernel(unsigned service)
{
    return service != SERVICE_USER && service != SERVICE_IDLE;
}

static struct summary *sum_up(struct services *services)
{
    struct summary *summary = checked_memory(calloc(1, sizeof *summary));
    services_update(services);
    summary->seconds = (double)(end_of(services) - services->begun) / (double)services->machine->clock_hz;
    for (unsigned service = 0; service < services->count; service++) {
        struct row *row = &summary->row[summary->count];
        row->service = service;
        service_total(services, service, &row->sum);
        if (row->sum.charge.all.bucket.cycles == 0 && row->sum.charge.all.bucket.insns == 0 && row->sum.calls == 0)
            continue;
        account_add(&services->plan, &summary->total, &row->sum.charge.all);
        if (is_of_kernel(service))
            account_add(&services->plan, &summary->kernel, &row->sum.charge.all);
        summary->count++;
    }
    qsort(summary->row, summary->count, sizeof summary->row[0], by_cycles);
    return summary;
}

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

/* Counts of events of the machine and of its operating system */

enum { EVENTS_MAX = 24 + COUNTERS_MAX };
struct event_count {
    const char *name, *key; /* as printed, in JSON */
    uint64_t count;
};

static unsigned count_events(const struct services *services, const struct summary *summary,
                             struct event_count events[EVENTS_MAX])
{
    uint64_t exceptions[EXCEPTION_KINDS] = {0}, refills = 0, others = 0;
    for (unsigned cpu = 0; cpu < services->machine->cpus; cpu++) {
        const struct core_counts *counts = &services->percpu[cpu].core->counts;
        for (unsigned code = 0; code < EXCEPTION_CODES; code++)
            exceptions[core_exception_kind(services->percpu[cpu].core, code)] +=
                counts->exceptions[code] - services->exceptions[cpu][code];
        refills += counts->tlb_refills[0] + counts->tlb_refills[1] - services->refills[cpu];
    }
    for (unsigned kind = 0; kind < EXCEPTION_KINDS; kind++)
        if (kind != EXCEPTION_INTERRUPT && kind != EXCEPTION_SYSCALL && kind != EXCEPTION_PAGE)
            others += exceptions[kind];
    const struct bucket *total = &summary->total.bucket;
    unsigned n = 0;
    events[n++] = (struct event_count){"process creations", "process_creations", services->created};
    events[n++] = (struct event_count){"context switches", "context_switches", services->switches};
    events[n++] = (struct event_count){"preemptions", "preemptions", services->preempted};
    events[n++] = (struct event_count){"wakeups", "wakeups", services->woken};
    events[n++] = (struct event_count){"migrations", "migrations", services->migrated};
    events[n++] = (struct event_count){"interrupts", "interrupts", exceptions[EXCEPTION_INTERRUPT]};
    events[n++] = (struct event_count){"system calls", "system_calls", exceptions[EXCEPTION_SYSCALL]};
    events[n++] = (struct event_count){"TLB refills", "tlb_refills", refills};
    events[n++] = (struct event_count){"VM faults", "vm_faults", exceptions[EXCEPTION_PAGE] - refills};
    events[n++] = (struct event_count){"other exceptions", "other_exceptions", others};
    for (unsigned i = 0; i < services->counter_count; i++)
        events[n++] =
            (struct event_count){services->counters[i].name, services->counters[i].name, services->counters[i].value};
    events[n++] = (struct event_count){"instructions", "instructions", total->insns};
    events[n++] = (struct event_count){"L1-I cache misses", "l1i_misses", total->miss[MISS_L1I]};
    events[n++] = (struct event_count){"L1-D cache misses", "l1d_misses",
                                       total->miss[MISS_L1D_READ] + total->miss[MISS_L1D_WRITE]};
    events[n++] =
        (struct event_count){"L2 cache misses", "l2_misses", total->miss[MISS_L2_INSN] + total->miss[MISS_L2_DATA]};
    return n;
}

static void print_events(const struct services *services, const struct summary *summary, FILE *out)
{
    struct event_count events[EVENTS_MAX];
    unsigned count = count_events(services, summary, events);
    fprintf(out, "\nEvents of %u CPU%s in %.6f simulated seconds\n%-24s %15s %15s\n", services->machine->cpus,
            services->machine->cpus > 1 ? "s" : "", summary->seconds, "", "count", "per second");
    for (unsigned i = 0; i < count; i++)
        fprintf(out, "%-24s %15" PRIu64 " %15.0f\n", events[i].name, events[i].count,
                ratio((double)events[i].count, summary->seconds));
}

/* Services */

static double microseconds(const struct services *services, uint64_t time, uint64_t calls)
{
    return ratio((double)time * 1e6 / (double)services->machine->clock_hz, (double)calls);
}

static void print_row(const struct services *services, const struct summary *summary, const struct row *row, FILE *out)
{
    const struct service_sum *sum = &row->sum;
    const struct bucket *b = &sum->charge.all.bucket;
    const double insns = (double)b->insns;
    bool kernel = is_of_kernel(row->service);
    fprintf(out, "%-22s %7.3f%%", PRINTABLE(services->name[row->service]),
            100 * ratio((double)b->cycles, (double)summary->total.bucket.cycles));
    if (kernel)
        fprintf(out, " %6.2f%%", 100 * ratio((double)b->cycles, (double)summary->kernel.bucket.cycles));
    else
        fprintf(out, " %7s", "");
    fprintf(out, " %9" PRIu64 " %9.1f", sum->calls, ratio((double)sum->calls, summary->seconds));
    if (sum->calls > 0)
        fprintf(out, " %9.2f", microseconds(services, b->cycles, sum->calls));
    else
        fprintf(out, " %9s", "");
    double terms[TERMS];
    measure_bucket_terms(b, terms);
    for (enum formula formula = FORMULA_CPI; formula <= FORMULA_D_MCPI; formula++)
        fprintf(out, " %6.2f", measure_figure_or_0(formula, terms));
    if (bucket_pipeline(&summary->total.bucket))
        fprintf(out, " %6.2f", ratio((double)bucket_pipeline(b), insns));
    if (bucket_interlock(&summary->total.bucket))
        fprintf(out, " %6.2f", ratio((double)bucket_interlock(b), insns));
    if (kernel)
        fprintf(out, " %5.1f%% %5.1f%%",
                100 * ratio((double)bucket_stall_of(b, SIDE_INSN),
                            (double)(bucket_stall_of(&summary->kernel.bucket, SIDE_INSN) +
                                     bucket_stall_of(&summary->kernel.bucket, SIDE_DATA))),
                100 * ratio((double)bucket_stall_of(b, SIDE_DATA),
                            (double)(bucket_stall_of(&summary->kernel.bucket, SIDE_INSN) +
                                     bucket_stall_of(&summary->kernel.bucket, SIDE_DATA))));
    else
        fprintf(out, " %6s %6s", "", "");
    if (sum->ended > 0)
        fprintf(out, " %10.2f %10.2f %10.2f", microseconds(services, sum->latency, sum->ended),
                microseconds(services, sum->blocked, sum->ended), microseconds(services, sum->descheduled, sum->ended));
    fputc('\n', out);
}

static void print_services(const struct services *services, const struct summary *summary, FILE *out)
{
    fprintf(out,
            "\nServices: microseconds per call; latency from begin to end, and the time of it blocked and descheduled\n"
            "%-22s %8s %7s %9s %9s %9s %6s %6s %6s%s%s %6s %6s %10s %10s %10s\n",
            "", "of all", "of kern", "calls", "calls/s", "computes", "CPI", "i-MCPI", "d-MCPI",
            bucket_pipeline(&summary->total.bucket) ? "   pipe" : "",
            bucket_interlock(&summary->total.bucket) ? "  intlk" : "", "% st I", "% st D", "latency", "blocked",
            "desched");
    for (unsigned i = 0; i < summary->count; i++)
        print_row(services, summary, &summary->row[i], out);
}

/* Processes */

struct process_row {
    const struct task *task;
    struct account mode[MODE_COUNT];
    cycles cycles;
};

static int by_process_cycles(const void *a, const void *b)
{
    const struct process_row *x = a, *y = b;
    if (x->cycles != y->cycles)
        return x->cycles < y->cycles ? 1 : -1;
    return x->task->pid < y->task->pid ? -1 : x->task->pid > y->task->pid;
}

static bool fill_row(const struct services *services, struct process_row *row, const struct task *task)
{
    uint64_t insns = 0; /* without cycles if they take no time (whatif.free) */
    *row = (struct process_row){.task = task};
    for (const struct task_share *share = task->shares; share; share = share->next)
        for (unsigned mode = 0; mode < MODE_COUNT; mode++) {
            account_add(&services->plan, &row->mode[mode], &share->mode[mode]);
            row->cycles += share->mode[mode].bucket.cycles;
            insns += share->mode[mode].bucket.insns;
        }
    return row->cycles > 0 || insns > 0;
}

/* All processes that have run, by descending cycles. The caller frees them. */
static struct process_row *collect(const struct services *services, size_t *count)
{
    size_t tasks = services->machine->cpus;
    for (const struct task *task = services->tasks; task; task = task->next)
        tasks++;
    struct process_row *rows = checked_memory(calloc(tasks, sizeof *rows));
    *count = 0;
    for (unsigned cpu = 0; cpu < services->machine->cpus; cpu++)
        *count += fill_row(services, &rows[*count], &services->percpu[cpu].unknown_task);
    for (const struct task *task = services->tasks; task; task = task->next)
        *count += fill_row(services, &rows[*count], task);
    qsort(rows, *count, sizeof *rows, by_process_cycles);
    return rows;
}

static void print_processes(const struct services *services, const struct summary *summary, FILE *out)
{
    enum { PRINTED = 20 };
    size_t count;
    struct process_row *rows = collect(services, &count);
    const double total = (double)summary->total.bucket.cycles;
    fprintf(out, "\nProcesses%s\n%8s %-16s %8s %15s %15s %15s\n", count > PRINTED ? " with most time" : "", "pid",
            "name", "of all", "user cycles", "kernel cycles", "idle cycles");
    for (size_t i = 0; i < count && i < PRINTED; i++)
        fprintf(out, "%8u %-16s %7.3f%% %15" PRIu64 " %15" PRIu64 " %15" PRIu64 "\n", rows[i].task->pid,
                PRINTABLE(rows[i].task->name), 100 * ratio((double)rows[i].cycles, total),
                rows[i].mode[MODE_USER].bucket.cycles, rows[i].mode[MODE_KERNEL].bucket.cycles,
                rows[i].mode[MODE_IDLE].bucket.cycles);
    if (count > PRINTED)
        fprintf(out, "%8s and %zu more\n", "", count - PRINTED);
    free(rows);
}

enum { LOCKS_PRINTED = 20 };

void services_print(struct services *services, FILE *out)
{
    struct summary *summary = sum_up(services);
    print_events(services, summary, out);
    print_services(services, summary, out);
    print_processes(services, summary, out);
    service_queues_print(services, out);
    locks_print(services, LOCKS_PRINTED, out);
    if (services->too_deep)
        fprintf(out, "%" PRIu64 " exceptions were nested too deeply to be distinguished\n", services->too_deep);
    free(summary);
}

/* JSON */

/* Activity in spin-lock routines. */
static void write_sync(const struct services *services, const struct charge *charge, struct json_writer *json)
{
    if (charge->acquires == 0 && charge->sync.bucket.cycles == 0)
        return;
    json_member_object(json, "sync");
    json_member_count(json, "acquires", charge->acquires);
    json_member_count(json, "contended", charge->contended);
    account_write_json(&services->plan, &charge->sync, json);
    json_end_object(json);
}

/* Call counts. SPARSE: with those of spin locks, and without those that are 0. */
static void write_calls(const struct service_sum *sum, bool sparse, struct json_writer *json)
{
    const struct {
        const char *name;
        uint64_t value;
        bool spin_locks;
    } counts[] = {{"calls", sum->calls, false},
                  {"ended", sum->ended, false},
                  {"latency", sum->latency, false},
                  {"nested", sum->nested, false},
                  {"blocked", sum->blocked, false},
                  {"descheduled", sum->descheduled, false},
                  {"dispatches", sum->charge.dispatches, false},
                  {"queued", sum->charge.queued, false},
                  {"acquires", sum->charge.acquires, true},
                  {"contended", sum->charge.contended, true}};
    for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (sparse ? counts[i].value > 0 : !counts[i].spin_locks)
            json_member_count(json, counts[i].name, counts[i].value);
}

static void write_services(const struct services *services, const struct summary *summary, struct json_writer *json)
{
    json_line(json, 4);
    json_member_object(json, "services");
    for (unsigned i = 0; i < summary->count; i++) {
        const struct row *row = &summary->row[i];
        json_line(json, 6);
        json_member_object(json, services->name[row->service]);
        write_calls(&row->sum, false, json);
        account_write_json(&services->plan, &row->sum.charge.all, json);
        write_sync(services, &row->sum.charge, json);
        json_end_object(json);
    }
    json_line(json, 4);
    json_end_object(json);
}

/* Charges of TASK for each service. */
static void write_shares(const struct services *services, const struct task *task, struct json_writer *json)
{
    json_line(json, 7);
    json_member_object(json, "services");
    for (const struct service_share *share = task->services; share; share = share->next) {
        struct service_sum sum;
        service_shares_read(services, task, share, &sum);
        json_line(json, 8);
        json_member_object(json, services->name[share->service]);
        write_calls(&sum, true, json);
        account_write_sparse_json(&services->plan, &sum.charge.all, json);
        json_end_object(json);
    }
    json_end_object(json);
}

static void write_process(const struct services *services, const struct process_row *row, struct json_writer *json)
{
    const struct task *task = row->task;
    json_line(json, 6);
    json_begin_object(json);
    json_member_count(json, "pid", task->pid);
    json_member_count(json, "tgid", task->tgid);
    json_member_text(json, "name", task->name);
    if (task->members)
        json_member_count(json, "members", task->members);
    for (unsigned mode = 0; mode < MODE_COUNT; mode++) {
        json_member_object(json, mode_name(mode));
        account_write_json(&services->plan, &row->mode[mode], json);
        json_end_object(json);
    }
    write_shares(services, task, json);
    json_end_object(json);
}

static void write_processes(const struct services *services, struct json_writer *json)
{
    size_t count;
    struct process_row *rows = collect(services, &count);
    json_line(json, 4);
    json_member_array(json, "processes");
    for (size_t i = 0; i < count; i++)
        write_process(services, &rows[i], json);
    json_line(json, 4);
    json_end_array(json);
    free(rows);
}

void services_write_json(struct services *services, struct json_writer *json)
{
    struct event_count events[EVENTS_MAX];
    struct summary *summary = sum_up(services);
    unsigned count = count_events(services, summary, events);
    json_line(json, 4);
    json_member_count(json, "begun", services->begun);
    json_line(json, 4);
    json_key(json, "seconds");
    json_put_rounded(json, "%.9f", summary->seconds);
    json_line(json, 4);
    json_member_object(json, "events");
    for (unsigned i = 0; i < count; i++)
        json_member_count(json, events[i].key, events[i].count);
    json_end_object(json);
    write_services(services, summary, json);
    write_processes(services, json);
    json_line(json, 4);
    json_key(json, "run_queues");
    service_queues_write_json(services, json);
    if (services->displaced)
        service_displacement_write_json(services, json);
    if (services->misses)
        service_misses_write_json(services, json);
    if (services->cycles)
        service_cycles_write_json(services, json);
    if (services->locks) {
        json_line(json, 4);
        json_key(json, "locks");
        locks_write_json(services, json);
    }
    free(summary);
}
