/* Results of the automata. */
#include "annotations/automata/automaton_state.h"
#include "src/base/json_writer.h"
#include "src/base/printable.h"

#include <inttypes.h>
#include <string.h>

static const char *const per_names[] = {[PER_CPU] = "cpu", [PER_PROCESS] = "process", [PER_LINE] = "line"};

/* Number of instances in STATE now; of lines, only for states other than the first. */
static uint64_t members(const struct automaton *automaton, unsigned state)
{
    uint64_t count = 0;
    for (unsigned cpu = 0; automaton->plan.per == PER_CPU && cpu < automaton->all->machine->cpus; cpu++)
        count += automaton->cpu[cpu].own.state == state;
    for (const struct hash_slot *slot = hash_map_next(&automaton->processes, NULL); slot;
         slot = hash_map_next(&automaton->processes, slot))
        count += ((const struct instance *)slot->pointer)->state == state;
    return automaton->plan.per == PER_LINE && state > 0 ? automaton->line_members[state] : count;
}

static bool find_count(const struct automaton *automaton, const char *name, uint64_t *value, struct err *err)
{
    for (unsigned i = 0; i < automaton->plan.counts; i++)
        if (strcmp(automaton->plan.count[i], name) == 0) {
            *value = automaton->counted[i];
            return true;
        }
    return err_set(err, "automaton %s has no count \"%.64s\"", automaton->plan.name, name);
}

static bool find_figure(const struct automaton *automaton, unsigned state, const char *figure, uint64_t *value,
                        struct err *err)
{
    const struct automaton_sum *sum = &automaton->sum[state];
    const bool lines = automaton->plan.per == PER_LINE;
    const struct {
        const char *name;
        bool of_lines;
        uint64_t value;
    } figures[] = {{"entered", true, sum->entered},
                   {"members", true, members(automaton, state)},
                   {"time", false, sum->time},
                   {"cycles", false, sum->account.bucket.cycles},
                   {"insns", false, sum->account.bucket.insns}};
    for (unsigned i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        if (strcmp(figures[i].name, figure) != 0)
            continue;
        if (lines && !figures[i].of_lines)
            return err_set(err, "automaton %s is per line: its states have entered and members only, not %s",
                           automaton->plan.name, figure);
        if (lines && state == 0 && strcmp(figure, "members") == 0)
            return err_set(err, "automaton %s is per line: the lines in its first state are not counted",
                           automaton->plan.name);
        *value = figures[i].value;
        return true;
    }
    return err_set(err, "\"%.64s\" is not a figure of a state: entered, time, cycles, insns, members", figure);
}

bool automata_figure(struct automata *automata, const char *name, const char *what, const char *figure, uint64_t *value,
                     struct err *err)
{
    struct automaton *automaton = automata->first;
    while (automaton && strcmp(automaton->plan.name, name) != 0)
        automaton = automaton->next;
    if (!automaton)
        return err_set(err, "there is no automaton %.64s", name);
    automaton_update(automaton);
    if (!figure)
        return find_count(automaton, what, value, err);
    for (unsigned i = 0; i < automaton->plan.states; i++)
        if (strcmp(automaton->plan.state[i], what) == 0)
            return find_figure(automaton, i, figure, value, err);
    return err_set(err, "automaton %s has no state \"%.64s\"", name, what);
}

bool automata_any(const struct automata *automata)
{
    return automata && automata->first;
}

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

static void print_one(struct automaton *automaton, FILE *out)
{
    const double seconds = 1 / (double)automaton->all->machine->clock_hz;
    const bool charged = automaton->plan.per != PER_LINE;
    fprintf(out, "\nAutomaton %s, one per %s\n%-32s %12s", PRINTABLE(automaton->plan.name),
            per_names[automaton->plan.per], "state", "entered");
    if (charged)
        fprintf(out, " %15s %15s %15s %8s", "seconds in it", "cycles", "instructions", "CPI");
    else
        fprintf(out, " %15s", "lines now");
    fputc('\n', out);
    for (unsigned i = 0; i < automaton->plan.states; i++) {
        const struct automaton_sum *sum = &automaton->sum[i];
        const struct bucket *b = &sum->account.bucket;
        fprintf(out, "%-32s %12" PRIu64, PRINTABLE(automaton->plan.state[i]), sum->entered);
        if (charged)
            fprintf(out, " %15.6f %15" PRIu64 " %15" PRIu64 " %8.2f\n", (double)sum->time * seconds, b->cycles,
                    b->insns, ratio((double)(b->cycles - b->wait), (double)b->insns));
        else if (i > 0)
            fprintf(out, " %15" PRIu64 "\n", members(automaton, i));
        else
            fputc('\n', out);
    }
    for (unsigned i = 0; i < automaton->plan.counts; i++)
        fprintf(out, "%-32s %12" PRIu64 "\n", PRINTABLE(automaton->plan.count[i]), automaton->counted[i]);
}

void automata_print(struct automata *automata, FILE *out)
{
    for (struct automaton *at = automata ? automata->first : NULL; at; at = at->next) {
        automaton_update(at);
        print_one(at, out);
    }
}

static void write_state(const struct automaton *automaton, unsigned state, struct json_writer *json)
{
    const struct automaton_sum *sum = &automaton->sum[state];
    const bool charged = automaton->plan.per != PER_LINE;
    json_member_object(json, automaton->plan.state[state]);
    json_member_count(json, "entered", sum->entered);
    if (charged || state > 0)
        json_member_count(json, "members", members(automaton, state));
    if (charged) {
        json_member_count(json, "time", sum->time);
        account_write_json(&automaton->all->plan, &sum->account, json);
    }
    json_end_object(json);
}

static void write_automaton(const struct automaton *automaton, struct json_writer *json)
{
    json_member_object(json, automaton->plan.name);
    json_member_text(json, "per", per_names[automaton->plan.per]);
    json_member_object(json, "states");
    for (unsigned i = 0; i < automaton->plan.states; i++) {
        json_line(json, 8);
        write_state(automaton, i, json);
    }
    json_end_object(json);
    json_member_object(json, "counts");
    for (unsigned i = 0; i < automaton->plan.counts; i++)
        json_member_count(json, PRINTABLE(automaton->plan.count[i]), automaton->counted[i]);
    json_end_object(json);
    json_end_object(json);
}

void automata_write_json(struct automata *automata, struct json_writer *json)
{
    json_begin_object(json);
    for (struct automaton *at = automata->first; at; at = at->next) {
        automaton_update(at);
        json_line(json, 6);
        write_automaton(at, json);
    }
    json_line(json, 4);
    json_end_object(json);
}
