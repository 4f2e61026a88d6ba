/*
 * The head of a page: its style and script, and the policy by which the browser loads nothing else.
 */
#ifndef SIMOS_PAGE_PAGE_HEAD_H
#define SIMOS_PAGE_PAGE_HEAD_H

#include "src/base/log.h"
#include <stdbool.h>
#include <stdio.h>

/* Put everything before <body>. TITLES: COUNT texts, joined by commas; LIVE: the page may ask the server that it is
 * from. */
void page_put_head(FILE *out, const char *const *titles, unsigned count, bool live);

/* The style and the script of a page. */
struct page_asset {
    const char *name, *text;
};
extern const struct page_asset page_assets[];

#endif
