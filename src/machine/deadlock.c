#include "src/machine/deadlock.h"

#include "cpu/privileged/stuck.h"
#include "cpu/registers.h"
#include "src/machine/board_net.h"
#include "src/machine/machine_end.h"
#include "src/machine/machine_hold.h"
#include "src/machine/schedule.h"
#include "src/base/symbols.h"
#include <ctype.h>
#include <libfdt.h>
#include <stdlib.h>
#include <string.h>

/* Messages */

void deadlock_print_address(const struct machine *machine, vaddr address, FILE *out)
{
    const struct symbol *symbol =
        machine->symbols && vaddr_is_unmapped(address) ? symbols_at(machine->symbols, address) : NULL;
    fprintf(out, " at 0x%08x", address);
    if (symbol)
        fprintf(out, " (%.64s+0x%x)", symbol->name, address - symbol->address);
}

void deadlock_print_exception(const struct machine *machine, const struct core *core, unsigned code, FILE *out)
{
    if (core_exception_kind(core, code) == EXCEPTION_INTERRUPT &&
        core_exception_pc(core) == 0) { /* state after power-on */
        fputs("; no exception before", out);
        return;
    }
    fprintf(out, "; last exception: %u, %s,", code, core_exception_name(core, code));
    deadlock_print_address(machine, core_exception_pc(core), out);
    fprintf(out, " (EPC), BadVAddr 0x%08x", core_bad_address(core));
}

static void describe_fault(const struct machine *machine, const struct core *core, FILE *out)
{
    const struct core_fault *fault = &core->fault;
    const unsigned code = core_exception_code(core);
    char insn[128];
    fprintf(out, "CPU %u takes exception %u, %s, repeatedly: its exception vector", core->number, code,
            core_exception_name(core, code));
    deadlock_print_address(machine, fault->pc, out);
    if (fault->has_code) {
        isa_disassemble(machine->decoder, fault->word, fault->pc, insn, sizeof insn);
        fprintf(out, " begins with %s", insn);
    } else {
        fputs(" is not in RAM", out);
    }
    deadlock_print_exception(machine, core, fault->code_before, out);
}

/* Describe CORE, which is in state STILL. */
static void describe_core(const struct machine *machine, const struct core *core, enum core_stuck still, FILE *out)
{
    if (still == CORE_FAULTS) {
        describe_fault(machine, core, out);
        return;
    }
    fprintf(out, "CPU %u waits", core->number);
    deadlock_print_address(machine, core->s.pc, out);
    fputs(still == CORE_WAITS ? " with all interrupts masked" : " for an interrupt that cannot occur", out);
    deadlock_print_exception(machine, core, core_exception_code(core), out);
}

/* Kernel */

/* The loaded kernel image; NULL if its location is unknown. */
static const uint8_t *kernel_image(const struct machine *machine, size_t *size)
{
    *size = machine->kernel_last ? (size_t)machine->kernel_last - machine->kernel_first + 1 : 0;
    return *size ? physmem_host(machine->mem, machine->kernel_first) : NULL;
}

/* Print "; Linux 6.1.0-50-4kc-malta" from the banner of a Linux kernel. False if there is none. */
static bool print_version(const uint8_t *image, size_t size, FILE *out)
{
    enum { LONGEST = 64 };
    static const char banner[] = "Linux version ";
    const char *found = image ? memmem(image, size, banner, sizeof banner - 1) : NULL;
    if (!found)
        return false;
    const char *version = found + sizeof banner - 1;
    const size_t left = size - (size_t)((const uint8_t *)version - image);
    size_t length = 0;
    while (length < left && length < LONGEST && isgraph((unsigned char)version[length]))
        length++;
    fprintf(out, "; Linux %.*s", (int)length, version);
    return true;
}

/* The board of the first device tree in the kernel's image, if it is another board: kernels for one board have a
 * built-in device tree. NULL if there is none. */
static const char *other_board(const uint8_t *image, size_t size)
{
    static const uint8_t magic[] = {0xd0, 0x0d, 0xfe, 0xed};
    const uint8_t *at = image;
    while (at && (at = memmem(at, size - (size_t)(at - image), magic, sizeof magic))) {
        const size_t left = size - (size_t)(at - image);
        if (left >= FDT_V1_SIZE && fdt_check_full(at, left) == 0) {
            int length;
            const char *board = fdt_getprop(at, 0, "compatible", &length);
            if (board && length > 1 && !board[length - 1] && strcmp(board, BOARD_COMPATIBLE) != 0)
                return board;
        }
        at++;
    }
    return NULL;
}

/* Describe the kernel if that may explain the deadlock: a kernel that has started its first process supports this
 * board. */
static void describe_kernel(const struct machine *machine, FILE *out)
{
    size_t size;
    const uint8_t *image = kernel_image(machine, &size);
    const char *board = machine->userland_up ? NULL : other_board(image, size);
    const bool named = print_version(image, size, out);
    if (board)
        fprintf(out, "%s is a kernel for another board: its own device tree is for %.40s", named ? "" : "; this",
                board);
}

/* End of the run */

static void end(struct machine *machine, const struct core *core, enum core_stuck still)
{
    struct err reason = machine->panic;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        log_bug("out of memory");
    fputs("the guest can do nothing more: ", out);
    if (core)
        describe_core(machine, core, still, out);
    else
        fputs("all CPUs are off", out);
    describe_kernel(machine, out);
    if (fclose(out) != 0)
        log_bug("out of memory");
    err_set(&reason, "%s", text);
    free(text);
    machine_end_deadlocked(machine, &reason);
}

bool deadlock_devices_idle(const struct machine *machine)
{
    int timers = 0;
    for (unsigned i = 0; i < machine->cpus; i++)
        timers += event_is_scheduled(&machine->cores[i]->timer);
    return timers == machine->queue->count;
}

/*
 * A change of code in memory could end a CPU's loop: therefore no device may exist that could still write to memory.
 * Among devices without work in progress that is only the network card. A branch to itself may be the intended end of a
 * program; it counts only if another CPU shows an error.
 */
bool deadlock_check(struct machine *machine)
{
    const struct core *first = NULL;
    enum core_stuck of_first = CORE_NOT_STUCK;
    bool by_code = false;
    const bool held = machine_hold_stops_some(machine);
    for (unsigned i = 0; i < machine->cpus; i++) {
        bool so;
        if (machine->cores[i]->held && schedule_is_ready(machine->cores[i]))
            continue;
        const enum core_stuck still = core_find_stuck(machine->cores[i], &so);
        if (still == CORE_NOT_STUCK)
            return false;
        if (held && still == CORE_LOOPS)
            return false; /* a debugger resumed it, and may want to see it loop */
        by_code |= so;
        if ((still == CORE_FAULTS || still == CORE_WAITS) && still > of_first) {
            first = machine->cores[i];
            of_first = still;
        }
    }
    if (held && deadlock_devices_idle(machine)) {
        machine_end(machine, MACHINE_STOP_HELD);
        return true;
    }
    if (held || !first || !deadlock_devices_idle(machine) || (by_code && board_net_of(machine)->link))
        return false;
    end(machine, first, of_first);
    return true;
}

void deadlock_end(struct machine *machine)
{
    const struct core *waiting = NULL;
    for (unsigned i = 0; i < machine->cpus && !waiting; i++)
        if (machine->cores[i]->s.running)
            waiting = machine->cores[i];
    end(machine, waiting, CORE_NOT_STUCK);
}
