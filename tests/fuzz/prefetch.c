/*
 * `prefetch.guards=@FILE` and `prefetch.points=@FILE`, in a kernel with some symbols, two of the same name. The first
 * byte of an input says which.
 */
#include "src/guest/guards.h"
#include "src/machine/machine_guest.h"
#include "src/guest/prefetch_points.h"
#include "src/base/symbols.h"
#include "tests/fuzz/machine.h"

#include <sanitizer/lsan_interface.h>

static const char symbols[] =
    "80100000 T _text\n80100100 T schedule\n80100180 t copy\n80100200 t copy\n80100300 T memcpy\n"
    "80110000 T _etext\n80120000 D jiffies\n";

static struct fuzz_file file, list;
static struct machine *machine;
static char text[64];

static void create_machine(void)
{
    char points[96];
    struct err err = {""};
    snprintf(points, sizeof points, "prefetch.points=@%s", file.path);
    __lsan_disable(); /* later inputs use it too, and at the end nobody frees it */
    const char *const assignments[] = {"prefetch.insn.trigger=miss", "prefetch.data=on", points, NULL};
    machine = fuzz_machine(assignments);
    machine->symbols = symbols_load(list.path, &err);
    fuzz_must(machine->symbols, "symbols", &err);
    __lsan_enable();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    file = fuzz_file_create();
    list = fuzz_file_create();
    fuzz_file_fill(&list, symbols, sizeof symbols - 1);
    snprintf(text, sizeof text, "@%s", file.path);
    create_machine();
    return 0;
}

static void guards(void)
{
    const struct machine_view view = machine_view_of(machine);
    struct err err = {""};
    const bool set = guards_apply(&view, text, true, &err);
    fuzz_check(set, &err);
    err.text[0] = 0;
    if (guards_apply(&view, text, false, &err) != set)
        fuzz_fail("guards", "that can be set cannot be cleared");
}

static void points(void)
{
    const struct machine_view view = machine_view_of(machine);
    struct err err = {""};
    fuzz_check(
        prefetch_points_set(&machine->prefetch_points, &view, params_string(machine->params, "prefetch.points"), &err),
        &err);
    if (machine->prefetch_points) { /* it does not get rid of them */
        machine_free(machine);
        create_machine();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    if (size == 0)
        return -1;
    fuzz_file_fill(&file, input + 1, size - 1);
    if (*input & 1)
        points();
    else
        guards();
    return 0;
}
