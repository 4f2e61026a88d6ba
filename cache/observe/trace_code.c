#include "cache/observe/trace_code.h"

/* Bits of the first byte of a record: its kind, and which fields follow. */
enum {
    KIND_MASK = 0x0f,
    HAS_CPU = 0x10,
    HAS_OWNER = 0x20,
    HAS_SIZE = 0x40,
    HAS_VIRTUAL = 0x80,
};
/* The kind that a record has of a read by the page-table walker. */
enum { KIND_WALK = 10 };
_Static_assert((int)REFERENCE_KINDS <= (int)KIND_WALK && (int)KIND_WALK <= (int)KIND_MASK,
               "each kind has a number of its own");

static bool has_address(enum reference_kind kind)
{
    return kind != REFERENCE_FLUSH && kind != REFERENCE_INSNS && kind != REFERENCE_EXCEPTION;
}

/* Whether references of KIND have a mode and a process. */
static bool has_owner(enum reference_kind kind)
{
    return reference_is_access(kind) || kind == REFERENCE_INSNS;
}

static bool has_virtual(enum reference_kind kind)
{
    return reference_is_access(kind) || kind == REFERENCE_CACHE_OP;
}

static enum trace_stream stream_of(enum reference_kind kind)
{
    if (kind == REFERENCE_FETCH)
        return TRACE_INSTRUCTIONS;
    return reference_is_access(kind) ? TRACE_DATA : TRACE_REST;
}

/* Numbers are encoded in groups of 7 bits, lowest first. Signed differences are folded to unsigned so that small ones
 * of either sign stay small. */

static uint8_t *put_number(uint8_t *to, uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        *to++ = (uint8_t)(number | 0x80);
    *to++ = (uint8_t)number;
    return to;
}

static uint8_t *put_difference(uint8_t *to, int64_t difference)
{
    return put_number(to, (uint64_t)difference << 1 ^ (uint64_t)(difference >> 63));
}

static uint8_t *put_word(uint8_t *to, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        *to++ = (uint8_t)(word >> 8 * i);
    return to;
}

struct input {
    const uint8_t *at, *end;
    bool bad;
};

static uint8_t take_byte(struct input *input)
{
    if (input->at < input->end)
        return *input->at++;
    input->bad = true;
    return 0;
}

static uint32_t take_word(struct input *input)
{
    uint32_t word = 0;
    for (unsigned i = 0; i < 4; i++)
        word |= (uint32_t)take_byte(input) << 8 * i;
    return word;
}

static uint64_t take_number(struct input *input)
{
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint8_t byte = take_byte(input);
        number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return number;
    }
    input->bad = true;
    return 0;
}

static int64_t take_difference(struct input *input)
{
    uint64_t number = take_number(input);
    return (int64_t)(number >> 1 ^ -(number & 1));
}

size_t trace_encode(struct trace_state *state, const struct reference *r, unsigned fields, uint8_t *to)
{
    struct trace_cpu *cpu = &state->cpus[r->cpu];
    struct trace_last *last = &cpu->last[stream_of(r->kind)];
    uint32_t difference = has_virtual(r->kind) ? r->virtual_address - r->address : last->difference;
    uint8_t *at = to + 1;
    uint8_t flags = (uint8_t)(r->kind == REFERENCE_READ && r->walk ? KIND_WALK : (int)r->kind);
    if (r->cpu != state->cpu) {
        flags |= HAS_CPU;
        *at++ = state->cpu = r->cpu;
    }
    if (has_owner(r->kind) && (r->mode != cpu->mode || r->process != cpu->process)) {
        flags |= HAS_OWNER;
        *at++ = cpu->mode = (uint8_t)r->mode;
        cpu->process = r->process;
        at = put_number(at, r->process);
    }
    if (has_address(r->kind)) {
        at = put_difference(at, (int32_t)(r->address - last->address));
        last->address = r->address;
        if (r->size != last->size) {
            flags |= HAS_SIZE;
            at = put_number(at, last->size = r->size);
        }
        if (difference != last->difference) {
            flags |= HAS_VIRTUAL;
            at = put_number(at, last->difference = difference);
        }
    }
    if (r->kind == REFERENCE_CACHE_OP)
        *at++ = (uint8_t)(r->cache << 4 | r->op);
    if (r->kind == REFERENCE_INSNS)
        at = put_number(at, r->insns);
    if (r->kind == REFERENCE_EXCEPTION) {
        *at++ = r->code;
        at = put_word(at, r->virtual_address);
        if (r->code == REFERENCE_CODE_SYSTEM_CALL && fields & TRACE_HAS_CALLS)
            at = put_number(at, r->word);
    }
    if (r->kind == REFERENCE_FETCH && fields & TRACE_HAS_WORDS)
        at = put_word(at, r->word);
    if (fields & TRACE_HAS_TIMES) {
        at = put_difference(at, (int64_t)(r->now - cpu->now));
        cpu->now = r->now;
    }
    *to = flags;
    return (size_t)(at - to);
}

static void take_owner(struct input *input, struct trace_cpu *cpu)
{
    cpu->mode = take_byte(input);
    uint64_t process = take_number(input);
    cpu->process = (uint16_t)process;
    input->bad |= cpu->mode >= MODE_COUNT || process > UINT16_MAX;
}

static void take_address(struct input *input, uint8_t flags, struct trace_last *last)
{
    last->address += (uint32_t)take_difference(input);
    if (flags & HAS_SIZE) {
        uint64_t size = take_number(input);
        last->size = (uint32_t)size;
        input->bad |= size > UINT32_MAX;
    }
    if (flags & HAS_VIRTUAL) {
        uint64_t difference = take_number(input);
        last->difference = (uint32_t)difference;
        input->bad |= difference > UINT32_MAX;
    }
}

static void take_exception(struct input *input, unsigned fields, struct reference *r)
{
    r->code = take_byte(input);
    r->virtual_address = take_word(input);
    input->bad |= r->code >= 32;
    if (r->code == REFERENCE_CODE_SYSTEM_CALL && fields & TRACE_HAS_CALLS) {
        uint64_t call = take_number(input);
        r->word = (uint32_t)call;
        input->bad |= call > UINT32_MAX;
    }
}

static void take_operation(struct input *input, struct reference *r)
{
    uint8_t byte = take_byte(input);
    r->cache = (enum memsys_cache)(byte >> 4);
    r->op = (enum memsys_cache_op)(byte & 15);
    input->bad |= r->cache >= MEMSYS_CACHES || r->op > MEMSYS_INDEX_INVALIDATE;
}

size_t trace_decode(struct trace_state *state, const uint8_t *from, size_t count, unsigned fields, unsigned cpus,
                    struct reference *r)
{
    struct input input = {.at = from, .end = from + count};
    uint8_t flags = take_byte(&input);
    const bool walk = (flags & KIND_MASK) == KIND_WALK;
    const enum reference_kind kind = walk ? REFERENCE_READ : (enum reference_kind)(flags & KIND_MASK);
    if (kind >= REFERENCE_KINDS || (kind == REFERENCE_EXCEPTION && !(fields & TRACE_HAS_WORDS)) ||
        (!has_address(kind) && flags & (HAS_SIZE | HAS_VIRTUAL)) || (!has_owner(kind) && flags & HAS_OWNER) ||
        (!has_virtual(kind) && flags & HAS_VIRTUAL))
        return 0;
    if (flags & HAS_CPU)
        state->cpu = take_byte(&input);
    if (state->cpu >= cpus)
        return 0;
    struct trace_cpu *cpu = &state->cpus[state->cpu];
    struct trace_last *last = &cpu->last[stream_of(kind)];
    if (flags & HAS_OWNER)
        take_owner(&input, cpu);
    if (has_address(kind))
        take_address(&input, flags, last);
    *r = (struct reference){.kind = kind, .walk = walk, .cpu = state->cpu};
    if (has_owner(kind)) {
        r->mode = (enum mode)cpu->mode;
        r->process = cpu->process;
    }
    if (has_address(kind)) {
        r->address = last->address;
        r->size = last->size;
    }
    if (has_virtual(kind))
        r->virtual_address = last->address + last->difference;
    if (kind == REFERENCE_CACHE_OP)
        take_operation(&input, r);
    if (kind == REFERENCE_INSNS)
        r->insns = take_number(&input);
    if (kind == REFERENCE_EXCEPTION)
        take_exception(&input, fields, r);
    if (kind == REFERENCE_FETCH && fields & TRACE_HAS_WORDS)
        r->word = take_word(&input);
    if (fields & TRACE_HAS_TIMES)
        r->now = cpu->now += (cycles)take_difference(&input);
    return input.bad ? 0 : (size_t)(input.at - from);
}
