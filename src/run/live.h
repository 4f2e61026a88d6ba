/*
 * `--live PORT`: the page of src/page/page.h while a run goes on, for a browser on this host.
 *
 * Looking changes nothing. The simulator does one thing for its readers: now and then, between guest instructions, it
 * writes its statistics as they are (a picture) to memory that it shares with a process of its own, which answers the
 * requests and makes the pages. That process has no other file of the run; whatever a client does, or a fault in a
 * page, cannot reach the run. A picture is taken only if somebody has asked since the last one, at most twice a second,
 * and so seldom that pictures take at most half a per cent of the time.
 *
 * Not brought up to date for a picture is what could change the order of later accesses: retirements from write buffers
 * that are due, and a wait that goes on.
 */
#ifndef SIMOS_RUN_LIVE_H
#define SIMOS_RUN_LIVE_H

#include "src/observe/instrument.h"
#include "src/machine/machine.h"

struct live;

/* Listen on 127.0.0.1:PORT (0: a free port), and say so on stderr. NULL with ERR if the port cannot be had. Before
 * other threads are created, and before files of the run are open. */
struct live *live_create(unsigned port, struct err *err);
/* Close the port: the run has ended. NULL is allowed here and below. */
void live_free(struct live *live);

/* The host interface, and its opaque pointer, to pass to machine_create() in place of HOST and OPAQUE. */
const struct machine_host *live_host(struct live *live, const struct machine_host *host, void *opaque);
void *live_host_opaque(struct live *live, void *opaque);

/* The run of MACHINE, instrumented by INSTRUMENT (NULL: not instrumented), begins, and ends at END at the latest. */
void live_begin(struct live *live, struct machine *machine, const struct instrument *instrument,
                const struct machine_limits *end);
/* The run has ended: no more pictures are taken. */
void live_end(struct live *live);

#endif
