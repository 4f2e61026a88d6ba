/*
 * A copy of the process that must not touch the host: of its descriptors only files stay that are read, and files
 * without a name, as disks have them; all others, terminal and sockets too, lead to /dev/null.
 */
#ifndef SIMOS_HISTORY_CUT_OFF_H
#define SIMOS_HISTORY_CUT_OFF_H

#include <stdbool.h>

/* Cut the process off, but for descriptor KEPT. It is sent no signal any more but SIGKILL, and gets that when PARENT,
 * the process that made it, ends. False if that has ended already, or the host refuses. */
bool cut_off(int kept, int parent);

#endif
