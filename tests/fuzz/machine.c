/*
 * Machine descriptions: `--machine FILE.tcl`, its picture, and a machine that is made of it and executes something.
 * Inputs are as tests/fuzz/tcl.h says.
 */
#include "cache/memsys.h"
#include "src/description/machine_file.h"
#include "src/report/diagram.h"
#include "tests/fuzz/machine.h"
#include "tests/fuzz/tcl.h"

enum { MEMORY_MOST = 64 << 20, INSNS = 300 };

static void run(const struct machine_options *options)
{
    struct err err = {""};
    if (params_u64(options->params, "machine.memory") > MEMORY_MOST)
        return;
    struct machine *machine = machine_create(options, NULL, NULL, &err);
    fuzz_check(machine, &err);
    if (!machine)
        return;
    for (unsigned i = 0; i < machine->cpus; i++)
        machine->cores[i]->s.pc = 0x80000000u; /* where there are zeros, which do nothing */
    machine_run(machine, &(struct machine_limits){CYCLES_NEVER, INSNS});
    fuzz_must(memsys_check(machine->memsys, &err), "caches", &err);
    fuzz_must(machine_check_accounts(machine, &err), "accounts", &err);
    machine_free(machine);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    struct machine_options options;
    struct err err = {""};
    char *text = fuzz_tcl_text(input, size, NULL);
    if (!text)
        return -1;
    fuzz_options(&options, NULL);
    params_set_origin(options.params, "machine x.tcl");
    bool done = machine_file_apply_text(options.params, "x.tcl", text, &err);
    params_set_origin(options.params, NULL);
    fuzz_check(done, &err);
    if (done)
        fuzz_check(diagram_print("x", options.params, fuzz_sink(), &err), &err);
    if (done && !err.text[0]) {
        done = machine_options_check(&options, &err);
        fuzz_check(done, &err);
    }
    if (done && !err.text[0])
        run(&options);
    machine_options_release(&options);
    free(text);
    return 0;
}
