/*
 * A small web server for one reader on this host (RFC 9110, 9112): it listens on the loopback, answers GET, and closes
 * each connection after one answer.
 *
 * Clients are untrusted. A request is at most HTTP_REQUEST_MAX bytes and has HTTP_SECONDS to arrive, an answer as long
 * to be read without a pause; of more than HTTP_CLIENTS_MAX connections the oldest is closed. A request whose Host is
 * not this host is refused, so that a page of another site whose name was made to lead here (DNS rebinding) reads
 * nothing.
 */
#ifndef SIMOS_HOST_HTTP_SERVER_H
#define SIMOS_HOST_HTTP_SERVER_H

#include "src/base/log.h"
#include <stdio.h>

enum { HTTP_REQUEST_MAX = 4096, HTTP_CLIENTS_MAX = 32, HTTP_SECONDS = 10, HTTP_LISTENERS = 2 };

/* Listen on 127.0.0.1:PORT and, where the host has IPv6, [::1]:PORT, because "localhost" may be either. PORT 0: one
 * that the host chooses and both have. The number is stored in *ACTUAL, the descriptors in LISTENER, -1 for none. False
 * with ERR, which begins with OPTION ("--live"). */
bool http_listen(const char *option, unsigned port, int listener[HTTP_LISTENERS], unsigned *actual, struct err *err);

/* Write the answer to a request for PATH ("/", without what is behind '?') to BODY, and its media type to *TYPE (a
 * constant; initially text/html). Returns the status: 200, 404, 503. */
typedef unsigned http_answer_fn(void *opaque, const char *path, FILE *body, const char **type);

/* Serve on the descriptors LISTENER (-1: none) until END_FD is readable or has no writer left. */
void http_serve(const int listener[HTTP_LISTENERS], int end_fd, http_answer_fn *answer, void *opaque);

#endif
