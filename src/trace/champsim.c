/*
 * ChampSim's traces: 64 bytes for each instruction, one file for each CPU (ChampSim, inc/trace_instruction.h). ChampSim
 * tells kinds of branches by the registers that they read and write (inc/instruction.h): 26 is the instruction pointer,
 * 6 the stack pointer, 25 the flags, 0 none.
 *
 * MIPS has delay slots, and ChampSim does not: the instruction in the slot goes before its branch, so that the branch
 * is followed by its target. A branch in whose slot an exception occurs is executed again; it is not taken the first
 * time. Entering an exception is no branch: the next instruction simply is the handler's.
 *
 * Addresses are virtual. One of a process (in kuseg) has the process's number + 1 in the bits from 32 on, so that
 * processes do not share pages in ChampSim, which translates addresses itself.
 */
#include "src/trace/trace_export.h"

#include "cpu/isa/isa.h"
#include "cpu/segments.h"
#include "src/base/board.h"
#include <stdlib.h>
#include <string.h>

/* Registers of ChampSim that mean something, and ours, which avoid them. */
enum {
    CHAMPSIM_STACK = 6,
    CHAMPSIM_FLAGS = 25,
    CHAMPSIM_IP = 26,
    CHAMPSIM_RENAMED = 100, /* added to $6, $25 and $26 */
    CHAMPSIM_FPR = 32,      /* $f0 */
    CHAMPSIM_HI = 64,
    CHAMPSIM_LO,
    CHAMPSIM_FCC, /* eight condition codes */
    CHAMPSIM_EPC = CHAMPSIM_FCC + 8,
};
enum { SOURCES = 4, DESTINATIONS = 2, RECORD_BYTES = 64 };

/* An instruction that has not been written yet. */
struct held {
    uint64_t ip, load, store; /* addresses; 0: none */
    vaddr pc;
    struct isa_control control;
    uint8_t sources[SOURCES], destinations[DESTINATIONS];
};

/* The last instructions of a CPU: one, or a branch and the one in its delay slot. */
struct champsim_cpu {
    unsigned count;
    struct held held[2];
};

struct champsim {
    struct isa_decoder *decoder;
    struct champsim_cpu cpus[BOARD_MAX_CPUS];
};

static const char *lacks(const struct trace_info *info)
{
    return info->level > 0 || info->is_din ? "has no instructions: they need trace.level=0 when it is written" : NULL;
}

static void *create(const struct trace_info *info)
{
    struct champsim *champsim = checked_memory(calloc(1, sizeof *champsim));
    champsim->decoder = isa_decoder_create(info->is_mips1 ? LEVEL_1 : LEVEL_32R2);
    return champsim;
}

static void destroy(void *state)
{
    struct champsim *champsim = state;
    isa_decoder_free(champsim->decoder);
    free(champsim);
}

static uint64_t address_of(const struct reference *reference)
{
    const uint64_t space = vaddr_in_kuseg(reference->virtual_address) ? (uint64_t)reference->process + 1 : 0;
    return space << 32 | reference->virtual_address;
}

static uint8_t register_of(unsigned number)
{
    if (number == CHAMPSIM_STACK || number == CHAMPSIM_FLAGS || number == CHAMPSIM_IP)
        return (uint8_t)(CHAMPSIM_RENAMED + number);
    return (uint8_t)(number < GPR_SINK      ? number
                     : number == GPR_SINK   ? 0
                     : number == ISA_REG_HI ? CHAMPSIM_HI
                     : number == ISA_REG_LO ? CHAMPSIM_LO
                     : number < ISA_REG_FCC ? CHAMPSIM_FPR + number - ISA_REG_FPR
                                            : CHAMPSIM_FCC + number - ISA_REG_FCC);
}

/* Add REGISTER to the COUNT ones at TO, if there is room, and it is none of them yet. */
static void add_register(uint8_t *to, unsigned count, uint8_t number)
{
    for (unsigned i = 0; i < count && number != 0; i++) {
        if (to[i] == number)
            return;
        if (to[i] == 0) {
            to[i] = number;
            return;
        }
    }
}

static void add_operands(uint8_t *to, unsigned count, enum isa_id id, const struct insn *insn, unsigned operands)
{
    struct isa_register registers[ISA_REGISTERS_MAX];
    const unsigned found = isa_registers(id, insn, operands, registers);
    for (unsigned i = 0; i < found; i++)
        add_register(to, count, register_of(registers[i].number));
}

/* The registers by which ChampSim knows what kind of branch it is. */
static void add_branch(struct held *held, enum isa_id id, const struct insn *insn)
{
    const struct isa_control *control = &held->control;
    uint8_t *from = held->sources, *to = held->destinations;
    const bool returns = control->returns, jumps = control->flow == FLOW_JUMP || !control->conditional;
    const bool indirect = control->flow == FLOW_INDIRECT;
    add_register(to, DESTINATIONS, CHAMPSIM_IP);
    if (control->links && jumps) { /* a call; ChampSim's calls push the return address */
        add_register(to, DESTINATIONS, CHAMPSIM_STACK);
        add_register(from, SOURCES, CHAMPSIM_STACK);
        add_register(from, SOURCES, CHAMPSIM_IP);
    } else if (returns) {
        add_register(to, DESTINATIONS, CHAMPSIM_STACK);
        add_register(from, SOURCES, CHAMPSIM_STACK);
    } else if (!indirect && control->flow != FLOW_ERET) {
        add_register(from, SOURCES, CHAMPSIM_IP);
    }
    if (control->flow == FLOW_ERET)
        add_register(from, SOURCES, CHAMPSIM_EPC);
    if (indirect || control->conditional)
        add_operands(from, SOURCES, id, insn, isa_table[id].uses);
    if (control->conditional && from[1] == 0) /* of $zero only */
        add_register(from, SOURCES, CHAMPSIM_FLAGS);
}

static bool is_branch(const struct held *held)
{
    return held->control.flow >= FLOW_ERET;
}

static bool has_slot(const struct held *held)
{
    return held->control.flow >= FLOW_BRANCH;
}

static void put_u64(uint8_t *to, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static bool write_held(const struct held *held, bool taken, FILE *out)
{
    uint8_t record[RECORD_BYTES] = {0};
    put_u64(record, held->ip);
    record[8] = is_branch(held);
    record[9] = is_branch(held) && (taken || !held->control.conditional);
    memcpy(record + 10, held->destinations, DESTINATIONS);
    memcpy(record + 12, held->sources, SOURCES);
    put_u64(record + 16, held->store);
    put_u64(record + 32, held->load);
    return fwrite(record, 1, sizeof record, out) == sizeof record;
}

/* Write what CPU holds; the next instruction, or the one to which an exception will return, is at NEXT. An exception
 * that returns to a branch is one in its slot. */
static bool release(struct champsim_cpu *cpu, vaddr next, bool is_exception, FILE *out)
{
    const struct held *first = &cpu->held[0], *slot = &cpu->held[1];
    const bool taken = next != first->pc + 8 && !(is_exception && next == first->pc);
    bool done = true;
    if (cpu->count == 2)
        done = write_held(slot, false, out) && write_held(first, taken, out);
    else if (cpu->count == 1)
        done = write_held(first, false, out);
    cpu->count = 0;
    return done;
}

static bool put_fetch(struct champsim *champsim, const struct reference *reference, FILE *out)
{
    struct champsim_cpu *cpu = &champsim->cpus[reference->cpu];
    const vaddr pc = reference->virtual_address;
    const bool in_slot = cpu->count == 1 && has_slot(&cpu->held[0]) && pc == cpu->held[0].pc + 4;
    if (!in_slot && !release(cpu, pc, false, out))
        return false;
    struct held *held = &cpu->held[cpu->count++];
    const struct isa_decoded decoded = isa_decode_word(champsim->decoder, reference->word);
    const enum isa_id id = (enum isa_id)decoded.id;
    *held = (struct held){.ip = address_of(reference), .pc = pc, .control = isa_control(id, &decoded.insn, pc)};
    if (is_branch(held)) {
        add_branch(held, id, &decoded.insn);
    } else {
        add_operands(held->sources, SOURCES, id, &decoded.insn, isa_table[id].uses);
        add_operands(held->destinations, DESTINATIONS, id, &decoded.insn, isa_table[id].defines);
    }
    return true;
}

static bool put(void *state, const struct reference *reference, FILE *const *out)
{
    struct champsim *champsim = state;
    struct champsim_cpu *cpu = &champsim->cpus[reference->cpu];
    if (reference->kind == REFERENCE_FETCH)
        return put_fetch(champsim, reference, out[reference->cpu]);
    if (reference->kind == REFERENCE_EXCEPTION)
        return release(cpu, reference->virtual_address, true, out[reference->cpu]);
    if (cpu->count > 0 && reference->kind == REFERENCE_READ)
        cpu->held[cpu->count - 1].load = address_of(reference);
    if (cpu->count > 0 && reference->kind == REFERENCE_WRITE)
        cpu->held[cpu->count - 1].store = address_of(reference);
    return true;
}

/* Where the last branch goes is not known: it is not taken. */
static bool end(void *state, FILE *const *out)
{
    struct champsim *champsim = state;
    for (unsigned i = 0; i < BOARD_MAX_CPUS; i++)
        if (!release(&champsim->cpus[i], champsim->cpus[i].held[0].pc + 8, false, out[i]))
            return false;
    return true;
}

const struct trace_export trace_champsim = {
    .name = "champsim", .each_cpu = true, .lacks = lacks, .create = create, .destroy = destroy, .put = put, .end = end};
