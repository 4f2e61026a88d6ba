#include "cache/observe/trace.h"

#include "src/base/address_text.h"
#include "src/base/board.h"
#include "src/base/log.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const struct param_def trace_param_defs[] = {
    {"trace.format", PARAM_CHOICE, TRAIT_UNTIMED | TRAIT_OBSERVES, "", "binary", 0, 0, false, "binary|din",
     "format of the --trace file"},
    {"trace.level", PARAM_INT, TRAIT_UNTIMED | TRAIT_OBSERVES, "", "1", 0, 4, false, NULL,
     "level of the references: 0 the instructions executed and their accesses; 1 the references of the CPUs; 2, 3, 4 "
     "those to that cache level, or to memory behind the last one"},
    {"trace.cpus", PARAM_STRING, TRAIT_UNTIMED | TRAIT_OBSERVES, "", "all", 0, 0, false, NULL,
     "CPUs whose references are kept: all, or 0,2-4"},
    {"trace.modes", PARAM_STRING, TRAIT_UNTIMED | TRAIT_OBSERVES, "", "all", 0, 0, false, NULL,
     "modes: all, or of user,kernel,idle"},
    {"trace.kinds", PARAM_STRING, TRAIT_UNTIMED | TRAIT_OBSERVES, "", "all", 0, 0, false, NULL,
     "kinds: all, or of fetch,read,write,write-back,dma-read,dma-write,cache-op,flush"},
    {"trace.addresses", PARAM_STRING, TRAIT_UNTIMED | TRAIT_OBSERVES, "", "all", 0, 0, false, NULL,
     "physical addresses: all, or FIRST-LAST, hexadecimal with 0x"},
    {"trace.times", PARAM_BOOL, TRAIT_UNTIMED | TRAIT_OBSERVES, "", "off", 0, 0, false, NULL,
     "with the time of each reference, in a binary trace"},
    {"trace.process", PARAM_CHOICE, TRAIT_UNTIMED | TRAIT_OBSERVES, "", "space", 0, 0, false, "space|process|thread",
     "what the number of a reference's process is: the CPU's address space, or the guest's process or thread ID"},
    {"trace.start", PARAM_STRING, TRAIT_UNTIMED | TRAIT_OBSERVES, "", "power-on", 0, 0, false, NULL,
     "from this EVENT on, or power-on"},
    {"trace.stop", PARAM_STRING, TRAIT_UNTIMED | TRAIT_OBSERVES, "", "end", 0, 0, false, NULL,
     "up to this EVENT, or end"},
};
const size_t trace_param_count = sizeof trace_param_defs / sizeof trace_param_defs[0];

const struct trace_filter trace_filter_all = {
    .cpus = UINT64_MAX, .modes = UINT32_MAX, .kinds = UINT32_MAX, .last = UINT32_MAX};

bool trace_filter_passes(const struct trace_filter *filter, const struct reference *reference)
{
    enum reference_kind kind = reference->kind;
    bool by_cpu = reference_is_access(kind) || kind == REFERENCE_CACHE_OP || kind == REFERENCE_INSNS ||
                  kind == REFERENCE_EXCEPTION;
    bool has_mode = reference_is_access(kind) || kind == REFERENCE_INSNS;
    bool has_address = kind != REFERENCE_FLUSH && kind != REFERENCE_INSNS && kind != REFERENCE_EXCEPTION;
    uint64_t last = (uint64_t)reference->address + (reference->size ? reference->size - 1 : 0);
    if (!(filter->kinds >> kind & 1) || (by_cpu && !(filter->cpus >> reference->cpu & 1)) ||
        (has_mode && !(filter->modes >> reference->mode & 1)))
        return false;
    return !has_address || (reference->address <= filter->last && last >= filter->first);
}

/* Parses one of WORDS at *TEXT, sets its bit, and advances *TEXT past it. */
static bool take_word(const char **text, const char *const *words, unsigned count, uint32_t *bits)
{
    size_t length = strcspn(*text, ",");
    for (unsigned i = 0; i < count; i++)
        if (strlen(words[i]) == length && memcmp(words[i], *text, length) == 0) {
            *bits |= 1u << i;
            *text += length;
            return true;
        }
    return false;
}

static bool parse_words(const struct params *params, const char *name, const char *const *words, unsigned count,
                        uint32_t always, uint32_t *bits, struct err *err)
{
    const char *value = params_string(params, name), *at = value;
    *bits = UINT32_MAX;
    if (strcmp(value, "all") == 0)
        return true;
    *bits = always;
    for (;;) {
        if (!take_word(&at, words, count, bits)) {
            const struct param_def *def = params_find(params, name);
            return err_set(err, "%s: \"%.64s\" is not valid; %s", name, value, def->help);
        }
        if (*at++ == 0)
            return true;
    }
}

static bool take_cpu(const char **text, unsigned long *cpu)
{
    char *end;
    if (!isdigit((unsigned char)**text))
        return false;
    *cpu = strtoul(*text, &end, 10);
    *text = end;
    return *cpu < BOARD_MAX_CPUS;
}

static bool parse_cpus(const char *value, uint64_t *bits)
{
    const char *at = value;
    *bits = UINT64_MAX;
    if (strcmp(value, "all") == 0)
        return true;
    for (*bits = 0;;) {
        unsigned long first, last;
        if (!take_cpu(&at, &first))
            return false;
        last = first;
        if (*at == '-' && (at++, !take_cpu(&at, &last)))
            return false;
        if (last < first)
            return false;
        for (unsigned long cpu = first; cpu <= last; cpu++)
            *bits |= UINT64_C(1) << cpu;
        if (*at == 0)
            return true;
        if (*at++ != ',')
            return false;
    }
}

static bool parse_addresses(const char *value, paddr *first, paddr *last)
{
    const char *at = value;
    if (strcmp(value, "all") == 0) {
        *first = 0;
        *last = UINT32_MAX;
        return true;
    }
    return address_text_take_range(&at, first, last) && *at == 0;
}

const char *const trace_kind_names[REFERENCE_KINDS] = {"fetch",     "read",     "write", "write-back",   "dma-read",
                                                       "dma-write", "cache-op", "flush", "instructions", "exception"};

const char trace_walk_name[] = "walk";

bool trace_filter_from_params(struct trace_filter *filter, const struct params *params, struct err *err)
{
    static const char *const modes[MODE_COUNT] = {[MODE_USER] = "user", [MODE_KERNEL] = "kernel", [MODE_IDLE] = "idle"};
    const char *cpus = params_string(params, "trace.cpus"), *addresses = params_string(params, "trace.addresses");
    if (!parse_words(params, "trace.modes", modes, MODE_COUNT, 0, &filter->modes, err) ||
        !parse_words(params, "trace.kinds", trace_kind_names, REFERENCE_INSNS,
                     1u << REFERENCE_INSNS | 1u << REFERENCE_EXCEPTION, &filter->kinds, err))
        return false;
    if (!parse_cpus(cpus, &filter->cpus))
        return err_set(err, "trace.cpus: \"%.64s\" is not valid: all, or numbers and ranges (0,2-4) below %d", cpus,
                       BOARD_MAX_CPUS);
    if (!parse_addresses(addresses, &filter->first, &filter->last))
        return err_set(err, "trace.addresses: \"%.64s\" is not valid: all, or FIRST-LAST; %s", addresses,
                       address_text_rule);
    return true;
}
