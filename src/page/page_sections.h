/*
 * The sections of a page, in its order. Each begins with what it shows and how to record what a file does not have; a
 * section without any data says only that.
 */
#ifndef SIMOS_PAGE_PAGE_SECTIONS_H
#define SIMOS_PAGE_PAGE_SECTIONS_H

#include "src/page/page_html.h"

/* What ran, how long, and the shares of execution and stalls in sentences. */
void page_put_summary(const struct page *page);
/* Of two runs: the causes of the difference in time. Nothing of any other number of runs. */
void page_put_explanation(const struct page *page);
/* Execution and stalls by mode; by service; by process. */
void page_put_time(const struct page *page);
void page_put_services(const struct page *page);
void page_put_processes(const struct page *page);
void page_put_over_time(const struct page *page);
/* Misses by routine, data structure and class. */
void page_put_misses(const struct page *page);
/* Counts and miss classes of each cache; misses over the parameter in which the runs differ. */
void page_put_caches(const struct page *page);
void page_put_devices(const struct page *page);
void page_put_locks(const struct page *page);
/* The machine's picture; the parameters that differ from their defaults. */
void page_put_machine(const struct page *page);
void page_put_parameters(const struct page *page);
void page_put_provenance(const struct page *page);
/* Every number of the file outside of annotations and time series. */
void page_put_statistics(const struct page *page);

#endif
