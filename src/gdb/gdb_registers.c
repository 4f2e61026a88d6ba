/*
 * Registers: the packets g, G, p and P, and their part of the target description. Which registers gdb has, and by which
 * numbers, says the architecture (struct gdb_description).
 */
#include "cpu/privileged/register_access.h"
#include "src/gdb/gdb_state.h"
#include <string.h>

static const struct architecture *architecture_of(const struct gdb_stub *stub)
{
    return stub->machine->cores[0]->architecture;
}

/* The number of gdb's register REG (cpu/architecture.h). */
static unsigned number_of(const struct architecture *architecture, unsigned reg)
{
    const struct gdb_registers *row = architecture->gdb->rows;
    while (reg - row->first >= row->count)
        row++;
    return row->number + (reg - row->first);
}

static unsigned size_of(const struct architecture *architecture, unsigned reg)
{
    return register_bytes(number_of(architecture, reg));
}

static uint64_t value_of(const struct architecture *architecture, const struct cpu *s, unsigned reg)
{
    return register_stored(architecture, s, number_of(architecture, reg));
}

static void set_of_core(struct core *core, unsigned number, uint64_t value)
{
    if (number == REGISTER_BADVADDR) { /* not writable by instructions */
        register_store(&core->s, number, value);
        return;
    }
    register_write(core, number, value);
    if (number >= REGISTER_SYSTEM)
        core->model_ops->invalidate_all(core->model);
}

/* Set the registers of the selected CPU that WANTED names to VALUES, all or, if one cannot have its value, none. A
 * value equal to the shown one is not written, because the actual register may differ from it (gdb_watch.c). */
static bool write_registers(struct gdb_stub *stub, const bool *wanted, const uint64_t *values)
{
    struct core *core = stub->machine->cores[stub->general_cpu];
    const struct architecture *architecture = core->architecture;
    const unsigned registers = architecture->gdb->registers;
    const struct cpu *shown = gdb_watch_registers(stub, stub->general_cpu);
    struct cpu next = *shown;
    bool changed[GDB_REGISTERS_MAX], any = false;
    for (unsigned i = 0; i < registers; i++) {
        const uint64_t before = value_of(architecture, shown, i);
        changed[i] = wanted[i] && values[i] != before;
        if (changed[i] && (values[i] ^ before) & ~register_writable(architecture, number_of(architecture, i)))
            return false;
        if (changed[i])
            register_store(&next, number_of(architecture, i), values[i]);
        any |= changed[i];
    }
    for (unsigned i = 0; i < registers; i++)
        if (changed[i] &&
            value_of(architecture, &next, i) != values[i]) /* another one has changed it, or it has no such bits */
            return false;
    if (!any)
        return true;
    gdb_watch_show_current(stub);
    for (unsigned i = 0; i < registers; i++)
        if (changed[i])
            set_of_core(core, number_of(architecture, i), values[i]);
    core_registers_changed(core);
    return true;
}

bool gdb_registers_set_pc(struct gdb_stub *stub, unsigned cpu, vaddr address)
{
    if (address & 3)
        return false;
    set_of_core(stub->machine->cores[cpu], REGISTER_PC, address);
    return true;
}

/* Packets */

static char *put(const struct gdb_stub *stub, unsigned reg, char *out)
{
    const struct architecture *architecture = architecture_of(stub);
    const uint64_t value = value_of(architecture, gdb_watch_registers(stub, stub->general_cpu), reg);
    return gdb_hex_put(out, &value, size_of(architecture, reg)); /* little-endian, as the host */
}

void gdb_read_all_registers(struct gdb_stub *stub, const char *rest, const char *end)
{
    char *out = stub->reply;
    (void)rest, (void)end;
    for (unsigned i = 0; i < architecture_of(stub)->gdb->registers; i++)
        out = put(stub, i, out);
    gdb_send(stub, stub->reply);
}

void gdb_write_all_registers(struct gdb_stub *stub, const char *rest, const char *end)
{
    const struct architecture *architecture = architecture_of(stub);
    uint64_t values[GDB_REGISTERS_MAX] = {0};
    bool wanted[GDB_REGISTERS_MAX];
    bool good = true;
    for (unsigned i = 0; good && i < architecture->gdb->registers; i++) {
        wanted[i] = true;
        good = gdb_hex_get(rest, &values[i], size_of(architecture, i));
        rest += size_of(architecture, i) * 2;
    }
    good = good && rest == end && write_registers(stub, wanted, values);
    gdb_send(stub, good ? "OK" : GDB_ERROR_PACKET);
}

void gdb_read_register(struct gdb_stub *stub, const char *rest, const char *end)
{
    uint64_t number;
    if (!gdb_parse_number(&rest, &number) || rest != end || number >= architecture_of(stub)->gdb->registers) {
        gdb_send(stub, GDB_ERROR_PACKET);
        return;
    }
    put(stub, (unsigned)number, stub->reply);
    gdb_send(stub, stub->reply);
}

void gdb_write_register(struct gdb_stub *stub, const char *rest, const char *end)
{
    const struct architecture *architecture = architecture_of(stub);
    uint64_t number, values[GDB_REGISTERS_MAX] = {0};
    bool wanted[GDB_REGISTERS_MAX] = {false};
    bool good = gdb_parse_number(&rest, &number) && number < architecture->gdb->registers && *rest++ == '=' &&
                end - rest == 2 * (ptrdiff_t)size_of(architecture, (unsigned)number) &&
                gdb_hex_get(rest, &values[number], size_of(architecture, (unsigned)number));
    if (good) {
        wanted[number] = true;
        good = write_registers(stub, wanted, values);
    }
    gdb_send(stub, good ? "OK" : GDB_ERROR_PACKET);
}

/* Description */

static void describe(const struct gdb_registers *row, FILE *out)
{
    for (unsigned i = 0; i < row->count; i++) {
        char index[8] = "";
        if (row->count > 1)
            snprintf(index, sizeof index, "%u", i);
        fprintf(out, "<reg name=\"%s%s%s\" bitsize=\"%u\" regnum=\"%u\"%s/>", row->prefix, index, row->suffix,
                register_bytes(row->number) * 8, row->first + i, row->attributes);
    }
}

void gdb_registers_describe(const struct gdb_description *description, FILE *out)
{
    const struct gdb_registers *rows = description->rows;
    for (unsigned i = 0; i < description->row_count; i++) {
        if (i == 0 || strcmp(rows[i].feature, rows[i - 1].feature) != 0)
            fprintf(out, "%s<feature name=\"%s\">", i > 0 ? "</feature>" : "", rows[i].feature);
        describe(&rows[i], out);
    }
    fputs("</feature>", out);
}
