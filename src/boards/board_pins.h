/*
 * The interrupt pins of the processors, as the board drives them; and what every board does when a core changes its
 * mode or cannot leave an exception.
 */
#ifndef SIMOS_BOARDS_BOARD_PINS_H
#define SIMOS_BOARDS_BOARD_PINS_H

#include "src/machine/machine.h"

/* Drive interrupt pin PIN (0 to 5, Cause.IP2 to IP7) of processor CPU. OPAQUE is the machine. A raised pin may end a
 * core's wait: the core's time then becomes the present one, and the running CPU ends its quantum. */
void board_set_pin(void *opaque, unsigned cpu, unsigned pin, bool level);

/* core_hooks.mode_changed: the mode and the address space are the context of miss classification. */
void board_mode_changed(void *opaque, struct core *core);

/* core_hooks.tlb_missed: the memory system counts them for the moves of pages. */
void board_tlb_missed(void *opaque, struct core *core, paddr physical);

/* core_hooks.fault_repeats. */
void board_fault_repeats(void *opaque, struct core *core);

#endif
