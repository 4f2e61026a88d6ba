before tests/unit/reference_replacement.h '/* --- the table' <<'END'
static inline struct ref_sector *ref_after_last(struct ref_cache *c, struct ref_sector *set)
{
    uint32_t last = 0;
    for (uint32_t way = 1; way < c->s.ways; way++)
        last = set[way].used > set[last].used ? way : last;
    return &set[(last + 1) % c->s.ways];
}

END
before tests/unit/reference_replacement.h '{.name = "fifo"' <<'END'
    {.name = "toy", .victim = ref_after_last, .is_settled = ref_is_most_recently_used},
END
