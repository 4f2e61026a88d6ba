/* The shell's commands for processors: registers, TLB, positions. */
#include "cpu/privileged/register_access.h"
#include "cpu/privileged/tlb.h"
#include "cpu/registers.h"
#include "src/machine/machine_text.h"
#include "src/shell/shell_state.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Register names: those of cpu/privileged/register_access.h. Case is ignored. */

static const struct architecture *architecture_of(const struct shell *shell)
{
    return shell->machine ? shell->machine->cores[shell->cpu]->architecture
                          : machine_architecture(shell->options->params);
}

/* The first register with a name from *NUMBER on, which is set to its number. NULL: there is none. */
static const char *next_register(const struct architecture *architecture, unsigned *number)
{
    const char *name = NULL;
    while (*number < REGISTER_NUMBERS && !(name = register_name(architecture, *number)))
        ++*number;
    return name;
}

const char *shell_register_name(const struct shell *shell, unsigned *number)
{
    return next_register(architecture_of(shell), number);
}

/* A floating-point register is as wide as Status.FR makes it. */
static unsigned width_adjusted(const struct core *core, unsigned number)
{
    return number >= REGISTER_SINGLE && number < REGISTER_DOUBLE ? register_of_fpr(core, number - REGISTER_SINGLE)
                                                                 : number;
}

static int find_register(struct shell *shell, const char *name, unsigned *number)
{
    const int found = register_find(architecture_of(shell), name);
    if (found < 0)
        return shell_error(shell, "no register \"%s\"; `register` lists them", name);
    *number = width_adjusted(shell->machine->cores[shell->cpu], (unsigned)found);
    return TCL_OK;
}

static Tcl_Obj *register_value(struct core *core, unsigned number)
{
    return shell_hex(register_read(core, number), register_bytes(number));
}

static int set_register(struct shell *shell, struct core *core, unsigned number, Tcl_Obj *word)
{
    uint32_t value;
    Tcl_WideInt wide;
    if (register_bytes(number) > sizeof value) {
        if (Tcl_GetWideIntFromObj(NULL, word, &wide) != TCL_OK)
            return shell_error(shell, "value \"%s\" is not a number of 64 bits", Tcl_GetString(word));
        register_write(core, number, (uint64_t)wide);
        return TCL_OK;
    }
    if ((number == REGISTER_PC ? shell_get_address(shell, word, &value)
                               : shell_get_word(shell, word, "value", &value)) != TCL_OK)
        return TCL_ERROR;
    if (number == REGISTER_PC && value & 3)
        return shell_error(shell, "pc: 0x%08x is not a multiple of 4", value);
    if (number == 0)
        return shell_error(shell, "register zero is always 0");
    register_write(core, number, value);
    return TCL_OK;
}

int shell_get_register(struct shell *shell, Tcl_Obj *word, unsigned *number)
{
    return find_register(shell, Tcl_GetString(word), number);
}

static int register_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct shell *shell = data;
    unsigned number = 0;
    if (count > 3)
        return shell_usage(shell, words, "?NAME? ?VALUE?");
    if (count == 1) {
        const char *name;
        Tcl_Obj *list = Tcl_NewListObj(0, NULL);
        for (; (name = shell_register_name(shell, &number)); number++)
            Tcl_ListObjAppendElement(interp, list, Tcl_NewStringObj(name, -1));
        Tcl_SetObjResult(interp, list);
        return TCL_OK;
    }
    if (shell_need_machine(shell) != TCL_OK || find_register(shell, Tcl_GetString(words[1]), &number) != TCL_OK)
        return TCL_ERROR;
    struct core *core = shell->machine->cores[shell->cpu];
    if (count == 3 && shell_check_change(shell) != TCL_OK)
        return TCL_ERROR;
    if (count == 3 && set_register(shell, core, number, words[2]) != TCL_OK)
        return TCL_ERROR;
    Tcl_SetObjResult(interp, register_value(core, number));
    return TCL_OK;
}

static void print_registers(struct shell *shell, FILE *out, struct core *core)
{
    const struct architecture *architecture = core->architecture;
    const struct cpu *s = &core->s;
    char name[256];
    for (unsigned i = 0; i < 32; i++)
        fprintf(out, "%4s %08x%s", register_name(architecture, i), core_general(core, i), i % 8 == 7 ? "\n" : "  ");
    shell_symbol_text(shell, s->pc, name, sizeof name);
    fprintf(out, "  pc %08x    hi %08x    lo %08x  %s%s\n", s->pc, s->hi, s->lo, name,
            s->in_delay_slot ? " (delay slot)" : "");
    for (const uint16_t *number = architecture->summary; *number != 0; number++)
        fprintf(out, "  %s %08x", register_name(architecture, *number), (uint32_t)register_read(core, *number));
    fputc('\n', out);
}

static int registers_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct shell *shell = data;
    if (count > 1)
        return shell_usage(shell, words, "");
    if (shell_need_machine(shell) != TCL_OK)
        return TCL_ERROR;
    struct core *core = shell->machine->cores[shell->cpu];
    Tcl_Obj *dict = Tcl_NewDictObj();
    const char *name;
    for (unsigned number = 0; (name = next_register(core->architecture, &number)); number++)
        Tcl_DictObjPut(interp, dict, Tcl_NewStringObj(name, -1), register_value(core, width_adjusted(core, number)));
    char *text = NULL;
    size_t size;
    if (shell->interactive) {
        FILE *out = shell_text_open(&text, &size);
        print_registers(shell, out, core);
        fclose(out);
    }
    shell_pretty(shell, dict, text);
    return TCL_OK;
}

static int cpu_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct shell *shell = data;
    if (count > 2)
        return shell_usage(shell, words, "?N?");
    if (shell_need_machine(shell) != TCL_OK || (count == 2 && shell_get_cpu(shell, words[1], &shell->cpu) != TCL_OK))
        return TCL_ERROR;
    Tcl_SetObjResult(interp, Tcl_NewWideIntObj(shell->cpu));
    return TCL_OK;
}

/* Positions */

void shell_print_position(struct shell *shell, FILE *out, unsigned cpu)
{
    const struct core *core = shell->machine->cores[cpu];
    char name[256];
    shell_symbol_text(shell, core->s.pc, name, sizeof name);
    fprintf(out, "CPU %u at 0x%08x %s%s%s, %.9f s, %llu instructions\n", cpu, core->s.pc, name, *name ? ", " : "",
            machine_text_mode(core), shell_seconds(shell, core->s.cycle), (unsigned long long)core->s.insns);
}

static Tcl_Obj *position(const struct shell *shell, const struct core *core)
{
    char name[256];
    shell_symbol_text(shell, core->s.pc, name, sizeof name);
    Tcl_Obj *dict = Tcl_NewDictObj();
    Tcl_DictObjPut(NULL, dict, Tcl_NewStringObj("cpu", -1), Tcl_NewWideIntObj(core->number));
    Tcl_DictObjPut(NULL, dict, Tcl_NewStringObj("pc", -1), shell_hex_word(core->s.pc));
    Tcl_DictObjPut(NULL, dict, Tcl_NewStringObj("symbol", -1), Tcl_NewStringObj(name, -1));
    Tcl_DictObjPut(NULL, dict, Tcl_NewStringObj("mode", -1), Tcl_NewStringObj(machine_text_mode(core), -1));
    Tcl_DictObjPut(NULL, dict, Tcl_NewStringObj("time", -1), Tcl_NewDoubleObj(shell_seconds(shell, core->s.cycle)));
    Tcl_DictObjPut(NULL, dict, Tcl_NewStringObj("insns", -1), Tcl_NewWideIntObj((Tcl_WideInt)core->s.insns));
    return dict;
}

static int where_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct shell *shell = data;
    char *text = NULL;
    size_t size;
    if (count > 1)
        return shell_usage(shell, words, "");
    if (shell_need_machine(shell) != TCL_OK)
        return TCL_ERROR;
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    FILE *out = shell->interactive ? shell_text_open(&text, &size) : NULL;
    for (unsigned i = 0; i < shell->machine->cpus; i++) {
        Tcl_ListObjAppendElement(interp, list, position(shell, shell->machine->cores[i]));
        if (out) {
            fputs(i == shell->cpu ? "* " : "  ", out);
            shell_print_position(shell, out, i);
        }
    }
    if (out)
        fclose(out);
    shell_pretty(shell, list, text);
    return TCL_OK;
}

/* TLB */

static void put_page(Tcl_Obj *dict, const struct tlb_mapping *entry, unsigned half)
{
    static const char *const names[2][2] = {{"even", "even_flags"}, {"odd", "odd_flags"}};
    Tcl_DictObjPut(NULL, dict, Tcl_NewStringObj(names[half][0], -1), shell_hex_word(entry->page[half].address));
    Tcl_DictObjPut(NULL, dict, Tcl_NewStringObj(names[half][1], -1),
                   Tcl_ObjPrintf("%s%sC%u", entry->page[half].valid ? "V" : "", entry->page[half].writable ? "D" : "",
                                 entry->page[half].cache));
}

static int tlb_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct shell *shell = data;
    char *text = NULL;
    size_t size;
    if (count > 1)
        return shell_usage(shell, words, "");
    if (shell_need_machine(shell) != TCL_OK)
        return TCL_ERROR;
    const struct core *core = shell->machine->cores[shell->cpu];
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    if (shell->interactive) {
        FILE *out = shell_text_open(&text, &size);
        machine_text_tlb(core, out);
        fclose(out);
    }
    for (unsigned i = 0; i < core->tlb_entries; i++) {
        struct tlb_mapping entry;
        if (!tlb_mapping(core, i, &entry))
            continue;
        Tcl_Obj *dict = Tcl_NewDictObj();
        Tcl_DictObjPut(interp, dict, Tcl_NewStringObj("index", -1), Tcl_NewWideIntObj(i));
        Tcl_DictObjPut(interp, dict, Tcl_NewStringObj("address", -1), shell_hex_word(entry.address));
        Tcl_DictObjPut(interp, dict, Tcl_NewStringObj("size", -1), Tcl_NewWideIntObj((Tcl_WideInt)entry.page_bytes));
        Tcl_DictObjPut(interp, dict, Tcl_NewStringObj("asid", -1), Tcl_NewWideIntObj(entry.asid));
        Tcl_DictObjPut(interp, dict, Tcl_NewStringObj("global", -1), Tcl_NewWideIntObj(entry.global));
        for (unsigned half = 0; half < entry.pages; half++)
            put_page(dict, &entry, half);
        Tcl_ListObjAppendElement(interp, list, dict);
    }
    shell_pretty(shell, list, text);
    return TCL_OK;
}

const struct shell_command shell_register_commands[] = {
    {"cpu", "?N?", "select the CPU that other commands look at",
     "    Without N: the selected one. A breakpoint selects the CPU that met it.", cpu_command, SHELL_AT_PLACE},
    {"where", "", "where every CPU is: a list of dicts", "", where_command, SHELL_AT_PLACE},
    {"register", "?NAME? ?VALUE?", "a register of the selected CPU, or set it",
     "    GPRs by their o32 names, pc, hi, lo, fcsr, f0 to f31, CP0 registers by name. Setting one of CP0 does what\n"
     "    mtc0 does. Without NAME: the list of names.",
     register_command, SHELL_AT_PLACE},
    {"registers", "", "all registers of the selected CPU: a dict", "", registers_command, SHELL_AT_PLACE},
    {"tlb", "", "the valid entries of the selected CPU's TLB: a list of dicts",
     "    Flags: V valid, D may be stored to, Cn the cache attribute.", tlb_command, SHELL_AT_PLACE},
    {0},
};
