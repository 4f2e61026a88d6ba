#include "src/guest/panic.h"

#include <string.h>

/* Read the message's format string at ADDRESS, up to the first conversion or the end of the first line. */
static void read_message(struct core *core, vaddr address, char *text, size_t size)
{
    uint32_t length = core_debug_read(core, address, text, (uint32_t)size - 1);
    text[length] = 0;
    char *insertion = strchr(text, '%');
    if (insertion && (size_t)(insertion - text) + sizeof "..." <= size)
        memcpy(insertion, "...", sizeof "...");
    text[strcspn(text, "\n")] = 0;
}

/* Read the exported kernel variable NAME, a word; false if it is unknown. */
static bool read_variable(const struct panic_watch *watch, struct core *core, const char *name, uint32_t *value)
{
    const struct symbol *symbol = symbols_find(watch->view.symbols, name);
    return symbol && core_debug_read(core, symbol->address, value, sizeof *value) == sizeof *value;
}

/* Hook on the function in panic_blink: the kernel is in the final loop of panic(). */
static bool in_final_loop(void *opaque, struct core *core)
{
    const struct panic_watch *watch = opaque;
    uint32_t seconds;
    if (read_variable(watch, core, "panic_timeout", &seconds) && seconds == 0)
        watch->hangs(watch->opaque);
    return false;
}

static void watch_final_loop(struct panic_watch *watch, struct core *core)
{
    uint32_t address = 0;
    const struct symbol *initial = symbols_find(watch->view.symbols, "no_blink");
    if (!read_variable(watch, core, "panic_blink", &address) || (address == 0 && !initial))
        return;
    core_hook_add(core, address ? address : initial->address, in_final_loop, watch);
}

static bool panic_called(void *opaque, struct core *core)
{
    struct panic_watch *watch = opaque;
    char message[128];
    if (watch->has_panicked)
        return false;
    watch->has_panicked = true;
    read_message(core, core_argument(core, 0), message, sizeof message);
    watch->panics(watch->opaque, core, message);
    watch_final_loop(watch, core);
    return false;
}

void panic_watch(struct panic_watch *watch)
{
    const struct symbol *panic = symbols_find(watch->view.symbols, "panic");
    for (unsigned i = 0; panic && i < watch->view.cpus; i++)
        core_hook_add(watch->view.cores[i], panic->address, panic_called, watch);
}
