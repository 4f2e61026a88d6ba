/*
 * The line of a commit in a trend (src/results/trend.h).
 */
#ifndef SIMOS_REGRESS_REGRESS_TREND_H
#define SIMOS_REGRESS_REGRESS_TREND_H

#include "src/regress/regress_report.h"
#include "src/results/trend.h"

/* Can COMMIT be the name of a commit in a trend: 1 to TREND_NAME_MAX printable bytes? */
bool regress_trend_is_commit(const char *commit);

/* Save TREND, which has been read from FOLDER, with what REPORTS have measured as the line of COMMIT: behind the
 * others, or in place of the one it has. A FOLDER that is not there is made. Nothing is written if no test has a
 * result. False with ERR. */
bool regress_trend_save(const struct trend *trend, const char *folder, const char *commit,
                        const struct regress_reports *reports, struct err *err);

#endif
