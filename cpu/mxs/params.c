/* mxs's parameters. Latencies: MIPS R10000 Microprocessor User's Manual, "latencies and repeat rates". */
#include "cpu/model.h"
#include "cpu/mxs/mxs.h"
#include "cpu/predict/predictor.h"
#include <stdio.h>

#define INT_ROW(NAME, TRAITS, UNIT, INITIAL, MIN, MAX, HELP)                                                           \
    {                                                                                                                  \
        .name = "mxs." NAME, .type = PARAM_INT, .traits = (TRAITS), .unit = UNIT, .initial = INITIAL, .min = MIN,      \
        .max = MAX, .help = HELP                                                                                       \
    }
#define COUNT_ROW(NAME, UNIT, INITIAL, MIN, MAX, HELP) INT_ROW(NAME, TRAIT_TIMED, UNIT, INITIAL, MIN, MAX, HELP)
#define TABLE_ROW(NAME, INITIAL, MIN, MAX, HELP)                                                                       \
    {                                                                                                                  \
        .name = "mxs." NAME, .type = PARAM_INT, .traits = TRAIT_TIMED, .unit = "entries", .initial = INITIAL,          \
        .min = MIN, .max = MAX, .power_of_two = true, .help = HELP                                                     \
    }
#define LATENCY_ROW(NAME, INITIAL, HELP) COUNT_ROW("latency." NAME, "cycles", INITIAL, 1, COST_MAX, HELP)
#define UNIT_ROW(NAME, HELP)             COUNT_ROW("units." NAME, "", "0", 0, MXS_WIDTH_MAX, HELP "; 0: unlimited")

static const struct param_def defs[] = {
    COUNT_ROW("fetch_width", "instructions", "4", 1, MXS_WIDTH_MAX, "maximum number of instructions fetched per cycle"),
    COUNT_ROW("issue_width", "instructions", "4", 1, MXS_WIDTH_MAX, "maximum number of instructions issued per cycle"),
    COUNT_ROW("graduate_width", "instructions", "4", 1, MXS_WIDTH_MAX,
              "maximum number of instructions graduated per cycle"),
    COUNT_ROW("window", "instructions", "64", 2, MXS_WINDOW_MAX, "size of the instruction window (reorder buffer)"),
    COUNT_ROW("load_store_queue", "instructions", "32", 1, MXS_WINDOW_MAX, "size of the load/store queue"),
    COUNT_ROW("branches", "instructions", "4", 1, MXS_WINDOW_MAX,
              "maximum number of unresolved conditional branches and indirect jumps"),
    COUNT_ROW("decode_delay", "cycles", "2", 1, 20, "delay from fetch to the earliest issue"),
    COUNT_ROW(
        "redirect_delay", "cycles", "1", 0, 20,
        "delay from the detection of a misprediction, or the end of a serialising instruction, to the next fetch"),
    COUNT_ROW("exception_delay", "cycles", "0", 0, 200,
              "delay from an exception to the fetch of its handler; 0: as mxs.redirect_delay"),
    COUNT_ROW("eret_delay", "cycles", "0", 0, 200, "delay from eret to the next fetch; 0: as mxs.redirect_delay"),
    COUNT_ROW("taken_delay", "cycles", "0", 0, 20, "fetch bubble after a branch or jump that is predicted taken"),
    TABLE_ROW("return_stack", "8", 0, 1024,
              "size of the stack of return addresses that predicts jumps through $ra; 0: none"),
    TABLE_ROW(
        "indirect_targets", "256", 0, 1 << 20,
        "size of the table that predicts the targets of other indirect jumps; 0: fetch waits until they have executed"),
    {.name = "mxs.loads_pass",
     .type = PARAM_CHOICE,
     .traits = TRAIT_TIMED,
     .unit = "",
     .initial = "all",
     .choices = "all|known",
     .help = "older stores that a load may pass: all (speculatively, with replay), or only those with known addresses"},
    {.name = "mxs.check",
     .type = PARAM_BOOL,
     .traits = TRAIT_UNTIMED | TRAIT_OBSERVES,
     .unit = "",
     .initial = "off",
     .help = "check every graduating instruction against in-order execution (slow)"},
    {.name = "mxs.view",
     .type = PARAM_OUTPUT,
     .traits = TRAIT_UNTIMED | TRAIT_OBSERVES,
     .unit = "",
     .initial = "",
     .help = "pipeline trace, for a viewer: times of fetch, issue, completion and graduation; CPU N > 0: "
             "FILE.cpuN"},
    {.name = "mxs.view_format",
     .type = PARAM_CHOICE,
     .traits = TRAIT_UNTIMED | TRAIT_OBSERVES,
     .unit = "",
     .initial = "konata",
     .choices = "konata|o3pipeview",
     .help = "format of the pipeline trace"},
    INT_ROW("view_from", TRAIT_UNTIMED | TRAIT_OBSERVES, "instructions", "0", 0, UINT64_MAX,
            "number of instructions that graduate before the trace starts"),
    INT_ROW("view_count", TRAIT_UNTIMED | TRAIT_OBSERVES, "instructions", "1000", 1, 1000000,
            "maximum number of instructions in the trace, including wrong-path instructions"),
    UNIT_ROW("integer", "units for integer arithmetic, branches and jumps"),
    UNIT_ROW("shift", "units for shifts"),
    UNIT_ROW("multiply", "units for integer multiplication and division, not pipelined"),
    UNIT_ROW("memory", "units that calculate addresses of loads and stores"),
    UNIT_ROW("fp_add", "units for floating-point addition, conversion, comparison and moves"),
    UNIT_ROW("fp_multiply", "units for floating-point multiplication"),
    UNIT_ROW("fp_divide", "units for floating-point division and square root, not pipelined"),
    LATENCY_ROW("alu", "1", "integer arithmetic, branches, jumps, traps"),
    LATENCY_ROW("shift", "1", "shifts"),
    LATENCY_ROW("multiply", "6", "integer multiplication"),
    LATENCY_ROW("divide", "35", "integer division"),
    LATENCY_ROW("load", "2", "integer loads that hit"),
    LATENCY_ROW("load_fp", "3", "floating-point loads that hit"),
    LATENCY_ROW("store", "1", "stores that hit"),
    LATENCY_ROW("fp_add", "2", "floating-point addition"),
    LATENCY_ROW("fp_multiply", "2", "floating-point multiplication"),
    LATENCY_ROW("fp_multiply_add", "4", "floating-point multiplication with addition"),
    LATENCY_ROW("fp_divide_single", "12", "single-precision division"),
    LATENCY_ROW("fp_divide_double", "19", "double-precision division"),
    LATENCY_ROW("fp_sqrt_single", "18", "single-precision square root"),
    LATENCY_ROW("fp_sqrt_double", "33", "double-precision square root"),
    LATENCY_ROW("fp_convert", "2", "floating-point conversion"),
    LATENCY_ROW("fp_compare", "2", "floating-point comparison"),
    LATENCY_ROW("fp_move", "2", "floating-point moves"),
};

void mxs_define_params(struct params *params)
{
    params_define(params, defs, sizeof defs / sizeof *defs);
    predictor_define_params(params);
}

static unsigned number(const struct params *params, const char *name)
{
    return (unsigned)params_u64(params, name);
}

void mxs_config_read(struct mxs_config *config, const struct params *params)
{
    static const char *const units[UNITS] = {"mxs.units.integer",  "mxs.units.shift",  "mxs.units.multiply",
                                             "mxs.units.memory",   "mxs.units.fp_add", "mxs.units.fp_multiply",
                                             "mxs.units.fp_divide"};
    *config = (struct mxs_config){
        .fetch_width = number(params, "mxs.fetch_width"),
        .issue_width = number(params, "mxs.issue_width"),
        .graduate_width = number(params, "mxs.graduate_width"),
        .window = number(params, "mxs.window"),
        .load_store_queue = number(params, "mxs.load_store_queue"),
        .branches = number(params, "mxs.branches"),
        .decode_delay = number(params, "mxs.decode_delay"),
        .redirect_delay = number(params, "mxs.redirect_delay"),
        .exception_delay = number(params, "mxs.exception_delay"),
        .eret_delay = number(params, "mxs.eret_delay"),
        .taken_delay = number(params, "mxs.taken_delay"),
        .fetch_ports = number(params, "cache.l1i.ports"),
        .data_ports = number(params, "cache.l1d.ports"),
        .checks = params_bool(params, "mxs.check"),
        .loads_speculate = params_string(params, "mxs.loads_pass")[0] == 'a',
    };
    for (unsigned i = 0; i < COST_CLASSES; i++) {
        char name[40];
        snprintf(name, sizeof name, "mxs.latency.%s", isa_cost_name[i]);
        config->latency[i] = (uint8_t)number(params, name);
    }
    for (unsigned i = 0; i < UNITS; i++)
        config->units[i] = (uint8_t)number(params, units[i]);
}
