#include "cpu/mxs/predictor.h"

#include "src/base/log.h"
#include <stdlib.h>
#include <string.h>

static void *allocate(size_t count, size_t size)
{
    return checked_memory(calloc(count ? count : 1, size));
}

struct mxs_predictor *mxs_predictor_create(const struct params *params)
{
    struct mxs_predictor *p = allocate(1, sizeof *p);
    const uint32_t targets = (uint32_t)params_u64(params, "mxs.indirect_targets");
    p->stack_size = (uint32_t)params_u64(params, "mxs.return_stack");
    p->branches = predictor_create(params);
    p->stack = allocate(p->stack_size, sizeof *p->stack);
    p->target = allocate(targets, sizeof *p->target);
    p->target_mask = targets - 1;
    for (uint32_t i = 0; i < targets; i++)
        p->target[i] = 1;
    return p;
}

void mxs_predictor_free(struct mxs_predictor *p)
{
    if (p == NULL)
        return;
    predictor_free(p->branches);
    free(p->stack);
    free(p->target);
    free(p);
}

static vaddr *target_of(struct mxs_predictor *p, vaddr pc)
{
    return p->target_mask == UINT32_MAX ? NULL : &p->target[pc >> 2 & p->target_mask];
}

bool mxs_predict_target(struct mxs_predictor *p, vaddr pc, bool returns, vaddr *target)
{
    if (returns && p->stack_size > 0) {
        p->top--;
        *target = p->stack[p->top & (p->stack_size - 1)];
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
        p->stack[p->top++ & (p->stack_size - 1)] = address;
}

static void undo_stack(struct mxs_predictor *p, const struct mxs_prediction *prediction)
{
    p->top = prediction->top;
    if (p->stack_size > 0)
        p->stack[p->top & (p->stack_size - 1)] = prediction->address;
}

void mxs_predictor_undo(struct mxs_predictor *p, const struct mxs_prediction *prediction)
{
    predictor_recover(p->branches, prediction->history);
    undo_stack(p, prediction);
}

/* Checkpoints */

enum { ARRAYS = 3 };

static void list_arrays(struct mxs_predictor *p, struct saved_array arrays[ARRAYS])
{
    static const struct saved_field head[] = {SAVED_FIELD(struct mxs_predictor, top, SAVED_U32)};
    static const struct saved_field stack[] = {SAVED_NUMBER("stack", SAVED_U32, 0)};
    static const struct saved_field target[] = {SAVED_NUMBER("target", SAVED_U32, 0)};
    arrays[0] = (struct saved_array){SAVED_TABLE(head), .base = p, .count = 1};
    arrays[1] = (struct saved_array){SAVED_TABLE(stack), p->stack, sizeof *p->stack, p->stack_size};
    arrays[2] = (struct saved_array){SAVED_TABLE(target), p->target, sizeof *p->target, p->target_mask + 1};
}

void mxs_predictor_save(const struct mxs_predictor *p, const struct mxs_prediction *undone, struct saved_out *out)
{
    struct saved_array arrays[ARRAYS];
    struct mxs_predictor then = *p;
    if (undone != NULL) {
        then.stack = allocate(p->stack_size, sizeof *p->stack);
        memcpy(then.stack, p->stack, p->stack_size * sizeof *p->stack);
        undo_stack(&then, undone);
    }
    list_arrays(&then, arrays);
    for (unsigned i = 0; i < ARRAYS; i++)
        saved_put_array(out, &arrays[i]);
    predictor_save(p->branches, undone != NULL ? undone->history : p->branches->history, out);
    if (undone != NULL)
        free(then.stack);
}

bool mxs_predictor_load(struct mxs_predictor *p, struct saved_in *in, struct err *err)
{
    struct saved_array arrays[ARRAYS];
    list_arrays(p, arrays);
    for (unsigned i = 0; i < ARRAYS; i++)
        if (!saved_get_array(in, &arrays[i], NULL, err))
            return false;
    return predictor_load(p->branches, in, err);
}
