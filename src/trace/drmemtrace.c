/*
 * drmemtrace, the traces of DynamoRIO (docs/how-to/trace.md, clients/drcachesim/common/trace_entry.h): a file for each
 * CPU ("core-sharded"), with instructions encoded by their registers and categories ("REGDEPS", src/trace/regdeps.h).
 *
 * MIPS has delay slots, and drmemtrace does not: the instruction in a slot and its branch change places. At the
 * address of the branch stands the instruction of the slot, behind it the branch: what a compiler makes for a processor
 * without delay slots, with the same addresses in the same order. Where the slot of a branch that is not taken is
 * annulled, the instruction in its place is one that is not fetched.
 *
 * An instruction that raises an exception is in the trace, and again when it is executed again. A branch whose slot
 * raises one, or which is interrupted before its slot, is in its place an instruction of 8 bytes, or of 4, that is no
 * branch.
 *
 * Every other step from an instruction to one that does not follow it has a marker, as DynamoRIO's invariant_checker
 * demands (clients/drcachesim/tools/invariant_checker.cpp), which follows exceptions by a stack: KERNEL_EVENT pushes
 * the address that is interrupted, and KERNEL_XFER pops the one that the next instruction must have. Where an exception
 * returns elsewhere (to the handler of a signal, behind an emulated instruction, to a new program), another
 * KERNEL_EVENT pushes the interrupted address again, until one returns there. A switch of threads empties the stack;
 * KERNEL_XFER is then without an address. A CPU in user mode has left all exceptions, and one in kernel mode is in at
 * least one. References that are not there (filters) leave a gap: WINDOW_ID.
 *
 * drmemtrace-system is the same for a file type that tells exceptions from other events (WHOLE_SYSTEM): its exceptions
 * are HARDWARE_EVENT and HARDWARE_CONTEXT_RETURN.
 *
 * Uncached loads and stores are left out: there is no mark for them, and DynamoRIO's caches would hold them.
 */
#include "src/trace/trace_export.h"

#include "cpu/isa/isa.h"
#include "cpu/segments.h"
#include "src/base/array.h"
#include "src/base/board.h"
#include "src/base/hash_map.h"
#include "src/trace/drmemtrace_file.h"
#include "src/trace/regdeps.h"
#include <stdlib.h>
#include <string.h>

enum {
    FORMAT_VERSION = 6, /* in 7 instructions that raise exceptions are not there */
    FILE_TYPE = DRMEMTRACE_ENCODINGS | DRMEMTRACE_CORE_SHARDED | DRMEMTRACE_REGDEPS,
    TIME_EVERY = 128,    /* instructions between two times */
    EXCEPTIONS_MAX = 24, /* that a CPU is in: DynamoRIO takes 30 for an error */
    SEARCHED = 64,       /* contexts */
    NUMBER_BITS = 16,    /* of a process in a reference */
    ASID_BITS = 8,
    SPACE_MAX = 0x7fff,        /* from bit 32 of an address on: DynamoRIO's have 48 bits, of which the highest is 0 */
    BEFORE_THE_TRACE = 0xffff, /* the thread that was interrupted before a trace that begins in kernel mode */
};

/* An instruction that has not been written yet. */
struct held {
    uint64_t pc;
    paddr address;
    uint32_t word;
    enum isa_id id;
    struct insn insn;
    struct isa_control control;
    bool accesses;
    enum drmemtrace_type access;
    uint64_t data;
    paddr data_address;
    uint32_t data_size;
};

/* The last instruction written in a context. */
struct written {
    bool any; /* there is one */
    bool branches;
    uint64_t pc, next; /* where it stands, and where control goes after it; 0: unknown */
};

/* A context that was left by an exception or, IS_EVENT, by the kernel (KERNEL_EVENT). */
struct context {
    uint64_t pc; /* where it was left */
    bool is_event;
    struct written written;
};

struct drmemtrace_cpu {
    struct drmemtrace_file file;
    bool system;    /* drmemtrace-system */
    unsigned count; /* of held: one, or a branch and the one in its delay slot */
    struct held held[2];
    uint64_t thread, space; /* which runs now */
    uint64_t window;        /* gaps so far */
    unsigned since_time;    /* instructions */
    struct written written;
    bool returns; /* the last instruction was eret or rfe */
    bool moved;   /* a marker stands between it and the next one */
    /* Contexts that were left: first exceptions of threads that do not run now, then those of this one. */
    unsigned exceptions; /* of all threads */
    size_t contexts;     /* of this one: exceptions and events */
    struct context *context;
    struct hash_map encoded; /* by address: the instruction there, as it was last encoded */
    struct hash_map pages;   /* by number: the physical page */
};

struct drmemtrace {
    struct trace_info info;
    struct isa_decoder *decoder;
    uint64_t count; /* instructions of all CPUs */
    struct drmemtrace_cpu cpus[BOARD_MAX_CPUS];
};

static const char *lacks(const struct trace_info *info)
{
    return info->level > 0 || info->is_din ? "has no instructions: they need trace.level=0 when it is written" : NULL;
}

static struct drmemtrace *create(const struct trace_info *info)
{
    struct drmemtrace *trace = checked_memory(calloc(1, sizeof *trace));
    trace->info = *info;
    trace->decoder = isa_decoder_create(info->is_mips1 ? LEVEL_1 : LEVEL_32R2);
    return trace;
}

static void *create_any(const struct trace_info *info)
{
    return create(info);
}

static void *create_system(const struct trace_info *info)
{
    struct drmemtrace *trace = create(info);
    for (unsigned i = 0; i < BOARD_MAX_CPUS; i++)
        trace->cpus[i].system = true;
    return trace;
}

static void destroy(void *state)
{
    struct drmemtrace *trace = state;
    for (unsigned i = 0; i < BOARD_MAX_CPUS; i++) {
        drmemtrace_release(&trace->cpus[i].file);
        free(trace->cpus[i].context);
        hash_map_release(&trace->cpus[i].encoded);
        hash_map_release(&trace->cpus[i].pages);
    }
    isa_decoder_free(trace->decoder);
    free(trace);
}

/* Threads and addresses */

/* NUMBER, which the guest does not know, or means something else by on another CPU: it differs from all other ones. */
static uint64_t number_on(unsigned cpu, unsigned number)
{
    return (uint64_t)(cpu + 1) << NUMBER_BITS | number;
}

/* Whether REFERENCE has the guest's own number of its process or thread. */
static bool has_own_number(const struct drmemtrace *trace, const struct reference *reference)
{
    return trace->info.process != TRACE_SPACE && reference->process != 0;
}

/* The thread that makes REFERENCE; not 0. */
static uint64_t thread_of(const struct drmemtrace *trace, const struct reference *reference)
{
    return has_own_number(trace, reference) ? reference->process : number_on(reference->cpu, reference->process);
}

/* The address space of REFERENCE, from 1 to SPACE_MAX. Of an unknown process it is one of the last, by CPU: Linux gives
 * processes IDs below 32768, the lowest first. */
static uint64_t space_of(const struct drmemtrace *trace, const struct reference *reference)
{
    if (trace->info.process == TRACE_SPACE)
        return ((uint64_t)reference->cpu << ASID_BITS | (reference->process & ((1u << ASID_BITS) - 1))) + 1;
    return has_own_number(trace, reference) ? reference->process & SPACE_MAX : SPACE_MAX - reference->cpu;
}

/* Processes have addresses of their own: with the number of the space above. */
static uint64_t address_in(uint64_t space, vaddr address)
{
    return (vaddr_in_kuseg(address) ? space << 32 : 0) | address;
}

/* Before an access to ADDRESS: where it is in memory, if that has not been written yet or has changed. */
static void put_page(struct drmemtrace_cpu *cpu, uint64_t address, paddr physical)
{
    const uint64_t page = address >> PAGE_SHIFT;
    struct hash_slot *slot = hash_map_find(&cpu->pages, page);
    if (slot && slot->number == physical >> PAGE_SHIFT)
        return;
    if (!slot)
        slot = hash_map_add(&cpu->pages, page);
    slot->number = physical >> PAGE_SHIFT;
    drmemtrace_put_marker(&cpu->file, DRMEMTRACE_PHYSICAL_ADDRESS, physical & ~(paddr)(PAGE_SIZE - 1));
    drmemtrace_put_marker(&cpu->file, DRMEMTRACE_VIRTUAL_ADDRESS, address & ~(uint64_t)(PAGE_SIZE - 1));
}

static void put_time(const struct drmemtrace *trace, struct drmemtrace_cpu *cpu, cycles now)
{
    const uint64_t time = trace->info.times ? now : trace->count;
    drmemtrace_put_marker(&cpu->file, DRMEMTRACE_TIMESTAMP, time > 0 ? time : 1); /* 0: there is none yet */
    drmemtrace_put_marker(&cpu->file, DRMEMTRACE_CPU_ID, UINT64_MAX);             /* unknown: REGDEPS demands it */
    cpu->since_time = 0;
}

static void put_thread(struct drmemtrace_cpu *cpu, uint64_t thread)
{
    drmemtrace_put(&cpu->file, DRMEMTRACE_THREAD, 0, thread);
    drmemtrace_put(&cpu->file, DRMEMTRACE_PID, 0, thread);
    cpu->thread = thread;
}

/* Contexts */

/* Enter a context from one that is left at PC. */
static void push(struct drmemtrace_cpu *cpu, uint64_t pc, bool is_event)
{
    cpu->context = array_room(cpu->context, cpu->contexts, sizeof cpu->context[0]);
    cpu->context[cpu->contexts++] = (struct context){.pc = pc, .is_event = is_event, .written = cpu->written};
    cpu->exceptions += !is_event;
    cpu->written = (struct written){.any = false};
    cpu->moved = true;
    drmemtrace_put_marker(&cpu->file, cpu->system && !is_event ? DRMEMTRACE_HARDWARE_EVENT : DRMEMTRACE_KERNEL_EVENT,
                          pc);
}

/* Go back to the context that was left last: *PC is where; 0: unknown. The marker's value has no meaning, but not 0. */
static void pop(struct drmemtrace_cpu *cpu, uint64_t *pc)
{
    struct context context = {.pc = 0};
    if (cpu->contexts > 0)
        context = cpu->context[--cpu->contexts];
    cpu->exceptions -= !context.is_event;
    cpu->written = context.written;
    cpu->moved = true;
    *pc = context.pc;
    drmemtrace_put_marker(
        &cpu->file, cpu->system && !context.is_event ? DRMEMTRACE_HARDWARE_CONTEXT_RETURN : DRMEMTRACE_KERNEL_XFER, 1);
}

/* Is one of the last contexts known to have been left at PC? *INDEX: of the last such one. */
static bool find_context(const struct drmemtrace_cpu *cpu, uint64_t pc, size_t *index)
{
    for (size_t i = cpu->contexts; i-- > 0 && cpu->contexts - i <= SEARCHED;)
        if (cpu->context[i].pc == pc) {
            *index = i;
            return true;
        }
    return false;
}

/* The exception that the CPU was in returned to PC, but it was raised at LEFT (0: unknown). */
static void diverge(struct drmemtrace_cpu *cpu, uint64_t left, uint64_t pc)
{
    size_t index;
    if (left == 0 || left == pc)
        return;
    if (!find_context(cpu, pc, &index) || !cpu->context[index].is_event) {
        push(cpu, left, true);
        return;
    }
    for (size_t i = index; i < cpu->contexts; i++)
        if (!cpu->context[i].is_event) { /* it is outside of an exception that has not returned */
            push(cpu, left, true);
            return;
        }
    while (cpu->contexts > index)
        pop(cpu, &left);
}

/* The CPU continues at PC in user mode: out of all exceptions. */
static void return_to_user(struct drmemtrace_cpu *cpu, uint64_t pc)
{
    uint64_t left = 0;
    while (cpu->exceptions > 0)
        pop(cpu, &left);
    diverge(cpu, left, pc);
}

/* The CPU returns to PC in kernel mode, from an exception within another one. */
static void return_to_kernel(struct drmemtrace_cpu *cpu, uint64_t pc)
{
    size_t index;
    uint64_t left = 0;
    if (find_context(cpu, pc, &index)) {
        while (cpu->contexts > index)
            pop(cpu, &left);
        return;
    }
    const unsigned before = cpu->exceptions;
    while (cpu->exceptions == before)
        pop(cpu, &left);
    diverge(cpu, left, pc);
}

/* Instructions */

/* Write INSN's encoding, unless it is the one that was last written for PC. */
static void put_encoding(struct drmemtrace_cpu *cpu, const struct held *insn, uint64_t pc)
{
    struct hash_slot *slot = hash_map_find(&cpu->encoded, pc);
    if (slot && slot->number == insn->word)
        return;
    if (!slot)
        slot = hash_map_add(&cpu->encoded, pc);
    slot->number = insn->word;
    uint8_t bytes[REGDEPS_MAX];
    const unsigned count = regdeps_encode(insn->id, &insn->insn, bytes);
    for (unsigned i = 0; i < count; i += 8)
        drmemtrace_put_bytes(&cpu->file, DRMEMTRACE_ENCODING, bytes + i, count - i < 8 ? count - i : 8);
}

/* Write INSN, of SIZE bytes, at the address of AT. Control goes to NEXT. */
static void put_insn(struct drmemtrace_cpu *cpu, const struct held *insn, const struct held *at,
                     enum drmemtrace_type type, unsigned size, uint64_t next)
{
    const bool indirect =
        type == DRMEMTRACE_INDIRECT_JUMP || type == DRMEMTRACE_INDIRECT_CALL || type == DRMEMTRACE_RETURN;
    put_page(cpu, at->pc, at->address);
    put_encoding(cpu, insn, at->pc);
    if (indirect)
        drmemtrace_put_marker(&cpu->file, DRMEMTRACE_BRANCH_TARGET, next);
    drmemtrace_put(&cpu->file, type, size, at->pc);
    cpu->written = (struct written){.any = true, .branches = type != DRMEMTRACE_INSTR, .pc = at->pc, .next = next};
    cpu->moved = false;
    cpu->returns = insn->id == ISA_ERET || (cpu->count == 2 && cpu->held[1].id == ISA_RFE);
    cpu->since_time++;
    if (insn->accesses) {
        put_page(cpu, insn->data, insn->data_address);
        drmemtrace_put(&cpu->file, insn->access, insn->data_size, insn->data);
    }
}

static bool has_slot(const struct held *held)
{
    return held->control.flow >= FLOW_BRANCH;
}

/* The type of BRANCH, after which control goes to NEXT. */
static enum drmemtrace_type branch_type(const struct held *branch, uint64_t next)
{
    const struct isa_control *control = &branch->control;
    if (control->conditional)
        return next == branch->pc + 8 ? DRMEMTRACE_UNTAKEN_JUMP : DRMEMTRACE_TAKEN_JUMP;
    if (control->returns)
        return DRMEMTRACE_RETURN;
    if (control->direct)
        return control->calls ? DRMEMTRACE_DIRECT_CALL : DRMEMTRACE_DIRECT_JUMP;
    return control->calls ? DRMEMTRACE_INDIRECT_CALL : DRMEMTRACE_INDIRECT_JUMP;
}

/* Where BRANCH goes if the next instruction is at NEXT: there, or, if that cannot be, to the next one. */
static uint64_t branch_next(const struct drmemtrace_cpu *cpu, const struct held *branch, uint64_t next)
{
    const struct isa_control *control = &branch->control;
    const uint64_t target = address_in(cpu->space, control->target);
    if (!control->direct || next == target)
        return next;
    return control->conditional ? branch->pc + 8 : target;
}

/* BRANCH and the instruction in its SLOT, in each other's place. */
static void put_branch(struct drmemtrace_cpu *cpu, const struct held *branch, const struct held *slot, uint64_t next)
{
    put_insn(cpu, slot, branch, DRMEMTRACE_INSTR, 4, slot->pc);
    put_insn(cpu, branch, slot, branch_type(branch, next), 4, branch_next(cpu, branch, next));
}

static const struct held nop = {.id = ISA_SLL, .insn = {.rd = GPR_SINK}};

/* BRANCH, not taken, whose slot is annulled. */
static void put_annulled(struct drmemtrace_cpu *cpu, const struct held *branch)
{
    struct held behind = *branch;
    behind.pc += 4;
    behind.address += 4;
    put_insn(cpu, &nop, branch, DRMEMTRACE_NO_FETCH, 4, behind.pc);
    put_insn(cpu, branch, &behind, DRMEMTRACE_UNTAKEN_JUMP, 4, branch->pc + 8);
}

/* A branch that did not go anywhere: it will be executed again, AGAIN, or what follows it is not in the trace. SLOT:
 * the instruction in its slot has been fetched. */
static void put_interrupted(struct drmemtrace_cpu *cpu, const struct held *branch, bool slot, bool again)
{
    put_insn(cpu, &nop, branch, DRMEMTRACE_INSTR, slot ? 8 : 4, again ? branch->pc : 0);
}

/* Why the next instruction is the next one: control goes there; or an exception will return there. */
enum why { BY_CONTROL, BY_INTERRUPT, BY_OTHER_EXCEPTION };

/* Write what CPU holds; the next instruction, or the one to which an exception will return, is at NEXT. */
static void release(struct drmemtrace_cpu *cpu, uint64_t next, enum why why)
{
    const struct held *first = &cpu->held[0], *slot = &cpu->held[1];
    /* A branch is executed again if it did not reach its slot, or that raised the exception. It may also go to itself.
     */
    const bool again = next == first->pc && (why == BY_OTHER_EXCEPTION || (why == BY_INTERRUPT && cpu->count == 1));
    if (cpu->count == 0)
        return;
    if (!has_slot(first))
        put_insn(cpu, first, first, first->control.flow == FLOW_ERET ? DRMEMTRACE_INDIRECT_JUMP : DRMEMTRACE_INSTR, 4,
                 first->control.flow == FLOW_ERET ? next : first->pc + 4);
    else if (cpu->count == 2 && !again)
        put_branch(cpu, first, slot, next);
    else if (first->control.likely && !again)
        put_annulled(cpu, first);
    else
        put_interrupted(cpu, first, cpu->count == 2, again);
    cpu->count = 0;
}

/* Steps from one instruction to the next */

/* Something was executed that the trace does not have. What is before the first gap is window 0. */
static void put_gap(struct drmemtrace_cpu *cpu)
{
    if (cpu->window == 0)
        drmemtrace_put_marker(&cpu->file, DRMEMTRACE_WINDOW_ID, 0);
    drmemtrace_put_marker(&cpu->file, DRMEMTRACE_WINDOW_ID, ++cpu->window);
    cpu->written = (struct written){.any = false};
}

/* Where the CPU was when an exception came that returns to PC: there, unless the last instruction cannot have gone
 * there, because the exception came within another one and did not set EPC. */
static uint64_t left_at(const struct drmemtrace_cpu *cpu, uint64_t pc)
{
    const struct written *written = &cpu->written;
    if (!written->any || written->next == pc || written->pc == pc)
        return pc;
    return written->next != 0 ? written->next : written->pc;
}

static void enter_kernel(struct drmemtrace_cpu *cpu, uint64_t pc)
{
    if (cpu->exceptions < EXCEPTIONS_MAX)
        push(cpu, left_at(cpu, pc), false);
    else
        put_gap(cpu);
}

/* The next instruction is at PC, in user mode or not. */
static void arrive(struct drmemtrace_cpu *cpu, uint64_t pc, bool user)
{
    if (user && cpu->exceptions > 0)
        return_to_user(cpu, pc);
    if (!user && cpu->returns && cpu->exceptions > 1)
        return_to_kernel(cpu, pc);
    if (!user && cpu->exceptions == 0)
        enter_kernel(cpu, pc);
    if (cpu->written.any && cpu->written.next != pc && !cpu->moved)
        put_gap(cpu);
    cpu->returns = false;
}

static void switch_thread(struct drmemtrace *trace, struct drmemtrace_cpu *cpu, uint64_t thread, cycles now)
{
    cpu->contexts = 0;
    cpu->written = (struct written){.any = false};
    put_thread(cpu, thread);
    put_time(trace, cpu, now);
}

/* Begin the file of CPU number NUMBER, OUT. */
static void begin(struct drmemtrace *trace, unsigned number, cycles now, FILE *out)
{
    struct drmemtrace_cpu *cpu = &trace->cpus[number];
    drmemtrace_begin(&cpu->file, out);
    drmemtrace_put(&cpu->file, DRMEMTRACE_HEADER, 0, FORMAT_VERSION);
    drmemtrace_put_marker(&cpu->file, DRMEMTRACE_VERSION, FORMAT_VERSION);
    drmemtrace_put_marker(&cpu->file, DRMEMTRACE_FILETYPE, FILE_TYPE | (cpu->system ? DRMEMTRACE_WHOLE_SYSTEM : 0));
    put_thread(cpu, number_on(number, BEFORE_THE_TRACE));
    drmemtrace_put_marker(&cpu->file, DRMEMTRACE_PAGE_SIZE, PAGE_SIZE);
    put_time(trace, cpu, now);
}

static void hold(struct drmemtrace *trace, struct drmemtrace_cpu *cpu, const struct reference *reference, uint64_t pc)
{
    const struct isa_decoded decoded = isa_decode_word(trace->decoder, reference->word);
    const enum isa_id id = (enum isa_id)decoded.id;
    cpu->held[cpu->count++] = (struct held){.pc = pc,
                                            .address = reference->address,
                                            .word = reference->word,
                                            .id = id,
                                            .insn = decoded.insn,
                                            .control = isa_control(id, &decoded.insn, reference->virtual_address)};
}

static void put_fetch(struct drmemtrace *trace, struct drmemtrace_cpu *cpu, const struct reference *reference)
{
    const uint64_t thread = thread_of(trace, reference), space = space_of(trace, reference);
    const uint64_t pc = address_in(space, reference->virtual_address);
    const bool user = reference->mode == MODE_USER;
    trace->count++;
    if (cpu->count == 1 && has_slot(&cpu->held[0]) && pc == cpu->held[0].pc + 4) {
        hold(trace, cpu, reference, pc);
        return;
    }
    release(cpu, pc, BY_CONTROL);
    if (thread != cpu->thread) {
        if (cpu->thread == number_on(reference->cpu, BEFORE_THE_TRACE) && !user)
            arrive(cpu, pc, false);
        switch_thread(trace, cpu, thread, reference->now);
    }
    cpu->space = space;
    arrive(cpu, pc, user);
    if (!cpu->moved && cpu->since_time >= TIME_EVERY && cpu->written.any && !cpu->written.branches)
        put_time(trace, cpu, reference->now);
    hold(trace, cpu, reference, pc);
}

static void put_exception(struct drmemtrace *trace, struct drmemtrace_cpu *cpu, const struct reference *reference)
{
    uint64_t pc = address_in(cpu->space, reference->virtual_address);
    release(cpu, pc, reference->code == REFERENCE_CODE_INTERRUPT ? BY_INTERRUPT : BY_OTHER_EXCEPTION);
    if (cpu->returns)
        arrive(cpu, pc, vaddr_in_kuseg(reference->virtual_address));
    if (reference->code == REFERENCE_CODE_SYSTEM_CALL && cpu->written.pc == pc)
        pc = cpu->written.next;
    drmemtrace_put_marker(&cpu->file, DRMEMTRACE_EXCEPTION_CODE, reference->code);
    if (reference->code == REFERENCE_CODE_SYSTEM_CALL && trace->info.calls)
        drmemtrace_put_marker(&cpu->file, DRMEMTRACE_SYSTEM_CALL, reference->word);
    enter_kernel(cpu, pc);
}

/* Add an access of the last instruction, unless that makes none like it: its own is not in the trace. */
static void add_access(struct drmemtrace_cpu *cpu, const struct reference *reference)
{
    struct held *held = &cpu->held[cpu->count - 1];
    if (held->accesses || !(isa_table[held->id].flags & (reference->kind == REFERENCE_READ ? INSN_LOAD : INSN_STORE)))
        return;
    held->accesses = true;
    held->access = reference->kind == REFERENCE_READ ? DRMEMTRACE_READ : DRMEMTRACE_WRITE;
    held->data = address_in(cpu->space, reference->virtual_address);
    held->data_address = reference->address;
    held->data_size = reference->size;
}

static bool put(void *state, const struct reference *reference, FILE *const *out)
{
    struct drmemtrace *trace = state;
    struct drmemtrace_cpu *cpu = &trace->cpus[reference->cpu];
    const enum reference_kind kind = reference->kind;
    if (!cpu->file.out && (kind == REFERENCE_FETCH || kind == REFERENCE_EXCEPTION))
        begin(trace, reference->cpu, reference->now, out[reference->cpu]);
    if (kind == REFERENCE_FETCH)
        put_fetch(trace, cpu, reference);
    else if (kind == REFERENCE_EXCEPTION)
        put_exception(trace, cpu, reference);
    else if (cpu->count > 0 && (kind == REFERENCE_READ || kind == REFERENCE_WRITE) &&
             !vaddr_in_kseg1(reference->virtual_address))
        add_access(cpu, reference);
    return !cpu->file.failed;
}

/* Where the last branch goes is not known: it is not taken. A CPU that has executed nothing has a file all the same. */
static bool end(void *state, FILE *const *out)
{
    struct drmemtrace *trace = state;
    for (unsigned i = 0; i < BOARD_MAX_CPUS; i++) {
        struct drmemtrace_cpu *cpu = &trace->cpus[i];
        if (!cpu->file.out && out[i] && out[i] != stdout)
            begin(trace, i, 0, out[i]);
        if (!cpu->file.out)
            continue;
        release(cpu, cpu->held[0].pc + 8, BY_CONTROL);
        while (cpu->exceptions > 0) /* the tools go on with another CPU's file where this one ends */
            pop(cpu, &(uint64_t){0});
        drmemtrace_put(&cpu->file, DRMEMTRACE_FOOTER, 0, 0);
        if (!drmemtrace_end(&cpu->file))
            return false;
    }
    return true;
}

const struct trace_export trace_drmemtrace = {.name = "drmemtrace",
                                              .each_cpu = true,
                                              .lacks = lacks,
                                              .create = create_any,
                                              .destroy = destroy,
                                              .put = put,
                                              .end = end};

const struct trace_export trace_drmemtrace_system = {.name = "drmemtrace-system",
                                                     .each_cpu = true,
                                                     .lacks = lacks,
                                                     .create = create_system,
                                                     .destroy = destroy,
                                                     .put = put,
                                                     .end = end};
