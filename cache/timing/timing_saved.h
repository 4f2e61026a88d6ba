/* Checkpoints of contention state: the section "timing" and its parts. Private to cache/. */
#ifndef SIMOS_CACHE_TIMING_TIMING_SAVED_H
#define SIMOS_CACHE_TIMING_TIMING_SAVED_H

#include "cache/timing/resource_saved.h"

struct timing;
struct bus;
struct write_buffer;

void timing_register_saved(struct timing *timing, struct saved *saved);

/* Appends the wires and banks of BUS to LIST. */
void bus_list_resources(struct bus *bus, struct resource_list *list);
/* Saves and loads the rest of BUS. */
void bus_write(const struct bus *bus, struct saved_out *out);
bool bus_read(struct bus *bus, struct saved_in *in, struct err *err);

/* Saves and loads the entries of BUFFER and its counts. BUFFER is empty before loading. */
void write_buffer_save(const struct write_buffer *buffer, const struct resource_list *list, struct saved_out *out);
bool write_buffer_load(struct write_buffer *buffer, const struct resource_list *list, struct saved_in *in,
                       struct err *err);

#endif
