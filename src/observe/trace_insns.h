/*
 * The instructions that the cores execute, as references of a trace of level 0 (cache/observe/trace.h): of each a fetch
 * with its word, then its load or store, if it has one and that was performed; and each exception. In the order of the
 * program of each core, for every CPU model. They come from the probes on the cores' pins (cpu/observe/probe.h), so the
 * models interpret.
 *
 * Not seen: whether `sc` succeeded (it is a store), DMA, and prefetches.
 */
#ifndef SIMOS_OBSERVE_TRACE_INSNS_H
#define SIMOS_OBSERVE_TRACE_INSNS_H

#include "cache/reference.h"
#include "src/machine/machine.h"

struct trace_insns;

/* Receives the references, each once. */
typedef void trace_insns_fn(void *opaque, const struct reference *reference);
/* The number of the process that CORE runs (enum trace_process). */
typedef uint16_t trace_process_fn(void *opaque, const struct core *core);

/* Attach to the cores of MACHINE, before its first run. NULL with ERR if logic analysers have their pins. */
struct trace_insns *trace_insns_create(struct machine *machine, trace_insns_fn *refer, trace_process_fn *process,
                                       void *opaque, struct err *err);
/* Detach. NULL is ignored. */
void trace_insns_free(struct trace_insns *insns);

/* Deliver references from now on, or no longer. The last instruction before the end is delivered too. */
void trace_insns_start(struct trace_insns *insns);
void trace_insns_stop(struct trace_insns *insns);

#endif
