#include "cpu/mxs/predictor.h"

#include "src/base/log.h"
#include <stdlib.h>

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (memory == NULL)
        log_bug("out of memory");
    return memory;
}

struct mxs_predictor *mxs_predictor_create(const struct params *params)
{
    struct mxs_predictor *p = allocate(1, sizeof *p);
    const uint32_t counters = (uint32_t)params_u64(params, "mxs.predictor");
    const uint32_t targets = (uint32_t)params_u64(params, "mxs.indirect_targets");
    p->stack_size = (uint32_t)params_u64(params, "mxs.return_stack");
    p->counter = allocate(counters, sizeof *p->counter);
    p->stack = allocate(p->stack_size, sizeof *p->stack);
    p->target = allocate(targets, sizeof *p->target);
    p->counter_mask = counters - 1;
    p->target_mask = targets - 1;
    for (uint32_t i = 0; i < counters; i++)
        p->counter[i] = 1;
    for (uint32_t i = 0; i < targets; i++)
        p->target[i] = 1;
    return p;
}

void mxs_predictor_free(struct mxs_predictor *p)
{
    if (p == NULL)
        return;
    free(p->counter);
    free(p->stack);
    free(p->target);
    free(p);
}

void mxs_predictor_learn(struct mxs_predictor *p, vaddr pc, bool taken)
{
    uint8_t *counter = &p->counter[pc >> 2 & p->counter_mask];
    if (taken && *counter < 3)
        ++*counter;
    else if (!taken && *counter > 0)
        --*counter;
}

static vaddr *target_of(struct mxs_predictor *p, vaddr pc)
{
    return p->target_mask == UINT32_MAX ? NULL : &p->target[pc >> 2 & p->target_mask];
}

bool mxs_predict_target(struct mxs_predictor *p, vaddr pc, bool returns, vaddr *target)
{
    if (returns && p->stack_size > 0) {
        p->top--;
        *target = p->stack[p->top % p->stack_size];
        return true;
    }
    const vaddr *known = target_of(p, pc);
    if (known == NULL || *known == 1)
        return false;
    *target = *known;
    return true;
}

void mxs_predictor_learn_target(struct mxs_predictor *p, vaddr pc, bool returns, vaddr target)
{
    vaddr *known = target_of(p, pc);
    if (known != NULL && !(returns && p->stack_size > 0))
        *known = target;
}

void mxs_predictor_call(struct mxs_predictor *p, vaddr address)
{
    if (p->stack_size > 0)
        p->stack[p->top++ % p->stack_size] = address;
}

void mxs_predictor_undo(struct mxs_predictor *p, const struct mxs_stack_checkpoint *prediction)
{
    p->top = prediction->top;
    if (p->stack_size > 0)
        p->stack[p->top % p->stack_size] = prediction->address;
}

static size_t target_bytes(const struct mxs_predictor *p)
{
    return (uint32_t)(p->target_mask + 1) * sizeof *p->target;
}

void mxs_predictor_save(const struct mxs_predictor *p, const struct mxs_stack_checkpoint *undone, struct saved_out *out)
{
    saved_put_u32(out, undone != NULL ? undone->top : p->top);
    for (uint32_t i = 0; i < p->stack_size; i++)
        saved_put_u32(out, undone != NULL && i == undone->top % p->stack_size ? undone->address : p->stack[i]);
    saved_put(out, p->counter, (size_t)p->counter_mask + 1);
    saved_put(out, p->target, target_bytes(p));
}

bool mxs_predictor_load(struct mxs_predictor *p, struct saved_in *in)
{
    if (!saved_get_u32(in, &p->top))
        return false;
    for (uint32_t i = 0; i < p->stack_size; i++)
        if (!saved_get_u32(in, &p->stack[i]))
            return false;
    if (!saved_get(in, p->counter, (size_t)p->counter_mask + 1))
        return false;
    for (uint32_t i = 0; i <= p->counter_mask; i++)
        p->counter[i] &= 3;
    return saved_get(in, p->target, target_bytes(p));
}
