#include "devices/dec/prom_code.h"

#include <stdio.h>
#include <string.h>

/* Registers of the guest's that the code uses. */
enum { ZERO = 0, V0 = 2, A0 = 4, T0 = 8, T1 = 9, T2 = 10, SP = 29, RA = 31 };
enum { C0_BADVADDR = 8, C0_STATUS = 12, C0_CAUSE = 13, C0_EPC = 14 };

/* Code is written forwards, without labels: a branch names an offset in the ROM. */
struct writer {
    uint8_t *rom;
    uint32_t at;
};

static void put_word(struct writer *writer, uint32_t word)
{
    memcpy(writer->rom + writer->at, &word, sizeof word); /* the host is little-endian, as the guest */
    writer->at += 4;
}

static void immediate(struct writer *writer, uint32_t opcode, unsigned rs, unsigned rt, uint32_t value)
{
    put_word(writer, opcode << 26 | rs << 21 | rt << 16 | (value & 0xffff));
}

static void put_lui(struct writer *writer, unsigned rt, uint32_t value)
{
    immediate(writer, 0x0f, 0, rt, value);
}

static void put_ori(struct writer *writer, unsigned rt, unsigned rs, uint32_t value)
{
    immediate(writer, 0x0d, rs, rt, value);
}

static void put_lw(struct writer *writer, unsigned rt, unsigned base, uint32_t offset)
{
    immediate(writer, 0x23, base, rt, offset);
}

static void put_sw(struct writer *writer, unsigned rt, unsigned base, uint32_t offset)
{
    immediate(writer, 0x2b, base, rt, offset);
}

static uint32_t distance(const struct writer *writer, uint32_t target)
{
    return (target - (writer->at + 4)) / 4;
}

static void put_branch(struct writer *writer, uint32_t target)
{
    immediate(writer, 0x04, ZERO, ZERO, distance(writer, target));
}

static void put_branch_unless_zero(struct writer *writer, unsigned rs, uint32_t target)
{
    immediate(writer, 0x05, rs, ZERO, distance(writer, target));
}

static void put_jr(struct writer *writer, unsigned rs)
{
    put_word(writer, rs << 21 | 0x08);
}

static void put_mfc0(struct writer *writer, unsigned rt, unsigned rd)
{
    put_word(writer, 0x40000000 | rt << 16 | rd << 11);
}

static void put_nop(struct writer *writer)
{
    put_word(writer, 0);
}

static uint32_t address_of(uint32_t offset)
{
    return 0xa0000000u | (PROM_BASE + offset);
}

/* T1 becomes the address of the registers. */
static void put_registers(struct writer *writer, paddr registers)
{
    put_lui(writer, T1, (0xa0000000u | registers) >> 16);
    put_ori(writer, T1, T1, registers);
}

/* The call whose number is in T0. */
static void write_call(struct writer *writer, paddr registers)
{
    put_registers(writer, registers);
    for (unsigned i = 0; i < 4; i++)
        put_sw(writer, A0 + i, T1, PROM_ARGUMENT + 4 * i);
    put_sw(writer, SP, T1, PROM_STACK_POINTER);
    const uint32_t again = writer->at;
    put_sw(writer, T0, T1, PROM_CALL);
    put_lw(writer, T2, T1, PROM_AGAIN);
    put_lw(writer, V0, T1, PROM_RESULT);
    put_branch_unless_zero(writer, T2, again);
    put_nop(writer);
    put_jr(writer, RA);
    put_nop(writer);
}

/* An exception with the vectors in ROM: tell the simulator, which ends the run. */
static void write_exception(struct writer *writer, paddr registers)
{
    put_registers(writer, registers);
    put_mfc0(writer, A0, C0_EPC);
    put_mfc0(writer, A0 + 1, C0_CAUSE);
    put_mfc0(writer, A0 + 2, C0_BADVADDR);
    put_nop(writer);
    for (unsigned i = 0; i < 3; i++)
        put_sw(writer, A0 + i, T1, PROM_ARGUMENT + 4 * i);
    put_sw(writer, T0, T1, PROM_CALL);
    put_branch(writer, writer->at);
    put_nop(writer);
}

/* The reset vector: start the kernel, or the guest has returned. */
static void write_reset(struct writer *writer, paddr registers)
{
    put_registers(writer, registers);
    put_lw(writer, T2, T1, PROM_STARTS);
    put_nop(writer);
    put_branch_unless_zero(writer, T2, writer->at + 4 * 5);
    put_nop(writer);
    put_sw(writer, T0, T1, PROM_CALL);
    put_branch(writer, writer->at);
    put_nop(writer);
    put_word(writer, 0x40800000 | C0_STATUS << 11); /* mtc0 $0, Status: exceptions go to the vectors in RAM */
    for (unsigned i = 0; i < 4; i++)
        put_lw(writer, A0 + i, T1, PROM_KERNEL_ARGUMENT + 4 * i);
    put_lw(writer, T0, T1, PROM_ENTRY);
    put_lui(writer, SP, (0x80000000u | PROM_STACK) >> 16);
    put_jr(writer, T0);
    put_nop(writer);
}

/* At AT, a jump to TARGET with NUMBER in T0. */
static void write_stub(uint8_t *rom, uint32_t at, uint32_t target, uint32_t number)
{
    struct writer writer = {rom, at};
    put_branch(&writer, target);
    put_ori(&writer, T0, ZERO, number);
}

/* TURBOchannel at 25 MHz, as in a DECstation 5000/200: 4 MB a slot, no parity (Linux: include/linux/tc.h). */
static void write_tc_info(uint8_t *rom)
{
    struct writer writer = {rom, PROM_AT_TC_INFO};
    enum {
        REVISION = 1,
        PERIOD = 40 /* ns */,
        SLOT_SIZE = 4 /* MB */,
        TIMEOUT = 1000,
        DMA_RANGE = 480,
        DMA_BURST = 128
    };
    const uint32_t info[] = {REVISION, PERIOD, SLOT_SIZE, TIMEOUT, DMA_RANGE, DMA_BURST, 0};
    for (unsigned i = 0; i < sizeof info / sizeof info[0]; i++)
        put_word(&writer, info[i]);
}

void prom_write_code(uint8_t *rom, paddr registers)
{
    struct writer writer = {rom, PROM_AT_CODE};
    const uint32_t call = writer.at;
    write_call(&writer, registers);
    const uint32_t exception = writer.at;
    write_exception(&writer, registers);
    const uint32_t reset = writer.at;
    write_reset(&writer, registers);
    for (uint32_t i = 0; i < PROM_JUMPS; i++)
        write_stub(rom, 8 * i,
                   i == PROM_ENTRY_RESET                                 ? reset
                   : i == PROM_ENTRY_REFILL || i == PROM_ENTRY_EXCEPTION ? exception
                                                                         : call,
                   i);
    writer.at = PROM_AT_CALLBACKS;
    for (uint32_t i = 0; i < PROM_CALLBACKS; i++) {
        put_word(&writer, address_of(PROM_AT_STUBS + 8 * i));
        write_stub(rom, PROM_AT_STUBS + 8 * i, call, PROM_CALL_REX + i);
    }
    write_tc_info(rom);
}

int prom_write_words(uint8_t *rom, const char *words, unsigned first)
{
    struct writer argv = {rom, PROM_AT_ARGV};
    uint32_t at = PROM_AT_WORDS;
    int argc = 0;
    const uint32_t argv_end = PROM_AT_WORDS - 4; /* with a NULL behind */
    const char *own[] = {"boot", "3/rz0/vmunix"};
    for (unsigned i = 0; i < first || *words; i++) {
        const char *word = i < first ? own[i] : words;
        size_t length = i < first ? strlen(word) : strcspn(word, " \t\n");
        if (i >= first) {
            words += length;
            words += strspn(words, " \t\n");
            if (length == 0)
                continue;
        }
        if (argv.at == argv_end || length + 1 > PROM_BYTES - at)
            return -1;
        memcpy(rom + at, word, length);
        rom[at + length] = 0;
        put_word(&argv, address_of(at));
        at += (uint32_t)length + 1;
        argc++;
    }
    put_word(&argv, 0);
    return argc;
}

/* The environment: fixed places for name and value. */
enum { VARIABLE_BYTES = 64 };
static const char *const variables[][2] = {
    {"systype", NULL}, /* the system id */
    {"console", "1"},  {"osconsole", "3"}, {"bootmode", "a"}, {"haltaction", "h"}, {"boot", "3/rz0/vmunix"},
};
enum { VARIABLES = sizeof variables / sizeof variables[0] };

uint32_t prom_variable(const char *name)
{
    for (unsigned i = 0; i < VARIABLES; i++)
        if (strcmp(variables[i][0], name) == 0)
            return PROM_AT_TEXTS + i * VARIABLE_BYTES;
    return 0;
}

void prom_write_variables(uint8_t *rom, uint32_t system_id)
{
    for (unsigned i = 0; i < VARIABLES; i++) {
        char *value = (char *)rom + PROM_AT_TEXTS + i * VARIABLE_BYTES;
        if (variables[i][1])
            snprintf(value, VARIABLE_BYTES, "%s", variables[i][1]);
        else
            snprintf(value, VARIABLE_BYTES, "0x%08x", system_id);
    }
}
