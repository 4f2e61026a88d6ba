/* Suggests the known word nearest to an unknown one; upper and lower case count as the same. */
#ifndef SIMOS_BASE_SUGGEST_H
#define SIMOS_BASE_SUGGEST_H

#include <stddef.h>

enum { SUGGEST_LENGTH_MAX = 64 }; /* longer words have no suggestion */

struct suggest {
    const char *word;
    const char *nearest; /* nearest known word, the first of several equally near; NULL: none is near enough */
    size_t distance;
};

/* Begin a search for WORD, which must outlive it. */
void suggest_begin(struct suggest *suggest, const char *word);
/* Offer KNOWN, a known word; it must outlive SUGGEST. */
void suggest_offer(struct suggest *suggest, const char *known);

#endif
