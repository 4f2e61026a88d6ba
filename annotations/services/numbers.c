#include "annotations/services/numbers.h"

#include "src/base/log.h"
#include <stdlib.h>

size_t number_of(struct numbers *numbers, uint64_t value)
{
    const struct hash_slot *slot = hash_map_find(&numbers->map, value);
    if (slot)
        return slot->number;
    if (numbers->count == NUMBERS_MAX)
        log_bug("accounts by place: more than %d places", NUMBERS_MAX);
    if (numbers->count == numbers->room) {
        numbers->room = numbers->room ? 2 * numbers->room : 1024;
        numbers->values = checked_memory(realloc(numbers->values, numbers->room * sizeof *numbers->values));
    }
    hash_map_add(&numbers->map, value)->number = numbers->count;
    numbers->values[numbers->count] = value;
    return numbers->count++;
}

void numbers_release(struct numbers *numbers)
{
    hash_map_release(&numbers->map);
    free(numbers->values);
    *numbers = (struct numbers){.count = 0};
}

void tally_add(struct tally *tally, uint64_t key, uint64_t count, int64_t cycles)
{
    const struct hash_slot *slot = hash_map_find(&tally->map, key);
    if (!slot) {
        if (tally->count == tally->room) {
            tally->room = tally->room ? 2 * tally->room : 1024;
            tally->rows = checked_memory(realloc(tally->rows, tally->room * sizeof *tally->rows));
        }
        hash_map_add(&tally->map, key)->number = tally->count;
        tally->rows[tally->count++] = (struct tally_row){key, count, cycles};
        return;
    }
    tally->rows[slot->number].count += count;
    tally->rows[slot->number].cycles += cycles;
}

void tally_clear(struct tally *tally)
{
    hash_map_clear(&tally->map);
    tally->count = 0;
}

void tally_release(struct tally *tally)
{
    hash_map_release(&tally->map);
    free(tally->rows);
    *tally = (struct tally){.count = 0};
}
