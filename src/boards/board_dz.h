/*
 * The serial lines of a DECstation: line 3 is the console, the job's stdout and stderr are on lines 1 and 2, and on
 * line 0 the guest asks for its job (devices/dec/job_line.h).
 */
#ifndef SIMOS_BOARDS_BOARD_DZ_H
#define SIMOS_BOARDS_BOARD_DZ_H

#include "devices/dec/dz.h"
#include "devices/device_type.h"

extern const struct device_type board_dz_type;

/* The members receive, receive_space and refresh_job of struct board. */
bool board_dz_receive(struct machine *machine, unsigned port, uint8_t byte);
unsigned board_dz_receive_space(const struct machine *machine, unsigned port);
void board_dz_refresh_job(struct machine *machine);

/* The console as the boot PROM uses it: send BYTE at once; take a byte that has come, or -1. */
void board_dz_put(struct machine *machine, uint8_t byte);
int board_dz_get(struct machine *machine);

#endif
