before tests/unit/reference_predictors.h '/* By the name of the predictor' <<'END'
static inline int *toy_counter(struct reference *r, vaddr pc)
{
    return &r->counter[pc / 4 % reference_value(r, "mxs.toy.branches")];
}

static inline bool toy_predicts(struct reference *r, const struct path *path, vaddr pc)
{
    (void)path;
    return *toy_counter(r, pc) == 1;
}

static inline void toy_learns(struct reference *r, const struct path *path, vaddr pc, bool taken)
{
    (void)path;
    *toy_counter(r, pc) = taken;
}

END
after tests/unit/reference_predictors.h '{"tage", tage_predicts' <<'END'
    {"toy", toy_predicts, toy_learns},
END
