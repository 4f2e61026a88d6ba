/* A layout of the kernel's code from its execution profile (cpu/observe/code_layout.h): the map of --profile
 * FILE.layout, the guards beside it, and the figures in the JSON profile. docs/reference/kernel-layout.md */
#include "src/base/save_file.h"
#include "src/observe/kernel_code.h"
#include "src/observe/profile.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAP_ENDING   ".layout"
#define GUARD_ENDING ".guards"

struct kernel_layout {
    struct kernel_code kernel;
    struct code_layout_options options;
    struct code_layout layout;
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

static bool make_layout(struct kernel_layout *made, const struct machine *machine)
{
    if (!kernel_code_read(&made->kernel, machine, true))
        return false;
    read_options(&made->options, machine->params);
    code_layout_make(&made->layout, &made->kernel.code, made->kernel.at, made->kernel.fixed, made->kernel.fixed_count,
                     &made->options);
    return true;
}

static void release_layout(struct kernel_layout *made)
{
    code_layout_release(&made->layout);
    kernel_code_release(&made->kernel);
}

/* Files */

static void put_figures(const struct kernel_layout *made, FILE *out)
{
    const struct code_layout *layout = &made->layout;
    const struct layout_jumps *jumps = &layout->jumps;
    fprintf(out, "# code of the kernel and %u modules: %zu words, of which %zu in %zu basic blocks executed\n",
            made->kernel.modules, made->kernel.code.words, layout->words, layout->blocks);
    fprintf(out, "# %zu seeds, %zu sequences\n", layout->seeds, layout->sequences);
    for (unsigned i = 0; i < made->options.passes.count; i++)
        fprintf(out, "#   pass %u (executions %g, probability %g): %zu sequences\n", i + 1,
                made->options.passes.pass[i].executions, made->options.passes.pass[i].probability, layout->of_pass[i]);
    fprintf(out, "# SelfConfFree area: %zu words of %zu routines; %zu lines of exception vectors keep their sets\n",
            layout->area_words, layout->area_routines, layout->fixed_lines);
    fprintf(out, "# cache: %" PRIu32 "-byte lines, %" PRIu32 " bytes of different sets\n", made->options.line,
            made->options.way);
    fprintf(out, "# lines with executed code: %zu before, %zu after\n", layout->lines_before, layout->lines_after);
    fprintf(out,
            "# a relinked kernel would have executed %" PRId64 " jumps more, at %zu places, and %" PRId64
            " less, at %zu\n",
            jumps->added, jumps->added_places, jumps->saved, jumps->saved_places);
}

static void put_map(const void *opaque, FILE *out)
{
    const struct kernel_layout *made = opaque;
    const struct code_layout *layout = &made->layout;
    const paddr *from = made->kernel.at, *to = layout->to;
    fputs("# simos: a map for cache.layout (docs/reference/kernel-layout.md)\n", out);
    put_figures(made, out);
    for (size_t i = 0, count; i < made->kernel.code.words; i += count) {
        const size_t word = layout->order[i];
        for (count = 1; i + count < made->kernel.code.words; count++) {
            const size_t next = layout->order[i + count];
            if (to[next] - to[word] != count * 4 || from[next] - from[word] != count * 4)
                break;
        }
        if (from[word] != to[word])
            fprintf(out, "code 0x%08" PRIx32 " 0x%08" PRIx32 " %zu\n", from[word], to[word], count * 4);
    }
}

static void put_guards(const void *opaque, FILE *out)
{
    const struct kernel_layout *made = opaque;
    fputs("# simos: guards for prefetch.guards=@FILE, with the map beside them (docs/reference/kernel-layout.md):\n"
          "# the last instruction of each sequence, and of each part of one that is in consecutive memory\n",
          out);
    for (size_t i = 0; i < made->layout.guards; i++)
        fprintf(out, "0x%08" PRIx32 "\n", made->kernel.at[made->layout.guard[i]]);
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

bool profile_save_layout(const struct machine *machine, const char *path, struct err *err)
{
    struct kernel_layout made;
    if (!machine->execution_profile)
        return err_set(err, "profile %s: needs execution.counts=profile", path);
    if (!make_layout(&made, machine))
        return err_set(err, "profile %s: needs the kernel's symbols _text and _etext (guest.symbols)", path);
    char *guards = profile_guards_path(path);
    const bool done =
        save_file("profile", path, put_map, &made, err) && save_file("profile", guards, put_guards, &made, err);
    free(guards);
    release_layout(&made);
    return done;
}

/* JSON */

void profile_write_layout(const struct machine *machine, struct json_writer *json)
{
    struct kernel_layout made;
    if (!make_layout(&made, machine))
        return;
    const struct code_layout *layout = &made.layout;
    json_line(json, 2);
    json_member_object(json, "layout");
    json_member_count(json, "modules", made.kernel.modules);
    json_member_count(json, "insns", made.kernel.code.words);
    json_member_count(json, "insns_executed", layout->words);
    json_member_count(json, "blocks", layout->blocks);
    json_member_count(json, "seeds", layout->seeds);
    json_member_count(json, "sequences", layout->sequences);
    json_line(json, 4);
    json_member_object(json, "area");
    json_member_count(json, "insns", layout->area_words);
    json_member_count(json, "routines", layout->area_routines);
    json_member_count(json, "vector_lines", layout->fixed_lines);
    json_end_object(json);
    json_line(json, 4);
    json_member_object(json, "lines");
    json_member_count(json, "before", layout->lines_before);
    json_member_count(json, "after", layout->lines_after);
    json_end_object(json);
    json_line(json, 4);
    json_member_object(json, "jumps");
    json_member_count(json, "added", (uint64_t)layout->jumps.added);
    json_member_count(json, "added_places", layout->jumps.added_places);
    json_member_count(json, "saved", (uint64_t)layout->jumps.saved);
    json_member_count(json, "saved_places", layout->jumps.saved_places);
    json_end_object(json);
    json_line(json, 2);
    json_end_object(json);
    release_layout(&made);
}
