/* Memory by virtual address of the selected CPU: the packets m, M and X. RAM only. */
#include "src/gdb/gdb_state.h"

enum { READ_MAX = 4096 }; /* bytes in a reply; the debugger requests the rest separately */

void gdb_read_memory(struct gdb_stub *stub, const char *rest, const char *end)
{
    vaddr address;
    uint32_t size;
    uint8_t bytes[READ_MAX];
    if (!gdb_parse_range(&rest, &address, &size) || rest != end || size == 0) {
        gdb_send(stub, GDB_ERROR_PACKET);
        return;
    }
    uint32_t done =
        machine_debug_read(stub->machine, stub->general_cpu, address, bytes, size < READ_MAX ? size : READ_MAX);
    if (done == 0) {
        gdb_send(stub, GDB_ERROR_MEMORY);
        return;
    }
    gdb_hex_put(stub->reply, bytes, done);
    gdb_send(stub, stub->reply);
}

/* Write all of SIZE bytes, or nothing. */
static void write_bytes(struct gdb_stub *stub, vaddr address, const void *bytes, uint32_t size)
{
    const unsigned cpu = stub->general_cpu;
    uint8_t present[GDB_PACKET_MAX];
    bool done = machine_debug_read(stub->machine, cpu, address, present, size) == size;
    if (done && machine_debug_write(stub->machine, cpu, address, bytes, size) != size) {
        /* there is memory, but not all of it can be written */
        machine_debug_write(stub->machine, cpu, address, present, size);
        done = false;
    }
    gdb_send(stub, done ? "OK" : GDB_ERROR_MEMORY);
}

void gdb_write_memory(struct gdb_stub *stub, const char *rest, const char *end)
{
    vaddr address;
    uint32_t size;
    uint8_t bytes[GDB_PACKET_MAX];
    if (!gdb_parse_range(&rest, &address, &size) || *rest++ != ':' || (size_t)(end - rest) != (size_t)size * 2 ||
        !gdb_hex_get(rest, bytes, size))
        gdb_send(stub, GDB_ERROR_PACKET);
    else
        write_bytes(stub, address, bytes, size);
}

void gdb_write_binary(struct gdb_stub *stub, const char *rest, const char *end)
{
    vaddr address;
    uint32_t size;
    if (!gdb_parse_range(&rest, &address, &size) || *rest++ != ':' || (size_t)(end - rest) != size)
        gdb_send(stub, GDB_ERROR_PACKET);
    else
        write_bytes(stub, address, rest, size);
}
