/*
 * Reference models of the branch predictors (cpu/predict/): one function per predictor that predicts, and one that
 * trains, both given all outcomes and addresses so far as arrays. Nothing is folded, shifted or kept in parallel; they
 * are slow and have no code in common with the predictors.
 */
#ifndef SIMOS_TESTS_UNIT_REFERENCE_PREDICTORS_H
#define SIMOS_TESTS_UNIT_REFERENCE_PREDICTORS_H

#include "src/base/params.h"
#include <math.h>
#include <string.h>

enum { PATH_MAX_BRANCHES = 8192, REFERENCE_CELLS = 1 << 16, REFERENCE_TABLES = 12, REFERENCE_TAGGED = 1024 };

/* The branches before the one that is predicted; the youngest is number count - 1. */
struct path {
    unsigned count;
    bool taken[PATH_MAX_BRANCHES];
    vaddr pc[PATH_MAX_BRANCHES];
};

/* The outcome BACK branches ago (0: the youngest). Before the first branch nothing was taken. */
static inline unsigned path_taken(const struct path *path, unsigned back)
{
    return back < path->count && path->taken[path->count - 1 - back];
}
static inline unsigned path_address_bit(const struct path *path, unsigned back)
{
    return back < path->count ? path->pc[path->count - 1 - back] >> 2 & 1 : 0;
}

/* State of any reference model; each uses what it needs. Counters are signed: taken from 0 on. */
struct reference {
    const struct params *params;
    int counter[REFERENCE_CELLS], other[REFERENCE_CELLS], choice[REFERENCE_CELLS];
    bool local[REFERENCE_CELLS][16]; /* [branch][age] */
    struct {
        int counter, useful;
        unsigned tag;
    } tagged[REFERENCE_TABLES][REFERENCE_TAGGED];
    int prefer_alternate; /* from -8 to 7 */
    bool random[16];
    uint64_t trained;
};

static inline uint32_t reference_value(const struct reference *r, const char *name)
{
    return (uint32_t)params_u64(r->params, name);
}

static inline void reference_count(int *counter, int least, int most, bool up)
{
    const int next = *counter + (up ? 1 : -1);
    if (next >= least && next <= most)
        *counter = next;
}

static inline void reference_begin(struct reference *r, const struct params *params)
{
    memset(r, 0, sizeof *r);
    r->params = params;
    r->random[0] = true;
    for (unsigned i = 0; i < REFERENCE_CELLS; i++)
        r->counter[i] = r->other[i] = r->choice[i] = -1;
    for (unsigned table = 0; table < REFERENCE_TABLES; table++)
        for (unsigned i = 0; i < REFERENCE_TAGGED; i++)
            r->tagged[table][i].counter = -1;
}

/* bimodal */

static inline bool bimodal_predicts(struct reference *r, const struct path *path, vaddr pc)
{
    (void)path;
    return r->counter[pc / 4 % reference_value(r, "mxs.predictor")] >= 0;
}

static inline void bimodal_learns(struct reference *r, const struct path *path, vaddr pc, bool taken)
{
    (void)path;
    reference_count(&r->counter[pc / 4 % reference_value(r, "mxs.predictor")], -2, 1, taken);
}

/* gshare */

static inline int *gshare_counter(struct reference *r, const struct path *path, vaddr pc)
{
    uint32_t index = pc / 4;
    for (unsigned back = 0; back < reference_value(r, "mxs.gshare.history"); back++)
        index ^= path_taken(path, back) << back;
    return &r->counter[index % reference_value(r, "mxs.gshare.counters")];
}

static inline bool gshare_predicts(struct reference *r, const struct path *path, vaddr pc)
{
    return *gshare_counter(r, path, pc) >= 0;
}

static inline void gshare_learns(struct reference *r, const struct path *path, vaddr pc, bool taken)
{
    reference_count(gshare_counter(r, path, pc), -2, 1, taken);
}

/* tournament: `counter` is the local one, `other` the global one; `choice` from 0 on prefers the global one. */

static inline bool *tournament_outcomes(struct reference *r, vaddr pc)
{
    return r->local[pc / 4 % reference_value(r, "mxs.tournament.branches")];
}

static inline int *tournament_local(struct reference *r, vaddr pc)
{
    unsigned index = 0;
    for (unsigned age = 0; age < reference_value(r, "mxs.tournament.local_history"); age++)
        index += tournament_outcomes(r, pc)[age] ? 1u << age : 0;
    return &r->counter[index];
}

static inline unsigned tournament_global(const struct reference *r, const struct path *path)
{
    unsigned index = 0;
    for (unsigned back = 0; back < reference_value(r, "mxs.tournament.global_history"); back++)
        index += path_taken(path, back) << back;
    return index;
}

static inline bool tournament_predicts(struct reference *r, const struct path *path, vaddr pc)
{
    const unsigned global = tournament_global(r, path);
    return (r->choice[global] >= 0 ? r->other[global] : *tournament_local(r, pc)) >= 0;
}

static inline void tournament_learns(struct reference *r, const struct path *path, vaddr pc, bool taken)
{
    const unsigned global = tournament_global(r, path);
    const bool local_says = *tournament_local(r, pc) >= 0, global_says = r->other[global] >= 0;
    bool *outcomes = tournament_outcomes(r, pc);
    if (local_says != global_says)
        reference_count(&r->choice[global], -2, 1, global_says == taken);
    reference_count(tournament_local(r, pc), -4, 3, taken);
    reference_count(&r->other[global], -2, 1, taken);
    memmove(outcomes + 1, outcomes, 15 * sizeof *outcomes);
    outcomes[0] = taken;
}

/* tage: `counter` is the table without tags. */

static inline unsigned tage_length(const struct reference *r, unsigned table)
{
    const double least = reference_value(r, "mxs.tage.min_history"), most = reference_value(r, "mxs.tage.max_history");
    const unsigned tables = reference_value(r, "mxs.tage.tables");
    if (table == 0 || most <= least)
        return (unsigned)least;
    return (unsigned)floor(exp(log(least) + (log(most) - log(least)) * table / (tables - 1)) + 0.5);
}

/* The last LENGTH outcomes, XORed in pieces of WIDTH bits. */
static inline unsigned tage_pieces(const struct path *path, unsigned length, unsigned width)
{
    unsigned sum = 0;
    for (unsigned from = 0; from < length; from += width)
        for (unsigned bit = 0; bit < width && from + bit < length; bit++)
            sum ^= path_taken(path, from + bit) << bit;
    return sum;
}

static inline unsigned tage_index(const struct reference *r, const struct path *path, unsigned table, vaddr pc)
{
    const unsigned length = tage_length(r, table), size = reference_value(r, "mxs.tage.entries");
    unsigned width = 0, addresses = 0;
    while (1u << width < size)
        width++;
    for (unsigned back = 0; back < length && back < 16; back++)
        addresses ^= path_address_bit(path, back) << back % width;
    return (pc / 4 ^ pc / 4 / size ^ tage_pieces(path, length, width) ^ addresses) % size;
}

static inline unsigned tage_tag(const struct reference *r, const struct path *path, unsigned table, vaddr pc)
{
    const unsigned length = tage_length(r, table), width = reference_value(r, "mxs.tage.tag_bits");
    return (pc / 4 ^ tage_pieces(path, length, width) ^ 2 * tage_pieces(path, length, width - 1)) % (1u << width);
}

/* Numbers of the tables that match, the one with the longest history first. */
static inline unsigned tage_matches(struct reference *r, const struct path *path, vaddr pc, unsigned *matches)
{
    unsigned count = 0;
    for (unsigned table = reference_value(r, "mxs.tage.tables"); table-- > 0;)
        if (r->tagged[table][tage_index(r, path, table, pc)].tag == tage_tag(r, path, table, pc))
            matches[count++] = table;
    return count;
}

static inline int *tage_counter(struct reference *r, const struct path *path, vaddr pc, const unsigned *matches,
                                unsigned count, unsigned which)
{
    if (which >= count)
        return &r->counter[pc / 4 % reference_value(r, "mxs.tage.base")];
    return &r->tagged[matches[which]][tage_index(r, path, matches[which], pc)].counter;
}

static inline bool tage_predicts(struct reference *r, const struct path *path, vaddr pc)
{
    unsigned matches[REFERENCE_TABLES], count = tage_matches(r, path, pc, matches);
    const int provider = *tage_counter(r, path, pc, matches, count, 0);
    const int alternate = *tage_counter(r, path, pc, matches, count, 1);
    const bool weak = count > 0 && (provider == 0 || provider == -1);
    return (weak && r->prefer_alternate >= 0 ? alternate : provider) >= 0;
}

static inline bool tage_random(struct reference *r)
{
    const bool out = r->random[0];
    memmove(r->random, r->random + 1, 15 * sizeof *r->random);
    r->random[15] = out;
    r->random[13] ^= out, r->random[12] ^= out, r->random[10] ^= out;
    return out;
}

/* One of COUNT: number 0 is twice as likely as 1, and so on. Draws of COUNT bits, until one is set. */
static inline unsigned tage_draw(struct reference *r, unsigned count)
{
    bool bits[REFERENCE_TABLES];
    for (;;) {
        for (unsigned i = 0; i < count; i++)
            bits[i] = tage_random(r);
        for (unsigned i = 0; i < count; i++)
            if (bits[i])
                return i;
    }
}

static inline void tage_allocates(struct reference *r, const struct path *path, vaddr pc, bool taken, unsigned first)
{
    unsigned candidates[REFERENCE_TABLES], count = 0;
    const unsigned tables = reference_value(r, "mxs.tage.tables");
    for (unsigned table = first; table < tables; table++)
        if (r->tagged[table][tage_index(r, path, table, pc)].useful == 0)
            candidates[count++] = table;
    if (count == 0) {
        for (unsigned table = first; table < tables; table++)
            r->tagged[table][tage_index(r, path, table, pc)].useful -= 1;
        return;
    }
    const unsigned table = candidates[count == 1 ? 0 : tage_draw(r, count)], index = tage_index(r, path, table, pc);
    r->tagged[table][index].tag = tage_tag(r, path, table, pc);
    r->tagged[table][index].counter = taken ? 0 : -1;
    r->tagged[table][index].useful = 0;
}

static inline void tage_learns(struct reference *r, const struct path *path, vaddr pc, bool taken)
{
    unsigned matches[REFERENCE_TABLES], count = tage_matches(r, path, pc, matches);
    int *provider = tage_counter(r, path, pc, matches, count, 0);
    const bool predicted = tage_predicts(r, path, pc), said = *provider >= 0;
    const bool alternate = *tage_counter(r, path, pc, matches, count, 1) >= 0;
    if (count > 0 && said != alternate) {
        reference_count(&r->tagged[matches[0]][tage_index(r, path, matches[0], pc)].useful, 0, 3, said == taken);
        if (*provider == 0 || *provider == -1)
            reference_count(&r->prefer_alternate, -8, 7, alternate == taken);
    }
    if (count > 0)
        reference_count(provider, -4, 3, taken);
    else
        reference_count(provider, -2, 1, taken);
    if (predicted != taken)
        tage_allocates(r, path, pc, taken, count > 0 ? matches[0] + 1 : 0);
    r->trained++;
    const uint64_t period = params_u64(r->params, "mxs.tage.reset");
    if (r->trained % period != 0)
        return;
    for (unsigned table = 0; table < REFERENCE_TABLES; table++)
        for (unsigned i = 0; i < REFERENCE_TAGGED; i++)
            r->tagged[table][i].useful =
                r->trained / period % 2 != 0 ? r->tagged[table][i].useful % 2 : r->tagged[table][i].useful / 2 * 2;
}

/* By the name of the predictor. */
struct reference_row {
    const char *name;
    bool (*predicts)(struct reference *r, const struct path *path, vaddr pc);
    void (*learns)(struct reference *r, const struct path *path, vaddr pc, bool taken);
};
static const struct reference_row reference_rows[] = {
    {"bimodal", bimodal_predicts, bimodal_learns},
    {"gshare", gshare_predicts, gshare_learns},
    {"tournament", tournament_predicts, tournament_learns},
    {"tage", tage_predicts, tage_learns},
};

/* NULL: there is none. */
static inline const struct reference_row *reference_find(const char *name)
{
    for (unsigned i = 0; i < sizeof reference_rows / sizeof *reference_rows; i++)
        if (strcmp(reference_rows[i].name, name) == 0)
            return &reference_rows[i];
    return NULL;
}

#endif
