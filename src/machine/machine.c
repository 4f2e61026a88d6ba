/* Creates a machine from parameters, and frees it. */
#include "src/machine/machine.h"
#include "src/machine/machine_guest.h"

#include "cache/placement/layout_map.h"
#include "cache/memsys.h"
#include "cache/observe/sweep.h"
#include "cpu/core/interlock.h"
#include "cpu/observe/code_layout.h"
#include "cpu/observe/code_prefetch.h"
#include "cpu/observe/execution_profile.h"
#include "cpu/observe/executions.h"
#include "cache/observe/trace.h"
#include "src/machine/board_devices.h"
#include "src/machine/boards.h"
#include "src/host/console_port.h"
#include "src/host/copy_files.h"
#include "src/host/external.h"
#include "src/description/machine_file.h"
#include "src/machine/machine_model.h"
#include "src/machine/save_request.h"
#include "cpu/privileged/mode_change.h"
#include "cpu/privileged/refill_walk.h"
#include "cpu/privileged/translation_caches.h"
#include "src/machine/recorded_options.h"
#include "src/base/symbols.h"
#include "src/base/version.h"
#include <stdlib.h>
#include <string.h>

/* docs/reference/guest.md explains each argument. */
#define GUEST_BOOTARGS                                                                                                 \
    "console=ttyS0,115200 nokaslr panic=-1 cryptomgr.notests lpj=400000 "                                              \
    "initcall_blacklist=tracer_init_tracefs,load_system_certificate_list,crypto_kdf108_init,blake2s_mod_init"

#define DISK_PARAM(n)                                                                                                  \
    {                                                                                                                  \
        "machine.disk" #n, PARAM_DISK, TRAIT_FIXED | TRAIT_LOCATION, "", "", 0, 0, false, NULL,                        \
            "image in virtio slot " #n ": FILE (never changed), FILE,ro, FILE,write or FILE,overlay=FILE"              \
    }

const struct param_def machine_param_defs[] = {
    {"machine.cpus", PARAM_INT, TRAIT_FIXED | TRAIT_HARDWARE, "", "1", 1, BOARD_MAX_CPUS, false, NULL,
     "number of CPUs"},
    {"machine.board", PARAM_CHOICE, TRAIT_FIXED | TRAIT_HARDWARE, "", "simos", 0, 0, false, BOARD_CHOICES,
     "board: devices, their addresses and interrupts, and how the kernel is started (`simos devices`)"},
    {"machine.memory", PARAM_SIZE, TRAIT_FIXED | TRAIT_HARDWARE, "bytes", "128M", 16 << 20, BOARD_MAX_RAM, false, NULL,
     "RAM"},
    {"machine.quantum", PARAM_INT, TRAIT_TIMED, "cycles", "0", 0, 1000000, false, NULL,
     "quantum of the round-robin schedule of the CPUs; 0: 3000 for several CPUs under embra without "
     "caches, else 200"},
    DISK_PARAM(0),
    DISK_PARAM(1),
    DISK_PARAM(2),
    DISK_PARAM(3),
    DISK_PARAM(4),
    DISK_PARAM(5),
    DISK_PARAM(6),
    DISK_PARAM(7),
    {"cpu.model", PARAM_CHOICE, TRAIT_UNTIMED | TRAIT_HARDWARE, "", "mipsy", 0, 0, false, &cpu_model_choices[1],
     cpu_model_help},
    {"cpu.clock", PARAM_HZ, TRAIT_TIMED | TRAIT_HARDWARE, "Hz", "200MHz", CLOCK_HZ_MIN, CLOCK_HZ_MAX, false, NULL,
     "CPU clock"},
    {"uart.character_time", PARAM_TIME, TRAIT_TIMED, "ns", "0", 0, 1000000000, false, NULL,
     "time of a character on a serial line; 0: none (115200 baud: 86806ns)"},
    /* 2023-06-10, release of Debian 12: a fixed date makes runs reproducible. */
    {"rtc.start", PARAM_INT, TRAIT_FIXED, "s", "1686355200", 0, 4102444800, false, NULL,
     "real-time clock at power-on, seconds since 1970"},
    {"whatif.free", PARAM_STRING, TRAIT_UNTIMED, "", "", 0, 0, false, NULL,
     "what if this took no time: miss:ROUTINE|DATA|CLASS|CAUSE, routine:NAME, lock:NAME, tlb, separated by commas "
     "(docs/reference/explain.md)"},
    {"guest.kernel", PARAM_INPUT, TRAIT_UNTIMED | TRAIT_LOCATION | TRAIT_POWER_ON, "", "", 0, 0, false, NULL,
     "kernel, boot ROM or bare program: an ELF file, uImage, S-records or Intel HEX, also compressed with gzip, or raw "
     "bytes as FILE@ADDRESS; empty: the one that `make guest` builds"},
    {"guest.initrd", PARAM_INPUT, TRAIT_UNTIMED | TRAIT_LOCATION | TRAIT_POWER_ON, "", "", 0, 0, false, NULL,
     "initial RAM disk; empty: initrd.cpio beside the kernel named, else the one that `make guest` builds; none: no "
     "initrd"},
    {"guest.page_size", PARAM_SIZE, TRAIT_UNTIMED | TRAIT_POWER_ON, "bytes", "4K", PAGE_SIZE, 64 << 10, true, NULL,
     "page size that the guest's kernel is built for: the initrd begins at a multiple"},
    {"guest.symbols", PARAM_INPUT, TRAIT_UNTIMED | TRAIT_LOCATION, "", "", 0, 0, false, NULL,
     "the kernel's symbols, as /proc/kallsyms; empty: kernel.sym beside the kernel if there, else the symbol table of "
     "the "
     "kernel's ELF file; none: no symbols"},
    {"guest.page_seed", PARAM_INT, TRAIT_FIXED, "", "0", 0, UINT32_MAX, false, NULL,
     "the kernel hands out page frames in another order, by this seed; 0: as without"},
    {"guest.placement_seed", PARAM_INT, TRAIT_TIMED, "", "0", 0, UINT32_MAX, false, NULL,
     "the caches see the kernel's functions in another order, by this seed; 0: where they lie "
     "(docs/how-to/placement.md)"},
    {"guest.placement_of", PARAM_INPUT, TRAIT_TIMED | TRAIT_LOCATION, "", "", 0, 0, false, NULL,
     "another kernel, or a list of its symbols: the caches see the kernel's functions where that one has those of the "
     "same names"},
    {"guest.placement_data", PARAM_BOOL, TRAIT_TIMED, "", "off", 0, 0, false, NULL,
     "guest.placement_seed and guest.placement_of apply to the kernel's data too, if the symbols have names of it"},
    {"guest.fixed_maps", PARAM_BOOL, TRAIT_FIXED, "", "off", 0, 0, false, NULL,
     "adds norandmaps to the kernel's command line: programs, stacks and mappings of files are not at random "
     "addresses"},
    {"guest.fixed_random", PARAM_BOOL, TRAIT_FIXED, "", "off", 0, 0, false, NULL,
     "the kernel's random numbers depend on nothing: its extract_entropy() returns at once (docs/how-to/placement.md)"},
    {"guest.bootargs", PARAM_STRING, TRAIT_FIXED, "", GUEST_BOOTARGS, 0, 0, false, NULL,
     "the kernel's command line; if it has this value, boards kn01 and kn02 have one of their own "
     "(docs/reference/boards.md)"},
};
const size_t machine_param_count = sizeof machine_param_defs / sizeof machine_param_defs[0];

char *machine_bootargs(const struct machine *machine)
{
    const char *given = params_string(machine->params, "guest.bootargs");
    const bool is_initial = machine->board->bootargs && strcmp(given, GUEST_BOOTARGS) == 0;
    const bool fixed = params_bool(machine->params, "guest.fixed_maps");
    char *text;
    if (asprintf(&text, "%s%s", is_initial ? machine->board->bootargs : given, fixed ? " norandmaps" : "") < 0)
        log_bug("out of memory");
    return text;
}

/* Options */

void machine_options_init(struct machine_options *options)
{
    struct err err = {""};
    *options = (struct machine_options){.params = params_create()};
    params_define(options->params, machine_param_defs, machine_param_count);
    params_define(options->params, console_params, console_param_count);
    params_define(options->params, core_param_defs, core_param_count);
    params_define(options->params, code_layout_param_defs, code_layout_param_count);
    params_define(options->params, code_prefetch_param_defs, code_prefetch_param_count);
    params_define(options->params, memsys_param_defs, memsys_param_count);
    params_define(options->params, trace_param_defs, trace_param_count);
    params_define(options->params, sweep_param_defs, sweep_param_count);
    for (unsigned i = 0; cpu_model_at(i); i++)
        if (cpu_model_at(i)->define_params)
            cpu_model_at(i)->define_params(options->params);
    board_devices_define_params(options->params);
    if (!machine_options_describe(options, MACHINE_DEFAULT, &err))
        log_bug("%s", err.text);
    options->described = false;
}

void machine_options_release(struct machine_options *options)
{
    params_free(options->params);
    free(options->switches);
    options->params = NULL;
    options->switches = NULL;
    options->switch_count = 0;
    copy_files_free(options->copy);
    options->copy = NULL;
}

bool machine_options_describe(struct machine_options *options, const char *name, struct err *err)
{
    if (!machine_file_apply(options->params, name, options->machine_name, sizeof options->machine_name, err))
        return false;
    params_mark_unset(options->params);
    return options->described = true;
}

bool machine_options_check(const struct machine_options *options, struct err *err)
{
    return options->trust || params_check_authority(options->params, options->restored ? TRAIT_POWER_ON : 0, err);
}

/* Quote the command as a line for sh: every word in single quotes. */
static char *quote_command(const struct machine_options *options, struct err *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        log_bug("out of memory");
    for (int i = 0; i < options->command_count; i++) {
        fputs(i ? " '" : "'", out);
        for (const char *at = options->command[i]; *at; at++)
            if (*at == '\'')
                fputs("'\\''", out);
            else
                fputc(*at, out);
        fputc('\'', out);
    }
    fputc('\n', out);
    if (fclose(out) != 0)
        log_bug("out of memory");
    if (size <= BOARD_MAILBOX_SIZE)
        return text;
    err_set(err, "the command is %zu bytes long for the guest's shell; at most %d fit", size, BOARD_MAILBOX_SIZE);
    free(text);
    return NULL;
}

/* Memory */

/* A device's access to SIZE bytes from ADDRESS on, as the caches see them. */
static void access_memory(struct machine *machine, bool write, paddr address, uint32_t size)
{
    const struct layout_map *layout = memsys_layout(machine->memsys);
    for (uint32_t done = 0, together; done < size; done += together) {
        together = layout_data_together(layout, address + done, size - done);
        const paddr seen = layout_data(layout, address + done);
        if (write)
            memsys_dma_write(machine->memsys, seen, together, machine->queue->now);
        else
            memsys_dma_read(machine->memsys, seen, together, machine->queue->now);
    }
}

/* Instructions in the SIZE bytes from ADDRESS on, which a device has written, are not what the caches have of them any
 * more, where they see code elsewhere than data. */
static void change_code(struct machine *machine, paddr address, uint32_t size)
{
    const struct layout_map *layout = memsys_layout(machine->memsys);
    const uint64_t end = (uint64_t)address + size;
    for (uint64_t insn = address & ~(paddr)(LAYOUT_UNIT - 1), next; insn < end; insn = next) {
        const paddr seen = layout_code(layout, (paddr)insn);
        next = insn + LAYOUT_UNIT;
        if (seen == layout_data(layout, (paddr)insn))
            continue;
        while (next < end && layout_code(layout, (paddr)next) == (paddr)(seen + (next - insn)))
            next += LAYOUT_UNIT;
        memsys_dma_changed(machine->memsys, seen, (uint32_t)(next - insn));
    }
}

static void memory_changed(void *opaque, paddr address, uint32_t size)
{
    struct machine *machine = opaque;
    core_memory_changed(machine->cores, machine->cpus, NULL, address, size);
    access_memory(machine, true, address, size);
    if (size != 0 && memsys_layout(machine->memsys) != NULL)
        change_code(machine, address, size);
}

static void memory_observed(void *opaque, paddr address, uint32_t size)
{
    access_memory(opaque, false, address, size);
}

/* Is everything that a layout map moves in memory? */
static bool check_layout(const struct machine *machine, struct err *err)
{
    const struct layout_map *layout = memsys_layout(machine->memsys);
    for (uint64_t page = 0; layout_next_page(layout, &page); page += PAGE_SIZE)
        if (!physmem_page_is_ram(machine->mem, (paddr)page))
            return err_set(err, "cache.layout: 0x%08x, which it moves, is not in the machine's memory", (paddr)page);
    return true;
}

/* Can the board have such processors? */
static bool check_cpus(const struct machine *machine, struct err *err)
{
    const struct board *board = machine->board;
    const char *architecture = params_string(machine->params, "cpu.architecture");
    if (machine->cpus > board->most_cpus)
        return err_set(err, "machine.cpus: board %s has at most %u processor%s", board->name, board->most_cpus,
                       board->most_cpus == 1 ? "" : "s");
    return board->architecture == NULL || strcmp(board->architecture, architecture) == 0 ||
           err_set(err, "cpu.architecture: board %s has no %s; its processor is %s", board->name, architecture,
                   board->architecture);
}

static bool add_memory(struct machine *machine, struct err *err)
{
    uint64_t size = params_u64(machine->params, "machine.memory");
    uint64_t low = size < BOARD_LOW_RAM_MAX ? size : BOARD_LOW_RAM_MAX;
    if (size % PAGE_SIZE)
        return err_set(err, "machine.memory: %llu bytes is not a multiple of %d", (unsigned long long)size, PAGE_SIZE);
    if (size > machine->board->most_memory)
        return err_set(err, "machine.memory: board %s has room for at most %lluM", machine->board->name,
                       (unsigned long long)machine->board->most_memory >> 20);
    machine->mem = physmem_create(machine->log, err);
    return machine->mem && physmem_add_ram(machine->mem, BOARD_LOW_RAM_BASE, low, err) &&
           (size == low || physmem_add_ram(machine->mem, BOARD_HIGH_RAM_BASE, size - low, err));
}

/* CPUs */

const struct architecture *machine_architecture(const struct params *params)
{
    return architecture_named(params_string(params, "cpu.architecture"));
}

static bool add_cores(struct machine *machine, const struct machine_options *options, struct err *err)
{
    struct interlock_costs costs;
    struct translation_config translation;
    const bool has_interlocks = interlock_costs_read(&costs, machine->params);
    const struct architecture *architecture = machine_architecture(machine->params);
    if (!translation_config_read(&translation, machine->params, err))
        return false;
    machine->decoder = isa_decoder_create(architecture->level);
    for (unsigned i = 0; i < machine->cpus; i++) {
        struct core_config config = {
            .architecture = architecture,
            .number = i,
            .cpus = machine->cpus,
            .tlb_entries = (unsigned)params_u64(machine->params, "cpu.tlb_entries"),
            .has_watch_registers = params_bool(machine->params, "cpu.watch_registers"),
            .has_page_walker = params_bool(machine->params, "cpu.page_walker"),
            .moves_pages = memsys_moves_pages(machine->memsys),
            .reports_tlb = memsys_counts_tlb_misses(machine->memsys),
            .translation = &translation,
            .fpu_traps_denormals = params_is(machine->params, "cpu.fpu_denormals", "trap"),
            .fpu_pin = BOARD_FPU_PIN,
            .has_interlocks = has_interlocks,
            .has_entry_costs = costs.exception != 0 || costs.eret != 0,
            .machine_levels = memsys_levels(machine->memsys),
            .has_streams = memsys_streams(machine->memsys),
            .has_prefetch = memsys_brings_lines(machine->memsys),
            .decoder = machine->decoder,
            .mem = machine->mem,
            .queue = machine->queue,
            .log = machine->log,
            .hooks = machine->board->core_hooks,
            .hooks_opaque = machine,
            .reports_mode = memsys_classification(machine->memsys) != NULL,
        };
        machine->cores[i] = core_create(&config, err);
        if (!machine->cores[i])
            return false;
        machine->cores[i]->find_mapped = refill_walk_translate;
    }
    for (unsigned i = 0; i < machine->cpus; i++)
        machine->cores[i]->peers = machine->cores;
    return machine_models_create(machine, options, err);
}

/* Can a layout of the code be made by these thresholds at the end (src/observe/profile_layout.c)? */
static bool check_thresholds(const struct machine *machine, struct err *err)
{
    struct err reason = {""};
    struct code_passes passes;
    return code_passes_read(&passes, params_string(machine->params, "execution.layout.thresholds"), &reason) ||
           err_set(err, "execution.layout.thresholds: %s", reason.text);
}

static void count_executions(struct machine *machine)
{
    const struct params *params = machine->params;
    if (params_is(params, "execution.counts", "profile") || params_is(params, "execution.counts", "calls"))
        machine->execution_profile = execution_profile_create();
    if (machine->execution_profile && !params_is(params, "execution.layout.of", "kernel"))
        execution_profile_record_pages(machine->execution_profile);
    if (!params_is(params, "execution.counts", "off"))
        executions_start(machine->cores[0], machine->execution_profile);
}

vaddr machine_exception_base(const struct machine *machine)
{
    return exception_base(machine->cores[0]);
}

/* Statistics */

static double seconds(const void *opaque)
{
    const struct machine *machine = opaque;
    return (double)machine_now(machine) / (double)machine->queue->clock_hz;
}

static uint64_t total_insns(const void *opaque)
{
    return machine_insns(opaque);
}

static uint64_t now(const void *opaque)
{
    return machine_now(opaque);
}

static uint64_t exit_status(const void *opaque)
{
    return ((const struct machine *)opaque)->exit_status;
}

static void register_stats(struct machine *machine)
{
    struct stats *stats = machine->stats;
    stats_text(stats, "simos.version", "version of simos that wrote the file; not compared",
               version_of_program()->number);
    stats_text(stats, "simos.commit", "of the tree that it was built from", version_of_program()->commit);
    stats_text(stats, "machine.name", "machine description", machine->name);
    stats_text(stats, "machine.model", "CPU model; after switches the last one", machine_cpu_model(machine));
    stats_text(stats, "machine.command", "the guest's job, as a line for its shell", machine->job ? machine->job : "");
    stats_integer(stats, "machine.time", "cycles", "simulated time since power-on", now, machine);
    stats_integer(stats, "machine.exit_status", "", "exit status of the guest's job; 0 if none was reported",
                  exit_status, machine);
    stats_amount(stats, "machine.seconds", "s", "simulated time since power-on", seconds, machine);
    stats_integer(stats, "machine.insns", "instructions", "executed by all CPUs", total_insns, machine);
    for (unsigned i = 0; i < machine->cpus; i++) {
        char path[32];
        core_register_stats(machine->cores[i], stats);
        snprintf(path, sizeof path, "cpu%u.off", i);
        stats_counter(stats, path, "cycles", "time without power before the CPU's last start; in no mode",
                      &machine->off_time[i]);
    }
    machine_models_register_stats(machine);
    memsys_register_stats(machine->memsys, stats);
    board_devices_register_stats(machine->devices, stats);
    const struct param_def *def;
    for (size_t i = 0; (def = params_at(machine->params, i)); i++) {
        char name[160], value[4200];
        snprintf(name, sizeof name, "parameters.%s", def->name);
        params_text(machine->params, def->name, value, sizeof value);
        stats_text(stats, name, def->help, value);
    }
    machine_models_show_quantum(machine);
}

/* Creation */

static bool build(struct machine *machine, const struct machine_options *options, struct err *err)
{
    uint64_t clock_hz = params_u64(machine->params, "cpu.clock");
    machine->queue = event_queue_create(clock_hz);
    if (!check_cpus(machine, err) || !add_memory(machine, err))
        return false;
    machine->memsys = memsys_create(machine->params, machine->cpus, clock_hz, err);
    if (!machine->memsys || !check_layout(machine, err) || !check_thresholds(machine, err) ||
        !add_cores(machine, options, err))
        return false;
    count_executions(machine);
    if (!board_devices_create(machine, err))
        return false;
    machine->mem->after_write = memory_changed;
    machine->mem->before_read = memory_observed;
    machine->mem->hook_opaque = machine;
    machine->stats = stats_create();
    register_stats(machine);
    return true;
}

struct machine *machine_create(const struct machine_options *options, const struct machine_host *host, void *opaque,
                               struct err *err)
{
    if (!machine_options_check(options, err))
        return NULL;
    struct machine *machine = checked_memory(calloc(1, sizeof *machine));
    machine->params = params_copy(options->params);
    if (options->trust)
        params_clear_origins(machine->params);
    snprintf(machine->name, sizeof machine->name, "%s", options->machine_name);
    machine->board = board_named(params_string(machine->params, "machine.board"));
    machine->host = host;
    machine->host_opaque = opaque;
    machine->log = log_create(options->quiet);
    params_warn_deprecated(machine->params, options->quiet);
    machine->copy = options->copy;
    machine->barrier.time = CYCLES_NEVER;
    machine->hub_carrier = options->hub_carrier;
    machine->cpus = (unsigned)params_u64(machine->params, "machine.cpus");
    machine->external = machine_external_create(machine, options, err);
    bool done = machine->external != NULL;
    if (done && options->job) {
        machine->job = checked_memory(strdup(options->job));
    } else if (done && options->command_count > 0) {
        machine->job = quote_command(options, err);
        done = machine->job != NULL;
    }
    if (done && build(machine, options, err))
        return machine;
    machine_free(machine);
    return NULL;
}

void machine_free(struct machine *machine)
{
    if (!machine)
        return;
    external_end(machine->external);
    save_request_drop_all(machine);
    stats_free(machine->stats);
    board_devices_free(machine->devices);
    machine->devices = NULL;
    machine_models_free(machine);
    execution_profile_free(machine->execution_profile);
    for (unsigned i = 0; i < machine->cpus; i++)
        core_free(machine->cores[i]);
    if (machine->decoder)
        isa_decoder_free(machine->decoder);
    machine_unwatch(machine);
    memsys_free(machine->memsys);
    if (machine->mem)
        physmem_free(machine->mem);
    external_free(machine->external);
    event_queue_free(machine->queue);
    symbols_free(machine->symbols);
    log_free(machine->log);
    params_free(machine->params);
    free(machine->job);
    free(machine->symbols_path);
    free(machine->layout_path);
    free(machine);
}

/* Input and debugger accesses */

size_t machine_input(struct machine *machine, unsigned uart, const void *bytes, size_t count)
{
    const uint8_t *byte = bytes;
    size_t taken = 0;
    while (taken < count && machine->board->receive(machine, uart, byte[taken]))
        taken++;
    return taken;
}

size_t machine_input_space(const struct machine *machine, unsigned uart)
{
    return machine->board->receive_space(machine, uart);
}

uint32_t machine_debug_read(struct machine *machine, unsigned cpu, vaddr address, void *buffer, uint32_t size)
{
    return core_debug_read(machine->cores[cpu], address, buffer, size);
}

uint32_t machine_debug_write(struct machine *machine, unsigned cpu, vaddr address, const void *buffer, uint32_t size)
{
    return core_debug_write(machine->cores[cpu], address, buffer, size);
}
