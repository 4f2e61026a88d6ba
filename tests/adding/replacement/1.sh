# The victim is the way after the one used last.
before cache/state/replacement.c '/* The table */' <<'END'
static void toy_use(uint64_t *order, uint32_t ways, unsigned way)
{
    (void)ways;
    *order = way;
}

static unsigned toy_victim(uint64_t *order, uint32_t ways, uint32_t *random)
{
    (void)random;
    return (unsigned)(*order + 1) % ways;
}

static bool toy_is_valid(const uint64_t *order, uint32_t ways)
{
    return *order < ways;
}

END
