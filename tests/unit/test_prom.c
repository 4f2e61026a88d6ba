/* The boot PROM of DECstations: its calls as Linux makes them, calls with damaged arguments, and its code in ROM, which
 * a machine of each board executes. */
#include "devices/dec/prom.h"
#include "devices/dec/prom_code.h"
#include <stdlib.h>
#include "tests/unit/test.h"
#include "src/machine/boards.h"
#include "src/boards/device_tree.h"
#include "tests/unit/machine_program.h"

/* Calls, as devices/dec/prom.c numbers them. */
enum { HALT = 2, GETCHAR = 12, PUTCHAR = 13, PRINTF = 17, GETENV = 33 };
#define REX(offset) (PROM_CALL_REX + (offset) / 4)
enum { REGISTERS = 0x14000000, RAM = 0x10000, TEXT = 0x1000, STACK = 0x8000 };
#define BASE 0x80000000u /* of the RAM */

struct bench {
    struct log *log;
    struct physmem *mem;
    struct prom *prom;
    uint8_t ram[RAM];
    char out[70000];
    unsigned length, halts, restarts, failures;
    int next;
};

static uint32_t within(uint32_t address, uint32_t size)
{
    if (address < BASE || address - BASE >= RAM)
        return 0;
    return size < RAM - (address - BASE) ? size : RAM - (address - BASE);
}

static uint32_t guest_read(void *opaque, unsigned cpu, vaddr address, void *buffer, uint32_t size)
{
    struct bench *b = opaque;
    assert_int_equal(cpu, 0);
    size = within(address, size);
    if (size)
        memcpy(buffer, b->ram + (address - BASE), size);
    return size;
}

static uint32_t guest_write(void *opaque, unsigned cpu, vaddr address, const void *buffer, uint32_t size)
{
    struct bench *b = opaque;
    assert_int_equal(cpu, 0);
    size = within(address, size);
    if (size)
        memcpy(b->ram + (address - BASE), buffer, size);
    return size;
}

static void put_byte(void *opaque, uint8_t byte)
{
    struct bench *b = opaque;
    assert_true(b->length < sizeof b->out - 1);
    b->out[b->length++] = (char)byte;
    b->out[b->length] = 0;
}

static int get_byte(void *opaque)
{
    return ((struct bench *)opaque)->next;
}

static void ended(void *opaque, bool halts)
{
    struct bench *b = opaque;
    *(halts ? &b->halts : &b->restarts) += 1;
}

static void failed(void *opaque, vaddr epc, uint32_t cause, vaddr address)
{
    (void)epc;
    (void)cause;
    (void)address;
    ((struct bench *)opaque)->failures++;
}

static struct bench *open_bench(void)
{
    static const struct prom_ops ops = {guest_read, guest_write, put_byte, get_byte, ended, failed};
    struct bench *b = checked_memory(calloc(1, sizeof *b));
    struct err err = {""};
    b->log = log_create(true);
    b->mem = physmem_create(b->log, &err);
    b->prom = prom_create(b->mem, REGISTERS, 0x82020500, 24 << 20, &ops, b, b->log, &err);
    assert_non_null(b->prom);
    return b;
}

static void close_bench(struct bench *b)
{
    prom_free(b->prom);
    physmem_free(b->mem);
    log_free(b->log);
    free(b);
}

static void put(struct bench *b, uint32_t offset, uint32_t value)
{
    prom_device_ops.write(b->prom, offset, 4, value, 0);
}

static uint32_t get(struct bench *b, uint32_t offset)
{
    return prom_device_ops.read(b->prom, offset, 4, 0);
}

static uint32_t call(struct bench *b, uint32_t number, uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint32_t sp)
{
    const uint32_t arguments[] = {a0, a1, a2, a3};
    for (unsigned i = 0; i < 4; i++)
        put(b, PROM_ARGUMENT + 4 * i, arguments[i]);
    put(b, PROM_STACK_POINTER, sp);
    put(b, PROM_CALL, number);
    return get(b, PROM_RESULT);
}

/* Put TEXT into the guest's RAM at OFFSET; returns its address. */
static uint32_t text_at(struct bench *b, uint32_t offset, const char *text)
{
    memcpy(b->ram + offset, text, strlen(text) + 1);
    return BASE + offset;
}

/* A text in the ROM at ADDRESS. */
static const char *rom_text(struct bench *b, uint32_t address)
{
    assert_in_range(address, 0xa0000000u | PROM_BASE, (0xa0000000u | PROM_BASE) + PROM_BYTES - 1);
    return (const char *)physmem_host(b->mem, address & 0x1fffffff);
}

static void linux_calls(void **state)
{
    struct bench *b = open_bench();
    (void)state;
    assert_string_equal(rom_text(b, call(b, GETENV, text_at(b, TEXT, "systype"), 0, 0, 0, 0)), "0x82020500");
    assert_int_equal(call(b, REX(0x80), 0, 0, 0, 0, 0), 0x82020500);
    assert_int_equal(call(b, GETENV, text_at(b, TEXT, "nothing"), 0, 0, 0, 0), 0);
    assert_int_equal(call(b, REX(0x7c), 0x80000000, 65536, 0, 0, 0), 0);
    assert_int_equal(call(b, REX(0x6c), 6, 0, 0, 0, 0), 0xbf800000);
    const uint32_t *tc = (const uint32_t *)rom_text(b, call(b, REX(0xa4), 0, 0, 0, 0, 0));
    assert_int_equal(tc[1], 40); /* ns */
    assert_int_equal(tc[2], 4);  /* MB a slot */
    b->next = -1;
    call(b, GETCHAR, 0, 0, 0, 0, 0);
    assert_int_equal(get(b, PROM_AGAIN), 1);
    b->next = 'k';
    assert_int_equal(call(b, GETCHAR, 0, 0, 0, 0, 0), 'k');
    assert_int_equal(get(b, PROM_AGAIN), 0);
    call(b, PUTCHAR, 'p', 0, 0, 0, 0);
    assert_string_equal(b->out, "p");
    call(b, HALT, 0, 0, 0, 0, 0);
    call(b, REX(0x9c), 0, 0, 0, 0, 0);
    assert_int_equal(b->halts, 2);
    call(b, PROM_ENTRY_RESET, 0, 0, 0, 0, 0);
    assert_int_equal(b->restarts, 1);
    close_bench(b);
}

static void memory_bitmap(void **state)
{
    struct bench *b = open_bench();
    (void)state;
    memset(b->ram, 0x11, sizeof b->ram);
    assert_int_equal(call(b, REX(0x84), BASE + 0x2000, 0, 0, 0, 0), (24 << 20) / 4096 / 8);
    assert_int_equal(b->ram[0x2000] | b->ram[0x2001] << 8, 4096);
    for (unsigned i = 0; i < (24 << 20) / 4096 / 8; i++)
        assert_int_equal(b->ram[0x2004 + i], 0xff);
    assert_int_equal(b->ram[0x2004 + (24 << 20) / 4096 / 8], 0x11);
    close_bench(b);
}

static uint32_t print(struct bench *b, const char *format, uint32_t a1, uint32_t a2, uint32_t a3)
{
    b->length = 0;
    b->out[0] = 0;
    return call(b, PRINTF, text_at(b, TEXT, format), a1, a2, a3, BASE + STACK);
}

static void formats(void **state)
{
    struct bench *b = open_bench();
    const uint32_t word = text_at(b, 0x3000, "word");
    const uint32_t further[] = {7, 8, word};
    (void)state;
    memcpy(b->ram + STACK + 16, further, sizeof further);
    assert_int_equal(print(b, "plain\n", 0, 0, 0), 6);
    assert_string_equal(b->out, "plain\n");
    print(b, "%s|%d|%x", word, (uint32_t)-5, 0xabc);
    assert_string_equal(b->out, "word|-5|abc");
    print(b, "%6s|%-6s|%c", word, word, '!');
    assert_string_equal(b->out, "  word|word  |!");
    print(b, "%05d|%-5u|%08lX", (uint32_t)-12, 34, 0xbeef);
    assert_string_equal(b->out, "-0012|34   |0000BEEF");
    print(b, "%d %d %d %d %o %s", 1, 2, 3);
    assert_string_equal(b->out, "1 2 3 7 10 word");
    print(b, "100%% %z %p %", 16, 0, 0);
    assert_string_equal(b->out, "100% %z 0x10 %");
    close_bench(b);
}

/* Whatever the guest passes: no more than a text of 64 K characters, and nothing outside its memory. */
static void damaged_arguments(void **state)
{
    static const uint32_t bad[] = {0, 1, 0x7ffffffc, 0x8000fffe, 0x80010000, 0xbfc00000, 0xfffffffc, 0xffffffff};
    struct bench *b = open_bench();
    (void)state;
    memset(b->ram, 'x', sizeof b->ram); /* no text in it ends */
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        b->length = 0;
        call(b, PRINTF, bad[i], bad[i], bad[i], bad[i], bad[i]);
        call(b, REX(0x2c), bad[i], 0, 0, 0, 0);
        assert_int_equal(call(b, GETENV, bad[i], 0, 0, 0, 0), 0);
        assert_int_equal(call(b, REX(0x84), bad[i], 0, 0, 0, 0), 0);
        call(b, REX(0x6c), bad[i], 0, 0, 0, 0);
        call(b, bad[i], bad[i], 0, 0, 0, 0);
    }
    memset(b->ram, 'x', sizeof b->ram); /* a table at its end is written as far as there is memory */
    assert_int_equal(call(b, GETENV, BASE, 0, 0, 0, 0), 0);
    b->length = 0;
    assert_int_equal(call(b, PRINTF, BASE + 0x100, 0, 0, 0, 0), RAM - 0x100);
    text_at(b, TEXT, "%s%s%s%s%s%s%99999999s%-99999999d%0999999999999999999x");
    b->length = 0;
    assert_in_range(call(b, PRINTF, BASE + TEXT, BASE, BASE, BASE, BASE + STACK), 0, 0x10000);
    memset(b->ram, '%', sizeof b->ram);
    b->length = 0;
    call(b, PRINTF, BASE, 0, 0, 0, BASE + RAM - 20);
    prom_device_ops.write(b->prom, PROM_CALL, 1, PRINTF, 0); /* other widths do nothing */
    prom_device_ops.read(b->prom, PROM_RESULT + 1, 1, 0);
    prom_device_ops.write(b->prom, PROM_REGISTERS_SIZE - 4, 4, 1, 0);
    assert_int_equal(get(b, PROM_REGISTERS_SIZE - 4), 0);
    assert_int_equal(b->failures, 0);
    close_bench(b);
}

static void command_lines(void **state)
{
    struct bench *b = open_bench();
    struct err err = {""};
    char longest[80000];
    (void)state;
    assert_true(prom_set_start(b->prom, &(struct prom_start){0x80040000, true, "  one two  three "}, &err));
    assert_int_equal(get(b, PROM_KERNEL_ARGUMENT), 5);
    const uint32_t *argv = (const uint32_t *)rom_text(b, get(b, PROM_KERNEL_ARGUMENT + 4));
    assert_string_equal(rom_text(b, argv[2]), "one");
    assert_string_equal(rom_text(b, argv[4]), "three");
    assert_int_equal(argv[5], 0);
    assert_int_equal(get(b, PROM_KERNEL_ARGUMENT + 8), 0x30464354);
    const uint32_t *callbacks = (const uint32_t *)rom_text(b, get(b, PROM_KERNEL_ARGUMENT + 12));
    for (unsigned i = 0; i < PROM_CALLBACKS; i++)
        rom_text(b, callbacks[i]);
    assert_true(prom_set_start(b->prom, &(struct prom_start){0x80040000, false, ""}, &err));
    assert_int_equal(get(b, PROM_KERNEL_ARGUMENT), 1);
    assert_int_equal(get(b, PROM_KERNEL_ARGUMENT + 8), 0);
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    assert_false(prom_set_start(b->prom, &(struct prom_start){0x80040000, false, longest}, &err));
    for (size_t i = 1; i < sizeof longest - 1; i += 2)
        longest[i] = ' ';
    assert_false(prom_set_start(b->prom, &(struct prom_start){0x80040000, false, longest}, &err));
    close_bench(b);
}

/* Machines */

#define JALR(rs)     (0x0000f809u | (unsigned)(rs) << 21)
#define MOVE(rd, rs) (0x00000025u | (unsigned)(rs) << 21 | (unsigned)(rd) << 11)

struct seen {
    char text[256];
    unsigned length;
};

static void collect(void *opaque, unsigned uart, uint8_t byte)
{
    struct seen *seen = opaque;
    assert_int_equal(uart, 0);
    assert_true(seen->length < sizeof seen->text - 1);
    seen->text[seen->length++] = (char)byte;
}

/* A kernel: saves a3 and Status, prints a format through the call at VECTOR (0: the first word of the callback table at
 * 0x30 of a3), then returns to the PROM. Started by the reset vector. */
static void run_kernel(const char *board, const char *model, uint32_t vector)
{
    static const struct machine_host host = {.uart_output = collect};
    char board_text[40], model_text[40];
    snprintf(board_text, sizeof board_text, "machine.board=%s", board);
    snprintf(model_text, sizeof model_text, "cpu.model=%s", model);
    const char *const assignments[] = {board_text, model_text, "machine.memory=16M", "cpu.architecture=r3000"};
    struct seen seen = {.length = 0};
    struct machine *machine = machine_of(assignments, 4, &host, &seen);
    const uint32_t format = PROGRAM_PC + 0x100, find = vector ? LUI(25, vector >> 16) : LW(25, 0x30, 7);
    const uint32_t program[] = {
        0x40106000, /* mfc0 $s0, Status */
        find,
        NOP,
        vector ? ORI(25, 25, vector & 0xffff) : NOP,
        LUI(4, format >> 16),
        ORI(4, 4, format & 0xffff),
        MOVE(5, 16),
        ADDIU(6, 0, 42),
        JALR(25),
        NOP,
        LUI(8, 0xbfc0),
        JALR(8),
        NOP,
    };
    struct err err = {""};
    memcpy(physmem_host(machine->mem, PROGRAM_BASE), program, sizeof program);
    strcpy((char *)physmem_host(machine->mem, PROGRAM_BASE + 0x100), "Status %x, %d\n");
    machine->entry = PROGRAM_PC;
    assert_true(machine->board->describe(machine, &(struct guest_places){.free = 0}, &err));
    core_reset(machine->cores[0], machine->entry);
    machine->board->start(machine, &(struct guest_places){.free = 0});
    assert_int_equal(machine_run(machine, &(struct machine_limits){CYCLES_NEVER, 100000}), MACHINE_STOP_REBOOT);
    assert_string_equal(seen.text, "Status 0, 42\n"); /* BEV is clear */
    machine_free(machine);
}

static void code_in_rom(void **state)
{
    (void)state;
    for (unsigned i = 0; cpu_model_at(i); i++) {
        run_kernel("kn01", cpu_model_at(i)->name, 0xbfc00000 + 8 * PRINTF);
        run_kernel("kn02", cpu_model_at(i)->name, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linux_calls),       cmocka_unit_test(memory_bitmap), cmocka_unit_test(formats),
        cmocka_unit_test(damaged_arguments), cmocka_unit_test(command_lines), cmocka_unit_test(code_in_rom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
