/*
 * The other end of a serial line on which the guest talks with the simulator, in lines of text: for a guest that has
 * nothing but its terminals. It makes the requests of the control device (devices/board/control.h).
 *
 *     guest                answer
 *     command              LENGTH, a newline, and the job's script of that many bytes; 0: there is no job
 *     mark NAME            ok
 *     status N             none: the run ends with status N
 *
 * Answers begin 10 us after the request. Anything else, an echo for instance, is ignored with a warning. Carriage
 * returns are ignored.
 */
#ifndef SIMOS_DEVICES_DEC_JOB_LINE_H
#define SIMOS_DEVICES_DEC_JOB_LINE_H

#include "devices/board/control.h"
#include "src/base/event.h"
#include "src/base/log.h"
#include "src/base/saved.h"

struct job_line;

/* Create the end of a line. SEND passes a byte to the guest, or returns false if it has no room: then
 * job_line_has_room() is called later. QUEUE, CONTROL, OPAQUE and LOG must outlive it. Never NULL. */
struct job_line *job_line_create(struct event_queue *queue, struct control *control,
                                 bool (*send)(void *opaque, uint8_t byte), void *opaque, struct log *log);
void job_line_free(struct job_line *line);

/* The guest has sent BYTE. */
void job_line_take(struct job_line *line, uint8_t byte);

/* The guest has room again. */
void job_line_has_room(struct job_line *line);

/* If the guest has requested the job and received none of it, it gets the present one instead. */
void job_line_refresh(struct job_line *line);

/* Register the saved section "job_line". */
void job_line_register_saved(struct job_line *line, struct saved *saved);

#endif
