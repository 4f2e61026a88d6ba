/* A layout of code from its execution profile (cpu/observe/code_layout.h), of the kernel, of programs, or of both: the
 * map of --profile FILE.layout, the guards beside it, and the figures in the JSON profile.
 * docs/reference/kernel-layout.md */
#include "src/base/printable.h"
#include "src/base/save_file.h"
#include "src/base/symbols.h"
#include "src/observe/kernel_code.h"
#include "src/observe/profile.h"
#include "src/observe/program_code.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAP_ENDING   ".layout"
#define GUARD_ENDING ".guards"

struct made_layout {
    bool of_kernel, of_programs;
    const struct symbols *symbols; /* of the kernel */
    struct code_layout_options options;
    struct kernel_code kernel;
    struct code_layout layout; /* of the kernel */
    struct program_codes programs;
    struct code_layout *program; /* [programs.count] */
    struct code_layout sum;      /* the figures of all programs */
};

static void read_options(struct code_layout_options *options, const struct params *params)
{
    struct err err = {""};
    const uint64_t area = params_u64(params, "execution.layout.area");
    if (!code_passes_read(&options->passes, params_string(params, "execution.layout.thresholds"), &err))
        log_bug("%s", err.text); /* they were read when the machine was created */
    options->line = (uint32_t)params_u64(params, "cache.l1i.line");
    options->way = (uint32_t)(params_u64(params, "cache.l1i.size") / params_u64(params, "cache.l1i.ways"));
    if (options->way < options->line)
        options->way = options->line;
    options->area = area < options->way / 2 ? (uint32_t)area : options->way / 2;
}

static void add_figures(struct code_layout *sum, const struct code_layout *layout)
{
    sum->blocks += layout->blocks;
    sum->sequences += layout->sequences;
    sum->seeds += layout->seeds;
    sum->words += layout->words;
    sum->lines_before += layout->lines_before;
    sum->lines_after += layout->lines_after;
    sum->jumps.added += layout->jumps.added;
    sum->jumps.added_places += layout->jumps.added_places;
    sum->jumps.saved += layout->jumps.saved;
    sum->jumps.saved_places += layout->jumps.saved_places;
}

/* A program is laid out in its file: the frames that its pages get are not known when it is linked. So it has no area
 * that keeps sets of the cache for itself. */
static void make_program(const struct program_code *program, struct code_layout *layout,
                         const struct code_layout_options *options)
{
    struct code_layout_options without_area = *options;
    without_area.area = 0;
    code_layout_make(layout, &program->code, program->offset, NULL, 0, &without_area);
    for (size_t i = 0; i < program->code.words; i++)
        layout->to[i] = program_code_at(program, layout->to[i]);
}

static void make_programs(struct made_layout *made, const struct machine *machine)
{
    program_codes_read(&made->programs, machine, made->kernel.at, made->of_kernel ? made->kernel.code.words : 0);
    made->program = checked_memory(calloc(made->programs.count + 1, sizeof *made->program));
    for (size_t i = 0; i < made->programs.count; i++) {
        make_program(&made->programs.program[i], &made->program[i], &made->options);
        add_figures(&made->sum, &made->program[i]);
    }
}

/* False if MACHINE lacks the symbols of the kernel, without which programs are not known either. */
static bool make_layout(struct made_layout *made, const struct machine *machine)
{
    vaddr first, end;
    *made = (struct made_layout){.of_kernel = !params_is(machine->params, "execution.layout.of", "programs"),
                                 .of_programs = !params_is(machine->params, "execution.layout.of", "kernel")};
    made->symbols = machine->symbols;
    read_options(&made->options, machine->params);
    if (!symbols_text(machine->symbols, &first, &end) ||
        (made->of_kernel && !kernel_code_read(&made->kernel, machine, true)))
        return false;
    if (made->of_kernel)
        code_layout_make(&made->layout, &made->kernel.code, made->kernel.at, made->kernel.fixed,
                         made->kernel.fixed_count, &made->options);
    if (made->of_programs)
        make_programs(made, machine);
    return true;
}

static void release_layout(struct made_layout *made)
{
    for (size_t i = 0; i < made->programs.count; i++)
        code_layout_release(&made->program[i]);
    free(made->program);
    program_codes_release(&made->programs);
    code_layout_release(&made->layout);
    kernel_code_release(&made->kernel);
}

/* Files */

static void put_passes(const struct made_layout *made, const struct code_layout *layout, FILE *out)
{
    fprintf(out, "# %zu seeds, %zu sequences\n", layout->seeds, layout->sequences);
    for (unsigned i = 0; i < made->options.passes.count; i++)
        fprintf(out, "#   pass %u (executions %g, probability %g): %zu sequences\n", i + 1,
                made->options.passes.pass[i].executions, made->options.passes.pass[i].probability, layout->of_pass[i]);
}

static void put_cache(const struct made_layout *made, FILE *out)
{
    fprintf(out, "# cache: %" PRIu32 "-byte lines, %" PRIu32 " bytes of different sets\n", made->options.line,
            made->options.way);
}

static void put_lines_and_jumps(const struct code_layout *layout, const char *relinked, FILE *out)
{
    const struct layout_jumps *jumps = &layout->jumps;
    fprintf(out, "# lines with executed code: %zu before, %zu after\n", layout->lines_before, layout->lines_after);
    fprintf(out, "# %s would have executed %" PRId64 " jumps more, at %zu places, and %" PRId64 " less, at %zu\n",
            relinked, jumps->added, jumps->added_places, jumps->saved, jumps->saved_places);
}

/* The pieces of CODE that move, whose words are at FROM. */
static void put_pieces(const struct profiled_code *code, const paddr *from, const struct code_layout *layout, FILE *out)
{
    const paddr *to = layout->to;
    for (size_t i = 0, count; i < code->words; i += count) {
        const size_t word = layout->order[i];
        for (count = 1; i + count < code->words; count++) {
            const size_t next = layout->order[i + count];
            if (to[next] - to[word] != count * 4 || from[next] - from[word] != count * 4)
                break;
        }
        if (from[word] != to[word])
            fprintf(out, "code 0x%08" PRIx32 " 0x%08" PRIx32 " %zu\n", from[word], to[word], count * 4);
    }
}

static void put_kernel(const struct made_layout *made, FILE *out)
{
    const struct code_layout *layout = &made->layout;
    fprintf(out, "# code of the kernel and %u modules: %zu words, of which %zu in %zu basic blocks executed\n",
            made->kernel.modules, made->kernel.code.words, layout->words, layout->blocks);
    put_passes(made, layout, out);
    fprintf(out, "# SelfConfFree area: %zu words of %zu routines; %zu lines of exception vectors keep their sets\n",
            layout->area_words, layout->area_routines, layout->fixed_lines);
    put_cache(made, out);
    put_lines_and_jumps(layout, "a relinked kernel", out);
    put_pieces(&made->kernel.code, made->kernel.at, layout, out);
}

static void put_program(const struct program_code *program, const struct code_layout *layout, FILE *out)
{
    fprintf(out, "# program %s: %zu pages, %zu words in %zu basic blocks executed; lines: %zu before, %zu after\n",
            PRINTABLE(program->name), program->code.words * 4 / PAGE_SIZE, layout->words, layout->blocks,
            layout->lines_before, layout->lines_after);
    put_pieces(&program->code, program->at, layout, out);
}

static void put_programs(const struct made_layout *made, FILE *out)
{
    const struct program_codes *programs = &made->programs;
    fprintf(out, "# code of %zu programs: %zu words on %zu pages, of which %zu in %zu basic blocks executed\n",
            programs->count, programs->pages * (PAGE_SIZE / 4), programs->pages, made->sum.words, made->sum.blocks);
    fprintf(out, "# pages that stay: %zu executed in several frames or shared one, %zu have changed\n", programs->moved,
            programs->changed);
    fprintf(out, "# %zu seeds, %zu sequences\n", made->sum.seeds, made->sum.sequences);
    put_cache(made, out);
    put_lines_and_jumps(&made->sum, "relinked programs", out);
    for (size_t i = 0; i < programs->count; i++)
        put_program(&programs->program[i], &made->program[i], out);
}

static void put_map(const void *opaque, FILE *out)
{
    const struct made_layout *made = opaque;
    fputs("# simos: a map for cache.layout (docs/reference/kernel-layout.md)\n", out);
    if (made->of_kernel)
        put_kernel(made, out);
    if (made->of_programs)
        put_programs(made, out);
}

static void put_guards_of(const struct code_layout *layout, const paddr *at, FILE *out)
{
    for (size_t i = 0; i < layout->guards; i++)
        fprintf(out, "0x%08" PRIx32 "\n", at[layout->guard[i]]);
}

static void put_guards(const void *opaque, FILE *out)
{
    const struct made_layout *made = opaque;
    fputs("# simos: guards for prefetch.guards=@FILE, with the map beside them (docs/reference/kernel-layout.md):\n"
          "# the last instruction of each sequence, and of each part of one that is in consecutive memory\n",
          out);
    put_guards_of(&made->layout, made->kernel.at, out);
    for (size_t i = 0; i < made->programs.count; i++)
        put_guards_of(&made->program[i], made->programs.program[i].at, out);
}

/* Symbols of one address, and where the first of the executed words from there to the next symbol goes. */
struct placed_function {
    size_t place; /* its index in code_layout.order */
    size_t symbol, names;
};

static int by_place(const void *a, const void *b)
{
    const struct placed_function *one = a, *other = b;
    return one->place < other->place ? -1 : one->place > other->place;
}

/* [words of the kernel's code]: where each goes, if it executed, else SIZE_MAX */
static size_t *places_of(const struct made_layout *made)
{
    const struct profiled_code *code = &made->kernel.code;
    size_t *place = checked_memory(malloc((code->words + 1) * sizeof *place));
    for (size_t i = 0; i < code->words; i++)
        place[made->layout.order[i]] = code->count[made->layout.order[i]] > 0 ? i : SIZE_MAX;
    return place;
}

/* The functions of TEXT, the words of the kernel's text, that executed, by place. The caller frees them. */
static struct placed_function *placed_functions(const struct made_layout *made, const struct profiled_range *text,
                                                size_t *count)
{
    struct placed_function *function = NULL;
    const struct symbol *symbol, *next;
    size_t *place = places_of(made), room = 0;
    *count = 0;
    for (size_t i = 0, names; (symbol = symbols_get(made->symbols, i)) != NULL; i += names) {
        for (names = 1; (next = symbols_get(made->symbols, i + names)) && next->address == symbol->address;)
            names++;
        if (symbol->address < text->first || (symbol->address - text->first) / 4 >= text->words)
            continue;
        const size_t begin = (symbol->address - text->first) / 4;
        const size_t behind = next ? (next->address - text->first) / 4 : text->words;
        struct placed_function placed = {.place = SIZE_MAX, .symbol = i, .names = names};
        for (size_t word = begin; word < behind && word < text->words; word++)
            if (place[word] < placed.place)
                placed.place = place[word];
        if (placed.place == SIZE_MAX)
            continue;
        if (*count == room) {
            room = 2 * room + 64;
            function = checked_memory(realloc(function, room * sizeof *function));
        }
        function[(*count)++] = placed;
    }
    free(place);
    if (*count > 0)
        qsort(function, *count, sizeof *function, by_place);
    return function;
}

/* The first range is the text, the others are modules. */
static void put_functions(const void *opaque, FILE *out)
{
    const struct made_layout *made = opaque;
    size_t count = 0;
    const struct profiled_range *text = made->kernel.code.ranges > 0 ? made->kernel.code.range : NULL;
    struct placed_function *function = text ? placed_functions(made, text, &count) : NULL;
    for (size_t i = 0; i < count; i++)
        for (size_t name = 0; name < function[i].names; name++)
            fprintf(out, "%s\n", PRINTABLE(symbols_get(made->symbols, function[i].symbol + name)->name));
    free(function);
}

char *profile_guards_path(const char *path)
{
    char *guards = NULL;
    const size_t length = strlen(path);
    if (path_ends_with(path, MAP_ENDING) &&
        asprintf(&guards, "%.*s%s", (int)(length - strlen(MAP_ENDING)), path, GUARD_ENDING) < 0)
        log_bug("out of memory");
    return guards;
}

/* The layout for PATH, of which a message names what is missing. */
static bool make_layout_for(struct made_layout *made, const struct machine *machine, const char *path, struct err *err)
{
    if (!machine->execution_profile)
        return err_set(err, "profile %s: needs execution.counts=profile", path);
    return make_layout(made, machine) ||
           err_set(err, "profile %s: needs the kernel's symbols _text and _etext (guest.symbols)", path);
}

bool profile_save_functions(const struct machine *machine, const char *path, struct err *err)
{
    struct made_layout made;
    if (params_is(machine->params, "execution.layout.of", "programs"))
        return err_set(err, "profile %s: has the kernel's functions, and execution.layout.of is programs", path);
    if (!make_layout_for(&made, machine, path, err))
        return false;
    const bool done = save_file("profile", path, put_functions, &made, err);
    release_layout(&made);
    return done;
}

bool profile_save_layout(const struct machine *machine, const char *path, struct err *err)
{
    struct made_layout made;
    if (!make_layout_for(&made, machine, path, err))
        return false;
    char *guards = profile_guards_path(path);
    const bool done =
        save_file("profile", path, put_map, &made, err) && save_file("profile", guards, put_guards, &made, err);
    free(guards);
    release_layout(&made);
    return done;
}

/* JSON */

static void write_counts(const struct code_layout *layout, size_t insns, struct json_writer *json)
{
    json_member_count(json, "insns", insns);
    json_member_count(json, "insns_executed", layout->words);
    json_member_count(json, "blocks", layout->blocks);
    json_member_count(json, "seeds", layout->seeds);
    json_member_count(json, "sequences", layout->sequences);
}

static void write_area(const struct code_layout *layout, struct json_writer *json)
{
    json_line(json, 4);
    json_member_object(json, "area");
    json_member_count(json, "insns", layout->area_words);
    json_member_count(json, "routines", layout->area_routines);
    json_member_count(json, "vector_lines", layout->fixed_lines);
    json_end_object(json);
}

static void write_lines_and_jumps(const struct code_layout *layout, unsigned indent, struct json_writer *json)
{
    json_line(json, indent);
    json_member_object(json, "lines");
    json_member_count(json, "before", layout->lines_before);
    json_member_count(json, "after", layout->lines_after);
    json_end_object(json);
    json_line(json, indent);
    json_member_object(json, "jumps");
    json_member_count(json, "added", (uint64_t)layout->jumps.added);
    json_member_count(json, "added_places", layout->jumps.added_places);
    json_member_count(json, "saved", (uint64_t)layout->jumps.saved);
    json_member_count(json, "saved_places", layout->jumps.saved_places);
    json_end_object(json);
}

static void write_programs(const struct made_layout *made, struct json_writer *json)
{
    const struct program_codes *programs = &made->programs;
    json_line(json, 4);
    json_member_object(json, "programs");
    json_member_count(json, "files", programs->count);
    json_member_count(json, "pages", programs->pages);
    json_member_count(json, "pages_moved", programs->moved);
    json_member_count(json, "pages_changed", programs->changed);
    write_counts(&made->sum, programs->pages * (PAGE_SIZE / 4), json);
    write_lines_and_jumps(&made->sum, 6, json);
    json_line(json, 4);
    json_end_object(json);
}

void profile_write_layout(const struct machine *machine, struct json_writer *json)
{
    struct made_layout made;
    if (!make_layout(&made, machine))
        return;
    json_line(json, 2);
    json_member_object(json, "layout");
    if (made.of_kernel) {
        json_member_count(json, "modules", made.kernel.modules);
        write_counts(&made.layout, made.kernel.code.words, json);
        write_area(&made.layout, json);
        write_lines_and_jumps(&made.layout, 4, json);
    }
    if (made.of_programs)
        write_programs(&made, json);
    json_line(json, 2);
    json_end_object(json);
    release_layout(&made);
}
