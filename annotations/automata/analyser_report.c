/* Results of the logic analysers. */
#include "annotations/automata/analyser_state.h"

#include <inttypes.h>
#include <string.h>

static const char *const clocks[PROBE_CLOCKS] = {
    [PROBE_CYCLES] = "cycle", [PROBE_FETCHES] = "fetch", [PROBE_GRADUATIONS] = "graduation"};

const char *analyser_bus_name(unsigned bit)
{
    static const char *const names[ANALYSER_BUS_KINDS] = {"read", "write", "uncached", "idle"};
    return names[bit];
}

uint64_t analyser_count(const struct analyser *a, unsigned index)
{
    const unsigned bits = a->plan.counter[index].bits;
    return bits == 64 ? a->count[index] : a->count[index] & ((UINT64_C(1) << bits) - 1);
}

static bool find_count(const struct analyser *a, const char *name, uint64_t *value, struct err *err)
{
    for (unsigned i = 0; i < a->plan.counters; i++)
        if (strcmp(a->plan.counter[i].name, name) == 0) {
            *value = analyser_count(a, i);
            return true;
        }
    return err_set(err, "analyser %s has no counter \"%.64s\"", a->plan.name, name);
}

bool analysers_figure(const struct analysers *all, const char *name, const char *what, bool samples, uint64_t *value,
                      struct err *err)
{
    const struct analyser *a = all ? all->first : NULL;
    while (a && strcmp(a->plan.name, name) != 0)
        a = a->next;
    if (!a)
        return err_set(err, "there is no analyser %.64s", name);
    if (!samples)
        return find_count(a, what, value, err);
    for (unsigned i = 0; i < a->plan.states; i++)
        if (strcmp(a->plan.state[i], what) == 0) {
            *value = a->samples[i];
            return true;
        }
    return err_set(err, "analyser %s has no state \"%.64s\"", name, what);
}

void analysers_print(const struct analysers *all, FILE *out)
{
    for (const struct analyser *a = all ? all->first : NULL; a; a = a->next) {
        fprintf(out, "\nAnalyser %s on cpu%u, a sample each %s\n", a->plan.name, a->plan.cpu, clocks[a->plan.clock]);
        for (unsigned i = 0; i < a->plan.states; i++)
            fprintf(out, "%-32s %15" PRIu64 " samples\n", a->plan.state[i], a->samples[i]);
        for (unsigned i = 0; i < a->plan.counters; i++)
            fprintf(out, "%-32s %15" PRIu64 "\n", a->plan.counter[i].name, analyser_count(a, i));
        if (a->plan.traces)
            fprintf(out, "%-32s %15zu entries, %" PRIu64 " samples did not fit\n", "trace buffer", analyser_entries(a),
                    a->missed + a->stored - analyser_entries(a));
    }
}

static void write_one(const struct analyser *a, struct json_writer *json)
{
    json_member_object(json, a->plan.name);
    json_member_text(json, "clock", clocks[a->plan.clock]);
    json_member_count(json, "cpu", a->plan.cpu);
    json_member_object(json, "states");
    for (unsigned i = 0; i < a->plan.states; i++)
        json_member_count(json, a->plan.state[i], a->samples[i]);
    json_end_object(json);
    json_member_object(json, "counters");
    for (unsigned i = 0; i < a->plan.counters; i++)
        json_member_count(json, a->plan.counter[i].name, analyser_count(a, i));
    json_end_object(json);
    if (a->plan.traces) {
        json_member_count(json, "entries", analyser_entries(a));
        json_member_count(json, "overflowed", a->missed + a->stored - analyser_entries(a));
    }
    json_end_object(json);
}

void analysers_write_json(const struct analysers *all, struct json_writer *json)
{
    json_begin_object(json);
    for (const struct analyser *a = all->first; a; a = a->next) {
        json_line(json, 6);
        write_one(a, json);
    }
    json_line(json, 4);
    json_end_object(json);
}
