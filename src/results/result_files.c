#include "src/results/result_files.h"

#include "src/base/progress.h"
#include <stdlib.h>
#include <string.h>

static bool add_column(struct result_files *files, const char *title, const char *path, const json_t *root,
                       struct err *err)
{
    struct err reason = {""};
    if (files->count == RESULT_FILES_MAX)
        return err_set(err, "%.256s: too many columns: at most %d", path, RESULT_FILES_MAX);
    struct results *column = files->columns[files->count++] = checked_memory(malloc(sizeof *column));
    return results_read(column, title, root, &reason) ||
           (strcmp(title, path) == 0 ? err_set(err, "%s", reason.text) : err_set(err, "%.256s: %s", path, reason.text));
}

/* The title of the last part of PATH with FOLDERS folders. Returns false if it has no more of them. */
static bool title_of(char *title, size_t size, const char *path, unsigned folders)
{
    const char *base = path + strlen(path);
    for (; base > path; base--)
        if (base[-1] == '/' && folders-- == 0)
            break;
    size_t length = strlen(base);
    static const char *const endings[] = {".json", ".stats"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        size_t end = strlen(endings[i]);
        if (length > end && strcmp(base + length - end, endings[i]) == 0)
            length -= end;
    }
    snprintf(title, size, "%.*s", (int)length, base);
    return base > path;
}

void result_title(char *title, size_t size, const char *path)
{
    title_of(title, size, path, 0);
}

void result_title_among(char *title, size_t size, const char *const *paths, int count, int index)
{
    bool more = true, same = true;
    for (unsigned folders = 0; more && same; folders++) {
        more = title_of(title, size, paths[index], folders);
        same = false;
        for (int i = 0; i < count && !same; i++) {
            char other[RESULTS_TITLE_SIZE];
            if (strcmp(paths[i], paths[index]) == 0)
                continue;
            title_of(other, sizeof other, paths[i], folders);
            same = strcmp(other, title) == 0;
        }
    }
}

static bool add_jobs(struct result_files *files, const char *path, const json_t *root, struct err *err)
{
    const json_t *jobs = json_object_get(root, "jobs"), *job;
    size_t i;
    unsigned before = files->count;
    if (!json_is_array(jobs))
        return err_set(err, "%.256s: not the results of a sweep: there is no list of jobs", path);
    json_array_foreach(jobs, i, job)
    {
        const char *name = json_string_value(json_object_get(job, "name"));
        const json_t *statistics = json_object_get(job, "statistics");
        if (!name || !statistics)
            return err_set(err, "%.256s: are no results of a sweep: job %zu has no name or no statistics", path, i);
        if (!json_is_null(statistics) && !add_column(files, name, path, statistics, err))
            return false;
    }
    return files->count > before || err_set(err, "%.256s: no job of the sweep has finished", path);
}

bool result_files_read(struct result_files *files, const char *const *paths, int count, struct err *err)
{
    *files = (struct result_files){0};
    struct progress *progress = progress_create();
    bool done = true;
    for (int i = 0; i < count && done; i++) {
        char title[RESULTS_TITLE_SIZE];
        json_t *root = json_file_read(INPUT_STATISTICS, paths[i], NULL, err);
        const char *format = json_string_value(json_object_get(root, "format"));
        result_title_among(title, sizeof title, paths, count, i);
        done = root &&
               (format && strcmp(format, SWEEP_RESULTS_FORMAT) == 0 ? add_jobs(files, paths[i], root, err)
                                                                    : add_column(files, title, paths[i], root, err));
        json_decref(root);
        if (progress_is_due(progress))
            progress_draw(progress, (double)(i + 1) / count, "reading %s", title);
    }
    progress_free(progress);
    return done;
}

void result_files_release(struct result_files *files)
{
    for (unsigned i = 0; i < files->count; i++)
        results_release(files->columns[i]), free(files->columns[i]);
    *files = (struct result_files){0};
}

/* Does any of the first COUNT columns have a row KEY? */
static bool is_known(const struct result_files *files, unsigned count, const char *key)
{
    for (unsigned i = 0; i < count; i++)
        if (results_row(files->columns[i], key))
            return true;
    return false;
}

void result_files_visit_rows(const struct result_files *files, const char *prefix,
                             void (*visit)(void *opaque, const char *key), void *opaque)
{
    for (unsigned i = 0; i < files->count; i++)
        for (unsigned row = 0; row < files->columns[i]->row_count; row++) {
            const char *key = files->columns[i]->rows[row].key;
            if (strncmp(key, prefix, strlen(prefix)) == 0 && !is_known(files, i, key))
                visit(opaque, key);
        }
}
