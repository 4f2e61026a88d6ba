/* Description of x86 code in listings. */
#include "cpu/translate/x86/x86_emitter.h"
#include <stdlib.h>

const char host_objdump_options[] = "-b binary -m i386:x86-64 -M intel";

static const char *const register_names[] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
                                             "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};

static const char *const cold_names[] = {
    [COLD_BUDGET] = "cycle budget too small for the basic block at %s",
    [COLD_LINK] = "jump to %s",
    [COLD_CHECKED] = "jump to another page, %s",
    [COLD_GROUP] = "group of accesses at %s, performed one by one",
    [COLD_ACCESS] = "access of %s through a C function",
    [COLD_FETCH] = "miss of %s in the instruction cache",
    [COLD_CALL] = "leave after %s",
    [COLD_TRAP] = "exception of %s",
    [COLD_MODE] = "FPU disabled, or a different Status.FR, at %s",
    [COLD_STACK] = "call stack full at the call that returns to %s",
    [COLD_INDIRECT_CALL] = "indirect call that returns to %s",
    [COLD_RETURN_REMAPPED] = "return to %s, whose mapping has changed",
    [COLD_RETURN_MISMATCH] = "return at %s that matches no call",
    [COLD_ANNUL] = "delay slot of %s annulled",
    [COLD_INTERLOCK] = "interlock of %s",
    [COLD_FP] = "slow path of the floating-point operation at %s",
};

static const char *const stub_names[STUB_COUNT] = {
    [STUB_EXIT] = "exit",
    [STUB_EXIT_C] = "exit_c",
    [STUB_LOOKUP] = "lookup",
    [STUB_LOOKUP_IN_C] = "lookup_in_c",
    [STUB_BUDGET] = "budget",
    [STUB_LINK] = "link",
    [STUB_FAULT] = "fault",
    [STUB_TRAP] = "trap",
    [STUB_REFILL_LOAD] = "refill_load",
    [STUB_REFILL_STORE] = "refill_store",
    [STUB_REFILL_FETCH] = "refill_fetch",
    [STUB_ERET] = "eret",
    [STUB_RFE] = "rfe",
    [STUB_LEAVE] = "leave",
    [STUB_BEGUN] = "begun",
    [STUB_MODE] = "mode",
    [STUB_FORCE_EXIT] = "park",
    [STUB_CALL] = "call",
    [STUB_FPU] = "fpu",
    [STUB_FETCH] = "fetch",
    [STUB_READ_LINE + VMAP_USER] = "user_read_line",
    [STUB_READ_LINE + VMAP_KERNEL] = "kernel_read_line",
    [STUB_WRITE_LINE + VMAP_USER] = "user_write_line",
    [STUB_WRITE_LINE + VMAP_KERNEL] = "kernel_write_line",
    [STUB_LOAD + IR_U8] = "load_u8",
    [STUB_LOAD + IR_S8] = "load_s8",
    [STUB_LOAD + IR_U16] = "load_u16",
    [STUB_LOAD + IR_S16] = "load_s16",
    [STUB_LOAD + IR_U32] = "load_u32",
    [STUB_LOAD64] = "load64",
    [STUB_LOAD_UNALIGNED] = "load_unaligned",
    [STUB_LOAD_LINKED] = "load_linked",
    [STUB_STORE + IR_U8] = "store8",
    [STUB_STORE + IR_U16] = "store16",
    [STUB_STORE + IR_U32] = "store32",
    [STUB_STORE64] = "store64",
    [STUB_STORE_MERGED] = "store_merged",
    [STUB_STORE_CONDITIONAL] = "store_conditional",
};

/* Fields of the core outside the architectural state that the code accesses. */
#define CORE_FIELD(field)                                                                                              \
    {                                                                                                                  \
        offsetof(struct core, field), #field                                                                           \
    }
#define FRAME_FIELD(field)                                                                                             \
    {                                                                                                                  \
        offsetof(struct core, model_area) + offsetof(struct translate_frame, field), #field                            \
    }
static const struct {
    size_t offset;
    const char *name;
} fields[] = {CORE_FIELD(s.pc),
              CORE_FIELD(counts.loads),
              CORE_FIELD(counts.stores),
              CORE_FIELD(attention),
              CORE_FIELD(resume.fetched_pc),
              CORE_FIELD(resume.fetched_line),
              FRAME_FIELD(budget),
              FRAME_FIELD(saved_budget),
              FRAME_FIELD(position),
              FRAME_FIELD(exit_forced),
              FRAME_FIELD(exit),
              FRAME_FIELD(exit_requested),
              FRAME_FIELD(value),
              FRAME_FIELD(fp_last),
              FRAME_FIELD(mxcsr),
              FRAME_FIELD(mxcsr_clear),
              FRAME_FIELD(fp_careful)};

uint32_t host_code_of(const struct code_cache *cache, unsigned block)
{
    const struct host_emitter *e = cache->emitter;
    if (block < cache->superblock.count)
        return (uint32_t)(uintptr_t)e->code[0][block];
    return (uint32_t)(uintptr_t)e->cold_code;
}

unsigned host_data_at(const struct code_cache *cache, uint32_t at)
{
    const struct host_emitter *e = cache->emitter;
    for (unsigned i = 0; i < e->data_count; i++)
        if ((uintptr_t)e->data[i] == at)
            return (unsigned)(e->data_end[i] - e->data[i]);
    return 0;
}

/* Description of the part of COLD that begins at AT. */
static const char *name_of(const struct cold *cold, uint32_t at)
{
    if (cold->kind == COLD_ACCESS && cold->miss_jump != NULL && (uintptr_t)cold->code == at)
        return "possible miss of the access at %s";
    if (cold->kind == COLD_FETCH && (uintptr_t)cold->rest == at)
        return "budget exhausted by the instruction cache miss of %s";
    return cold_names[cold->kind];
}

bool host_describe(const struct code_cache *cache, uint32_t at, char *text, size_t size)
{
    const struct host_emitter *e = cache->emitter;
    for (unsigned i = 0; e->has_untested_version && i < cache->superblock.count; i++)
        if ((uintptr_t)e->code[1][i] == at) {
            snprintf(text, size, "block %u, without tests of its instruction lines", i);
            return true;
        }
    for (unsigned i = 0; i < e->cold_count; i++) {
        const struct cold *cold = &e->cold[i];
        char pc[16];
        if ((uintptr_t)cold->code != at && (uintptr_t)cold->rest != at)
            continue;
        bool jumps = cold->kind == COLD_LINK || cold->kind == COLD_CHECKED;
        vaddr address = jumps ? cold->target : cold->kind == COLD_BUDGET ? cold->block->pc : cold->pc;
        snprintf(pc, sizeof pc, "%08x", address);
        snprintf(text, size, name_of(cold, at), pc);
        return true;
    }
    return false;
}

void host_print_registers(const struct code_cache *cache, FILE *out)
{
    const struct host_emitter *e = cache->emitter;
    fprintf(out, "registers: rbp the core, r15 cycles left");
    for (unsigned host = 0; host < sizeof register_names / sizeof register_names[0]; host++)
        for (unsigned guest = 0; guest < LOOP_REGISTERS; guest++)
            if (e->host_register[guest] == (int)host) {
                fprintf(out, ", %s", register_names[host]);
                ir_print_state(cache->architecture, guest, out);
            }
    fputc('\n', out);
}

/* Start of the number with which INSTRUCTION ends, and its *VALUE; NULL: it does not end with a number. */
static const char *last_number(const char *instruction, uint64_t *value)
{
    const char *comma = strrchr(instruction, ','), *blank = strrchr(instruction, ' ');
    const char *start = comma != NULL && (blank == NULL || comma > blank) ? comma : blank;
    char *end;
    if (start == NULL || strncmp(start + 1, "0x", 2) != 0)
        return NULL;
    *value = strtoull(start + 1, &end, 16);
    return *end == '\0' ? start + 1 : NULL;
}

static const char *stub_name(const struct code_cache *cache, uint64_t address)
{
    for (unsigned i = 0; i < STUB_COUNT; i++)
        if (stub_names[i] != NULL && cache->stub[i] == address)
            return stub_names[i];
    return NULL;
}

static bool is_kept_insn(const struct host_emitter *e, uint64_t address)
{
    for (unsigned i = 0; i < e->data_count; i++)
        if ((uintptr_t)e->data_end[i] - sizeof(struct insn) == address)
            return true;
    return false;
}

static bool is_return(const struct host_emitter *e, uint64_t address)
{
    for (unsigned i = 0; i < e->return_count; i++)
        if (e->returns[i] == address)
            return true;
    return false;
}

/* Print a symbolic name for the number with which INSTRUCTION ends if it is a host address, because these differ from
 * run to run. False: it is not. */
static bool print_address(const struct code_cache *cache, const char *instruction, uint64_t value, uint32_t start,
                          FILE *out)
{
    bool jumps = instruction[0] == 'j' || strncmp(instruction, "call", 4) == 0;
    const char *stub = jumps ? stub_name(cache, value) : NULL;
    if (stub != NULL)
        fprintf(out, "<%s>", stub);
    else if ((jumps && value >= start && value < (uintptr_t)cache->next_free) || is_return(cache->emitter, value))
        fprintf(out, "+%x", (unsigned)(value - start));
    else if (strncmp(instruction, "movabs", 6) == 0)
        fprintf(out, "<C>");
    else if (strncmp(instruction, "mov", 3) == 0 && is_kept_insn(cache->emitter, value))
        fprintf(out, "<instruction>");
    else
        return false;
    return true;
}

static void print_permission(uint32_t offset, FILE *out)
{
    static const char *const names[] = {[PERMIT_TABLE_USER] = "user permission bytes",
                                        [PERMIT_TABLE_KERNEL] = "kernel permission bytes",
                                        [PERMIT_TABLE_CODE] = "code permission bytes"};
    unsigned table = PERMIT_TABLES - 1;
    while (table > 0 && offset < permit_offset(table))
        table--;
    fprintf(out, "    ; %s", names[table]);
}

static void print_table(uint32_t offset, bool indexed, FILE *out)
{
    static const char *const kinds[VMAP_KINDS] = {"loads", "stores", "code"};
    unsigned table = (offset - VMAP_FIRST_OFFSET) / VMAP_TABLE_BYTES;
    fprintf(out, "    ; %s %s", table / VMAP_KINDS == VMAP_USER ? "user" : "kernel", kinds[table % VMAP_KINDS]);
    if (!indexed)
        fprintf(out, " of page %05x", (offset - VMAP_FIRST_OFFSET) % VMAP_TABLE_BYTES / 8);
}

/* Describe the memory operand. */
static void print_operand(const struct architecture *architecture, const char *instruction, FILE *out)
{
    enum {
        FRAME = offsetof(struct core, model_area),
        FIRST_SLOT = FRAME + offsetof(struct translate_frame, slots),
        FIRST_OPERAND = FRAME + offsetof(struct translate_frame, fp_operands)
    };
    const char *operand = strstr(instruction, "[rbp");
    if (operand == NULL)
        return;
    const char *scale = strchr(operand, '*'), *number = strstr(operand, "0x");
    if (number == NULL)
        return;
    int64_t value = strtoll(number, NULL, 16);
    uint32_t offset = (uint32_t)((number[-1] == '-' ? -value : value) + CORE_BIAS);
    if (offset >= PERMIT_FIRST_OFFSET) {
        print_permission(offset, out);
        return;
    }
    if (offset >= VMAP_FIRST_OFFSET) {
        print_table(offset, scale != NULL, out);
        return;
    }
    for (unsigned i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (fields[i].offset == offset) {
            fprintf(out, "    ; %s", fields[i].name);
            return;
        }
    if (offset >= FIRST_OPERAND && offset < FIRST_OPERAND + sizeof((struct translate_frame *)0)->fp_operands) {
        fprintf(out, "    ; fp_operands %u", (offset - FIRST_OPERAND) / 8);
    } else if (offset >= FIRST_SLOT && offset < FIRST_SLOT + sizeof((struct translate_frame *)0)->slots) {
        fprintf(out, "    ; slot %u", (offset - FIRST_SLOT) / 8);
    } else if (offset < sizeof(struct cpu)) {
        fprintf(out, "    ;");
        ir_print_state(architecture, offset / 4, out);
    }
}

void host_print_instruction(const struct code_cache *cache, const char *instruction, uint32_t start, FILE *out)
{
    uint64_t value;
    const char *number = last_number(instruction, &value);
    if (number != NULL) {
        fprintf(out, "%.*s", (int)(number - instruction), instruction);
        if (!print_address(cache, instruction, value, start, out))
            fputs(number, out);
    } else {
        fputs(instruction, out);
    }
    print_operand(cache->architecture, instruction, out);
    fputc('\n', out);
}
