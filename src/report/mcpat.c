#include "src/report/mcpat.h"
#include "src/results/values.h"

#include "src/base/save_file.h"
#include "src/base/sums.h"
#include "src/machine/machine.h"
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Where a value comes from, as the file says. */
enum origin { FROM_RUN, ASSUMED, ESTIMATED };

/* What a CPU did, in all modes. */
struct activity {
    uint64_t cycles, busy;
    uint64_t graduated, fetched, issued; /* instructions; fetched and issued with those of wrong paths */
    uint64_t integer, fp, branches, mispredicted, loads, stores, calls, multiplies, alu;
    uint64_t read_misses[4], write_misses[4], write_backs[4]; /* of the data side of level 1 to 3 */
    uint64_t insn_misses[4];
    uint64_t tlb_misses_fetch, tlb_misses_data; /* whoever filled it then */
};

struct mcpat {
    const struct params *params; /* the machine's */
    unsigned cpus, levels;
    bool ordered; /* executes in program order: any model but mxs */
    struct activity *cpu;
    uint64_t cycles; /* of the longest CPU */
    uint64_t memory_reads, memory_writes;
};

/* Reading */

/* A processor of a run. */
struct processor {
    const struct results *run;
    unsigned number;
};

static uint64_t count_of(const struct processor *cpu, const char *name)
{
    return results_cpu_count(cpu->run, cpu->number, name);
}

/* The sum over modes of the count NAME ("mix.load") of their accounts. */
static uint64_t sum_of(const struct processor *cpu, const char *name)
{
    uint64_t sum = 0;
    for (enum mode mode = 0; mode < MODE_COUNT; mode++) {
        char of_mode[64];
        snprintf(of_mode, sizeof of_mode, "mode.%s.%s", mode_name(mode), name);
        sum_add(&sum, count_of(cpu, of_mode));
    }
    return sum;
}

/* The instructions of the classes NAMES, which end with NULL (cpu/isa/isa.def). */
static uint64_t mix_of(const struct processor *cpu, const char *const *names)
{
    uint64_t sum = 0;
    for (; *names; names++) {
        char name[40];
        snprintf(name, sizeof name, "mix.%s", *names);
        sum_add(&sum, sum_of(cpu, name));
    }
    return sum;
}

/* The count NAME of a cache. */
static uint64_t cache_count(const struct processor *cpu, const char *cache, const char *name)
{
    char of_cache[40];
    snprintf(of_cache, sizeof of_cache, "%s.%s", cache, name);
    return count_of(cpu, of_cache);
}

static void read_caches(const struct processor *cpu, struct activity *activity)
{
    static const char *const names[] = {[1] = "l1d", "l2", "l3"};
    for (unsigned level = 1; level <= 3; level++) {
        activity->read_misses[level] = cache_count(cpu, names[level], "read_misses");
        activity->write_misses[level] = cache_count(cpu, names[level], "write_misses");
        activity->write_backs[level] = cache_count(cpu, names[level], "write_backs");
        activity->insn_misses[level] = cache_count(cpu, names[level], "insn_misses");
    }
    activity->insn_misses[1] = count_of(cpu, "l1i.misses");
    const uint64_t of_reads = count_of(cpu, "tlb.refills_load"), of_fetches = count_of(cpu, "tlb.refills_fetch");
    activity->tlb_misses_fetch = of_fetches + count_of(cpu, "tlb.filled_fetch");
    activity->tlb_misses_data = (of_reads > of_fetches ? of_reads - of_fetches : 0) +
                                count_of(cpu, "tlb.refills_store") + count_of(cpu, "tlb.filled_data");
}

static void read_activity(const struct processor *cpu, bool ordered, struct activity *activity)
{
    static const char *const fp[] = {"fp_add",     "fp_multiply", "fp_multiply_add", "fp_divide", "fp_sqrt",
                                     "fp_convert", "fp_compare",  "fp_move",         NULL},
                             *const branches[] = {"branch_taken", "branch_not_taken", "jump", "call",
                                                  "return",       "indirect",         NULL},
                             *const loads[] = {"load", "ll", "prefetch", NULL}, *const stores[] = {"store", "sc", NULL},
                             *const multiplies[] = {"multiply", "divide", NULL}, *const calls[] = {"call", NULL};
    *activity = (struct activity){.cycles = sum_of(cpu, "cycles"), .graduated = sum_of(cpu, "insns")};
    activity->busy = activity->cycles - sum_of(cpu, "wait");
    activity->fetched = ordered ? activity->graduated : count_of(cpu, "mxs.fetched");
    activity->issued = ordered ? activity->graduated : count_of(cpu, "mxs.issued");
    activity->mispredicted = count_of(cpu, "mxs.branches_mispredicted") + count_of(cpu, "mxs.jumps_mispredicted");
    activity->fp = mix_of(cpu, fp);
    activity->branches = mix_of(cpu, branches);
    activity->loads = mix_of(cpu, loads);
    activity->stores = mix_of(cpu, stores);
    activity->multiplies = mix_of(cpu, multiplies);
    activity->calls = mix_of(cpu, calls);
    const uint64_t others = activity->fp + activity->branches;
    activity->integer = activity->graduated > others ? activity->graduated - others : 0;
    const uint64_t elsewhere = activity->loads + activity->stores + activity->multiplies;
    activity->alu = activity->integer > elsewhere ? activity->integer - elsewhere : 0;
    read_caches(cpu, activity);
}

/* Writing */

/* A value of a component. */
static void put(FILE *out, const char *kind, const char *name, enum origin origin, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
static void put(FILE *out, const char *kind, const char *name, enum origin origin, const char *format, ...)
{
    static const char *const comments[] = {
        [FROM_RUN] = "", [ASSUMED] = "<!-- assumed -->", [ESTIMATED] = "<!-- estimated -->"};
    va_list values;
    va_start(values, format);
    fprintf(out, "<%s name=\"%s\" value=\"", kind, name);
    vfprintf(out, format, values);
    fprintf(out, "\"/>%s\n", comments[origin]);
    va_end(values);
}

static void put_param(FILE *out, const char *name, enum origin origin, uint64_t value)
{
    put(out, "param", name, origin, "%" PRIu64, value);
}

static void put_stat(FILE *out, const char *name, enum origin origin, uint64_t value)
{
    put(out, "stat", name, origin, "%" PRIu64, value);
}

/* McPAT's own supply voltage of the technology, and of gated parts. */
static void put_supply(FILE *out)
{
    put_param(out, "vdd", ASSUMED, 0);
    put(out, "param", "power_gating_vcc", ASSUMED, "-1");
}

/* The begin of component ID, with NUMBER unless that is negative. */
static void begin(FILE *out, const char *id, const char *name, int number)
{
    if (number < 0)
        fprintf(out, "<component id=\"%s\" name=\"%s\">\n", id, name);
    else
        fprintf(out, "<component id=\"%s%d\" name=\"%s%d\">\n", id, number, name, number);
}

static void end(FILE *out)
{
    fputs("</component>\n", out);
}

static uint64_t at_least_one(uint64_t number)
{
    return number > 0 ? number : 1;
}

static uint64_t at_most(uint64_t number, uint64_t limit)
{
    return number < limit ? number : limit;
}

static uint64_t parameter(const struct mcpat *mcpat, const char *name)
{
    return params_u64(mcpat->params, name);
}

/* Parameter MEMBER of CACHE ("l1d"). */
static uint64_t cache_parameter(const struct mcpat *mcpat, const char *cache, const char *member)
{
    char name[64];
    snprintf(name, sizeof name, "cache.%s.%s", cache, member);
    return params_u64(mcpat->params, name);
}

static uint64_t megahertz(uint64_t hz)
{
    return at_least_one((hz + 500000) / 1000000);
}

/* Parameter NAME, a time, in cycles of the CPU, at least 1. */
static uint64_t cycles_of(const struct mcpat *mcpat, const char *name)
{
    const double hz = (double)parameter(mcpat, "cpu.clock");
    return at_least_one((uint64_t)llround((double)parameter(mcpat, name) * hz / 1e9));
}

static bool is_written_through(const struct mcpat *mcpat, const char *cache)
{
    char name[64];
    snprintf(name, sizeof name, "cache.%s.write", cache);
    return !params_is(mcpat->params, name, "back");
}

/* Capacity, line, ways, banks, cycles an access and cycles of it, width of what it delivers, policy of
 * writes. McPAT finds no layout for buffers of a few entries, so they have at least 16, as in its own examples. */
static void put_cache(const struct mcpat *mcpat, FILE *out, const char *name, const char *cache, uint64_t latency,
                      uint64_t width, bool writes)
{
    const uint64_t least = 16, outstanding = cache_parameter(mcpat, cache, "outstanding"), /* entries */
        misses = outstanding > least ? outstanding : least;
    char depth[64];
    snprintf(depth, sizeof depth, "cache.%s.write_buffer.depth", cache);
    put(out, "param", name, FROM_RUN, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",1,1,%" PRIu64 ",%" PRIu64 ",%d",
        cache_parameter(mcpat, cache, "size"), cache_parameter(mcpat, cache, "line"),
        cache_parameter(mcpat, cache, "ways"), latency, width, writes && !is_written_through(mcpat, cache));
    const uint64_t written = writes ? parameter(mcpat, depth) : 0;
    put(out, "param", "buffer_sizes", ESTIMATED, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, misses, misses, least,
        !writes           ? 0
        : written > least ? written
                          : least);
}

/* The conditional branches' predictor: McPAT has one kind, which chooses between local and global history. */
static void put_predictor(const struct mcpat *mcpat, FILE *out)
{
    static const char kind[] = "mxs.branch_predictor";
    const bool chooses = params_is(mcpat->params, kind, "tournament");
    const uint64_t least = 16; /* entries of a table that the predictor does not have */
    const uint64_t global = chooses ? UINT64_C(1) << parameter(mcpat, "mxs.tournament.global_history")
                            : params_is(mcpat->params, kind, "gshare") ? parameter(mcpat, "mxs.gshare.counters")
                            : params_is(mcpat->params, kind, "bimodal")
                                ? parameter(mcpat, "mxs.predictor")
                                : parameter(mcpat, "mxs.tage.base") +
                                      parameter(mcpat, "mxs.tage.tables") * parameter(mcpat, "mxs.tage.entries");
    begin(out, "predictor", "PBT", -1);
    put(out, "param", "local_predictor_size", chooses ? FROM_RUN : ASSUMED, "%" PRIu64 ",3",
        chooses ? parameter(mcpat, "mxs.tournament.local_history") : 10);
    put_param(out, "local_predictor_entries", chooses ? FROM_RUN : ASSUMED,
              chooses ? at_least_one(parameter(mcpat, "mxs.tournament.branches")) : least);
    put_param(out, "global_predictor_entries", FROM_RUN, global > least ? global : least);
    put_param(out, "global_predictor_bits", FROM_RUN, 2);
    put_param(out, "chooser_predictor_entries", chooses ? FROM_RUN : ASSUMED, chooses ? global : least);
    put_param(out, "chooser_predictor_bits", FROM_RUN, 2);
    end(out);
}

/* The number of units NAME of mxs, 0 meaning as many as instructions can issue. */
static uint64_t units(const struct mcpat *mcpat, const char *name)
{
    const uint64_t number = parameter(mcpat, name);
    return number > 0 ? number : parameter(mcpat, "mxs.issue_width");
}

static void put_widths(const struct mcpat *mcpat, FILE *out)
{
    const bool ordered = mcpat->ordered;
    const uint64_t fetch = ordered ? 1 : parameter(mcpat, "mxs.fetch_width"),
                   issue = ordered ? 1 : parameter(mcpat, "mxs.issue_width"),
                   graduate = ordered ? 1 : parameter(mcpat, "mxs.graduate_width");
    const struct {
        const char *name;
        enum origin origin;
        uint64_t value;
    } rows[] = {
        {"fetch_width", FROM_RUN, fetch},
        {"number_instruction_fetch_ports", ASSUMED, 1},
        {"decode_width", FROM_RUN, fetch},
        {"issue_width", FROM_RUN, issue},
        {"peak_issue_width", FROM_RUN, issue},
        {"commit_width", FROM_RUN, graduate},
        {"fp_issue_width", FROM_RUN, ordered ? 1 : units(mcpat, "mxs.units.fp_add")},
        {"prediction_width", FROM_RUN, !ordered},
        {"ALU_per_core", FROM_RUN, ordered ? 1 : units(mcpat, "mxs.units.integer")},
        {"MUL_per_core", FROM_RUN, ordered ? 1 : units(mcpat, "mxs.units.multiply")},
        {"FPU_per_core", FROM_RUN, ordered ? 1 : units(mcpat, "mxs.units.fp_add")},
        {"instruction_buffer_size", ASSUMED, 16},
        {"decoded_stream_buffer_size", ASSUMED, 16},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        put_param(out, rows[i].name, rows[i].origin, rows[i].value);
    put(out, "param", "pipelines_per_core", ASSUMED, "1,1");
    put(out, "param", "pipeline_depth", ASSUMED, ordered ? "5,5" : "7,7");
}

/* The window of instructions. In program order there is none, and McPAT reads none of it. */
static void put_window(const struct mcpat *mcpat, FILE *out)
{
    const bool ordered = mcpat->ordered;
    const uint64_t window = ordered ? 0 : parameter(mcpat, "mxs.window"),
                   memory = ordered ? 4 : parameter(mcpat, "mxs.load_store_queue"), registers = 32;
    const enum origin origin = ordered ? ASSUMED : FROM_RUN;
    put_param(out, "instruction_window_scheme", ASSUMED, 0);
    put_param(out, "instruction_window_size", FROM_RUN, window);
    put_param(out, "fp_instruction_window_size", FROM_RUN, window);
    put_param(out, "ROB_size", FROM_RUN, window);
    put_param(out, "archi_Regs_IRF_size", FROM_RUN, registers);
    put_param(out, "archi_Regs_FRF_size", FROM_RUN, registers);
    put_param(out, "phy_Regs_IRF_size", ESTIMATED, registers + window);
    put_param(out, "phy_Regs_FRF_size", ESTIMATED, registers + window);
    put_param(out, "rename_scheme", ASSUMED, 0);
    put_param(out, "checkpoint_depth", FROM_RUN, ordered ? 0 : parameter(mcpat, "mxs.branches"));
    put_param(out, "register_windows_size", FROM_RUN, 0);
    put(out, "param", "LSU_order", ASSUMED, "inorder");
    put_param(out, "store_buffer_size", origin, memory);
    put_param(out, "load_buffer_size", origin, ordered ? 0 : memory);
    put_param(out, "memory_ports", FROM_RUN, at_least_one(cache_parameter(mcpat, "l1d", "ports")));
    put_param(out, "RAS_size", FROM_RUN, ordered ? 0 : parameter(mcpat, "mxs.return_stack"));
}

/* SHARE of the instructions that were fetched, of PART of all that graduated. */
static uint64_t scaled(const struct activity *activity, uint64_t part)
{
    return activity->graduated
               ? (uint64_t)llround((double)part * (double)activity->fetched / (double)activity->graduated)
               : 0;
}

/* Instructions and cycles. The classes of instructions on wrong paths are in proportion to those that graduated. */
static void put_instructions(const struct mcpat *mcpat, const struct activity *activity, FILE *out)
{
    const enum origin origin = mcpat->ordered ? FROM_RUN : ESTIMATED;
    const uint64_t fp = scaled(activity, activity->fp), branches = scaled(activity, activity->branches),
                   others = fp + branches;
    put_stat(out, "total_instructions", FROM_RUN, activity->fetched);
    put_stat(out, "int_instructions", origin, activity->fetched > others ? activity->fetched - others : 0);
    put_stat(out, "fp_instructions", origin, fp);
    put_stat(out, "branch_instructions", origin, branches);
    put_stat(out, "branch_mispredictions", FROM_RUN, activity->mispredicted);
    put_stat(out, "load_instructions", FROM_RUN, activity->loads);
    put_stat(out, "store_instructions", FROM_RUN, activity->stores);
    put_stat(out, "committed_instructions", FROM_RUN, activity->graduated);
    put_stat(out, "committed_int_instructions", FROM_RUN, activity->integer + activity->branches);
    put_stat(out, "committed_fp_instructions", FROM_RUN, activity->fp);
    const double peak = mcpat->ordered ? 1 : (double)parameter(mcpat, "mxs.graduate_width");
    put(out, "stat", "pipeline_duty_cycle", FROM_RUN, "%.6f",
        activity->cycles ? fmin(1, (double)activity->graduated / (double)activity->cycles / peak) : 0);
    put_stat(out, "total_cycles", FROM_RUN, activity->cycles);
    put_stat(out, "idle_cycles", FROM_RUN, activity->cycles - activity->busy);
    put_stat(out, "busy_cycles", FROM_RUN, activity->busy);
}

/* Accesses to the structures of a core: an instruction reads two registers and writes one. */
static void put_accesses(const struct mcpat *mcpat, const struct activity *activity, FILE *out)
{
    const bool ordered = mcpat->ordered;
    const uint64_t fp = scaled(activity, activity->fp), integer = activity->fetched > fp ? activity->fetched - fp : 0,
                   entered = ordered ? 0 : activity->fetched, integers_entered = ordered ? 0 : integer,
                   fp_entered = ordered ? 0 : fp;
    const struct {
        const char *name;
        enum origin origin;
        uint64_t value;
    } rows[] = {
        {"ROB_reads", FROM_RUN, ordered ? 0 : activity->graduated},
        {"ROB_writes", FROM_RUN, entered},
        {"rename_reads", ESTIMATED, 2 * integers_entered},
        {"rename_writes", ESTIMATED, integers_entered},
        {"fp_rename_reads", ESTIMATED, 2 * fp_entered},
        {"fp_rename_writes", ESTIMATED, fp_entered},
        {"inst_window_reads", FROM_RUN, ordered ? 0 : activity->issued - at_most(activity->issued, activity->fp)},
        {"inst_window_writes", ESTIMATED, integers_entered},
        {"inst_window_wakeup_accesses", ESTIMATED, 2 * integers_entered},
        {"fp_inst_window_reads", ESTIMATED, fp_entered},
        {"fp_inst_window_writes", ESTIMATED, fp_entered},
        {"fp_inst_window_wakeup_accesses", ESTIMATED, 2 * fp_entered},
        {"int_regfile_reads", ESTIMATED, 2 * integer},
        {"float_regfile_reads", ESTIMATED, 2 * fp},
        {"int_regfile_writes", ESTIMATED, integer},
        {"float_regfile_writes", ESTIMATED, fp},
        {"function_calls", FROM_RUN, activity->calls},
        {"context_switches", ASSUMED, 0},
        {"ialu_accesses", FROM_RUN, activity->alu + activity->branches},
        {"fpu_accesses", FROM_RUN, activity->fp},
        {"mul_accesses", FROM_RUN, activity->multiplies},
        {"cdb_alu_accesses", FROM_RUN, activity->alu + activity->branches},
        {"cdb_mul_accesses", FROM_RUN, activity->multiplies},
        {"cdb_fpu_accesses", FROM_RUN, activity->fp},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        put_stat(out, rows[i].name, rows[i].origin, rows[i].value);
    /* Shares of cycles for the peak power, as in the processors that come with McPAT. */
    static const struct {
        const char *name, *value;
    } peak[] = {{"IFU_duty_cycle", "0.25"},       {"BR_duty_cycle", "0.25"},        {"LSU_duty_cycle", "0.25"},
                {"MemManU_I_duty_cycle", "0.25"}, {"MemManU_D_duty_cycle", "0.25"}, {"ALU_duty_cycle", "1"},
                {"MUL_duty_cycle", "0.3"},        {"FPU_duty_cycle", "0.3"},        {"ALU_cdb_duty_cycle", "1"},
                {"MUL_cdb_duty_cycle", "0.3"},    {"FPU_cdb_duty_cycle", "0.3"}};
    for (size_t i = 0; i < sizeof peak / sizeof peak[0]; i++)
        put(out, "stat", peak[i].name, ASSUMED, "%s", peak[i].value);
}

/* The joint TLB stands for one of instructions and one of data, both as large. */
static void put_tlb(const struct mcpat *mcpat, FILE *out, const char *name, uint64_t accesses, uint64_t misses)
{
    begin(out, name, name, -1);
    put_param(out, "number_entries", FROM_RUN, parameter(mcpat, "cpu.tlb_entries"));
    put_stat(out, "total_accesses", ESTIMATED, accesses);
    put_stat(out, "total_misses", FROM_RUN, misses);
    end(out);
}

static void put_core(const struct mcpat *mcpat, unsigned number, FILE *out)
{
    const struct activity *activity = &mcpat->cpu[number];
    const uint64_t width = mcpat->ordered ? 1 : parameter(mcpat, "mxs.fetch_width"),
                   fetches = (activity->fetched + width - 1) / width;
    const uint64_t load = at_least_one(parameter(mcpat, mcpat->ordered ? "mipsy.latency.load" : "mxs.latency.load"));
    begin(out, "system.core", "core", (int)number);
    put_param(out, "clock_rate", FROM_RUN, megahertz(parameter(mcpat, "cpu.clock")));
    put_supply(out);
    put_param(out, "opt_local", ASSUMED, 0);
    put_param(out, "instruction_length", FROM_RUN, 32);
    put_param(out, "opcode_width", FROM_RUN, 6);
    put_param(out, "x86", FROM_RUN, 0);
    put_param(out, "micro_opcode_width", FROM_RUN, 8);
    put_param(out, "machine_type", FROM_RUN, mcpat->ordered);
    put_param(out, "number_hardware_threads", FROM_RUN, 1);
    put_widths(mcpat, out);
    put_window(mcpat, out);
    put_instructions(mcpat, activity, out);
    put_accesses(mcpat, activity, out);
    put_param(out, "number_of_BPT", ASSUMED, 2);
    put_predictor(mcpat, out);
    put_tlb(mcpat, out, "itlb", fetches, activity->tlb_misses_fetch);
    begin(out, "icache", "icache", -1);
    put_cache(mcpat, out, "icache_config", "l1i", 1, 4 * width, false);
    put_stat(out, "read_accesses", mcpat->ordered ? FROM_RUN : ESTIMATED, fetches);
    put_stat(out, "read_misses", FROM_RUN, activity->insn_misses[1]);
    end(out);
    put_tlb(mcpat, out, "dtlb", activity->loads + activity->stores, activity->tlb_misses_data);
    begin(out, "dcache", "dcache", -1);
    put_cache(mcpat, out, "dcache_config", "l1d", load, 8, true);
    put_stat(out, "read_accesses", FROM_RUN, activity->loads);
    put_stat(out, "write_accesses", FROM_RUN, activity->stores);
    put_stat(out, "read_misses", FROM_RUN, activity->read_misses[1]);
    put_stat(out, "write_misses", FROM_RUN, activity->write_misses[1]);
    end(out);
    put_param(out, "number_of_BTB", ASSUMED, 2);
    begin(out, "BTB", "BTB", -1);
    put(out, "param", "BTB_config", ESTIMATED, "%" PRIu64 ",4,1,1,1,1",
        4 * (parameter(mcpat, "mxs.indirect_targets") > 64 ? parameter(mcpat, "mxs.indirect_targets") : 64));
    put_stat(out, "read_accesses", ESTIMATED, mcpat->ordered ? 0 : scaled(activity, activity->branches));
    put_stat(out, "write_accesses", ESTIMATED, activity->mispredicted);
    end(out);
    end(out);
}

/* The requests that level LEVEL of a CPU gets: reads of lines, and writes: lines that stores fetch, lines and stores
 * written to it. */
static uint64_t requests(const struct mcpat *mcpat, const struct activity *activity, unsigned level, bool write)
{
    static const char *const above[] = {[2] = "l1d", "l2"};
    if (!write)
        return activity->insn_misses[level - 1] + activity->read_misses[level - 1];
    if (level == 2 && is_written_through(mcpat, above[level]))
        return activity->stores;
    return activity->write_misses[level - 1] + activity->write_backs[level - 1];
}

/* How many CPUs share a cache of LEVEL, 2 or 3. */
static unsigned sharers(const struct mcpat *mcpat, unsigned level)
{
    const char *word = params_string(mcpat->params, level == 2 ? "cache.l2.shared" : "cache.l3.shared");
    const unsigned long shared = strcmp(word, "all") == 0 ? mcpat->cpus : strtoul(word, NULL, 10);
    return shared < mcpat->cpus ? (unsigned)shared : mcpat->cpus;
}

/* How many caches of LEVEL there are. */
static unsigned caches_of(const struct mcpat *mcpat, unsigned level)
{
    return mcpat->levels < level ? 0 : (mcpat->cpus + sharers(mcpat, level) - 1) / sharers(mcpat, level);
}

static void put_level(const struct mcpat *mcpat, unsigned level, unsigned number, FILE *out)
{
    static const char *const caches[] = {[2] = "l2", "l3"}, *const ids[] = {[2] = "system.L2", "system.L3"},
                             *const names[] = {[2] = "L2", "L3"}, *const configs[] = {[2] = "L2_config", "L3_config"},
                             *const times[] = {[2] = "memory.l2_hit_time", "memory.l3_hit_time"},
                             *const above[] = {[2] = "l1d", "l2"};
    const unsigned shared = sharers(mcpat, level), first = number * shared;
    uint64_t reads = 0, writes = 0, read_misses = 0, write_misses = 0;
    for (unsigned cpu = first; cpu < first + shared && cpu < mcpat->cpus; cpu++) {
        const struct activity *activity = &mcpat->cpu[cpu];
        reads += requests(mcpat, activity, level, false);
        writes += requests(mcpat, activity, level, true);
        read_misses += activity->insn_misses[level] + activity->read_misses[level];
        write_misses += activity->write_misses[level];
    }
    begin(out, ids[level], names[level], (int)number);
    put_cache(mcpat, out, configs[level], caches[level], cycles_of(mcpat, times[level]),
              cache_parameter(mcpat, above[level], "line"), true);
    put_param(out, "clockrate", FROM_RUN, megahertz(parameter(mcpat, "cpu.clock")));
    put_supply(out);
    put(out, "param", "ports", ASSUMED, "1,1,1");
    put_param(out, "device_type", ASSUMED, 0);
    put_stat(out, "read_accesses", FROM_RUN, reads);
    put_stat(out, "write_accesses", FROM_RUN, writes);
    put_stat(out, "read_misses", FROM_RUN, read_misses);
    put_stat(out, "write_misses", FROM_RUN, write_misses);
    put_stat(out, "conflicts", ASSUMED, 0);
    put(out, "stat", "duty_cycle", ASSUMED, "0.5");
    end(out);
}

static void put_bus(const struct mcpat *mcpat, FILE *out)
{
    begin(out, "system.NoC", "noc", 0);
    put_param(out, "clockrate", FROM_RUN, megahertz(parameter(mcpat, "bus.clock")));
    put_supply(out);
    put_param(out, "type", FROM_RUN, 0); /* a bus */
    put_param(out, "horizontal_nodes", FROM_RUN, 1);
    put_param(out, "vertical_nodes", FROM_RUN, 1);
    put_param(out, "has_global_link", ASSUMED, 0);
    put_param(out, "link_throughput", ASSUMED, 1);
    put_param(out, "link_latency", ASSUMED, 1);
    put_param(out, "input_ports", FROM_RUN, 1);
    put_param(out, "output_ports", FROM_RUN, 1);
    put_param(out, "flit_bits", FROM_RUN, 8 * parameter(mcpat, "bus.width"));
    put(out, "param", "chip_coverage", ASSUMED, "1");
    put(out, "param", "link_routing_over_percentage", ASSUMED, "0.5");
    put_stat(out, "total_accesses", FROM_RUN, mcpat->memory_reads + mcpat->memory_writes);
    put(out, "stat", "duty_cycle", ASSUMED, "1");
    end(out);
}

static void put_memory(const struct mcpat *mcpat, FILE *out)
{
    static const char *const last[] = {[1] = "l1d", "l2", "l3"};
    const uint64_t clock = parameter(mcpat, "bus.clock"), width = parameter(mcpat, "bus.width");
    begin(out, "system.mc", "mc", -1);
    put_param(out, "type", ASSUMED, 0);
    put_param(out, "mc_clock", FROM_RUN, megahertz(clock));
    put_supply(out);
    put_param(out, "peak_transfer_rate", FROM_RUN, at_least_one(clock * width / 1000000));
    put_param(out, "block_size", FROM_RUN, cache_parameter(mcpat, last[mcpat->levels], "line"));
    put_param(out, "number_mcs", FROM_RUN, 1);
    put_param(out, "memory_channels_per_mc", ASSUMED, 1);
    put_param(out, "number_ranks", ASSUMED, 2);
    put_param(out, "withPHY", ASSUMED, 0);
    put_param(out, "req_window_size_per_channel", ASSUMED, 32);
    put_param(out, "IO_buffer_size_per_channel", ASSUMED, 32);
    put_param(out, "databus_width", FROM_RUN, 8 * width);
    put_param(out, "addressbus_width", FROM_RUN, 32);
    put_stat(out, "memory_accesses", FROM_RUN, mcpat->memory_reads + mcpat->memory_writes);
    put_stat(out, "memory_reads", FROM_RUN, mcpat->memory_reads);
    put_stat(out, "memory_writes", FROM_RUN, mcpat->memory_writes);
    end(out);
}

/* Components that a machine of simos does not have, but that McPAT expects in this order. */
static void put_absent(FILE *out, const char *id, const char *name, const char *number)
{
    begin(out, id, name, -1);
    if (number)
        put_param(out, number, FROM_RUN, 0);
    end(out);
}

/* The process, in nm, of processors with this clock: 180, 90 or 22, of those that McPAT knows. */
static uint64_t technology(uint64_t hz)
{
    return hz <= UINT64_C(1000000000) ? 180 : hz <= UINT64_C(2500000000) ? 90 : 22;
}

static void put_system(const struct mcpat *mcpat, FILE *out)
{
    const bool one = mcpat->cpus == 1;
    const uint64_t hz = parameter(mcpat, "cpu.clock");
    const struct {
        const char *name;
        enum origin origin;
        uint64_t value;
    } rows[] = {
        {"number_of_cores", FROM_RUN, mcpat->cpus},
        {"number_of_L1Directories", FROM_RUN, 0},
        {"number_of_L2Directories", FROM_RUN, 0},
        {"number_of_L2s", FROM_RUN, caches_of(mcpat, 2)},
        {"Private_L2", FROM_RUN, sharers(mcpat, 2) == 1},
        {"number_of_L3s", FROM_RUN, caches_of(mcpat, 3)},
        {"number_of_NoCs", FROM_RUN, !one},
        {"homogeneous_cores", FROM_RUN, one},
        {"homogeneous_L2s", FROM_RUN, one},
        {"homogeneous_L1Directories", FROM_RUN, 1},
        {"homogeneous_L2Directories", FROM_RUN, 1},
        {"homogeneous_L3s", FROM_RUN, one},
        {"homogeneous_ccs", FROM_RUN, 1},
        {"homogeneous_NoCs", FROM_RUN, 1},
        {"core_tech_node", ASSUMED, technology(hz)},
        {"target_core_clockrate", FROM_RUN, megahertz(hz)},
        {"temperature", ASSUMED, 360},
        {"number_cache_levels", FROM_RUN, mcpat->levels},
        {"interconnect_projection_type", ASSUMED, 0},
        {"device_type", ASSUMED, 0},
        {"longer_channel_device", ASSUMED, 1},
        {"power_gating", ASSUMED, 0},
        {"machine_bits", FROM_RUN, 32},
        {"virtual_address_width", FROM_RUN, 32},
        {"physical_address_width", FROM_RUN, 32},
        {"virtual_memory_page_size", FROM_RUN, 4096},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        put_param(out, rows[i].name, rows[i].origin, rows[i].value);
    put_stat(out, "total_cycles", FROM_RUN, mcpat->cycles);
    for (unsigned i = 0; i < mcpat->cpus; i++)
        put_core(mcpat, i, out);
    put_absent(out, "system.L1Directory0", "L1Directory0", NULL);
    put_absent(out, "system.L2Directory0", "L2Directory0", NULL);
    for (unsigned level = 2; level <= 3; level++)
        for (unsigned i = 0; i < caches_of(mcpat, level); i++)
            put_level(mcpat, level, i, out);
    if (one && mcpat->levels < 2)
        put_absent(out, "system.L20", "L20", NULL);
    if (one && mcpat->levels < 3)
        put_absent(out, "system.L30", "L30", NULL);
    put_bus(mcpat, out);
    put_memory(mcpat, out);
    put_absent(out, "system.niu", "niu", "number_units");
    put_absent(out, "system.pcie", "pcie", "number_units");
    put_absent(out, "system.flashc", "flashc", "number_flashcs");
}

static void write_xml(const void *opaque, FILE *out)
{
    fputs("<?xml version=\"1.0\" ?>\n<component id=\"root\" name=\"root\">\n", out);
    begin(out, "system", "system", -1);
    put_system(opaque, out);
    end(out);
    end(out);
}

/* Levels of caches; 0 with ERR if McPAT has no place for the machine's. */
static unsigned levels_of(const struct params *params, struct err *err)
{
    static const char *const models[] = {"one-level", "two-level", "three-level"};
    const char *model = params_string(params, "cache.model");
    unsigned levels = 0;
    for (unsigned i = 0; i < sizeof models / sizeof models[0]; i++)
        if (strcmp(model, models[i]) == 0)
            levels = i + 1;
    if (levels == 0)
        err_set(err, "--mcpat needs caches, and the machine has none (cache.model=%s)", model);
    else if (!params_bool(params, "cache.l1.split") || (levels >= 2 && params_bool(params, "cache.l2.split"))) {
        err_set(
            err,
            "--mcpat: McPAT knows split first levels and unified second levels only (cache.l1.split, cache.l2.split)");
        levels = 0;
    }
    return levels;
}

/* Set the parameter NAME ("parameters.cache.l2.size") to the one of the file, unless it is unknown. */
static void take_parameter(void *opaque, const char *name, const json_t *value)
{
    struct params *params = opaque;
    const char *const parameter = name + strlen("parameters.");
    const struct param_def *param = params_find(params, parameter);
    if (json_is_string(value) && param && param->traits & TRAIT_TIMED)
        params_set(params, parameter, json_string_value(value), NULL);
}

/* The sum of the counts NAMES, which end with NULL. */
static uint64_t counts_of(const struct results *column, const char *const *names)
{
    uint64_t sum = 0, count;
    for (; *names; names++)
        if (results_count(column, *names, &count))
            sum_add(&sum, count);
    return sum;
}

static bool read_run(struct mcpat *mcpat, const struct results *column, struct err *err)
{
    mcpat->cpus = column->cpus;
    mcpat->ordered = strcmp(column->model, "mxs") != 0;
    mcpat->cpu = checked_memory(calloc(at_least_one(column->cpus), sizeof *mcpat->cpu));
    for (unsigned i = 0; i < column->cpus; i++) {
        const struct processor cpu = {column, i};
        char mix[40];
        snprintf(mix, sizeof mix, "cpu%u.mode.%s.mix", i, mode_name(MODE_USER));
        if (!results_has(column, mix))
            return err_set(err, "--mcpat needs the instruction mix: run with --set execution.counts=mix");
        read_activity(&cpu, mcpat->ordered, &mcpat->cpu[i]);
        if (mcpat->cpu[i].cycles > mcpat->cycles)
            mcpat->cycles = mcpat->cpu[i].cycles;
    }
    static const char *const reads[] = {"memory.fills", "memory.dma_reads", NULL};
    static const char *const writes[] = {"memory.write_backs", "memory.writes", "memory.dma_writes", NULL};
    mcpat->memory_reads = counts_of(column, reads);
    mcpat->memory_writes = counts_of(column, writes);
    return true;
}

bool mcpat_save(const struct result_files *report, const char *path, struct err *err)
{
    if (report->count != 1)
        return err_set(err, "--mcpat takes one run, and there are %u", report->count);
    const struct results *column = report->columns[0];
    struct machine_options options;
    struct err reason = {""};
    machine_options_init(&options);
    results_visit(column, "parameters", take_parameter, options.params);
    struct mcpat mcpat = {.params = options.params, .levels = levels_of(options.params, &reason)};
    bool done = mcpat.levels > 0 && read_run(&mcpat, column, &reason);
    done = done ? save_file("McPAT file", path, write_xml, &mcpat, err)
                : err_set(err, "%.200s: %s", column->title, reason.text);
    free(mcpat.cpu);
    machine_options_release(&options);
    return done;
}
