#include "cache/classify_sharing.h"

#include "cache/classify_table.h"
#include "src/log.h"
#include <stdlib.h>
#include <string.h>

enum { WORD_SHIFT = 2, BLOCK_SHIFT_MAX = 8 };
_Static_assert(BLOCK_SHIFT_MAX - WORD_SHIFT == 6, "a block has 64 words at most");

void sharing_init(struct sharing *sharing, unsigned cpus, unsigned caches, uint32_t block, uint32_t store_line)
{
    *sharing = (struct sharing){.cpus = cpus,
                                .caches = caches,
                                .block_shift = (uint32_t)__builtin_ctz(block),
                                .store_line = store_line,
                                .records = 1};
    if (sharing->block_shift > BLOCK_SHIFT_MAX)
        sharing->block_shift = BLOCK_SHIFT_MAX;
    sharing->record_of = classify_table_create(sharing->block_shift, sizeof *sharing->record_of);
}

void sharing_release(struct sharing *sharing)
{
    classify_table_free(sharing->record_of, sharing->block_shift, sizeof *sharing->record_of);
    free(sharing->losers);
    free(sharing->open);
    free(sharing->losses);
}

static size_t losses_per_record(const struct sharing *sharing)
{
    return (size_t)sharing->cpus * sharing->caches;
}

static struct sharing_loss *loss_of(const struct sharing *sharing, uint32_t record, unsigned cpu, unsigned cache)
{
    return &sharing->losses[record * losses_per_record(sharing) + cpu * sharing->caches + cache];
}

/* A bit for each word, in ADDRESS's block, of the SIZE bytes at ADDRESS; some may lie in the next block. */
static uint64_t words(const struct sharing *sharing, paddr address, uint32_t size)
{
    uint32_t offset = address & ((1u << sharing->block_shift) - 1), end = offset + size - 1;
    uint32_t last = (end >> sharing->block_shift ? (1u << sharing->block_shift) - 1 : end) >> WORD_SHIFT;
    uint32_t first = offset >> WORD_SHIFT;
    return (UINT64_MAX >> (63 - (last - first))) << first;
}

static uint32_t new_record(struct sharing *sharing)
{
    if (sharing->losses == NULL || sharing->records == sharing->room) {
        size_t record = losses_per_record(sharing) * sizeof *sharing->losses;
        sharing->room = sharing->room ? sharing->room * 2 : 1024;
        sharing->losers = realloc(sharing->losers, sharing->room * sizeof *sharing->losers);
        sharing->open = realloc(sharing->open, sharing->room * sizeof *sharing->open);
        sharing->losses = realloc(sharing->losses, sharing->room * record);
        if (!sharing->losers || !sharing->open || !sharing->losses)
            log_bug("out of memory for %u shared lines", sharing->room);
    }
    uint32_t record = sharing->records++;
    sharing->losers[record] = 0;
    sharing->open[record] = 0;
    memset(loss_of(sharing, record, 0, 0), 0, losses_per_record(sharing) * sizeof *sharing->losses);
    return record;
}

struct sharing_loss *sharing_losses(const struct sharing *sharing, uint32_t record)
{
    return loss_of(sharing, record, 0, 0);
}

size_t sharing_losses_size(const struct sharing *sharing)
{
    return losses_per_record(sharing) * sizeof *sharing->losses;
}

uint32_t sharing_add_record(struct sharing *sharing, uint32_t block)
{
    return sharing->record_of[block] = new_record(sharing);
}

/* Lost by one of CPUS and not written since. */
static uint64_t open_words(const struct sharing *sharing, uint32_t record, uint32_t cpus)
{
    uint64_t open = 0;
    for (; cpus != 0; cpus &= cpus - 1) {
        const struct sharing_loss *loss = loss_of(sharing, record, (unsigned)__builtin_ctz(cpus), 0);
        for (unsigned i = 0; i < sharing->caches; i++)
            open |= loss[i].lost & ~loss[i].written;
    }
    return open;
}

void sharing_losses_set(struct sharing *sharing, uint32_t record)
{
    sharing->open[record] = open_words(sharing, record, sharing->losers[record]);
}

static void lose_block(struct sharing *sharing, unsigned cpu, unsigned cache, paddr line, uint32_t size)
{
    uint32_t *record = &sharing->record_of[line >> sharing->block_shift];
    if (*record == 0)
        *record = new_record(sharing);
    struct sharing_loss *loss = loss_of(sharing, *record, cpu, cache);
    sharing->losers[*record] |= 1u << cpu;
    loss->lost |= words(sharing, line, size);
    sharing->open[*record] |= loss->lost & ~loss->written;
}

static void regain_block(struct sharing *sharing, unsigned cpu, unsigned cache, paddr line, uint32_t size)
{
    uint32_t record = sharing->record_of[line >> sharing->block_shift];
    uint64_t bits = words(sharing, line, size), lost = 0;
    struct sharing_loss *loss = loss_of(sharing, record, cpu, 0);
    bool was_open = (loss[cache].lost & ~loss[cache].written & bits) != 0;
    loss[cache].lost &= ~bits;
    loss[cache].written &= ~bits;
    for (unsigned i = 0; i < sharing->caches; i++)
        lost |= loss[i].lost;
    if (lost == 0)
        sharing->losers[record] &= ~(1u << cpu);
    if (was_open)
        sharing_losses_set(sharing, record);
}

void sharing_lose(struct sharing *sharing, unsigned cpu, unsigned cache, paddr line, uint32_t size)
{
    for (uint32_t offset = 0; offset < size; offset += 1u << sharing->block_shift)
        lose_block(sharing, cpu, cache, line + offset, size - offset);
}

void sharing_regain(struct sharing *sharing, unsigned cpu, unsigned cache, paddr line, uint32_t size)
{
    for (uint32_t offset = 0; offset < size; offset += 1u << sharing->block_shift)
        regain_block(sharing, cpu, cache, line + offset, size - offset);
}

bool sharing_is_true(const struct sharing *sharing, unsigned cpu, unsigned cache, paddr address, uint32_t size)
{
    uint32_t record = sharing->record_of[address >> sharing->block_shift];
    return loss_of(sharing, record, cpu, cache)->written & words(sharing, address, size);
}

/* All who have lost something of the block but WRITER. */
static uint32_t other_losers(const struct sharing *sharing, uint32_t record, unsigned writer)
{
    uint32_t losers = sharing->losers[record];
    return writer == SHARING_DEVICE ? losers : losers & ~(1u << writer);
}

bool sharing_ask_store(const struct sharing *sharing, unsigned writer, paddr address)
{
    const uint32_t record = sharing->record_of[address >> sharing->block_shift];
    const uint64_t bits = words(sharing, address & ~(sharing->store_line - 1), sharing->store_line);
    if (!(sharing->open[record] & bits))
        return true;
    const uint32_t others = other_losers(sharing, record, writer);
    return others != sharing->losers[record] && !(open_words(sharing, record, others) & bits);
}

bool sharing_record_store(struct sharing *sharing, unsigned writer, paddr address, uint32_t size)
{
    const uint32_t record = sharing->record_of[address >> sharing->block_shift];
    const uint64_t bits = words(sharing, address, size);
    if (sharing->open[record] & bits) {
        const uint32_t losers = other_losers(sharing, record, writer);
        for (uint32_t others = losers; others != 0; others &= others - 1) {
            struct sharing_loss *loss = loss_of(sharing, record, (unsigned)__builtin_ctz(others), 0);
            for (unsigned i = 0; i < sharing->caches; i++)
                loss[i].written |= bits & loss[i].lost;
        }
        if (losers == sharing->losers[record])
            sharing->open[record] &= ~bits; /* all who have lost them know of the store */
        else
            sharing_losses_set(sharing, record);
    }
    return sharing_ask_store(sharing, writer, address);
}
