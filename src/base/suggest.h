/* What a word that is not known was most likely meant to be: the nearest of those that are. */
#ifndef SIMOS_SUGGEST_H
#define SIMOS_SUGGEST_H

#include <stddef.h>

enum { SUGGEST_LENGTH_MAX = 64 }; /* longer words are near to nothing */

struct suggest {
    const char *word;
    const char *nearest; /* of the words offered; NULL: none is near enough. The first of several equally near */
    size_t distance;
};

/* For WORD, which must outlive it. */
void suggest_begin(struct suggest *suggest, const char *word);
/* KNOWN is a word that there is; it must outlive SUGGEST. */
void suggest_offer(struct suggest *suggest, const char *known);

#endif
