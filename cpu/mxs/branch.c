/* Resolution of branches and jumps. */
#include "cpu/mxs/mxs.h"

static void train(struct mxs *m, const struct mxs_entry *e, bool wrong)
{
    const unsigned flags = e->op->flags;
    if (flags & OP_CONDITIONAL) {
        predictor_train(m->predictor->branches, mxs_predicted_at(m, e->pc), e->prediction.history, e->taken);
        m->counts->branches++;
        m->counts->branches_mispredicted += wrong;
    } else if (flags & OP_INDIRECT) {
        mxs_predictor_learn_target(m->predictor, mxs_predicted_at(m, e->pc), flags & OP_RETURN, e->actual);
        m->counts->jumps++;
        m->counts->jumps_mispredicted += wrong;
    }
}

/* Restore the return stack and the history of branches to their state after E. */
static void repair_predictor(struct mxs *m, const struct mxs_entry *e)
{
    vaddr popped;
    mxs_predictor_undo(m->predictor, &e->prediction);
    if (e->op->flags & OP_CONDITIONAL)
        predictor_extend(m->predictor->branches, mxs_predicted_at(m, e->pc), e->taken);
    if (e->op->flags & OP_RETURN)
        mxs_predict_target(m->predictor, mxs_predicted_at(m, e->pc), true, &popped);
    if (e->op->flags & OP_CALL)
        mxs_predictor_call(m->predictor, e->pc + 8);
}

/* Redirect fetch after E, which was mispredicted, or whose target fetch waits for. */
static void redirect(struct mxs *m, struct mxs_entry *e, cycles now)
{
    const cycles from = now + m->config.redirect_delay;
    const bool annulled = (e->op->flags & OP_LIKELY) && !e->taken;
    struct mxs_entry *slot = e->number + 1 < m->next ? mxs_entry_at(m, m->words, e->number + 1) : NULL;
    const enum mxs_cause cause = LOST_MISPREDICTED;
    if (annulled) {
        mxs_window_squash(m, e->number + 1);
        mxs_fetch_redirect(m, e->pc + 8, false, 0, from, cause);
    } else if (slot != NULL && slot->in_slot) {
        slot->predicted = e->actual;
        mxs_window_squash(m, e->number + 2);
        mxs_fetch_redirect(m, e->actual, false, 0, from, cause);
    } else if (slot == NULL && m->fetch.in_slot && m->fetch.pc == e->pc + 4) {
        m->fetch.target = e->actual; /* the delay slot has not been fetched yet */
        m->fetch.target_known = true;
    } else {
        mxs_window_squash(m, e->number + 1);
        mxs_fetch_redirect(m, e->pc + 4, true, e->actual, from, cause);
    }
}

void mxs_branch_resolve(struct mxs *m, struct mxs_entry *e, cycles now)
{
    const bool wrong = e->guessed && (e->actual != e->predicted || e->taken != e->predicted_taken);
    train(m, e, wrong);
    if (e->unresolved)
        m->unresolved--;
    e->unresolved = false;
    if (e->guessed && !wrong)
        return;
    if (wrong)
        repair_predictor(m, e);
    redirect(m, e, now);
    e->guessed = true;
}
