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
        sharing->losses = realloc(sharing->losses, sharing->room * record);
        if (!sharing->losers || !sharing->losses)
            log_bug("out of memory for %u shared lines", sharing->room);
    }
    uint32_t record = sharing->records++;
    sharing->losers[record] = 0;
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

static void lose_block(struct sharing *sharing, unsigned cpu, unsigned cache, paddr line, uint32_t size)
{
    uint32_t *record = &sharing->record_of[line >> sharing->block_shift];
    if (*record == 0)
        *record = new_record(sharing);
    sharing->losers[*record] |= 1u << cpu;
    loss_of(sharing, *record, cpu, cache)->lost |= words(sharing, line, size);
}

static void regain_block(struct sharing *sharing, unsigned cpu, unsigned cache, paddr line, uint32_t size)
{
    uint32_t record = sharing->record_of[line >> sharing->block_shift];
    uint64_t bits = words(sharing, line, size), lost = 0;
    loss_of(sharing, record, cpu, cache)->lost &= ~bits;
    loss_of(sharing, record, cpu, cache)->written &= ~bits;
    for (unsigned i = 0; i < sharing->caches; i++)
        lost |= loss_of(sharing, record, cpu, i)->lost;
    if (lost == 0)
        sharing->losers[record] &= ~(1u << cpu);
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
    uint32_t record = sharing->record_of[address >> sharing->block_shift];
    uint64_t open = 0;
    for (uint32_t others = other_losers(sharing, record, writer); others != 0; others &= others - 1) {
        const struct sharing_loss *loss = loss_of(sharing, record, (unsigned)__builtin_ctz(others), 0);
        for (unsigned i = 0; i < sharing->caches; i++)
            open |= loss[i].lost & ~loss[i].written;
    }
    return !(open & words(sharing, address & ~(sharing->store_line - 1), sharing->store_line));
}

bool sharing_record_store(struct sharing *sharing, unsigned writer, paddr address, uint32_t size)
{
    uint32_t record = sharing->record_of[address >> sharing->block_shift];
    uint64_t bits = words(sharing, address, size);
    for (uint32_t others = other_losers(sharing, record, writer); others != 0; others &= others - 1) {
        struct sharing_loss *loss = loss_of(sharing, record, (unsigned)__builtin_ctz(others), 0);
        for (unsigned i = 0; i < sharing->caches; i++)
            loss[i].written |= bits & loss[i].lost;
    }
    return sharing_ask_store(sharing, writer, address);
}
