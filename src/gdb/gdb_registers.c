/*
 * Registers: the packets g, G, p and P, and their part of the target description.
 *
 * gdb fixes the size of the floating-point registers when it connects, and a program may change Status.FR at any time.
 * So each has two registers here: f0 to f31 are what a double-precision instruction uses under the present Status.FR
 * (with FR = 0 the pair, for even numbers), and f0s to f31s the low 32 bits, a single. They have the numbers after fir
 * and before fcsr: the packet g begins with the registers that gdb expects of a MIPS without a target description.
 */
#include "cpu/privileged/cp0.h"
#include "cpu/fp/fpu.h"
#include "src/gdb/gdb_state.h"
#include <string.h>

/* Register numbers of the target description. */
enum {
    REG_STATUS = 32,
    REG_LO = 33,
    REG_HI = 34,
    REG_BADVADDR = 35,
    REG_CAUSE = 36,
    REG_PC = 37,
    REG_F0S = 38,
    REG_FCSR = 70,
    REG_FIR = 71,
    REG_F0 = 72,
    REG_COUNT = 104,
};

static unsigned size_of(unsigned number)
{
    return number < REG_F0 ? 4 : 8;
}

/* The word of S that holds register NUMBER; NULL: f0 to f31 and fir. */
static uint32_t *word_of(struct cpu *s, unsigned number)
{
    if (number < 32)
        return &s->gpr[number];
    if (number >= REG_F0S && number < REG_F0S + 32)
        return &s->fpr[number - REG_F0S][0];
    switch (number) {
    case REG_STATUS: return &s->cp0[CP0_STATUS];
    case REG_LO: return &s->lo;
    case REG_HI: return &s->hi;
    case REG_BADVADDR: return &s->cp0[CP0_BADVADDR];
    case REG_CAUSE: return &s->cp0[CP0_CAUSE];
    case REG_PC: return &s->pc;
    case REG_FCSR: return &s->fcr31;
    default: return NULL;
    }
}

/* With Status.FR = 0 the odd registers have no upper half. */
static bool is_half(const struct cpu *s, unsigned fpr)
{
    return (fpr & 1) && !(s->cp0[CP0_STATUS] & STATUS_FR);
}

static uint64_t value_of(const struct cpu *s, unsigned number)
{
    if (number == REG_FIR)
        return FPU_FIR;
    if (number >= REG_F0)
        return is_half(s, number - REG_F0) ? s->fpr[number - REG_F0][0] : fpu_read_double(s, number - REG_F0);
    return *word_of((struct cpu *)(uintptr_t)s, number);
}

/* Set register NUMBER of S. The caller sees with value_of() whether it can have that value. */
static void set(struct cpu *s, unsigned number, uint64_t value)
{
    if (number >= REG_F0 && is_half(s, number - REG_F0))
        s->fpr[number - REG_F0][0] = (uint32_t)value;
    else if (number >= REG_F0)
        fpu_write_double(s, number - REG_F0, value);
    else if (number != 0 && number != REG_FIR)
        *word_of(s, number) = (uint32_t)value;
}

/* The bits of register NUMBER that can be written: as by mtc0 and ctc1, except that badvaddr is written too. The others
 * follow from what the machine does: no other value could be there, and none is pretended. */
static uint64_t writable(unsigned number)
{
    switch (number) {
    case 0:
    case REG_FIR: return 0;
    case REG_STATUS: return cp0_find(CP0_STATUS)->write_mask;
    case REG_CAUSE: return cp0_find(CP0_CAUSE)->write_mask;
    case REG_FCSR: return FCSR_WRITABLE;
    case REG_PC: return ~UINT64_C(3);
    default: return UINT64_MAX;
    }
}

static void set_of_core(struct core *core, unsigned number, uint64_t value)
{
    if (number == REG_STATUS || number == REG_CAUSE) {
        cp0_write(core, number == REG_STATUS ? CP0_STATUS : CP0_CAUSE, (uint32_t)value);
        core->model_ops->invalidate_all(core->model);
        return;
    }
    if (number == REG_PC) {
        core->s.in_delay_slot = false;
        core->resume.hook_stopped = false;
    }
    set(&core->s, number, value);
}

/* Set the registers of the selected CPU that WANTED names to VALUES, all or, if one cannot have its value, none. A
 * value equal to the shown one is not written, because the actual register may differ from it (gdb_watch.c). */
static bool write_registers(struct gdb_stub *stub, const bool *wanted, const uint64_t *values)
{
    struct core *core = stub->machine->cores[stub->general_cpu];
    const struct cpu *shown = gdb_watch_registers(stub, stub->general_cpu);
    struct cpu next = *shown;
    bool changed[REG_COUNT], any = false;
    for (unsigned i = 0; i < REG_COUNT; i++) {
        const uint64_t before = value_of(shown, i);
        changed[i] = wanted[i] && values[i] != before;
        if (changed[i] && (values[i] ^ before) & ~writable(i))
            return false;
        if (changed[i])
            set(&next, i, values[i]);
        any |= changed[i];
    }
    for (unsigned i = 0; i < REG_COUNT; i++)
        if (changed[i] && value_of(&next, i) != values[i]) /* another one has changed it, or it has no such bits */
            return false;
    if (!any)
        return true;
    gdb_watch_show_current(stub);
    for (unsigned i = 0; i < REG_COUNT; i++)
        if (changed[i])
            set_of_core(core, i, values[i]);
    core_registers_changed(core);
    return true;
}

bool gdb_registers_set_pc(struct gdb_stub *stub, unsigned cpu, vaddr address)
{
    if (address & 3)
        return false;
    set_of_core(stub->machine->cores[cpu], REG_PC, address);
    core_registers_changed(stub->machine->cores[cpu]);
    return true;
}

/* Packets */

static char *put(const struct gdb_stub *stub, unsigned number, char *out)
{
    const uint64_t value = value_of(gdb_watch_registers(stub, stub->general_cpu), number);
    return gdb_hex_put(out, &value, size_of(number)); /* little-endian, as the host */
}

void gdb_read_all_registers(struct gdb_stub *stub, const char *rest, const char *end)
{
    char *out = stub->reply;
    (void)rest, (void)end;
    for (unsigned i = 0; i < REG_COUNT; i++)
        out = put(stub, i, out);
    gdb_send(stub, stub->reply);
}

void gdb_write_all_registers(struct gdb_stub *stub, const char *rest, const char *end)
{
    uint64_t values[REG_COUNT] = {0};
    bool wanted[REG_COUNT];
    bool good = true;
    for (unsigned i = 0; good && i < REG_COUNT; i++) {
        wanted[i] = true;
        good = gdb_hex_get(rest, &values[i], size_of(i));
        rest += size_of(i) * 2;
    }
    good = good && rest == end && write_registers(stub, wanted, values);
    gdb_send(stub, good ? "OK" : GDB_ERROR_PACKET);
}

void gdb_read_register(struct gdb_stub *stub, const char *rest, const char *end)
{
    uint64_t number;
    if (!gdb_parse_number(&rest, &number) || rest != end || number >= REG_COUNT) {
        gdb_send(stub, GDB_ERROR_PACKET);
        return;
    }
    put(stub, (unsigned)number, stub->reply);
    gdb_send(stub, stub->reply);
}

void gdb_write_register(struct gdb_stub *stub, const char *rest, const char *end)
{
    uint64_t number, values[REG_COUNT] = {0};
    bool wanted[REG_COUNT] = {false};
    bool good = gdb_parse_number(&rest, &number) && number < REG_COUNT && *rest++ == '=' &&
                end - rest == 2 * (ptrdiff_t)size_of((unsigned)number) &&
                gdb_hex_get(rest, &values[number], size_of((unsigned)number));
    if (good) {
        wanted[number] = true;
        good = write_registers(stub, wanted, values);
    }
    gdb_send(stub, good ? "OK" : GDB_ERROR_PACKET);
}

/* Description */

static void describe(FILE *out, const char *name, unsigned number, const char *type)
{
    fprintf(out, "<reg name=\"%s\" bitsize=\"%u\" regnum=\"%u\"%s/>", name, size_of(number) * 8, number, type);
}

static void describe_each(FILE *out, const char *format, unsigned first, const char *type)
{
    for (unsigned i = 0; i < 32; i++) {
        char name[16];
        snprintf(name, sizeof name, format, i);
        describe(out, name, first + i, type);
    }
}

void gdb_registers_describe(FILE *out)
{
    fputs("<feature name=\"org.gnu.gdb.mips.cpu\">", out);
    describe_each(out, "r%u", 0, "");
    describe(out, "lo", REG_LO, "");
    describe(out, "hi", REG_HI, "");
    describe(out, "pc", REG_PC, "");
    fputs("</feature><feature name=\"org.gnu.gdb.mips.cp0\">", out);
    describe(out, "status", REG_STATUS, "");
    describe(out, "badvaddr", REG_BADVADDR, "");
    describe(out, "cause", REG_CAUSE, "");
    fputs("</feature><feature name=\"org.gnu.gdb.mips.fpu\">", out);
    describe_each(out, "f%u", REG_F0, " type=\"ieee_double\"");
    describe(out, "fcsr", REG_FCSR, " group=\"float\"");
    describe(out, "fir", REG_FIR, " group=\"float\"");
    fputs("</feature><feature name=\"org.simos.mips.fpu.single\">", out);
    describe_each(out, "f%us", REG_F0S, " type=\"ieee_single\" group=\"float\"");
    fputs("</feature>", out);
}
