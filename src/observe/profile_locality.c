/* Locality of the kernel's code (cpu/observe/code_locality.h), from the execution profile. */
#include "cpu/observe/code_locality.h"
#include "src/base/log.h"
#include "src/base/symbols.h"
#include "src/observe/profile.h"
#include <stdlib.h>

/* The kernel's text, without the code that it frees after its start, and without modules. */
struct text {
    vaddr first, end;
    uint32_t *word;
    int64_t *count;
    size_t *routine;
    size_t routines;
};

static bool find_text(const struct machine *machine, struct text *text)
{
    *text = (struct text){.first = 0};
    return symbols_text(machine->symbols, &text->first, &text->end) && text->first % 4 == 0 && text->end > text->first;
}

static void read_text(const struct machine *machine, struct text *text)
{
    const size_t words = (text->end - text->first) / 4;
    text->word = checked_memory(calloc(words, sizeof *text->word));
    text->count = checked_memory(calloc(words, sizeof *text->count));
    core_debug_read(machine->cores[0], text->first, text->word, (uint32_t)(words * 4));
    size_t count;
    struct execution_count *insn = profile_instructions(machine, 1u << MODE_KERNEL | 1u << MODE_IDLE, &count);
    for (size_t i = 0; i < count; i++)
        if (insn[i].key >= text->first && insn[i].key < text->end)
            text->count[(insn[i].key - text->first) / 4] = insn[i].count;
    free(insn);
    const struct symbol *symbol;
    size_t symbols = 0;
    while (symbols_get(machine->symbols, symbols))
        symbols++;
    text->routine = checked_memory(calloc(symbols, sizeof *text->routine));
    for (size_t i = 0; (symbol = symbols_get(machine->symbols, i)) != NULL; i++) {
        const size_t index = (symbol->address - text->first) / 4;
        const bool is_new = text->routines == 0 || text->routine[text->routines - 1] != index;
        if (symbol->address >= text->first && symbol->address < text->end && is_new)
            text->routine[text->routines++] = index;
    }
}

static void write_loops(const char *name, const struct loop_figures *loops, struct json_writer *json)
{
    json_member_object(json, name);
    json_member_count(json, "loops", loops->loops);
    json_member_count(json, "at_most_six_iterations", loops->at_most_six);
    json_member_count(json, "executed", (uint64_t)loops->insns);
    json_member_count(json, "invocations", (uint64_t)loops->invocations);
    json_member_count(json, "iterations", (uint64_t)loops->iterations);
    json_end_object(json);
}

static void write_figures(const struct code_locality *locality, struct json_writer *json)
{
    const struct sequence_figures *sequences = &locality->sequences;
    json_member_count(json, "insns", locality->insns);
    json_member_count(json, "insns_executed", locality->insns_executed);
    json_member_count(json, "executed", (uint64_t)locality->executed);
    json_member_count(json, "transfers", (uint64_t)locality->transfers);
    json_line(json, 4);
    json_member_object(json, "routines");
    json_member_count(json, "all", locality->routines);
    json_member_count(json, "executed", locality->routines_executed);
    json_member_count(json, "called", locality->called);
    json_member_count(json, "called_from_one", locality->called_from_one);
    json_member_count(json, "targets", locality->targets);
    json_member_count(json, "targets_of_one", locality->targets_of_one);
    json_end_object(json);
    json_line(json, 4);
    write_loops("loops_without_calls", &locality->plain, json);
    json_line(json, 4);
    write_loops("loops_with_calls", &locality->calling, json);
    json_line(json, 4);
    json_member_object(json, "sequences");
    json_member_count(json, "sequences", sequences->sequences);
    json_member_count(json, "visits", sequences->visits);
    json_member_count(json, "insns", sequences->insns);
    json_member_count(json, "longest", sequences->longest);
    json_member_count(json, "executed", (uint64_t)sequences->executed);
    json_member_count(json, "executed_in_long", (uint64_t)sequences->executed_in_long);
    json_end_object(json);
}

void profile_write_locality(const struct machine *machine, struct json_writer *json)
{
    struct text text;
    size_t edges;
    if (!machine->execution_profile || !find_text(machine, &text))
        return;
    read_text(machine, &text);
    struct execution_edge *edge = execution_profile_edges(machine->execution_profile, &edges);
    const struct profiled_range range = {.first = text.first, .key = text.first, .words = (text.end - text.first) / 4};
    const struct profiled_code code = {.decoder = machine->cores[0]->decoder,
                                       .range = &range,
                                       .ranges = 1,
                                       .words = range.words,
                                       .word = text.word,
                                       .count = text.count,
                                       .routine = text.routine,
                                       .routines = text.routines,
                                       .edge = edge,
                                       .edges = edges};
    const struct code_locality locality = code_locality_of(&code);
    json_line(json, 2);
    json_member_object(json, "locality");
    json_line(json, 4);
    write_figures(&locality, json);
    json_line(json, 2);
    json_end_object(json);
    free(edge);
    free(text.word);
    free(text.count);
    free(text.routine);
}
