/*
 * Where serial port 0 is, other than on stdin and stdout: a pseudo-terminal to which any terminal program can be
 * attached, a file that gets what the guest says, or nothing (the parameter console.device, docs/how-to/console.md).
 */
#ifndef SIMOS_CONSOLE_PORT_H
#define SIMOS_CONSOLE_PORT_H

#include "src/log.h"
#include "src/params.h"
#include "src/types.h"

struct console_port;

extern const struct param_def console_params[];
extern const size_t console_param_count;

/* Open what DEVICE names: "pty" or "pty:LINK" (a pseudo-terminal; its name goes to stderr, and LINK becomes a symbolic
 * link to it), "file:PATH", "none". *PORT is NULL for "stdio"; and for a pseudo-terminal in a REPLAY, to which nobody
 * types. False with ERR if there is no such device or it cannot be made. */
bool console_port_open(struct console_port **port, const char *device, bool replay, struct err *err);
/* The link goes away with it. NULL is allowed. */
void console_port_close(struct console_port *port);

/* Output. What a pseudo-terminal that nobody reads does not take is kept, the last 64 KB of it. */
void console_port_put(struct console_port *port, uint8_t byte);
void console_port_flush(struct console_port *port);

/* Could something not be written to the file? ERR says why. */
bool console_port_failed(const struct console_port *port, struct err *err);

/* Where somebody types, or -1. */
int console_port_input(const struct console_port *port);

#endif
