/*
 * Layout maps: what if code and data lay somewhere else? A map is a bijection between the guest's physical addresses
 * and those that caches see: of instructions, word by word, and of data. It applies between a CPU model and the memory
 * system: whoever calls the memory system for an access, a CACHE instruction, a prefetch or a DMA passes the address
 * that the map gives. The guest's programs, its memory and its devices do not notice.
 *
 * docs/reference/layout.md
 */
#ifndef SIMOS_CACHE_PLACEMENT_LAYOUT_MAP_H
#define SIMOS_CACHE_PLACEMENT_LAYOUT_MAP_H

#include "src/base/log.h"
#include "src/base/types.h"
#include <stdbool.h>
#include <stddef.h>

/* Bytes that stay together. In the file, addresses and sizes of data are multiples of LAYOUT_DATA_UNIT, so that no
 * access is divided. */
enum { LAYOUT_UNIT = 4, LAYOUT_DATA_UNIT = 8 };

struct layout_map;

/* The SIZE bytes from FROM on are seen from TO on; all three are multiples of LAYOUT_UNIT. */
struct layout_piece {
    paddr from, to;
    uint32_t size;
};

/* Read the map that TEXT, a value of cache.layout, names: "@FILE", or lines of a file. *MAP is NULL if nothing is moved
 * (also with an empty TEXT). MEMORY: bytes that the machine has, of which a file cannot name more. False with ERR: a
 * line is not understood, or a kind of address is not mapped one to one. */
bool layout_map_create(struct layout_map **map, const char *text, uint64_t memory, struct err *err);
void layout_map_free(struct layout_map *map);

/* *MAP (NULL: nothing is moved; it is made) becomes one whose pages move while the machine runs
 * (cache/placement/page_mapping.h), but for those of which it moves a part. */
void layout_map_add_pages(struct layout_map **map);
/* The caches see page FRAME of MAP, code and data, as page SEEN from now on (numbers of pages below 2^20). The caller
 * keeps it one to one, and leaves the pages alone that the map itself moves. */
void layout_move_page(struct layout_map *map, uint32_t frame, uint32_t seen);
/* *MAP (NULL: it is made) becomes one with pieces that layout_map_move() moves: of code, and of DATA. */
void layout_map_add_pieces(struct layout_map **map, bool data);
/* The caches see the instructions in the COUNT PIECES of MAP elsewhere, and the data there if it has pieces of data.
 * Called once, before anything is executed. The caller keeps the map one to one; no two pieces overlap. */
void layout_map_move(struct layout_map *map, const struct layout_piece *pieces, size_t count);

/* In all functions MAP may be NULL: nothing is moved. */

/* Where the caches see the instruction, or the data, at ADDRESS. Without a map that is no call: accesses ask it. */
paddr layout_moved_code(const struct layout_map *map, paddr address);
paddr layout_moved_data(const struct layout_map *map, paddr address);
static inline paddr layout_code(const struct layout_map *map, paddr address)
{
    return SIM_LIKELY(map == NULL) ? address : layout_moved_code(map, address);
}
static inline paddr layout_data(const struct layout_map *map, paddr address)
{
    return SIM_LIKELY(map == NULL) ? address : layout_moved_data(map, address);
}

/* Is an instruction, or are data, of the page of ADDRESS moved? */
bool layout_moves_code(const struct layout_map *map, paddr address);
bool layout_moves_data(const struct layout_map *map, paddr address);

bool layout_moves_any_code(const struct layout_map *map);
bool layout_moves_any_data(const struct layout_map *map);

/* Does a CPU that goes on from the instruction before ADDRESS to the one at ADDRESS fetch another line of the
 * instruction cache, whose lines have LINE bytes (a power of two)? At the beginning of a page always. */
static inline bool layout_starts_line(const struct layout_map *map, paddr address, uint32_t line)
{
    if (SIM_LIKELY(map == NULL) || (address & (PAGE_SIZE - 1)) == 0)
        return (address & (line - 1)) == 0;
    return ((layout_moved_code(map, address) ^ layout_moved_code(map, address - 4)) & ~(line - 1)) != 0;
}

/* Do the LINE bytes of data around ADDRESS, aligned, stay an aligned LINE? */
bool layout_keeps_line(const struct layout_map *map, paddr address, uint32_t line);

/* How many of the SIZE bytes of data (not 0) from ADDRESS on stay together: the caches see that many from
 * layout_data(ADDRESS) on. */
uint32_t layout_data_together(const struct layout_map *map, paddr address, uint32_t size);

/* Addresses that the map moves, from *ADDRESS on: the page of one, of code or data. False: there is none. */
bool layout_next_page(const struct layout_map *map, uint64_t *address);

#endif
