/*
 * Random numbers of the guest's kernel that depend on nothing: its extract_entropy(), which makes keys of the time and
 * of what devices and interrupts have given, returns at once, and random numbers are a fixed sequence
 * (guest.fixed_random). Two kernels that execute a few instructions more or less would otherwise give objects of slabs,
 * stacks and programs other places.
 */
#ifndef SIMOS_GUEST_RANDOM_NUMBERS_H
#define SIMOS_GUEST_RANDOM_NUMBERS_H

#include "annotations/symbols/machine_view.h"

/* Has the kernel with SYMBOLS, which may be NULL, the function? */
bool random_numbers_can_be_fixed(const struct symbols *symbols);
/* Fix them: the kernel of VIEW is loaded and has not begun. False with ERR if it lacks the function. */
bool random_numbers_fix(const struct machine_view *view, struct err *err);

#endif
