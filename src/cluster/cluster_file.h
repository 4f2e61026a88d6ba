/*
 * The description file of a cluster: Tcl in a safe interpreter, as for machine descriptions, with two additional
 * commands.
 *
 *     node NAME ?WORD ...?       a machine; the words are those of `simos run`: options, "--", the command
 *     service NAME ?WORD ...?    the same; the cluster ends without waiting for it
 */
#ifndef SIMOS_CLUSTER_CLUSTER_FILE_H
#define SIMOS_CLUSTER_CLUSTER_FILE_H

#include "src/network/hub_window.h"
#include "src/base/log.h"

enum { CLUSTER_NAME_MAX = 31 };

struct cluster_file_node {
    char name[CLUSTER_NAME_MAX + 1]; /* unique; letters, digits, "-", "_", "." */
    bool service;
    int word_count;
    char **words;
};

struct cluster_file {
    unsigned count;
    struct cluster_file_node nodes[HUB_NODES_MAX];
};

/* Read the file PATH. Returns false with ERR naming file, line and error. In both cases the caller calls
 * cluster_file_release(). */
bool cluster_file_read(struct cluster_file *file, const char *path, struct err *err);
/* Parse TEXT instead of a file; messages call it PATH. */
bool cluster_file_parse(struct cluster_file *file, const char *path, const char *text, struct err *err);
void cluster_file_release(struct cluster_file *file);

#endif
