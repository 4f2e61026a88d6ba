/* Queries: features, the target description, threads. */
#include "src/gdb/gdb_state.h"
#include "src/machine/machine_text.h"
#include <stdlib.h>
#include <string.h>

/* What is announced here, and by vCont?, is done in full; tests/unit/test_gdb_packets.c has a test for each. */
void gdb_describe_features(struct gdb_stub *stub, const char *rest, const char *end)
{
    (void)rest, (void)end;
    snprintf(stub->reply, sizeof stub->reply, "PacketSize=%x;QStartNoAckMode+;qXfer:features:read+;vContSupported+%s",
             GDB_PACKET_MAX - 16, stub->history ? ";ReverseStep+;ReverseContinue+" : "");
    gdb_send(stub, stub->reply);
}

/* "ANNEX:OFFSET,LENGTH" */
void gdb_describe_target(struct gdb_stub *stub, const char *rest, const char *end)
{
    static const char annex[] = "target.xml:";
    uint64_t offset, length;
    char *xml = NULL;
    size_t size;
    if (strncmp(rest, annex, sizeof annex - 1) != 0) {
        gdb_send(stub, "E00"); /* there is no such annex */
        return;
    }
    rest += sizeof annex - 1;
    FILE *out = open_memstream(&xml, &size);
    if (!out)
        log_bug("out of memory");
    const struct gdb_description *description = stub->machine->cores[0]->architecture->gdb;
    fprintf(out,
            "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target><architecture>%s</architecture>",
            description->architecture);
    gdb_registers_describe(description, out);
    fputs("</target>", out);
    fclose(out);
    if (!gdb_parse_number(&rest, &offset) || *rest++ != ',' || !gdb_parse_number(&rest, &length) || rest != end ||
        offset > size || length == 0)
        gdb_send(stub, "E00");
    else {
        const size_t left = size - (size_t)offset, most = sizeof stub->reply - 32;
        size_t part = left < length ? left : (size_t)length;
        part = part < most ? part : most;
        snprintf(stub->reply, sizeof stub->reply, "%c%.*s", part < left ? 'm' : 'l', (int)part, xml + offset);
        gdb_send(stub, stub->reply);
    }
    free(xml);
}

/* Threads */

void gdb_first_threads(struct gdb_stub *stub, const char *rest, const char *end)
{
    size_t n = 0;
    (void)rest, (void)end;
    for (unsigned i = 0; i < stub->machine->cpus; i++)
        n += (size_t)snprintf(stub->reply + n, sizeof stub->reply - n, "%c%x", i ? ',' : 'm', i + 1);
    gdb_send(stub, stub->reply);
}

void gdb_more_threads(struct gdb_stub *stub, const char *rest, const char *end)
{
    (void)rest, (void)end;
    gdb_send(stub, "l");
}

/* A thread that is named by its number: neither any nor all. */
static const struct core *named_thread(const struct gdb_stub *stub, const char *rest, const char *end)
{
    int cpu;
    const bool is_any = strspn(rest, "0") == (size_t)(end - rest);
    if (is_any || !gdb_parse_thread(stub, &rest, &cpu) || rest != end || cpu == GDB_ALL_CPUS)
        return NULL;
    return stub->machine->cores[cpu];
}

void gdb_describe_thread(struct gdb_stub *stub, const char *rest, const char *end)
{
    const struct core *core = named_thread(stub, rest, end);
    char line[64];
    if (!core) {
        gdb_send(stub, GDB_ERROR_PACKET);
        return;
    }
    snprintf(line, sizeof line, "CPU %u %s", core->number, machine_text_mode(core));
    gdb_hex_put(stub->reply, line, strlen(line));
    gdb_send(stub, stub->reply);
}

void gdb_current_thread(struct gdb_stub *stub, const char *rest, const char *end)
{
    (void)rest, (void)end;
    snprintf(stub->reply, sizeof stub->reply, "QC%x", stub->general_cpu + 1);
    gdb_send(stub, stub->reply);
}

/* Every CPU is a thread at all times. */
void gdb_is_thread_alive(struct gdb_stub *stub, const char *rest, const char *end)
{
    gdb_send(stub, named_thread(stub, rest, end) ? "OK" : GDB_ERROR_PACKET);
}

/* "gTHREAD" selects the CPU of registers and memory, "cTHREAD" the one that c, s, C and S resume. */
void gdb_select_thread(struct gdb_stub *stub, const char *rest, const char *end)
{
    const char operation = *rest++;
    const bool is_any = strspn(rest, "0") == (size_t)(end - rest);
    int cpu;
    if ((operation != 'g' && operation != 'c') || !gdb_parse_thread(stub, &rest, &cpu) || rest != end) {
        gdb_send(stub, GDB_ERROR_PACKET);
        return;
    }
    if (operation == 'c')
        stub->continue_cpu = is_any ? GDB_ALL_CPUS : cpu;
    else if (cpu != GDB_ALL_CPUS)
        stub->general_cpu = (unsigned)cpu;
    gdb_send(stub, "OK");
}

/* Constants */

/* "1": gdb did not create the process, so it detaches when it leaves. */
void gdb_was_attached(struct gdb_stub *stub, const char *rest, const char *end)
{
    (void)rest, (void)end;
    gdb_send(stub, "1");
}

/* gdb offers to look up symbols: none are needed. */
void gdb_no_symbols(struct gdb_stub *stub, const char *rest, const char *end)
{
    (void)rest, (void)end;
    gdb_send(stub, "OK");
}
