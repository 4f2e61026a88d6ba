/*
 * Answers the calls that the PROM's code passes on. The registers are in prom_code.h; they are 32 bits wide.
 */
#include "devices/dec/prom.h"

#include "devices/dec/prom_code.h"
#include "devices/dec/prom_printf.h"
#include "devices/device_stats.h"
#include <stdlib.h>
#include <string.h>

/* Calls by their entries: the jump table's (Linux: asm/dec/prom.h), and REX's, byte offset / 4 in its table. */
enum {
    JUMP_RESTART = 1,
    JUMP_HALT = 2,
    JUMP_AUTOBOOT = 5,
    JUMP_GETCHAR = 12,
    JUMP_PUTCHAR = 13,
    JUMP_PUTS = 16,
    JUMP_PRINTF = 17,
    JUMP_GETENV = 33,
    REX_GETCHAR = PROM_CALL_REX + 0x24 / 4,
    REX_PUTS = PROM_CALL_REX + 0x2c / 4,
    REX_PRINTF = PROM_CALL_REX + 0x30 / 4,
    REX_GETENV = PROM_CALL_REX + 0x64 / 4,
    REX_SLOT_ADDRESS = PROM_CALL_REX + 0x6c / 4,
    REX_CLEAR_CACHE = PROM_CALL_REX + 0x7c / 4,
    REX_GETSYSID = PROM_CALL_REX + 0x80 / 4,
    REX_GETBITMAP = PROM_CALL_REX + 0x84 / 4,
    REX_HALT = PROM_CALL_REX + 0x9c / 4,
    REX_GETTCINFO = PROM_CALL_REX + 0xa4 / 4,
    REX_REX = PROM_CALL_REX + 0xac / 4,
};
#define REX_MAGIC 0x30464354u
enum { TC_SLOT_BASE = 0x1e000000, TC_SLOT_SIZE = 0x400000, TC_SLOTS = 8 };

struct prom {
    struct physmem *mem;
    const struct prom_ops *ops;
    void *opaque;
    struct log *log;
    uint32_t system_id;
    uint64_t memory;
    unsigned cpu; /* that makes the present call */
    /* Architectural state, held by a checkpoint. */
    uint32_t argument[4], stack_pointer, result;
    bool again, starts;
    uint32_t entry, kernel_argument[4];
    uint64_t calls;
};

static uint8_t *rom_of(const struct prom *prom)
{
    return physmem_host(prom->mem, PROM_BASE);
}

static vaddr rom_address(uint32_t offset)
{
    return 0xa0000000u | (PROM_BASE + offset);
}

/* Calls */

static int byte_of(void *opaque, vaddr address)
{
    const struct prom *prom = opaque;
    uint8_t byte;
    return prom->ops->read(prom->opaque, prom->cpu, address, &byte, 1) == 1 ? byte : -1;
}

/* Argument INDEX behind the first one: in registers, then on the stack. */
static uint32_t further_argument(void *opaque, unsigned index)
{
    const struct prom *prom = opaque;
    uint32_t word = 0;
    if (index < 3)
        return prom->argument[1 + index];
    prom->ops->read(prom->opaque, prom->cpu, prom->stack_pointer + 4 * (1 + index), &word, sizeof word);
    return word;
}

static void put(void *opaque, uint8_t byte)
{
    const struct prom *prom = opaque;
    prom->ops->put(prom->opaque, byte);
}

static uint32_t print(struct prom *prom)
{
    const struct prom_printf call = {byte_of, further_argument, put, prom};
    return prom_printf(&call, prom->argument[0]);
}

static uint32_t put_string(struct prom *prom)
{
    uint32_t count = 0;
    for (int byte; count < PROM_TEXT_MAX && (byte = byte_of(prom, prom->argument[0] + count)) > 0; count++)
        put(prom, (uint8_t)byte);
    return count;
}

static uint32_t get_char(struct prom *prom)
{
    const int byte = prom->ops->get(prom->opaque);
    prom->again = byte < 0;
    return byte < 0 ? 0 : (uint32_t)byte;
}

static uint32_t get_variable(struct prom *prom)
{
    char name[32];
    const uint32_t length = prom->ops->read(prom->opaque, prom->cpu, prom->argument[0], name, sizeof name - 1);
    name[length] = 0;
    const uint32_t offset = prom_variable(name);
    return offset ? rom_address(offset) : 0;
}

/* A bit for each page of RAM, behind the size of a page. Returns the size of the bitmap. */
static uint32_t get_bitmap(struct prom *prom)
{
    const uint32_t page_size = PAGE_SIZE, pages = (uint32_t)(prom->memory >> PAGE_SHIFT), size = (pages + 7) / 8;
    uint8_t *bits = checked_memory(calloc(1, sizeof page_size + size + 1));
    memcpy(bits, &page_size, sizeof page_size);
    for (uint32_t page = 0; page < pages; page++)
        bits[sizeof page_size + page / 8] |= (uint8_t)(1u << page % 8);
    const uint32_t total = (uint32_t)sizeof page_size + size;
    const bool done = prom->ops->write(prom->opaque, prom->cpu, prom->argument[0], bits, total) == total;
    free(bits);
    if (!done)
        log_guest(prom->log, "prom.bitmap", "prom: getbitmap: the table at 0x%08x is not memory", prom->argument[0]);
    return done ? size : 0;
}

static uint32_t end_run(struct prom *prom, bool halts)
{
    prom->ops->ended(prom->opaque, halts);
    return 0;
}

static uint32_t answer(struct prom *prom, uint32_t number)
{
    switch (number) {
    case JUMP_GETCHAR:
    case REX_GETCHAR: return get_char(prom);
    case JUMP_PUTCHAR: put(prom, (uint8_t)prom->argument[0]); return 0;
    case JUMP_PUTS:
    case REX_PUTS: return put_string(prom);
    case JUMP_PRINTF:
    case REX_PRINTF: return print(prom);
    case JUMP_GETENV:
    case REX_GETENV: return get_variable(prom);
    case PROM_ENTRY_RESET:
    case JUMP_RESTART:
    case JUMP_AUTOBOOT: return end_run(prom, false);
    case JUMP_HALT:
    case REX_HALT:
    case REX_REX: return end_run(prom, true);
    case PROM_ENTRY_REFILL:
    case PROM_ENTRY_EXCEPTION:
        prom->ops->failed(prom->opaque, prom->argument[0], prom->argument[1], prom->argument[2]);
        return 0;
    case REX_GETSYSID: return prom->system_id;
    case REX_GETBITMAP: return get_bitmap(prom);
    case REX_GETTCINFO: return rom_address(PROM_AT_TC_INFO);
    case REX_SLOT_ADDRESS:
        return prom->argument[0] < TC_SLOTS ? 0xa0000000u | (TC_SLOT_BASE + prom->argument[0] * TC_SLOT_SIZE) : 0;
    case REX_CLEAR_CACHE: return 0; /* caches are coherent */
    default:
        log_guest(prom->log, "prom.call", "prom: call 0x%x is not there; it returns -1", number);
        return UINT32_MAX;
    }
}

static void call(struct prom *prom, uint32_t number, unsigned cpu)
{
    prom->calls++;
    prom->cpu = cpu;
    prom->again = false;
    prom->result = answer(prom, number);
}

/* Registers */

static uint32_t take_start(struct prom *prom)
{
    const bool starts = prom->starts;
    prom->starts = false;
    return starts;
}

static uint32_t prom_read(void *opaque, uint32_t offset, unsigned size, unsigned cpu)
{
    struct prom *prom = opaque;
    (void)cpu;
    if (size != 4)
        return 0;
    if (offset >= PROM_KERNEL_ARGUMENT && offset < PROM_KERNEL_ARGUMENT + sizeof prom->kernel_argument)
        return prom->kernel_argument[(offset - PROM_KERNEL_ARGUMENT) / 4];
    switch (offset) {
    case PROM_RESULT: return prom->result;
    case PROM_AGAIN: return prom->again;
    case PROM_STARTS: return take_start(prom);
    case PROM_ENTRY: return prom->entry;
    default: return 0;
    }
}

static void prom_write(void *opaque, uint32_t offset, unsigned size, uint32_t value, unsigned cpu)
{
    struct prom *prom = opaque;
    if (size != 4)
        return;
    if (offset < PROM_ARGUMENT + sizeof prom->argument)
        prom->argument[(offset - PROM_ARGUMENT) / 4] = value;
    else if (offset == PROM_STACK_POINTER)
        prom->stack_pointer = value;
    else if (offset == PROM_CALL)
        call(prom, value, cpu);
}

const struct device_ops prom_device_ops = {"prom", prom_read, prom_write};

/* Creation */

struct prom *prom_create(struct physmem *mem, paddr registers, uint32_t system_id, uint64_t memory,
                         const struct prom_ops *ops, void *opaque, struct log *log, struct err *err)
{
    if (!physmem_add_rom(mem, PROM_BASE, PROM_BYTES, err))
        return NULL;
    struct prom *prom = checked_memory(calloc(1, sizeof *prom));
    prom->mem = mem;
    prom->system_id = system_id;
    prom->memory = memory;
    prom->ops = ops;
    prom->opaque = opaque;
    prom->log = log;
    prom_write_code(rom_of(prom), registers);
    prom_write_variables(rom_of(prom), system_id);
    return prom;
}

void prom_free(struct prom *prom)
{
    free(prom);
}

bool prom_set_start(struct prom *prom, const struct prom_start *start, struct err *err)
{
    const int argc = prom_write_words(rom_of(prom), start->words, start->rex ? 2 : 1);
    if (argc < 0)
        return err_set(err, "guest.bootargs: the command line does not fit in the PROM");
    prom->starts = true;
    prom->entry = start->entry;
    prom->kernel_argument[0] = (uint32_t)argc;
    prom->kernel_argument[1] = rom_address(PROM_AT_ARGV);
    prom->kernel_argument[2] = start->rex ? REX_MAGIC : 0;
    prom->kernel_argument[3] = start->rex ? rom_address(PROM_AT_CALLBACKS) : 0;
    return true;
}

/* Statistics and saved state */

void prom_register_stats(const struct prom *prom, struct stats *stats, const char *prefix)
{
    const struct device_counter rows[] = {{"calls", "calls", "that the guest made to the boot PROM", &prom->calls}};
    device_register_counters(stats, prefix, rows, sizeof rows / sizeof rows[0]);
}

static const struct saved_field fields[] = {
    SAVED_FIELD(struct prom, argument, SAVED_U32),        SAVED_FIELD(struct prom, stack_pointer, SAVED_U32),
    SAVED_FIELD(struct prom, result, SAVED_U32),          SAVED_FIELD(struct prom, again, SAVED_BOOL),
    SAVED_FIELD(struct prom, starts, SAVED_BOOL),         SAVED_FIELD(struct prom, entry, SAVED_U32),
    SAVED_FIELD(struct prom, kernel_argument, SAVED_U32), SAVED_STATISTIC(struct prom, calls),
};

void prom_register_saved(struct prom *prom, struct saved *saved)
{
    saved_add(saved, &(struct saved_section){.name = "prom", .version = 1, .base = prom, SAVED_TABLE(fields)});
}
