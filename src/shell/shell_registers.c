/* The shell's commands for processors: registers, TLB, positions. */
#include "cpu/privileged/cp0.h"
#include "cpu/fp/fpu.h"
#include "cpu/isa/isa.h"
#include "cpu/privileged/tlb.h"
#include "src/machine/machine_text.h"
#include "src/shell/shell_state.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Register names: GPRs (o32), pc, hi, lo, fcsr, f0..f31; CP0 registers by the manual's names. Case is ignored. */

enum register_kind { REGISTER_GPR, REGISTER_PC, REGISTER_HI, REGISTER_LO, REGISTER_FCSR, REGISTER_FPR, REGISTER_CP0 };

struct reg {
    enum register_kind kind;
    unsigned number;
};

static const char *const fpr_names[32] = {
    "f0",  "f1",  "f2",  "f3",  "f4",  "f5",  "f6",  "f7",  "f8",  "f9",  "f10", "f11", "f12", "f13", "f14", "f15",
    "f16", "f17", "f18", "f19", "f20", "f21", "f22", "f23", "f24", "f25", "f26", "f27", "f28", "f29", "f30", "f31",
};

static const struct {
    const char *name;
    enum register_kind kind;
} single_registers[] = {
    {"pc", REGISTER_PC},
    {"hi", REGISTER_HI},
    {"lo", REGISTER_LO},
    {"fcsr", REGISTER_FCSR},
};
enum { SINGLE_REGISTERS = sizeof single_registers / sizeof single_registers[0] };

/* The register at INDEX of the list, in *REG. Returns its name; NULL at the end. */
static const char *register_at(size_t index, struct reg *reg)
{
    if (index < 32) {
        *reg = (struct reg){REGISTER_GPR, (unsigned)index};
        return isa_gpr_name(reg->number);
    }
    index -= 32;
    if (index < SINGLE_REGISTERS) {
        *reg = (struct reg){single_registers[index].kind, 0};
        return single_registers[index].name;
    }
    index -= SINGLE_REGISTERS;
    if (index < 32) {
        *reg = (struct reg){REGISTER_FPR, (unsigned)index};
        return fpr_names[index];
    }
    index -= 32;
    for (unsigned number = 0; number < CP0_COUNT_OF_REGISTERS; number++) {
        const struct cp0_register *row = cp0_find(number);
        if (row && index-- == 0) {
            *reg = (struct reg){REGISTER_CP0, number};
            return row->name;
        }
    }
    return NULL;
}

const char *shell_register_name(size_t index)
{
    struct reg reg;
    return register_at(index, &reg);
}

static int find_register(struct shell *shell, const char *name, struct reg *reg)
{
    const char *known;
    for (size_t i = 0; (known = register_at(i, reg)); i++)
        if (strcasecmp(known, name) == 0)
            return TCL_OK;
    int number = isa_gpr_number(name); /* accepts $4, r4 and 4 */
    if (number < 0)
        return shell_error(shell, "no register \"%s\"; `register` lists them", name);
    *reg = (struct reg){REGISTER_GPR, (unsigned)number};
    return TCL_OK;
}

static Tcl_Obj *fpr_value(const struct core *core, unsigned number)
{
    const uint32_t *words = core->s.fpr[number];
    if (core->s.cp0[CP0_STATUS] & STATUS_FR)
        return shell_hex((uint64_t)words[1] << 32 | words[0], 8);
    return shell_hex_word(words[0]);
}

static Tcl_Obj *register_value(struct core *core, const struct reg *reg)
{
    switch (reg->kind) {
    case REGISTER_GPR: return shell_hex_word(core->s.gpr[reg->number]);
    case REGISTER_PC: return shell_hex_word(core->s.pc);
    case REGISTER_HI: return shell_hex_word(core->s.hi);
    case REGISTER_LO: return shell_hex_word(core->s.lo);
    case REGISTER_FCSR: return shell_hex_word(core->s.fcr31);
    case REGISTER_FPR: return fpr_value(core, reg->number);
    case REGISTER_CP0: return shell_hex_word(cp0_read(core, reg->number));
    }
    log_bug("register kind %d", (int)reg->kind);
}

static int set_fpr(struct shell *shell, struct core *core, unsigned number, Tcl_Obj *word)
{
    uint32_t value;
    Tcl_WideInt wide;
    if (!(core->s.cp0[CP0_STATUS] & STATUS_FR)) {
        if (shell_get_word(shell, word, "value", &value) != TCL_OK)
            return TCL_ERROR;
        core->s.fpr[number][0] = value;
        return TCL_OK;
    }
    if (Tcl_GetWideIntFromObj(NULL, word, &wide) != TCL_OK)
        return shell_error(shell, "value \"%s\" is not a number of 64 bits", Tcl_GetString(word));
    core->s.fpr[number][0] = (uint32_t)wide;
    core->s.fpr[number][1] = (uint32_t)((uint64_t)wide >> 32);
    return TCL_OK;
}

static int set_pc(struct shell *shell, struct core *core, uint32_t value)
{
    if (value & 3)
        return shell_error(shell, "pc: 0x%08x is not a multiple of 4", value);
    core->s.pc = value;
    core->s.in_delay_slot = false;
    return TCL_OK;
}

static int set_register(struct shell *shell, struct core *core, const struct reg *reg, Tcl_Obj *word)
{
    uint32_t value;
    if (reg->kind == REGISTER_FPR)
        return set_fpr(shell, core, reg->number, word);
    if (reg->kind == REGISTER_PC) {
        if (shell_get_address(shell, word, &value) != TCL_OK)
            return TCL_ERROR;
        return set_pc(shell, core, value);
    }
    if (shell_get_word(shell, word, "value", &value) != TCL_OK)
        return TCL_ERROR;
    if (reg->kind == REGISTER_GPR && reg->number == 0)
        return shell_error(shell, "register zero is always 0");
    core_registers_changed(core);
    switch (reg->kind) {
    case REGISTER_HI: core->s.hi = value; break;
    case REGISTER_LO: core->s.lo = value; break;
    case REGISTER_FCSR: core->s.fcr31 = value & FCSR_WRITABLE; break;
    case REGISTER_CP0: cp0_write(core, reg->number, value); break;
    default: core->s.gpr[reg->number] = value; break;
    }
    return TCL_OK;
}

static int register_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct shell *shell = data;
    struct reg reg;
    if (count > 3)
        return shell_usage(shell, words, "?NAME? ?VALUE?");
    if (count == 1) {
        const char *name;
        Tcl_Obj *list = Tcl_NewListObj(0, NULL);
        for (size_t i = 0; (name = shell_register_name(i)); i++)
            Tcl_ListObjAppendElement(interp, list, Tcl_NewStringObj(name, -1));
        Tcl_SetObjResult(interp, list);
        return TCL_OK;
    }
    if (shell_need_machine(shell) != TCL_OK || find_register(shell, Tcl_GetString(words[1]), &reg) != TCL_OK)
        return TCL_ERROR;
    struct core *core = shell->machine->cores[shell->cpu];
    if (count == 3 && shell_check_writable(shell) != TCL_OK)
        return TCL_ERROR;
    if (count == 3 && set_register(shell, core, &reg, words[2]) != TCL_OK)
        return TCL_ERROR;
    Tcl_SetObjResult(interp, register_value(core, &reg));
    return TCL_OK;
}

static void print_registers(struct shell *shell, FILE *out, const struct core *core)
{
    static const unsigned system[] = {CP0_STATUS, CP0_CAUSE, CP0_EPC, CP0_BADVADDR, CP0_ENTRYHI, CP0_COUNT};
    const struct cpu *s = &core->s;
    char name[256];
    for (unsigned i = 0; i < 32; i++)
        fprintf(out, "%4s %08x%s", isa_gpr_name(i), s->gpr[i], i % 8 == 7 ? "\n" : "  ");
    shell_symbol_text(shell, s->pc, name, sizeof name);
    fprintf(out, "  pc %08x    hi %08x    lo %08x  %s%s\n", s->pc, s->hi, s->lo, name,
            s->in_delay_slot ? " (delay slot)" : "");
    for (unsigned i = 0; i < sizeof system / sizeof system[0]; i++)
        fprintf(out, "%s%s %08x", i ? "  " : "  ", cp0_find(system[i])->name,
                system[i] == CP0_COUNT ? cp0_count(core) : s->cp0[system[i]]);
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
    struct reg reg;
    for (size_t i = 0; (name = register_at(i, &reg)); i++)
        Tcl_DictObjPut(interp, dict, Tcl_NewStringObj(name, -1), register_value(core, &reg));
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

static void put_half(Tcl_Obj *dict, const struct tlb_entry *entry, unsigned half)
{
    static const char *const names[2][2] = {{"even", "even_flags"}, {"odd", "odd_flags"}};
    uint32_t lo = entry->lo[half];
    Tcl_DictObjPut(NULL, dict, Tcl_NewStringObj(names[half][0], -1), shell_hex_word(tlb_page_base(entry, half)));
    Tcl_DictObjPut(NULL, dict, Tcl_NewStringObj(names[half][1], -1),
                   Tcl_ObjPrintf("%s%sC%u", lo & 2 ? "V" : "", lo & 4 ? "D" : "", lo >> 3 & 7));
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
        const struct tlb_entry *entry = &core->s.tlb[i];
        if (!((entry->lo[0] | entry->lo[1]) & 2))
            continue;
        Tcl_Obj *dict = Tcl_NewDictObj();
        Tcl_DictObjPut(interp, dict, Tcl_NewStringObj("index", -1), Tcl_NewWideIntObj(i));
        Tcl_DictObjPut(interp, dict, Tcl_NewStringObj("address", -1), shell_hex_word(entry->vpn2));
        Tcl_DictObjPut(interp, dict, Tcl_NewStringObj("size", -1),
                       Tcl_NewWideIntObj((Tcl_WideInt)tlb_offset_mask(entry->page_mask) + 1));
        Tcl_DictObjPut(interp, dict, Tcl_NewStringObj("asid", -1), Tcl_NewWideIntObj(entry->asid));
        Tcl_DictObjPut(interp, dict, Tcl_NewStringObj("global", -1), Tcl_NewWideIntObj(entry->global));
        put_half(dict, entry, 0);
        put_half(dict, entry, 1);
        Tcl_ListObjAppendElement(interp, list, dict);
    }
    shell_pretty(shell, list, text);
    return TCL_OK;
}

const struct shell_command shell_register_commands[] = {
    {"cpu", "?N?", "select the CPU that other commands look at",
     "    Without N: the selected one. A breakpoint selects the CPU that met it.", cpu_command},
    {"where", "", "where every CPU is: a list of dicts", "", where_command},
    {"register", "?NAME? ?VALUE?", "a register of the selected CPU, or set it",
     "    GPRs by their o32 names, pc, hi, lo, fcsr, f0 to f31, CP0 registers by name. Setting one of CP0 does what\n"
     "    mtc0 does. Without NAME: the list of names.",
     register_command},
    {"registers", "", "all registers of the selected CPU: a dict", "", registers_command},
    {"tlb", "", "the valid entries of the selected CPU's TLB: a list of dicts",
     "    Flags: V valid, D may be stored to, Cn the cache attribute.", tlb_command},
    {0},
};
