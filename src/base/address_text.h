/*
 * Addresses in the text of parameters and options. One rule for all: hexadecimal with 0x. A bare number would be
 * decimal to some readers and hexadecimal to others, so it is refused; only 0 needs no prefix. (In Tcl a number is
 * Tcl's, so there a bare one is decimal.)
 */
#ifndef SIMOS_BASE_ADDRESS_TEXT_H
#define SIMOS_BASE_ADDRESS_TEXT_H

#include "src/base/types.h"
#include <stdbool.h>

/* The rule, for messages: "addresses are hexadecimal with 0x". */
extern const char address_text_rule[];

/* Read an address of 32 bits at *TEXT, and advance *TEXT past it. False if there is none: no 0x, no digit, or more than
 * 32 bits. */
bool address_text_take(const char **text, paddr *address);

/* Read FIRST-LAST at *TEXT, both inclusive, and advance *TEXT past it. False if it is none, or LAST is below FIRST. */
bool address_text_take_range(const char **text, paddr *first, paddr *last);

#endif
