#include "src/machine/panic.h"

#include "cpu/registers.h"
#include "src/machine/machine_end.h"
#include "src/machine/deadlock.h"
#include "src/base/symbols.h"
#include <stdlib.h>
#include <string.h>

/* Read the message's format string at ADDRESS, up to the first conversion or the end of the first line. */
static void read_message(struct machine *machine, const struct core *core, vaddr address, char *text, size_t size)
{
    uint32_t length = machine_debug_read(machine, core->number, address, text, (uint32_t)size - 1);
    text[length] = 0;
    char *insertion = strchr(text, '%');
    if (insertion && (size_t)(insertion - text) + sizeof "..." <= size)
        memcpy(insertion, "...", sizeof "...");
    text[strcspn(text, "\n")] = 0;
}

/* Read the exported kernel variable NAME, a word; false if it is unknown. */
static bool read_variable(struct machine *machine, const struct core *core, const char *name, uint32_t *value)
{
    const struct symbol *symbol = symbols_find(machine->symbols, name);
    return symbol && machine_debug_read(machine, core->number, symbol->address, value, sizeof *value) == sizeof *value;
}

/* Hook on the function in panic_blink: the kernel is in the final loop of panic(). */
static bool in_final_loop(void *opaque, struct core *core)
{
    struct machine *machine = opaque;
    uint32_t seconds;
    if (read_variable(machine, core, "panic_timeout", &seconds) && seconds == 0)
        machine_end_deadlocked(machine, &machine->panic);
    return false;
}

static void watch_final_loop(struct machine *machine, struct core *core)
{
    uint32_t address = 0;
    const struct symbol *initial = symbols_find(machine->symbols, "no_blink");
    if (!read_variable(machine, core, "panic_blink", &address) || (address == 0 && !initial))
        return;
    core_hook_add(core, address ? address : initial->address, in_final_loop, machine);
}

static void report(struct machine *machine, const struct core *core)
{
    char message[128], *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        log_bug("out of memory");
    read_message(machine, core, core_argument(core, 0), message, sizeof message);
    fprintf(out, "the guest's kernel panicked: \"%s\"; CPU %u called panic()", message, core->number);
    deadlock_print_address(machine, core_call_before(core_return_address(core)), out);
    deadlock_print_exception(machine, core, core_exception_code(core), out);
    if (fclose(out) != 0)
        log_bug("out of memory");
    err_set(&machine->panic, "%s", text);
    free(text);
}

static bool panic_called(void *opaque, struct core *core)
{
    struct machine *machine = opaque;
    if (machine->panic.text[0])
        return false;
    report(machine, core);
    watch_final_loop(machine, core);
    return false;
}

void panic_watch(struct machine *machine)
{
    const struct symbol *panic = symbols_find(machine->symbols, "panic");
    for (unsigned i = 0; panic && i < machine->cpus; i++)
        core_hook_add(machine->cores[i], panic->address, panic_called, machine);
}
