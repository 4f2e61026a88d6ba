#include "src/machine/machine_saved.h"

#include "cache/memsys.h"
#include "src/machine/board_devices.h"
#include "src/machine/board_disks.h"
#include "src/host/copy_saved.h"
#include "src/host/external.h"
#include "src/base/file_identity.h"
#include "src/machine/machine_model.h"
#include "src/guest/page_allocations.h"
#include "src/memory/physmem_saved.h"
#include "checkpoint/series_member.h"
#include "src/base/printable.h"
#include "src/base/version.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct saved_field machine_fields[] = {
    SAVED_FIELD(struct machine, now, SAVED_TIME),
    SAVED_FIELD(struct machine, next_poll, SAVED_TIME),
    SAVED_FIELD(struct machine, idle_since, SAVED_TIME),
    SAVED_FIELD(struct machine, entry, SAVED_U32),
    SAVED_FIELD(struct machine, userland_up, SAVED_BOOL),
    SAVED_LIMITED(struct machine, exit_status, SAVED_U32, 255),
    SAVED_STATISTIC(struct machine, off_time),
    SAVED_STATISTIC(struct machine, cycles_before),
    SAVED_STATISTIC(struct machine, insns_before),
};

/* With another clock the saved next poll may be more than a poll interval away. */
static bool after_load(void *base, struct err *err)
{
    struct machine *machine = base;
    if (machine->now == CYCLES_NEVER)
        return err_set(err, "field now: invalid time");
    if (machine->next_poll > machine->now + MACHINE_POLL_CYCLES)
        machine->next_poll = machine->now + MACHINE_POLL_CYCLES;
    return true;
}

static const struct saved_ops machine_ops = {.after_load = after_load};

/*
 * Instructions of each CPU under each model: number of models, then for each model the length of its name (a byte), the
 * name, and a count for each CPU. Version 1: the total number of counts, and the counts without names, in the order
 * mipsy, embra, mxs (if present).
 */

static unsigned model_count(void)
{
    unsigned models = 0;
    while (machine_cpu_model_at(models))
        models++;
    return models;
}

/* The use of MODEL by the first CPU; those of the other CPUs follow. */
static struct machine_model_use *uses_of(const struct machine *machine, unsigned model)
{
    return &machine->models->uses[model * machine->cpus];
}

static void write_uses(void *base, struct saved_out *out)
{
    const struct machine *machine = base;
    const struct machine_models *models = machine->models;
    saved_put_u32(out, model_count());
    for (unsigned model = 0; model < model_count(); model++) {
        const char *name = machine_cpu_model_at(model);
        const uint8_t length = (uint8_t)strlen(name);
        saved_put(out, &length, 1);
        saved_put(out, name, length);
        for (unsigned i = 0; i < machine->cpus; i++) {
            const struct machine_model_use *use = &uses_of(machine, model)[i];
            uint64_t since = use->model == models->present ? use->core->s.insns - models->since[i] : 0;
            saved_put_u64(out, use->insns + since);
        }
    }
}

static bool read_counts(struct machine *machine, unsigned model, struct saved_in *in)
{
    for (unsigned i = 0; i < machine->cpus; i++)
        if (!saved_get_u64(in, &uses_of(machine, model)[i].insns))
            return false;
    return true;
}

static bool read_uses_of_version_1(struct machine *machine, uint32_t count, struct saved_in *in, struct err *err)
{
    if (count % machine->cpus || count > model_count() * machine->cpus)
        return err_set(err, "%u counts of instructions for %u CPUs", count, machine->cpus);
    for (unsigned model = 0; model < count / machine->cpus; model++)
        if (!read_counts(machine, model, in))
            return false;
    return true;
}

/* Read a model name; *MODEL is its index. */
static bool read_name(unsigned *model, struct saved_in *in, struct err *err)
{
    char name[UINT8_MAX + 1];
    uint8_t length;
    if (!saved_get(in, &length, 1) || !saved_get(in, name, length))
        return false;
    name[length] = 0;
    for (*model = 0; *model < model_count(); ++*model)
        if (strcmp(machine_cpu_model_at(*model), name) == 0)
            return true;
    return err_set(err, "no CPU model of this version is called \"%.32s\"", name);
}

static bool read_uses(void *base, struct saved_in *in, struct err *err)
{
    struct machine *machine = base;
    uint32_t count;
    unsigned model;
    if (!saved_get_u32(in, &count))
        return false;
    if (in->version == 1)
        return read_uses_of_version_1(machine, count, in, err);
    if (count > model_count())
        return err_set(err, "%u CPU models; this version has %u", count, model_count());
    for (uint32_t i = 0; i < count; i++)
        if (!read_name(&model, in, err) || !read_counts(machine, model, in))
            return false;
    return true;
}

static const struct saved_ops use_ops = {.write = write_uses, .read = read_uses};

/* Section model_state: the counts of the counting model (if any), and the timing state of the present model, preceded
 * by its length, so that a machine with another model can skip it. Version 1, in which mxs had tables of another form,
 * is read if neither is there. Version 2 has no counts of misses that are outstanding together. */

static void count_bytes(void *opaque, const void *bytes, size_t count)
{
    uint64_t *length = opaque;
    (void)bytes;
    *length += count;
}

static void write_state(const struct machine *machine, struct saved_out *out)
{
    const struct cpu_model_ops *ops = machine->models->present;
    for (unsigned i = 0; i < machine->cpus; i++)
        ops->save(machine->cores[i]->model, out);
}

static void write_model(void *base, struct saved_out *out)
{
    const struct machine *machine = base;
    const struct cpu_model_ops *counting = machine->models->counting;
    uint64_t length = 0;
    saved_put_u32(out, counting != NULL);
    for (unsigned i = 0; counting && i < machine->cpus; i++)
        counting->save_counts(machine->cores[i], out);
    if (machine->models->present->save)
        write_state(machine, &(struct saved_out){.put = count_bytes, .opaque = &length});
    saved_put_u64(out, length);
    if (length > 0)
        write_state(machine, out);
}

/* Input stream limited to the bytes of the present model's state. */
struct bounded {
    struct saved_in *in;
    uint64_t left;
};

static bool get_bounded(void *opaque, void *bytes, size_t count)
{
    struct bounded *bounded = opaque;
    if (count > bounded->left)
        return false;
    bounded->left -= count;
    return saved_get(bounded->in, bytes, count);
}

static bool skip(struct saved_in *in, uint64_t length)
{
    uint8_t bytes[512];
    for (size_t part; length > 0; length -= part) {
        part = length < sizeof bytes ? (size_t)length : sizeof bytes;
        if (!saved_get(in, bytes, part))
            return false;
    }
    return true;
}

static bool read_state(struct machine *machine, struct saved_in *in, uint64_t length, struct err *err)
{
    const struct cpu_model_ops *ops = machine->models->present;
    struct bounded bounded = {in, length};
    struct saved_in state = {
        .get = get_bounded, .opaque = &bounded, .version = in->version, .continues = in->continues};
    if (!ops->load)
        return skip(in, length);
    for (unsigned i = 0; i < machine->cpus; i++)
        if (!ops->load(machine->cores[i]->model, &state, err))
            return false;
    return bounded.left == 0 || err_set(err, "%" PRIu64 " bytes too many", bounded.left);
}

static bool read_model(void *base, struct saved_in *in, struct err *err)
{
    struct machine *machine = base;
    uint32_t counts;
    uint64_t length;
    if (!saved_get_u32(in, &counts))
        return false;
    if (counts > 1)
        return err_set(err, "%u counting models; there can be 1", counts);
    if (counts && in->version == 1)
        return err_set(err, "counts of mxs in the form of an earlier version of simos");
    const struct cpu_model_ops *counting = counts ? machine_model_count(machine) : NULL;
    for (unsigned i = 0; counting && i < machine->cpus; i++)
        if (!counting->load_counts(machine->cores[i], in, err))
            return false;
    if (!saved_get_u64(in, &length))
        return false;
    if (length > 0 && in->version == 1)
        return err_set(err, "instructions in flight in the form of an earlier version of simos");
    return length == 0 || read_state(machine, in, length, err);
}

static bool after_model(void *base, struct err *err)
{
    struct machine *machine = base;
    const struct cpu_model_ops *ops = machine->models->present, *counting = machine->models->counting;
    for (unsigned i = 0; i < machine->cpus; i++)
        if ((counting && !counting->check_counts(machine->cores[i], err)) ||
            (ops->after_load && !ops->after_load(machine->cores[i]->model, err)))
            return false;
    return true;
}

static const struct saved_ops model_ops = {.write = write_model, .read = read_model, .after_load = after_model};

struct saved *machine_saved_list(struct machine *machine, struct err *err)
{
    struct saved *saved = saved_create(machine->queue);
    saved_add(saved, &(struct saved_section){.name = "machine",
                                             .version = 2,
                                             .oldest = 1,
                                             .base = machine,
                                             SAVED_TABLE(machine_fields),
                                             .ops = &machine_ops});
    for (unsigned i = 0; i < machine->cpus; i++)
        core_register_saved(machine->cores[i], saved);
    if (board_devices_register_saved(machine->devices, saved, err)) {
        physmem_register_saved(machine->mem, saved);
        memsys_register_saved(machine->memsys, machine->mem, saved);
        saved_add(saved,
                  &(struct saved_section){
                      .name = "models", .version = 2, .oldest = 1, .timing = true, .base = machine, .ops = &use_ops});
        saved_add(saved, &(struct saved_section){.name = "model_state",
                                                 .version = 3,
                                                 .oldest = 1,
                                                 .timing = true,
                                                 .optional = true,
                                                 .base = machine,
                                                 .ops = &model_ops});
        return saved;
    }
    saved_free(saved);
    return NULL;
}

bool machine_can_save(struct machine *machine, const char *option, struct err *err)
{
    struct err reason = {""};
    struct saved *saved = machine_saved_list(machine, &reason);
    saved_free(saved);
    return saved || err_set(err, "%s: %s", option, reason.text);
}

/* Texts */

static const char saved_by[] = "saved by simos ";

static char *about(const struct machine *machine, const char *event)
{
    char *text;
    size_t size;
    char version[VERSION_TEXT_SIZE];
    FILE *out = checked_memory(open_memstream(&text, &size));
    version_describe(version_of_program()->number, version_of_program()->commit, version);
    fprintf(out, "machine %s, %u CPU%s, %" PRIu64 " MB, at %s\n", machine->name, machine->cpus,
            machine->cpus == 1 ? "" : "s", machine->mem->ram_bytes >> 20, event);
    fprintf(out, "RAM: %u of %" PRIu64 " pages used\n", physmem_used_pages(machine->mem),
            machine->mem->ram_bytes >> PAGE_SHIFT);
    fprintf(out, "%.9f s of simulated time, %" PRIu64 " instructions, by %s\n",
            (double)machine_now(machine) / (double)machine->queue->clock_hz, machine_insns(machine),
            machine_cpu_model(machine));
    fprintf(out, "%s%s\n", saved_by, version);
    fclose(out);
    return text;
}

static char *parameters(const struct machine *machine)
{
    char *text, value[4200];
    size_t size;
    const struct param_def *def;
    FILE *out = checked_memory(open_memstream(&text, &size));
    for (size_t i = 0; (def = params_at(machine->params, i)); i++) {
        if ((def->traits & TRAIT_LOCATION) && (def->type == PARAM_OUTPUT || def->type == PARAM_CONSOLE))
            continue; /* a restored machine must not overwrite the files of this one */
        params_text(machine->params, def->name, value, sizeof value);
        if (strcmp(def->name, "cpu.model") == 0) /* the present model, so that saving again gives the same text */
            snprintf(value, sizeof value, "%s", machine_model_requested(machine));
        if (def->type == PARAM_DISK)
            board_disk_saved_text(params_string(machine->params, def->name), value, sizeof value);
        for (char *at = value; *at; at++)
            if (*at == '\n')
                *at = ' '; /* a parameter is one line; newlines in values are not significant */
        fprintf(out, "%s=%s\n", def->name, value);
    }
    fclose(out);
    return text;
}

/* Identity of the file PATH, "none" for NULL. The symbols determine the accounting of idle time, the layouts the
 * annotations' view of the kernel: a restored machine must have the same files. */
static bool file_text(enum input_kind kind, const char *path, char *text, size_t size, struct err *err)
{
    struct file_identity identity;
    if (!path) {
        snprintf(text, size, "none");
        return true;
    }
    if (!file_identity_read(&identity, kind, path, err))
        return false;
    snprintf(text, size, "%" PRIu64 " %s", identity.size, identity.digest);
    return true;
}

/* SERIES: NULL, or the text for a file of a series. */
static void note_saved(const struct machine *machine, const char *path)
{
    uint64_t cpu_insns[BOARD_MAX_CPUS];
    for (unsigned i = 0; i < machine->cpus; i++)
        cpu_insns[i] = machine->cores[i]->s.insns;
    external_note_saved(machine->external, path, cpu_insns, machine->cpus);
}

static bool save(struct machine *machine, const char *event, const char *series, const char *path, struct err *err)
{
    char symbols[160], layout[160], clock[32];
    struct saved *saved = machine_saved_list(machine, err);
    if (!saved)
        return false;
    char *disks = board_disks_identify(board_disks_of(machine), machine->params, path, err),
         *copies = copy_saved_text(machine->copy, err);
    bool done = disks && copies && file_text(INPUT_SYMBOLS, machine->symbols_path, symbols, sizeof symbols, err) &&
                file_text(INPUT_LAYOUTS, machine->layout_path, layout, sizeof layout, err);
    snprintf(clock, sizeof clock, "%" PRIu64, machine->queue->clock_hz);
    char *of = about(machine, event), *made_from = parameters(machine);
    struct checkpoint_text texts[] = {{"about", of},
                                      {"description", machine->name},
                                      {"event", event},
                                      {"model", machine_model_requested(machine)},
                                      {"job", machine->job ? machine->job : ""},
                                      {"symbols", symbols},
                                      {"disks", disks ? disks : ""},
                                      {"copies", copies ? copies : ""},
                                      {"parameters", made_from},
                                      {"clock", clock},
                                      {NULL, NULL}, /* for layout and series, if present */
                                      {NULL, NULL}};
    size_t count = sizeof texts / sizeof texts[0] - 2;
    if (machine->layout_path)
        texts[count++] = (struct checkpoint_text){"layout", layout};
    if (series)
        texts[count++] = (struct checkpoint_text){"series", series};
    done = done && (series ? checkpoint_save_part(path, saved, texts, count, err)
                           : checkpoint_save(path, saved, texts, count, err));
    if (done)
        note_saved(machine, path);
    free(of);
    free(made_from);
    free(disks);
    free(copies);
    saved_free(saved);
    return done;
}

bool machine_save(struct machine *machine, const char *event, const char *path, struct err *err)
{
    return save(machine, event, NULL, path, err);
}

bool machine_save_part(struct machine *machine, const char *event, const char *series, const char *path,
                       struct err *err)
{
    return save(machine, event, series, path, err);
}

/* Loading */

/* Is the file PATH, for ROLE, the one identified by SECTION? */
static bool check_file(struct checkpoint *checkpoint, const char *section, enum input_kind kind, const char *role,
                       const char *path, struct err *err)
{
    char here[160];
    char *there = checkpoint_text(checkpoint, section, err);
    bool done = there && file_text(kind, path, here, sizeof here, err);
    if (done && strcmp(here, there) != 0)
        done = err_set(err, "%s: %s is not the file that the checkpoint was made with (%.40s... there)", role,
                       path ? path : "none", there);
    free(there);
    return done;
}

static bool check_symbols(const struct machine *machine, struct checkpoint *checkpoint, struct err *err)
{
    const char *kernel = params_string(machine->params, "guest.kernel");
    struct err other = {""};
    if (!check_file(checkpoint, "symbols", INPUT_SYMBOLS, "guest.symbols", machine->symbols_path, &other))
        return !machine->symbols_path && *kernel && params_value_origin(machine->params, "guest.kernel")
                   ? err_set(
                         err,
                         "guest.symbols: the checkpoint was made with those beside its kernel, %.200s: say --kernel "
                         "on the command line, or --trust the file",
                         kernel)
                   : err_set(err, "%s", other.text);
    if (checkpoint_has(checkpoint, "layout"))
        return check_file(checkpoint, "layout", INPUT_LAYOUTS, "kernel.layout", machine->layout_path, err);
    return !machine->layout_path ||
           err_set(err, "kernel.layout: the checkpoint was made without %s beside the kernel", machine->layout_path);
}

/* A checkpoint without identities has version 1 of the image sections, which check the images themselves. */
static bool check_disks(const struct machine *machine, struct checkpoint *checkpoint, struct err *err)
{
    if (!checkpoint_has(checkpoint, "disks"))
        return true;
    char *there = checkpoint_text(checkpoint, "disks", err);
    bool done = there && board_disks_check_identity(board_disks_of(machine), machine->params, there, err);
    free(there);
    return done;
}

static bool read_clock(struct checkpoint *checkpoint, uint64_t *clock_hz, struct err *err)
{
    char *text = checkpoint_text(checkpoint, "clock", err), *end;
    if (!text)
        return false;
    *clock_hz = strtoull(text, &end, 10);
    bool good = *text && !*end && *clock_hz >= 1000000 && *clock_hz <= 10000000000ull;
    free(text);
    return good || err_set(err, "checkpoint: section clock: no frequency");
}

bool machine_saved_elsewhere(struct checkpoint *checkpoint, struct err *err)
{
    struct err unread = {""};
    char here[VERSION_TEXT_SIZE];
    char *about = checkpoint_has(checkpoint, "about") ? checkpoint_text(checkpoint, "about", &unread) : NULL;
    char *there = about ? strstr(about, saved_by) : NULL;
    version_describe(version_of_program()->number, version_of_program()->commit, here);
    if (there) {
        there += strlen(saved_by);
        there[strcspn(there, "\n")] = 0;
    }
    if (!there || strcmp(there, here) != 0) {
        const struct err reason = *err;
        *err = (struct err){""};
        err_set(err, "%.300s; simos %.60s saved it, this is %.60s", reason.text,
                there ? PRINTABLE(there) : "0.9 or earlier", here);
    }
    free(about);
    return false;
}

/* Restoring on a different machine: statistics start from zero, and the memory system needs each CPU's context. */
static void begin_figures(struct machine *machine)
{
    for (unsigned i = 0; i < machine->cpus; i++) {
        const struct core *core = machine->cores[i];
        memsys_set_context(machine->memsys, i, core->mode, core_asid(core));
        machine->cycles_before[i] = machine->cores[i]->s.cycle;
        machine->insns_before[i] = machine->cores[i]->s.insns;
    }
}

/* Statistics begin later than the machine: it was restored on a different one, now or before it was saved. */
static bool begun_later(const struct machine *machine, bool same_machine)
{
    for (unsigned i = 0; same_machine && i < machine->cpus; i++)
        if (machine->cycles_before[i] != 0 || machine->insns_before[i] != 0)
            return true;
    return !same_machine;
}

static void name_figures_before(struct machine *machine)
{
    for (unsigned i = 0; i < machine->cpus; i++) {
        char path[40];
        snprintf(path, sizeof path, "cpu%u.before.cycles", i);
        stats_counter(machine->stats, path, "cycles", "before the checkpoint of a different machine; in no mode",
                      &machine->cycles_before[i]);
        snprintf(path, sizeof path, "cpu%u.before.insns", i);
        stats_counter(machine->stats, path, "instructions", "before the checkpoint of a different machine; in no mode",
                      &machine->insns_before[i]);
    }
}

/* Instructions from here on are charged to the present model. */
static void begin_uses(struct machine *machine)
{
    for (unsigned i = 0; i < machine->cpus; i++)
        machine->models->since[i] = machine->cores[i]->s.insns;
}

bool machine_restore(struct machine *machine, struct checkpoint *checkpoint, bool same_machine, struct err *err)
{
    struct saved_terms terms = {.same_machine = same_machine};
    struct saved *saved = machine_saved_list(machine, err);
    bool done = saved && check_symbols(machine, checkpoint, err) && check_disks(machine, checkpoint, err) &&
                read_clock(checkpoint, &terms.clock_hz, err) &&
                ((series_load_dependencies(checkpoint, saved, &terms, err) &&
                  checkpoint_load(checkpoint, saved, &terms, err)) ||
                 machine_saved_elsewhere(checkpoint, err));
    saved_free(saved);
    if (!done)
        return false;
    if (!same_machine)
        begin_figures(machine);
    if (begun_later(machine, same_machine))
        name_figures_before(machine);
    begin_uses(machine);
    page_allocations_resume(machine->page_allocations);
    machine->insns_loaded = machine_insns(machine);
    struct err accounts = {""};
    return machine_check_accounts(machine, &accounts) ||
           err_set(err, "inconsistent statistics in the checkpoint: %s", accounts.text);
}
