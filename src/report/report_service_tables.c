#include "src/report/report_service_tables.h"
#include "src/base/json_writer.h"
#include "src/base/printable.h"
#include "src/base/progress.h"
#include "src/report/report.h"
#include "src/report/report_processes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_WIDTH = 20, WIDTH = 8, CELL_SIZE = 32 };

bool service_tables_read(struct service_tables *tables, const char *const *paths, int count, struct err *err)
{
    *tables = (struct service_tables){.file = checked_memory(calloc((size_t)count, sizeof *tables->file))};
    struct progress *progress = progress_create();
    bool done = true;
    for (int i = 0; i < count && done; i++) {
        char title[RESULTS_TITLE_SIZE];
        json_t *root = json_file_read(INPUT_STATISTICS, paths[i], NULL, err);
        result_title(title, sizeof title, paths[i]);
        done = root && service_file_read(&tables->file[tables->count++], title, root, err);
        json_decref(root);
        if (progress_is_due(progress))
            progress_draw(progress, (double)(i + 1) / count, "reading %s", title);
    }
    progress_free(progress);
    return done;
}

void service_tables_release(struct service_tables *tables)
{
    for (unsigned i = 0; i < tables->count; i++)
        service_file_release(&tables->file[i]);
    free(tables->file);
    *tables = (struct service_tables){0};
}

/* Cells */

/* About three significant digits, as in the paper. */
static void put_number(double value, FILE *out)
{
    if (isnan(value))
        fprintf(out, " %*s", WIDTH - 1, "");
    else
        fprintf(out, " %*.*f", WIDTH - 1, fabs(value) < 10 ? 2 : fabs(value) < 100 ? 1 : 0, value);
}

static void put_percent(double value, FILE *out)
{
    if (isnan(value))
        fprintf(out, " %*s", WIDTH - 1, "");
    else
        fprintf(out, " %*.1f%%", WIDTH - 2, value);
}

static void put_heading(const char *text, FILE *out)
{
    fprintf(out, " %*.*s", WIDTH - 1, WIDTH - 1, PRINTABLE(text));
}

static void put_group(const char *text, unsigned columns, FILE *out)
{
    int width = (int)columns * WIDTH - 2;
    if (columns > 0)
        fprintf(out, "  %-*.*s", width, width, PRINTABLE(text));
}

/* Selection of services that have their own row */

typedef const struct service_file *const *files_t;

static const struct service_figures *find(const struct service_file *file, const char *name)
{
    static const struct service_figures none = {.kernel = NAN,
                                                .calls = NAN,
                                                .computation = NAN,
                                                .latency = NAN,
                                                .blocked = NAN,
                                                .descheduled = NAN,
                                                .cpi = NAN,
                                                .i_mcpi = NAN,
                                                .d_mcpi = NAN,
                                                .stall_insn = NAN,
                                                .stall_data = NAN,
                                                .cold = NAN};
    const struct service_figures *found = file ? service_file_find(file, name) : NULL;
    return found ? found : &none;
}

static bool is_significant(files_t files, unsigned count, const char *name)
{
    enum { PERCENT = 1 };
    for (unsigned i = 0; i < count; i++)
        if (find(files[i], name)->kernel >= PERCENT)
            return true;
    return false;
}

/* The sum over the services that have no row of their own. */
static double others(files_t files, unsigned count, const struct service_file *file, size_t offset)
{
    double sum = 0;
    for (size_t i = 0; i < file->count; i++) {
        double value;
        memcpy(&value, (const char *)&file->service[i] + offset, sizeof value);
        if (!is_significant(files, count, file->service[i].name) && !isnan(value))
            sum += value;
    }
    return sum;
}

/* Tables 4.2 and 5.2 */

static void print_shares(const struct service_tables *tables, const char *name, size_t offset, FILE *out)
{
    fprintf(out, "%-*s", NAME_WIDTH, name);
    for (unsigned i = 0; i < tables->count; i++) {
        double value;
        memcpy(&value, (const char *)&tables->file[i] + offset, sizeof value);
        fprintf(out, " %13.2f %%", value);
    }
    fputc('\n', out);
}

static void print_rate(const struct service_tables *tables, const char *name, FILE *out)
{
    char label[SERVICE_FIGURES_NAME];
    snprintf(label, sizeof label, "%s", name);
    printable_replace(label, '?');
    for (char *at = label; *at; at++)
        if (*at == '_')
            *at = ' ';
    fprintf(out, "%-*s", NAME_WIDTH, label);
    for (unsigned i = 0; i < tables->count; i++) {
        const struct service_rate *const rate = service_file_rate(&tables->file[i], name);
        if (rate && !isnan(rate->rate))
            fprintf(out, " %15.1f", rate->rate);
        else
            fprintf(out, " %15s", "-");
    }
    fputc('\n', out);
}

static void print_rates(const struct service_tables *tables, FILE *out)
{
    fprintf(out, "Event rates per second (SOSP'95 tables 4.2 and 5.2), all processors together\n%-*s", NAME_WIDTH, "");
    for (unsigned i = 0; i < tables->count; i++)
        fprintf(out, " %15.15s", PRINTABLE(tables->file[i].title));
    fprintf(out, "\n%-*s", NAME_WIDTH, "processors");
    for (unsigned i = 0; i < tables->count; i++)
        fprintf(out, " %15u", tables->file[i].cpus);
    fprintf(out, "\n%-*s", NAME_WIDTH, "duration");
    for (unsigned i = 0; i < tables->count; i++)
        fprintf(out, " %13.6f s", tables->file[i].seconds);
    fputc('\n', out);
    print_shares(tables, "user", offsetof(struct service_file, user), out);
    print_shares(tables, "kernel", offsetof(struct service_file, kernel), out);
    print_shares(tables, "idle", offsetof(struct service_file, idle), out);
    print_shares(tables, "sync of kernel", offsetof(struct service_file, sync), out);
    struct name_index printed = {NULL};
    size_t rows = 0;
    for (unsigned i = 0; i < tables->count; i++)
        for (unsigned rate = 0; rate < tables->file[i].rates; rate++)
            if (name_index_number(&printed, tables->file[i].rate[rate].name) == rows) {
                print_rate(tables, tables->file[i].rate[rate].name, out);
                rows++;
            }
    name_index_release(&printed);
}

/* Table 4.8 */

static double speed_up(double first, double other)
{
    return other > 0 ? first / other : NAN;
}

static void print_machine(const struct service_figures *figures, FILE *out)
{
    put_number(figures->cpi, out);
    put_number(figures->i_mcpi, out);
    put_number(figures->d_mcpi, out);
    put_percent(figures->stall_insn, out);
    put_percent(figures->stall_data, out);
}

static void print_on_one(files_t files, unsigned count, const char *name, FILE *out)
{
    const struct service_figures *first = find(files[0], name);
    fprintf(out, "%-*.*s", NAME_WIDTH, NAME_WIDTH, PRINTABLE(name));
    for (unsigned i = 0; i < count; i++)
        put_percent(find(files[i], name)->kernel, out);
    put_number(first->computation, out);
    for (unsigned i = 1; i < count; i++)
        put_number(speed_up(first->computation, find(files[i], name)->computation), out);
    print_machine(first, out);
    if (count > 1)
        print_machine(find(files[count - 1], name), out);
    put_number(first->latency, out);
    for (unsigned i = 1; i < count; i++)
        put_number(speed_up(first->latency, find(files[i], name)->latency), out);
    put_number(first->calls, out);
    put_percent(first->cold, out);
    fputc('\n', out);
}

static void print_rest_on_one(files_t files, unsigned count, FILE *out)
{
    const struct service_file *ends[] = {files[0], files[count - 1]};
    fprintf(out, "%-*s", NAME_WIDTH, "others");
    for (unsigned i = 0; i < count; i++)
        put_percent(others(files, count, files[i], offsetof(struct service_figures, kernel)), out);
    fprintf(out, "%*s", (int)count * WIDTH, "");
    for (unsigned i = 0; i < (count > 1 ? 2 : 1); i++) {
        fprintf(out, "%*s", 3 * WIDTH, "");
        put_percent(others(files, count, ends[i], offsetof(struct service_figures, stall_insn)), out);
        put_percent(others(files, count, ends[i], offsetof(struct service_figures, stall_data)), out);
    }
    fprintf(out, "%*s", ((int)count + 1) * WIDTH, "");
    put_percent(others(files, count, files[0], offsetof(struct service_figures, cold)), out);
    fputc('\n', out);
}

/* Print COUNT titles as column headings; FIRST (NULL: none) replaces the first of them. */
static void put_titles(files_t files, unsigned count, const char *first, FILE *out)
{
    for (unsigned i = 0; i < count; i++)
        put_heading(i == 0 && first ? first : files[i]->title, out);
}

static void print_headings_of_one(files_t files, unsigned count, FILE *out)
{
    static const char *const figures[] = {"CPI", "i-MCPI", "d-MCPI", "stall I", "stall D"};
    fprintf(out,
            "\nServices on one processor (SOSP'95 table 4.8): computation and latency of a call in microseconds%s,\n"
            "stall and cold misses as parts of the kernel's%s\n%-*s",
            count > 1 ? " on the first machine and speed-ups of the others" : "",
            files[0]->classified ? "" : " (misses were not classified)", NAME_WIDTH, "");
    put_group("of kernel", count, out);
    put_group("computation", count, out);
    put_group(files[0]->title, 5, out);
    put_group(files[count - 1]->title, count > 1 ? 5 : 0, out);
    put_group("latency", count, out);
    fprintf(out, "\n%-*s", NAME_WIDTH, "");
    put_titles(files, count, NULL, out);
    put_titles(files, count, "average", out);
    for (unsigned machine = 0; machine < (count > 1 ? 2 : 1); machine++)
        for (unsigned i = 0; i < sizeof figures / sizeof figures[0]; i++)
            put_heading(figures[i], out);
    put_titles(files, count, "average", out);
    put_heading("calls/s", out);
    put_heading("cold", out);
    fputc('\n', out);
}

static void print_uniprocessors(const struct service_tables *tables, FILE *out)
{
    const struct service_file **files = checked_memory(calloc(tables->count + 1, sizeof *files));
    unsigned count = 0;
    for (unsigned i = 0; i < tables->count; i++)
        if (tables->file[i].cpus == 1)
            files[count++] = &tables->file[i];
    if (count > 0) {
        print_headings_of_one(files, count, out);
        for (size_t i = 0; i < files[0]->count; i++)
            if (is_significant(files, count, files[0]->service[i].name))
                print_on_one(files, count, files[0]->service[i].name, out);
        for (unsigned file = 1; file < count; file++)
            for (size_t i = 0; i < files[file]->count; i++) {
                const char *name = files[file]->service[i].name;
                bool is_new = true;
                for (unsigned before = 0; before < file; before++)
                    is_new &= !service_file_find(files[before], name);
                if (is_new && is_significant(files, count, name))
                    print_on_one(files, count, name, out);
            }
        print_rest_on_one(files, count, out);
    }
    free(files);
}

/* Table 5.4 */

static void put_slowdown(double several, double one, FILE *out)
{
    if (!(one > 0) || isnan(several))
        fprintf(out, " %*s", WIDTH - 1, "");
    else
        fprintf(out, " %*.0f%%", WIDTH - 2, 100 * (several / one - 1));
}

static void print_on_several(const struct service_file *file, const struct service_file *one, const char *name,
                             FILE *out)
{
    const struct service_figures *here = find(file, name), *there = find(one, name);
    const double parts[] = {here->instructions, here->spinlock,   here->coherence, here->upgrade,
                            here->insn_cache,   here->data_cache, here->uncached};
    fprintf(out, "%-*.*s", NAME_WIDTH, NAME_WIDTH, PRINTABLE(name));
    put_percent(here->kernel, out);
    if (one)
        put_percent(there->kernel, out);
    put_number(here->computation, out);
    if (one)
        put_slowdown(here->computation, there->computation, out);
    for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++)
        put_percent(parts[i], out);
    put_number(here->latency, out);
    if (one)
        put_slowdown(here->latency, there->latency, out);
    put_number(here->blocked, out);
    put_number(here->descheduled, out);
    put_number(here->calls, out);
    put_number(here->acquires, out);
    put_number(here->coherence_misses, out);
    fputc('\n', out);
}

static void print_headings_of_several(const struct service_file *file, const struct service_file *one, FILE *out)
{
    static const char *const parts[] = {"instr", "spin", "coher", "upgrade", "I-cache", "D-cache", "uncach"};
    static const char *const ends[] = {"blocked", "desched", "calls/s", "locks", "coher"};
    fprintf(
        out,
        "\nServices on %u processors, %.64s (SOSP'95 table 5.4): computation and latency of a call in microseconds%s,\n"
        "parts of the computation, spin locks and coherence misses a call%s\n%-*s",
        file->cpus, PRINTABLE(file->title), one ? ", slow-down relative to one processor" : "",
        file->classified ? "" : " (misses were not classified: coherence is in D-cache)", NAME_WIDTH, "");
    put_group("of kernel", one ? 2 : 1, out);
    put_group("compute", one ? 2 : 1, out);
    put_group("parts of the computation", 7, out);
    put_group("latency", one ? 4 : 3, out);
    fprintf(out, "\n%-*s", NAME_WIDTH, "");
    put_heading(file->title, out);
    if (one)
        put_heading(one->title, out);
    put_heading("average", out);
    if (one)
        put_heading("slower", out);
    for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++)
        put_heading(parts[i], out);
    put_heading("average", out);
    if (one)
        put_heading("slower", out);
    for (unsigned i = 0; i < sizeof ends / sizeof ends[0]; i++)
        put_heading(ends[i], out);
    fputc('\n', out);
}

static void print_multiprocessor(const struct service_file *file, const struct service_file *one, FILE *out)
{
    const struct service_file *both[] = {file, one ? one : file};
    const unsigned count = 1; /* only the first file selects the rows */
    print_headings_of_several(file, one, out);
    for (size_t i = 0; i < file->count; i++)
        if (is_significant(both, count, file->service[i].name))
            print_on_several(file, one, file->service[i].name, out);
    fprintf(out, "%-*s", NAME_WIDTH, "others");
    put_percent(others(both, count, file, offsetof(struct service_figures, kernel)), out);
    if (one)
        put_percent(others(both, count, one, offsetof(struct service_figures, kernel)), out);
    fputc('\n', out);
}

void service_tables_print(const struct service_tables *tables, FILE *out)
{
    const struct service_file *one = NULL;
    print_rates(tables, out);
    print_uniprocessors(tables, out);
    for (unsigned i = tables->count; i-- > 0;)
        if (tables->file[i].cpus == 1)
            one = &tables->file[i];
    for (unsigned i = 0; i < tables->count; i++)
        if (tables->file[i].cpus > 1)
            print_multiprocessor(&tables->file[i], one, out);
    for (unsigned i = 0; i < tables->count; i++)
        process_list_print(&tables->file[i].processes, tables->file[i].title, tables->file[i].clock_hz, out);
    struct report_writer *writers = checked_memory(calloc(tables->count + 1, sizeof *writers));
    for (unsigned i = 0; i < tables->count; i++)
        writers[i] = (struct report_writer){tables->file[i].title, tables->file[i].simos};
    report_print_writers(writers, tables->count, out);
    free(writers);
}

/* JSON */

static const struct {
    const char *name;
    size_t offset;
} figure_names[] = {
#define FIGURE(NAME)                                                                                                   \
    {                                                                                                                  \
#NAME, offsetof(struct service_figures, NAME)                                                                  \
    }
    FIGURE(kernel),           FIGURE(calls),      FIGURE(computation),  FIGURE(latency),  FIGURE(blocked),
    FIGURE(descheduled),      FIGURE(cpi),        FIGURE(i_mcpi),       FIGURE(d_mcpi),   FIGURE(stall_insn),
    FIGURE(stall_data),       FIGURE(cold),       FIGURE(instructions), FIGURE(spinlock), FIGURE(coherence),
    FIGURE(upgrade),          FIGURE(insn_cache), FIGURE(data_cache),   FIGURE(uncached), FIGURE(acquires),
    FIGURE(coherence_misses),
#undef FIGURE
};

static void write_number(struct json_writer *json, const char *key, double value)
{
    json_key(json, key);
    json_put_rounded(json, "%.6g", value);
}

static void write_service(const struct service_figures *figures, struct json_writer *json)
{
    json_begin_object(json);
    json_member_text(json, "name", figures->name);
    for (size_t i = 0; i < sizeof figure_names / sizeof figure_names[0]; i++) {
        double value;
        memcpy(&value, (const char *)figures + figure_names[i].offset, sizeof value);
        write_number(json, figure_names[i].name, value);
    }
    json_end_object(json);
}

static void write_file(const struct service_file *file, struct json_writer *json)
{
    json_begin_object(json);
    json_member_text(json, "title", file->title);
    json_member_text(json, "simos", file->simos);
    json_member_count(json, "cpus", file->cpus);
    write_number(json, "seconds", file->seconds);
    write_number(json, "user", file->user);
    write_number(json, "kernel", file->kernel);
    write_number(json, "idle", file->idle);
    write_number(json, "sync", file->sync);
    json_line(json, 6);
    json_member_object(json, "rates");
    for (unsigned i = 0; i < file->rates; i++)
        write_number(json, file->rate[i].name, file->rate[i].rate);
    json_end_object(json);
    json_line(json, 6);
    json_member_array(json, "services");
    for (size_t i = 0; i < file->count; i++) {
        json_line(json, 8);
        write_service(&file->service[i], json);
    }
    json_line(json, 6);
    json_end_array(json);
    json_line(json, 6);
    json_key(json, "processes");
    process_list_write_json(&file->processes, json);
    json_end_object(json);
}

void service_tables_write_json(const struct service_tables *tables, FILE *out)
{
    struct json_writer json = json_writer_to(out);
    json_begin_object(&json);
    json_member_array(&json, "files");
    for (unsigned i = 0; i < tables->count; i++) {
        json_line(&json, 4);
        write_file(&tables->file[i], &json);
    }
    json_line(&json, 0);
    json_end_array(&json);
    json_end_object(&json);
    putc('\n', out);
}
