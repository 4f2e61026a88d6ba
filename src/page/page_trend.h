/*
 * The page of a trend (src/results/trend.h): a table of all steps, and for each series a chart.
 */
#ifndef SIMOS_PAGE_PAGE_TREND_H
#define SIMOS_PAGE_PAGE_TREND_H

#include "src/results/trend.h"

/* Write the page of VIEW, of TREND. */
void page_trend_write(const struct trend *trend, const struct trend_view *view, FILE *out);
/* The same to the file PATH. False with ERR. */
bool page_trend_save(const struct trend *trend, const struct trend_view *view, const char *path, struct err *err);

#endif
