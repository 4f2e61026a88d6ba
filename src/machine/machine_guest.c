#include "src/machine/machine_guest.h"

#include "cache/memsys.h"
#include "devices/virtio/virtio_block.h"
#include "src/guest/block_routines.h"
#include "src/guest/guards.h"
#include "src/guest/idle_loop.h"
#include "src/guest/kernel_placement.h"
#include "src/guest/page_allocations.h"
#include "src/guest/prefetch_points.h"
#include "src/host/external.h"
#include "src/machine/board_disks.h"
#include "src/machine/board_net.h"
#include "src/machine/deadlock.h"
#include "src/machine/machine_end.h"
#include <stdlib.h>
#include <string.h>

_Static_assert((int)BOARD_DISKS <= (int)MACHINE_VIEW_DISKS, "room for all disks");

struct machine_view machine_view_of(const struct machine *machine)
{
    struct machine_view view = {.cpus = machine->cpus,
                                .executions = machine->execution_profile,
                                .cores = machine->cores,
                                .mem = machine->mem,
                                .memsys = machine->memsys,
                                .symbols = machine->symbols,
                                .layout_path = machine->layout_path,
                                .clock_hz = machine->queue->clock_hz,
                                .link = board_net_of(machine)->link};
    for (unsigned i = 0; i < BOARD_DISKS; i++) {
        const struct virtio_block *block = board_disks_of(machine)->disk[i].block;
        view.disk[i] = block ? virtio_block_drive(block) : NULL;
    }
    return view;
}

/* Linux */

static void ends(void *opaque, const char *how)
{
    struct machine *machine = opaque;
    if (machine->panic.text[0])
        return;
    machine->halted = how;
    machine_request_exit(machine, 0);
}

static void panics(void *opaque, const struct core *core, const char *message)
{
    struct machine *machine = opaque;
    char *text = NULL;
    size_t size = 0;
    FILE *out = checked_memory(open_memstream(&text, &size));
    fprintf(out, "the guest's kernel panicked: \"%s\"; CPU %u called panic()", message, core->number);
    deadlock_print_address(machine, core_call_before(core_return_address(core)), out);
    deadlock_print_exception(machine, core, core_exception_code(core), out);
    if (fclose(out) != 0)
        log_bug("out of memory");
    err_set(&machine->panic, "%s", text);
    free(text);
}

static void hangs(void *opaque)
{
    struct machine *machine = opaque;
    machine_end_deadlocked(machine, &machine->panic);
}

static void watch_symbols(struct machine *machine)
{
    const struct machine_view view = machine_view_of(machine);
    machine->idle_loop_known |= idle_loop_watch(&view);
    machine->panic_watch.view = view;
    machine->panic_watch.panics = panics;
    machine->panic_watch.hangs = hangs;
    machine->panic_watch.opaque = machine;
    panic_watch(&machine->panic_watch);
    machine->halt_watch = (struct halt_watch){ends, machine};
    halt_watch(&machine->halt_watch, &view);
}

/* The caches see the kernel as guest.placement_seed and guest.placement_of say. */
static bool place_kernel(struct machine *machine, struct err *err)
{
    const uint32_t seed = (uint32_t)params_u64(machine->params, "guest.placement_seed");
    const char *path = params_string(machine->params, "guest.placement_of");
    bool data = params_bool(machine->params, "guest.placement_data");
    struct kernel_objects own = {0}, other = {0};
    struct err reason = {""};
    if (!memsys_places_kernel(machine->memsys))
        return true;
    struct symbols *symbols = *path ? machine_read_symbols(path, err) : NULL;
    if (*path && (!symbols || !external_note_file(machine->external, INPUT_KERNEL, "guest.placement_of", path, err))) {
        symbols_free(symbols);
        return false;
    }
    data = data && machine->symbols && symbols_have_data(machine->symbols) && (!symbols || symbols_have_data(symbols));
    bool done = !symbols || kernel_objects_find(&other, symbols, data, &reason) ||
                err_set(err, "guest.placement_of %.200s: %s", path, reason.text);
    done = done && (kernel_objects_find(&own, machine->symbols, data, &reason) ||
                    err_set(err, "guest.placement_%s: %s", seed ? "seed" : "of", reason.text));
    for (size_t i = 0; done && i < own.count; i++)
        done = physmem_is_ram(machine->mem, own.object[i].at, own.object[i].size) ||
               err_set(err, "guest.placement_%s: %.64s, at 0x%08x, is not in the machine's memory",
                       seed ? "seed" : "of", own.object[i].name, own.object[i].at);
    struct layout_piece *pieces = checked_memory(calloc(own.count + 1, sizeof *pieces));
    bool moved;
    done = done && kernel_placement_make(&own, symbols ? &other : &own, seed, pieces, &moved, err);
    if (done && moved)
        memsys_place_kernel(machine->memsys, pieces, own.count);
    free(pieces);
    kernel_objects_release(&own);
    kernel_objects_release(&other);
    symbols_free(symbols);
    return done;
}

static void moved(void *opaque, uint32_t offset)
{
    struct machine *machine = opaque;
    struct err err = {""};
    symbols_move(machine->symbols, offset);
    if (memsys_places_kernel(machine->memsys) && !place_kernel(machine, &err))
        machine_fail(machine, &err);
    watch_symbols(machine);
    fprintf(stderr,
            "simos: the kernel has moved itself by 0x%x, and its symbols with it; annotations and services that were "
            "set at symbols before keep the old addresses (nokaslr in guest.bootargs prevents this)\n",
            offset);
}

void machine_watch_linux(struct machine *machine)
{
    const struct machine_view view = machine_view_of(machine);
    watch_symbols(machine);
    machine->relocation_watch.moved = moved;
    machine->relocation_watch.opaque = machine;
    if (!strstr(params_string(machine->params, "guest.bootargs"), "nokaslr"))
        relocation_watch(&machine->relocation_watch, &view);
}

/* What parameters name */

static void fail(void *opaque, const struct err *reason)
{
    machine_fail(opaque, reason);
}

bool machine_watch_kernel(struct machine *machine, struct err *err)
{
    const struct machine_view view = machine_view_of(machine);
    const struct params *params = machine->params;
    return place_kernel(machine, err) && guards_apply(&view, params_string(params, "prefetch.guards"), true, err) &&
           block_routines_watch(&view, params_string(params, "block.routines"), err) &&
           prefetch_points_set(&machine->prefetch_points, &view, params_string(params, "prefetch.points"), err) &&
           page_allocations_watch(&machine->page_allocations, &view, fail, machine, err);
}

void machine_unwatch(struct machine *machine)
{
    page_allocations_free(machine->page_allocations);
    machine->page_allocations = NULL;
    prefetch_points_free(machine->prefetch_points);
    machine->prefetch_points = NULL;
}
