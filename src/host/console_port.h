/*
 * Alternatives to stdin and stdout for serial port 0: a pseudo-terminal for any terminal program, an output file, or
 * none (the parameter console.device, docs/how-to/console.md).
 */
#ifndef SIMOS_HOST_CONSOLE_PORT_H
#define SIMOS_HOST_CONSOLE_PORT_H

#include "src/base/log.h"
#include "src/base/params.h"
#include "src/base/types.h"

struct console_port;

extern const struct param_def console_params[];
extern const size_t console_param_count;

/* Open DEVICE: "pty" or "pty:LINK" (a pseudo-terminal; its name is printed on stderr, and LINK becomes a symbolic link
 * to it), "file:PATH", "none". *PORT is NULL for "stdio", and for a pseudo-terminal in a REPLAY, which needs no input.
 * False with ERR if DEVICE is unknown or cannot be opened. */
bool console_port_open(struct console_port **port, const char *device, bool replay, struct err *err);
/* Close the port and remove its link. NULL is allowed. */
void console_port_close(struct console_port *port);

/* Output. If nobody reads a pseudo-terminal, the last 64 KB are kept. */
void console_port_put(struct console_port *port, uint8_t byte);
void console_port_flush(struct console_port *port);

/* Has a write to the file failed? ERR is the reason. */
bool console_port_failed(const struct console_port *port, struct err *err);

/* Descriptor for input, or -1. */
int console_port_input(const struct console_port *port);

#endif
