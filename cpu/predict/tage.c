/*
 * TAGE (A. Seznec and P. Michaud, "A case for (partially) TAgged GEometric history length branch prediction", Journal
 * of Instruction-Level Parallelism 8, 2006).
 *
 * Table i, from 1, is indexed by the address and the last L(i) outcomes, where L is a geometric series. The entry with
 * a matching tag in the table with the longest history (the provider) predicts; the next one (the alternate) is what
 * would predict without it; below all tables is a bimodal one without tags. An entry has
 *
 *     counter   three bits; the upper half predicts "taken"
 *     useful    two bits: how often the provider was right and the alternate wrong lately
 *
 * A provider with a weak counter is probably new: `use_alternate` says whether the alternate is right more often then.
 *
 * A branch trains its provider, or the bimodal table where there is none. One that was mispredicted also gets an entry
 * in a table with a longer history, where `useful` is 0: of several such tables each one is twice as likely as the
 * next. If there is none, `useful` of them all goes down by one. Every `reset` branches one bit of every `useful` is
 * cleared, the upper and the lower one in turn. The tables are read again when a branch trains them; other branches may
 * have changed them since its prediction.
 *
 * The outcomes are folded to the width of index and tag: each is the XOR of outcome j, from 0 for the youngest, at bit
 * j modulo the width. Folded histories are kept for each number of branches, up to those in flight, so that a return to
 * an older history needs no work. `history` is this number.
 */
#include "cpu/predict/counter.h"
#include "cpu/predict/predictor.h"

#include <math.h>
#include <stdlib.h>

enum {
    TABLES_MAX = 12,
    HISTORY_MAX = 1024,
    ADDRESSES = 16, /* number of branches whose addresses are in an index: one bit of each */
    MOMENTS = 2 * PREDICTOR_IN_FLIGHT_MAX,
    OUTCOMES = 2048,
    USEFUL_MAX = 3,
    USE_ALTERNATE_MAX = 15,
};
_Static_assert(OUTCOMES >= HISTORY_MAX + PREDICTOR_IN_FLIGHT_MAX, "an outcome stays while a history needs it");

struct entry {
    uint16_t tag;
    uint8_t counter, useful;
};

/* The history after so many branches. */
struct moment {
    uint16_t addresses; /* bit 2 of the last branches' addresses; bit 0 is the youngest */
    struct folded {
        uint16_t index, tag, tag_less; /* folded to the width of an index, of a tag, and to one bit less than that */
    } folded[TABLES_MAX];
};

struct tage {
    struct predictor head;
    unsigned tables, index_bits, tag_bits;
    uint32_t base_mask;
    uint64_t reset;
    unsigned length[TABLES_MAX];
    uint8_t *base;       /* two-bit counters by address */
    struct entry *entry; /* [tables][1 << index_bits] */
    struct moment *moment;
    /* Saved as one. */
    struct state {
        uint8_t use_alternate; /* 0 to 15; from 8 on a weak provider does not count */
        uint16_t random;       /* shift register with linear feedback; not 0 */
        uint64_t trained;      /* number of branches */
        uint8_t outcome[OUTCOMES];
    } state;
};

static const struct param_def params[] = {
    {.name = "mxs.tage.tables",
     .type = PARAM_INT,
     .traits = TRAIT_TIMED,
     .unit = "",
     .initial = "4",
     .min = 1,
     .max = TABLES_MAX,
     .help = "tage: number of tables with tags"},
    {.name = "mxs.tage.entries",
     .type = PARAM_INT,
     .traits = TRAIT_TIMED,
     .unit = "entries",
     .initial = "1024",
     .min = 2,
     .max = 1 << 16,
     .power_of_two = true,
     .help = "tage: size of each table with tags"},
    {.name = "mxs.tage.tag_bits",
     .type = PARAM_INT,
     .traits = TRAIT_TIMED,
     .unit = "bits",
     .initial = "9",
     .min = 2,
     .max = 16,
     .help = "tage: width of a tag"},
    {.name = "mxs.tage.base",
     .type = PARAM_INT,
     .traits = TRAIT_TIMED,
     .unit = "entries",
     .initial = "4096",
     .min = 1,
     .max = 1 << 20,
     .power_of_two = true,
     .help = "tage: number of two-bit counters of the table without tags"},
    {.name = "mxs.tage.min_history",
     .type = PARAM_INT,
     .traits = TRAIT_TIMED,
     .unit = "branches",
     .initial = "5",
     .min = 1,
     .max = HISTORY_MAX,
     .help = "tage: history of the first table with tags"},
    {.name = "mxs.tage.max_history",
     .type = PARAM_INT,
     .traits = TRAIT_TIMED,
     .unit = "branches",
     .initial = "130",
     .min = 1,
     .max = HISTORY_MAX,
     .help = "tage: history of the last one, in a geometric series; below min_history: all have min_history"},
    {.name = "mxs.tage.reset",
     .type = PARAM_INT,
     .traits = TRAIT_TIMED,
     .unit = "branches",
     .initial = "262144",
     .min = 1,
     .max = UINT32_MAX,
     .help = "tage: branches after which a bit of each useful counter is cleared"},
};

/* Lengths of the histories: a geometric series, rounded. */
static void set_lengths(struct tage *t, double least, double most)
{
    for (unsigned i = 0; i < t->tables; i++)
        t->length[i] =
            i == 0 ? (unsigned)least : (unsigned)(least * pow(most / least, (double)i / (t->tables - 1)) + 0.5);
}

static struct predictor *create(const struct params *values)
{
    struct tage *t = checked_memory(calloc(1, sizeof *t));
    const uint32_t entries = (uint32_t)params_u64(values, "mxs.tage.entries");
    const uint32_t base = (uint32_t)params_u64(values, "mxs.tage.base");
    const unsigned least = (unsigned)params_u64(values, "mxs.tage.min_history");
    const unsigned most = (unsigned)params_u64(values, "mxs.tage.max_history");
    t->tables = (unsigned)params_u64(values, "mxs.tage.tables");
    t->index_bits = (unsigned)__builtin_ctz(entries);
    t->tag_bits = (unsigned)params_u64(values, "mxs.tage.tag_bits");
    t->reset = params_u64(values, "mxs.tage.reset");
    set_lengths(t, least, most > least ? most : least);
    t->base_mask = base - 1;
    t->base = counters_create(base, COUNTER_TWO_BITS);
    t->entry = checked_memory(calloc((size_t)t->tables * entries, sizeof *t->entry));
    for (size_t i = 0; i < (size_t)t->tables * entries; i++)
        t->entry[i].counter = counter_weak(COUNTER_THREE_BITS, false);
    t->moment = checked_memory(calloc(MOMENTS, sizeof *t->moment));
    t->state.use_alternate = counter_weak(USE_ALTERNATE_MAX, true);
    t->state.random = 1;
    return &t->head;
}

static void tage_free(struct predictor *p)
{
    struct tage *t = (struct tage *)p;
    free(t->base);
    free(t->entry);
    free(t->moment);
    free(t);
}

/* History */

/* FOLDED, WIDTH bits of the last LENGTH outcomes, when outcome NEW comes and OLD leaves. */
static uint16_t fold(uint16_t folded, unsigned width, unsigned length, unsigned new, unsigned old)
{
    const uint32_t shifted = (uint32_t)folded << 1 ^ new ^ old << length % width;
    return (uint16_t)((shifted ^ shifted >> width) & ((1u << width) - 1));
}

static void extend(struct predictor *p, vaddr pc, bool taken)
{
    struct tage *t = (struct tage *)p;
    const uint64_t number = p->history;
    const struct moment *before = &t->moment[number % MOMENTS];
    struct moment *after = &t->moment[(number + 1) % MOMENTS];
    after->addresses = (uint16_t)(before->addresses << 1 | (pc >> 2 & 1));
    for (unsigned i = 0; i < t->tables; i++) {
        const unsigned length = t->length[i], old = t->state.outcome[(number - length) % OUTCOMES];
        const struct folded *from = &before->folded[i];
        after->folded[i] = (struct folded){.index = fold(from->index, t->index_bits, length, taken, old),
                                           .tag = fold(from->tag, t->tag_bits, length, taken, old),
                                           .tag_less = fold(from->tag_less, t->tag_bits - 1, length, taken, old)};
    }
    t->state.outcome[number % OUTCOMES] = taken;
    p->history = number + 1;
}

/* Lookup */

static struct entry *entry_of(const struct tage *t, unsigned table, const struct moment *moment, vaddr pc)
{
    const unsigned bits = t->index_bits, length = t->length[table];
    uint32_t address = pc >> 2, index = address ^ address >> bits ^ moment->folded[table].index;
    const uint32_t addresses = length < ADDRESSES ? moment->addresses & ((1u << length) - 1) : moment->addresses;
    for (unsigned shift = 0; shift < ADDRESSES; shift += bits)
        index ^= addresses >> shift;
    return &t->entry[((size_t)table << bits) + (index & ((1u << bits) - 1))];
}

static uint16_t tag_of(const struct tage *t, unsigned table, const struct moment *moment, vaddr pc)
{
    const struct folded *folded = &moment->folded[table];
    return (uint16_t)((pc >> 2 ^ folded->tag ^ folded->tag_less << 1) & ((1u << t->tag_bits) - 1));
}

struct lookup {
    unsigned provider;   /* number of the table, from 1; 0: the base table */
    struct entry *entry; /* of the provider, or NULL */
    bool provided;       /* its prediction */
    bool alternate;      /* the prediction without it */
    bool weak;           /* its counter is weak */
    bool taken;          /* what is predicted */
};

/* The prediction of the branch at PC after HISTORY branches. */
static struct lookup look_up(const struct tage *t, vaddr pc, uint64_t history)
{
    const struct moment *moment = &t->moment[history % MOMENTS];
    struct lookup found = {.provided = counter_taken(t->base[pc >> 2 & t->base_mask], COUNTER_TWO_BITS)};
    found.alternate = found.provided;
    for (unsigned i = 0; i < t->tables; i++) {
        struct entry *entry = entry_of(t, i, moment, pc);
        if (entry->tag != tag_of(t, i, moment, pc))
            continue;
        found.alternate = found.provided;
        found.provided = counter_taken(entry->counter, COUNTER_THREE_BITS);
        found.entry = entry;
        found.provider = i + 1;
    }
    if (found.entry != NULL)
        found.weak = found.entry->counter == counter_weak(COUNTER_THREE_BITS, found.provided);
    const bool use_alternate = found.weak && counter_taken(t->state.use_alternate, USE_ALTERNATE_MAX);
    found.taken = use_alternate ? found.alternate : found.provided;
    return found;
}

static bool predict(const struct predictor *p, vaddr pc)
{
    return look_up((const struct tage *)p, pc, p->history).taken;
}

/* Training */

/* The next bit of a 16-bit shift register with feedback from bits 16, 14, 13 and 11. */
static unsigned random_bit(struct state *state)
{
    const unsigned bit = state->random & 1;
    state->random = (uint16_t)(state->random >> 1 ^ (bit != 0 ? 0xb400 : 0));
    return bit;
}

/* A number below COUNT, each twice as likely as the next: the position of the first 1 among COUNT random bits that are
 * not all 0. */
static unsigned draw(struct state *state, unsigned count)
{
    unsigned first = count;
    if (state->random == 0) /* only in a damaged file */
        state->random = 1;
    while (first == count)
        for (unsigned i = 0; i < count; i++)
            if (random_bit(state) != 0 && first == count)
                first = i;
    return first;
}

/* Give the branch at PC, mispredicted and TAKEN or not, an entry in table FIRST or one after it. */
static void allocate(struct tage *t, unsigned first, vaddr pc, const struct moment *moment, bool taken)
{
    unsigned free_tables[TABLES_MAX], count = 0;
    for (unsigned i = first; i < t->tables; i++)
        if (entry_of(t, i, moment, pc)->useful == 0)
            free_tables[count++] = i;
    if (count == 0) {
        for (unsigned i = first; i < t->tables; i++)
            entry_of(t, i, moment, pc)->useful--;
        return;
    }
    const unsigned table = free_tables[count > 1 ? draw(&t->state, count) : 0];
    *entry_of(t, table, moment, pc) =
        (struct entry){.tag = tag_of(t, table, moment, pc), .counter = counter_weak(COUNTER_THREE_BITS, taken)};
}

static void train(struct predictor *p, vaddr pc, uint64_t history, bool taken)
{
    struct tage *t = (struct tage *)p;
    const struct lookup found = look_up(t, pc, history);
    if (found.entry == NULL) {
        counter_train(&t->base[pc >> 2 & t->base_mask], COUNTER_TWO_BITS, taken);
    } else {
        if (found.provided != found.alternate) {
            counter_train(&found.entry->useful, USEFUL_MAX, found.provided == taken);
            if (found.weak)
                counter_train(&t->state.use_alternate, USE_ALTERNATE_MAX, found.alternate == taken);
        }
        counter_train(&found.entry->counter, COUNTER_THREE_BITS, taken);
    }
    if (found.taken != taken)
        allocate(t, found.provider, pc, &t->moment[history % MOMENTS], taken);
    if (++t->state.trained % t->reset == 0) {
        const uint8_t kept = t->state.trained / t->reset % 2 != 0 ? 1 : 2;
        for (size_t i = 0; i < (size_t)t->tables << t->index_bits; i++)
            t->entry[i].useful &= kept;
    }
}

/* Checkpoints */

static const struct saved_field base_fields[] = {SAVED_NUMBER("base", SAVED_U8, COUNTER_TWO_BITS)};
static const struct saved_field entry_fields[] = {
    SAVED_FIELD(struct entry, tag, SAVED_U16),
    SAVED_LIMITED(struct entry, counter, SAVED_U8, COUNTER_THREE_BITS),
    SAVED_LIMITED(struct entry, useful, SAVED_U8, USEFUL_MAX),
};
static const struct saved_field moment_fields[] = {
    SAVED_FIELD(struct moment, addresses, SAVED_U16),
    SAVED_EACH(struct moment, folded, index, SAVED_U16),
    SAVED_EACH(struct moment, folded, tag, SAVED_U16),
    SAVED_EACH(struct moment, folded, tag_less, SAVED_U16),
};
static const struct saved_field state_fields[] = {
    SAVED_LIMITED(struct state, use_alternate, SAVED_U8, USE_ALTERNATE_MAX),
    SAVED_FIELD(struct state, random, SAVED_U16),
    SAVED_FIELD(struct state, trained, SAVED_U64),
    SAVED_LIMITED(struct state, outcome, SAVED_U8, 1),
};

static void saved(struct predictor *p, struct saved_array *arrays)
{
    struct tage *t = (struct tage *)p;
    arrays[0] = (struct saved_array){SAVED_TABLE(base_fields), .base = t->base, .size = 1, .count = t->base_mask + 1};
    arrays[1] = (struct saved_array){SAVED_TABLE(entry_fields), .base = t->entry, .size = sizeof *t->entry,
                                     .count = t->tables << t->index_bits};
    arrays[2] = (struct saved_array){SAVED_TABLE(moment_fields), .base = t->moment, .size = sizeof *t->moment,
                                     .count = MOMENTS};
    arrays[3] = (struct saved_array){SAVED_TABLE(state_fields), .base = &t->state, .count = 1};
}

const struct predictor_type tage_predictor = {.params = params,
                                              .param_count = sizeof params / sizeof params[0],
                                              .create = create,
                                              .free = tage_free,
                                              .predict = predict,
                                              .extend = extend,
                                              .train = train,
                                              .saved = saved};
