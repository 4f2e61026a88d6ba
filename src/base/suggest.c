#include "src/base/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static size_t smallest(size_t a, size_t b, size_t c)
{
    size_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

static bool differ(char a, char b)
{
    return tolower((unsigned char)a) != tolower((unsigned char)b);
}

/* Levenshtein distance of A and B, whatever their case; both are shorter than SUGGEST_LENGTH_MAX. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t row[SUGGEST_LENGTH_MAX + 1];
    size_t length = strlen(b);
    for (size_t j = 0; j <= length; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= length; j++) {
            size_t above = row[j];
            row[j] = smallest(above + 1, row[j - 1] + 1, diagonal + differ(a[i - 1], b[j - 1]));
            diagonal = above;
        }
    }
    return row[length];
}

void suggest_begin(struct suggest *suggest, const char *word)
{
    *suggest = (struct suggest){.word = word, .distance = strlen(word) / 3 + 2}; /* farther words do not match */
}

void suggest_offer(struct suggest *suggest, const char *known)
{
    const size_t length = strlen(suggest->word);
    if (length == 0 || length >= SUGGEST_LENGTH_MAX || strlen(known) >= SUGGEST_LENGTH_MAX)
        return;
    size_t distance = edit_distance(suggest->word, known);
    /* a name without its group ("l1d.size") counts as near */
    if (distance > 2 && length >= 3 && strcasestr(known, suggest->word))
        distance = 2;
    if (distance < suggest->distance) {
        suggest->distance = distance;
        suggest->nearest = known;
    }
}
