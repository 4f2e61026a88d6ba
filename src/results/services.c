#include "src/results/services.h"

#include "src/results/accounts.h"
#include "src/results/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The cycles of an account, and the misses of the CPU's own caches. */
struct account_read {
    double cycles, wait, insns;
    double insn, data, upgrade, uncached;                    /* stall cycles */
    double memory_insn, memory_data;                         /* parts of insn and data: stall on these misses */
    double waited[KIND_COUNT], waited_coherence[KIND_COUNT]; /* miss latency by kind: total, and of coherence misses */
    double cold, coherence;
};

static double coherence_of(const json_t *classes)
{
    double sum = 0;
    for (unsigned class = 0; class < CLASS_COUNT; class ++)
        if (measure_class(class)->group == CLASS_GROUP_COHERENCE)
            sum += results_number_of(classes, measure_class(class)->name);
    return sum;
}

static double sum_of(const json_t *object)
{
    const char *name;
    json_t *value;
    double sum = 0;
    json_object_foreach((json_t *)object, name, value) sum += json_number_value(value);
    return sum;
}

static struct account_read read_account(const json_t *account, const struct own_caches *own)
{
    static const char *const kinds[KIND_COUNT] = {"insn", "data"};
    const json_t *stall = json_object_get(account, "stall"), *waits = json_object_get(account, "class_wait"),
                 *every = json_object_get(account, "class");
    struct account_read read = {
        .cycles = results_number_of(account, "cycles"),
        .wait = results_number_of(account, "wait"),
        .insns = results_number_of(account, "insns"),
        .insn = results_stall_of(stall, SIDE_INSN),
        .data = results_stall_of(stall, SIDE_DATA) - results_number_of(stall, "upgrade"),
        .upgrade = results_number_of(stall, "upgrade"),
        .uncached = results_number_of(stall, "uncached"),
        .memory_insn = results_number_of(stall, "l2i"),
        .memory_data = results_number_of(stall, "l2d"),
    };
    if (own_caches_are_first(own)) {
        read.memory_insn += results_number_of(stall, "l1i");
        read.memory_data += results_number_of(stall, "l1d");
    }
    for (unsigned kind = 0; kind < KIND_COUNT; kind++) {
        const json_t *cache = own->name[kind] ? json_object_get(every, own->name[kind]) : NULL;
        const json_t *classes = json_object_get(cache, kinds[kind]), *waited = json_object_get(waits, kinds[kind]);
        read.cold += results_number_of(classes, "cold");
        read.coherence += coherence_of(classes);
        read.waited[kind] = sum_of(waited);
        read.waited_coherence[kind] = coherence_of(waited);
    }
    return read;
}

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

/* A without its part B. */
static struct account_read rest_of(const struct account_read *a, const struct account_read *b)
{
    struct account_read rest = *a;
    double *to = (double *)&rest;
    const double *from = (const double *)b;
    for (size_t i = 0; i < sizeof rest / sizeof *to; i++)
        to[i] -= from[i];
    return rest;
}

/* The share of STALL that is due to coherence misses, in proportion to their share of the miss latency. */
static double coherence_stall(double stall, double waited, double waited_coherence)
{
    return waited > 0 ? stall * waited_coherence / waited : 0;
}

static void break_down(struct service_figures *figures, const struct account_read *all, const struct account_read *sync)
{
    const struct account_read rest = rest_of(all, sync);
    const double percent = 100 / (all->cycles - all->wait);
    const double insn = coherence_stall(rest.memory_insn, rest.waited[0], rest.waited_coherence[0]);
    const double data = coherence_stall(rest.memory_data, rest.waited[1], rest.waited_coherence[1]);
    if (all->cycles - all->wait <= 0)
        return;
    figures->spinlock = (sync->cycles - sync->wait) * percent;
    figures->coherence = (insn + data) * percent;
    figures->upgrade = rest.upgrade * percent;
    figures->insn_cache = (rest.insn - insn) * percent;
    figures->data_cache = (rest.data - data) * percent;
    figures->uncached = rest.uncached * percent;
    figures->instructions = (rest.cycles - rest.wait - rest.insn - rest.data - rest.upgrade - rest.uncached) * percent;
}

/* Kernel totals. */
struct kernel_total {
    double cycles, stall, cold, sync;
    struct own_caches own;
};

static struct service_figures figures_of(const char *name, const json_t *service, const struct kernel_total *kernel,
                                         double clock_hz, double seconds)
{
    const json_t *sync = json_object_get(service, "sync");
    const struct account_read all = read_account(service, &kernel->own), spin = read_account(sync, &kernel->own);
    const double terms[TERMS] = {[TERM_CYCLES] = all.cycles,
                                 [TERM_WAIT] = all.wait,
                                 [TERM_INSNS] = all.insns,
                                 [TERM_INSN_STALL] = all.insn,
                                 [TERM_DATA_STALL] = all.data + all.upgrade};
    const double calls = results_number_of(service, "calls"), ended = results_number_of(service, "ended"),
                 microsecond = clock_hz / 1e6;
    struct service_figures figures = {
        .kernel = 100 * ratio(all.cycles, kernel->cycles),
        .calls = calls > 0 ? ratio(calls, seconds) : NAN,
        .computation = ratio(all.cycles / microsecond, calls),
        .latency = ratio(results_number_of(service, "latency") / microsecond, ended),
        .blocked = ratio(results_number_of(service, "blocked") / microsecond, ended),
        .descheduled = ratio(results_number_of(service, "descheduled") / microsecond, ended),
        .cpi = measure_figure(FORMULA_CPI, terms),
        .i_mcpi = measure_figure(FORMULA_I_MCPI, terms),
        .d_mcpi = measure_figure(FORMULA_D_MCPI, terms),
        .stall_insn = 100 * ratio(all.insn, kernel->stall),
        .stall_data = 100 * ratio(all.data + all.upgrade, kernel->stall),
        .cold = 100 * ratio(all.cold, kernel->cold),
        .acquires = ratio(results_number_of(sync, "acquires"), calls),
        .coherence_misses = ratio(all.coherence - spin.coherence, calls),
    };
    snprintf(figures.name, sizeof figures.name, "%s", name);
    break_down(&figures, &all, &spin);
    return figures;
}

static int by_kernel(const void *a, const void *b)
{
    const struct service_figures *x = a, *y = b;
    if (x->kernel != y->kernel)
        return x->kernel < y->kernel ? 1 : -1;
    return strcmp(x->name, y->name);
}

static void read_services(struct service_file *file, json_t *services, const struct own_caches *own, double clock_hz)
{
    const char *name;
    json_t *service;
    struct kernel_total kernel = {.own = *own};
    double cycles = 0;
    json_object_foreach(services, name, service)
    {
        const struct account_read all = read_account(service, own);
        cycles += all.cycles;
        file->classified |= json_object_get(service, "class") != NULL;
        if (!service_is_of_kernel(name))
            continue;
        kernel.cycles += all.cycles;
        kernel.stall += all.insn + all.data + all.upgrade;
        kernel.cold += all.cold;
        kernel.sync += results_number_of(json_object_get(service, "sync"), "cycles");
    }
    file->user = 100 * ratio(results_number_of(json_object_get(services, "USER"), "cycles"), cycles);
    file->idle = 100 * ratio(results_number_of(json_object_get(services, "IDLE"), "cycles"), cycles);
    file->kernel = 100 * ratio(kernel.cycles, cycles);
    file->sync = 100 * ratio(kernel.sync, kernel.cycles);
    file->service = checked_memory(calloc(json_object_size(services) + 1, sizeof *file->service));
    json_object_foreach(services, name, service) if (service_is_of_kernel(name)) file->service[file->count++] =
        figures_of(name, service, &kernel, clock_hz, file->seconds);
    qsort(file->service, file->count, sizeof *file->service, by_kernel);
    for (size_t i = 0; i < file->count; i++)
        name_index_add(&file->service_numbers, file->service[i].name, i);
}

static void read_rates(struct service_file *file, json_t *events)
{
    const char *name;
    json_t *value;
    json_object_foreach(events, name, value)
    {
        if (file->rates == SERVICE_RATES_MAX)
            break;
        struct service_rate *rate = &file->rate[file->rates++];
        snprintf(rate->name, sizeof rate->name, "%s", name);
        name_index_add(&file->rate_numbers, rate->name, file->rates - 1);
        rate->rate = ratio(json_number_value(value), file->seconds);
    }
}

/* Whether CPUs of the run share a level: PARAMETER is cache.l2.shared or cache.l3.shared. */
static bool is_shared(const struct results *run, const char *parameter)
{
    const char *shared = results_parameter(run, parameter);
    return run->cpus > 1 && shared && strcmp(shared, "1") != 0;
}

/* The caches of its own that a CPU of the run has, of those whose misses SERVICES counts by class. */
static struct own_caches own_caches_of(const struct results *run, json_t *services)
{
    struct own_caches own = {{NULL}};
    const bool shared[] = {is_shared(run, "cache.l2.shared"), is_shared(run, "cache.l3.shared")};
    const char *service, *name;
    json_t *one, *cache;
    json_object_foreach(services, service, one)
    {
        json_object_foreach(json_object_get(one, "class"), name, cache)
        {
            if (strlen(name) < 2 || (name[1] == '2' && shared[0]) || (name[1] == '3' && shared[1]))
                continue;
            own.name[KIND_INSN] = json_object_get(cache, "insn") ? name : own.name[KIND_INSN];
            own.name[KIND_DATA] = json_object_get(cache, "data") ? name : own.name[KIND_DATA];
        }
        if (own.name[KIND_DATA])
            break;
    }
    return own;
}

bool service_file_read(struct service_file *file, const char *title, const json_t *root, struct err *err)
{
    struct results *column = checked_memory(malloc(sizeof *column));
    const json_t *annotations = json_object_get(root, "annotations");
    json_t *services = json_object_get(annotations, "services");
    *file = (struct service_file){.title = ""};
    snprintf(file->title, sizeof file->title, "%s", title);
    bool done = results_read(column, title, root, err);
    if (done && (!json_is_object(services) || column->clock_hz == 0))
        done = err_set(err, "%.256s: no services: the run had no --script services", title);
    if (done) {
        snprintf(file->simos, sizeof file->simos, "%s", column->simos);
        file->cpus = column->cpus;
        file->seconds = results_number_of(annotations, "seconds");
        read_rates(file, json_object_get(annotations, "events"));
        file->clock_hz = (double)column->clock_hz;
        const struct own_caches own = own_caches_of(column, services);
        read_services(file, services, &own, file->clock_hz);
        process_list_read(&file->processes, annotations, &own);
    }
    results_release(column);
    free(column);
    return done;
}

void service_file_release(struct service_file *file)
{
    name_index_release(&file->rate_numbers);
    name_index_release(&file->service_numbers);
    free(file->service);
    file->service = NULL;
    process_list_release(&file->processes);
}

const struct service_figures *service_file_find(const struct service_file *file, const char *name)
{
    const size_t number = name_index_find(&file->service_numbers, name);
    return number != NAME_INDEX_NONE ? &file->service[number] : NULL;
}

const struct service_rate *service_file_rate(const struct service_file *file, const char *name)
{
    const size_t number = name_index_find(&file->rate_numbers, name);
    return number != NAME_INDEX_NONE ? &file->rate[number] : NULL;
}
