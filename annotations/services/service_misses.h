/*
 * Misses by service, process, routine, data structure, cache and class.
 */
#ifndef SIMOS_ANNOTATIONS_SERVICES_SERVICE_MISSES_H
#define SIMOS_ANNOTATIONS_SERVICES_SERVICE_MISSES_H

#include "annotations/services/service_types.h"
#include "src/base/json_writer.h"

/* From now on count the misses by service, process, routine and data structure, cache and class; anew, if they are
 * counted already. ROUTINE and DATA give numbers to the routine of the instruction at PC and to the data at ADDRESS at
 * that moment, of which the texts are wanted at the end; OPAQUE is their argument. NAMES must outlive SERVICES. False
 * if the machine has no caches. */
struct miss_names {
    uint64_t (*routine)(void *opaque, struct core *core, vaddr pc);
    uint64_t (*data)(void *opaque, struct core *core, vaddr address, paddr physical);
    void (*routine_text)(void *opaque, uint64_t routine, char *text, size_t size);
    void (*data_text)(void *opaque, uint64_t data, char *text, size_t size);
};
bool services_record_misses(struct services *services, const struct miss_names *names, void *opaque);

/* RECORD may be NULL. */
struct miss_record;
void service_misses_free(struct miss_record *record);
void service_misses_reset(struct services *services);
/* Do the misses by place add up to the counters of the caches? False with ERR. */
bool service_misses_check(const struct services *services, struct err *err);
/* Write the member `misses`. They are recorded. */
void service_misses_write_json(const struct services *services, struct json_writer *json);

#endif
