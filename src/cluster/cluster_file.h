/*
 * A file that says which machines are in a cluster: Tcl (a safe interpreter, as for machine descriptions) with two
 * commands more.
 *
 *     node NAME ?WORD ...?       a machine; the words are those of `simos run`: options, "--", the command
 *     service NAME ?WORD ...?    the same, but nobody waits for its end
 */
#ifndef SIMOS_CLUSTER_FILE_H
#define SIMOS_CLUSTER_FILE_H

#include "src/network/hub_window.h"
#include "src/base/log.h"

enum { CLUSTER_NAME_MAX = 31 };

struct cluster_file_node {
    char name[CLUSTER_NAME_MAX + 1]; /* letters, digits, "-", "_", "."; no other node has it */
    bool service;
    int word_count;
    char **words;
};

struct cluster_file {
    unsigned count;
    struct cluster_file_node nodes[HUB_NODES_MAX];
};

/* Read the file PATH. False with ERR naming file, line and what is wrong. Either way cluster_file_release(). */
bool cluster_file_read(struct cluster_file *file, const char *path, struct err *err);
/* The same with TEXT, which is called PATH in messages. */
bool cluster_file_parse(struct cluster_file *file, const char *path, const char *text, struct err *err);
void cluster_file_release(struct cluster_file *file);

#endif
