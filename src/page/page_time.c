/* What ran, and where the time went: by mode, service and process. */
#include "src/page/page_sections.h"

#include "src/page/page_svg.h"
#include "src/report/report.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { KEY = 2 * RESULTS_KEY_SIZE };

static const char *const mode_titles[MODE_COUNT] = {
    [MODE_USER] = "User mode", [MODE_KERNEL] = "Kernel mode", [MODE_IDLE] = "Idle"};

static uint64_t hz_of(const struct page *page, unsigned run)
{
    const uint64_t hz = page->runs->columns[run]->clock_hz;
    return hz ? hz : 1;
}

/* The path of the row KEY ("stall.l1i") below a mode. */
static void path_of(const char *key, char path[EXPRESSION_NAME_SIZE])
{
    expression_escape(path, key);
    char *dot = strchr(path, '.');
    if (dot)
        *dot = '/';
}

/* Summary */

static void put_texts(const struct page *page, const char *label, size_t offset)
{
    fprintf(page->out, "<tr><td class=\"t\">%s</td>", label);
    for (unsigned i = 0; i < page->runs->count; i++) {
        page_cell_text(page, (const char *)page->runs->columns[i] + offset);
    }
    fputs("</tr>\n", page->out);
}

/* Put a row of the summary. In EXPRESSION, '#' stands for the number of the run and '@' for its clock. */
static void put_row(const struct page *page, const char *label, enum page_format format, const char *expression)
{
    fprintf(page->out, "<tr><td class=\"t\">%s</td>", label);
    for (unsigned i = 0; i < page->runs->count; i++) {
        char text[EXPRESSION_SIZE];
        size_t used = 0;
        for (const char *at = expression; *at && used + 24 < sizeof text; at++)
            if (*at == '#')
                used += (size_t)snprintf(text + used, sizeof text - used, "%u", i);
            else if (*at == '@')
                used += (size_t)snprintf(text + used, sizeof text - used, "%" PRIu64, hz_of(page, i));
            else
                text[used++] = *at;
        text[used] = 0;
        page_cell(page, format, "%s", text);
    }
    fputs("</tr>\n", page->out);
}

static void put_cpi(const struct page *page)
{
    static const char *const accounts[] = {"cpu*/mode/user", "cpu*/mode/kernel", NULL};
    fprintf(page->out, "<tr><td class=\"t\">%s, user and kernel</td>", measure_formula(FORMULA_CPI)->heading);
    for (unsigned i = 0; i < page->runs->count; i++)
        page_cell_formula(page, FORMULA_CPI, i, accounts);
    fputs("</tr>\n", page->out);
}

static void put_speed_ups(const struct page *page)
{
    fputs("<tr><td class=\"t\">speed-up</td>", page->out);
    for (unsigned i = 0; i < page->runs->count; i++)
        page_cell(page, PAGE_RATE,
                  "0:/machine/time -0:/cpu0/before/cycles *%" PRIu64 " |%" PRIu64
                  " |%u:/machine/time |-%u:/cpu0/before/cycles",
                  hz_of(page, i), hz_of(page, 0), i, i);
    fputs("</tr>\n", page->out);
}

/* The kind of stall, of user and kernel mode, with most cycles; false if there is none. */
static bool find_largest_stall(const struct results *column, char key[RESULTS_KEY_SIZE])
{
    uint64_t most = 0;
    for (unsigned i = 0; i < column->row_count; i++) {
        const struct results_row *row = &column->rows[i];
        const uint64_t cycles = results_sum(column, row->key, MODES_BUSY);
        const bool lost = strncmp(row->key, "stall.", 6) == 0 || strncmp(row->key, "interlock.", 10) == 0;
        if (lost && cycles > most) {
            most = cycles;
            snprintf(key, RESULTS_KEY_SIZE, "%s", row->key);
        }
    }
    return most > 0;
}

#define BUSY "%u:/cpu*/mode/user/%s %u:/cpu*/mode/kernel/%s |%u:/cpu*/mode/user/cycles |%u:/cpu*/mode/kernel/cycles"

static void put_sentence(const struct page *page, unsigned run)
{
    char key[RESULTS_KEY_SIZE], path[EXPRESSION_NAME_SIZE], label[RESULTS_KEY_SIZE];
    fputs("<p>", page->out);
    page_put_run(page, run);
    fputs(": ", page->out);
    for (unsigned mode = 0; mode < MODE_COUNT; mode++) {
        static const char *const words[MODE_COUNT] = {
            [MODE_USER] = " in programs, ", [MODE_KERNEL] = " in the kernel and ", [MODE_IDLE] = " idle"};
        page_number(page, PAGE_PERCENT, "%u:/cpu*/mode/%s/cycles |%u:/cpu*/mode/*/cycles", run, mode_name(mode), run);
        fputs(words[mode], page->out);
    }
    fputs(" of the CPU time. Of the time that was not idle, ", page->out);
    page_number(page, PAGE_PERCENT, BUSY, run, "execute", run, "execute", run, run);
    fputs(" went to execution", page->out);
    if (find_largest_stall(page->runs->columns[run], key)) {
        path_of(key, path);
        report_label(key, label, sizeof label);
        fputs("; the largest loss is <i>", page->out);
        page_text(page->out, label);
        fputs("</i> with ", page->out);
        page_number(page, PAGE_PERCENT, BUSY, run, path, run, path, run, run);
    }
    fputs(".</p>\n", page->out);
}

void page_put_summary(const struct page *page)
{
    page_begin_section(page, "summary", "Summary");
    for (unsigned i = 0; i < page->runs->count; i++)
        put_sentence(page, i);
    page_begin_run_table(page, "", false, NULL);
    put_texts(page, "machine", offsetof(struct results, machine));
    put_texts(page, "CPU model", offsetof(struct results, model));
    fputs("<tr><td class=\"t\">CPUs</td>", page->out);
    for (unsigned i = 0; i < page->runs->count; i++)
        fprintf(page->out, "<td class=\"t\">%u</td>", page->runs->columns[i]->cpus);
    fputs("</tr>\n", page->out);
    put_texts(page, "clock", offsetof(struct results, clock));
    put_texts(page, "RAM", offsetof(struct results, memory));
    put_row(page, "simulated time, s", PAGE_SECONDS, "#:/machine/time -#:/cpu0/before/cycles |@");
    put_row(page, "CPU time that was not idle, s", PAGE_SECONDS,
            "#:/cpu*/mode/user/cycles #:/cpu*/mode/kernel/cycles |@");
    if (page->runs->count > 1)
        put_speed_ups(page);
    put_row(page, "instructions, user and kernel", PAGE_COUNT, "#:/cpu*/mode/user/insns #:/cpu*/mode/kernel/insns");
    put_cpi(page);
    for (unsigned mode = 0; mode < MODE_COUNT; mode++) {
        char label[64], expression[128];
        snprintf(label, sizeof label, "%s, share of the cycles", mode_name(mode));
        snprintf(expression, sizeof expression, "#:/cpu*/mode/%s/cycles |#:/cpu*/mode/*/cycles", mode_name(mode));
        put_row(page, label, PAGE_PERCENT, expression);
    }
    if (!page->live)
        put_row(page, "exit status of the guest's job", PAGE_COUNT, "#:/machine/exit_status");
    page_end_table(page);
    page_end_section(page);
}

/* By mode */

/* The rows of an account that are parts of its cycles. */
struct stack {
    const struct page *page;
    struct page_parts parts;
    char path[PAGE_PARTS_MAX][KEY];
};

static void add_part(void *opaque, const char *key)
{
    struct stack *stack = opaque;
    char label[RESULTS_KEY_SIZE], path[EXPRESSION_NAME_SIZE];
    if (stack->parts.count == PAGE_PARTS_MAX)
        return;
    path_of(key, path);
    snprintf(stack->path[stack->parts.count], KEY, "%.*s", KEY - 1, path);
    report_label(key, label, sizeof label);
    const char *dot = strchr(key, '.');
    page_parts_add(&stack->parts, label, dot ? dot + 1 : key);
}

static struct stack *stack_create(const struct page *page)
{
    struct stack *stack = checked_memory(calloc(1, sizeof *stack));
    stack->page = page;
    add_part(stack, "execute");
    result_files_visit_rows(page->runs, "interlock.", add_part, stack);
    result_files_visit_rows(page->runs, "stall.", add_part, stack);
    add_part(stack, "wait");
    return stack;
}

static void draw_modes(const struct page *page)
{
    struct stack *stack = stack_create(page);
    struct chart_bars *bars =
        page_bars_create("Execution and stalls by mode", "seconds of CPU time, all CPUs", &stack->parts);
    for (unsigned run = 0; run < page->runs->count; run++)
        for (unsigned mode = 0; mode < MODE_COUNT; mode++) {
            char label[RESULTS_TITLE_SIZE + 32];
            const struct results *column = page->runs->columns[run];
            if (results_row(column, "cycles") && !results_row(column, "cycles")->value[mode])
                continue;
            if (page->runs->count > 1)
                snprintf(label, sizeof label, "%s: %s", column->title, mode_name(mode));
            else
                snprintf(label, sizeof label, "%s", mode_name(mode));
            chart_bars_add(bars, label);
            for (unsigned part = 0; part < stack->parts.count; part++)
                page_bars_set(bars, page, part, "%u:/cpu*/mode/%s/%s |%" PRIu64, run, mode_name(mode),
                              stack->path[part], hz_of(page, run));
        }
    page_bars_draw(bars, page);
    free(stack);
}

/* A row of a mode: its number in each run, and its share of the mode's cycles. */
struct mode_row {
    const struct page *page;
    unsigned mode;
};

static void put_mode_row(void *opaque, const char *key)
{
    const struct mode_row *row = opaque;
    const struct page *page = row->page;
    char label[RESULTS_KEY_SIZE], path[EXPRESSION_NAME_SIZE];
    uint64_t any = 0;
    for (unsigned i = 0; i < page->runs->count; i++) {
        const struct results_row *of = results_row(page->runs->columns[i], key);
        any |= of ? of->value[row->mode] : 0;
    }
    if (!any)
        return;
    path_of(key, path);
    report_label(key, label, sizeof label);
    fputs("<tr><td class=\"t\">", page->out);
    page_text(page->out, label);
    fputs("</td>", page->out);
    for (unsigned i = 0; i < page->runs->count; i++)
        page_cell(page, PAGE_COUNT, "%u:/cpu*/mode/%s/%s", i, mode_name(row->mode), path);
    fputs("</tr>\n", page->out);
}

static void put_cpi_of_mode(const struct page *page, const char *mode)
{
    char account[64];
    const char *const accounts[] = {account, NULL};
    snprintf(account, sizeof account, "cpu*/mode/%s", mode);
    fprintf(page->out, "<tr><td class=\"t\">%s</td>", measure_formula(FORMULA_CPI)->label);
    for (unsigned i = 0; i < page->runs->count; i++)
        page_cell_formula(page, FORMULA_CPI, i, accounts);
    fputs("</tr>\n", page->out);
}

void page_put_time(const struct page *page)
{
    page_begin_section(page, "time", "Where the time went");
    fputs(
        "<p>Cycles of all CPUs: execution of instructions, what the processor lost to each kind of stall, and waiting "
        "for something to do. Every cycle is in one part.</p>\n",
        page->out);
    draw_modes(page);
    page_begin_run_table(page, "cycles, instructions, misses", false, NULL);
    for (unsigned mode = 0; mode < MODE_COUNT; mode++) {
        struct mode_row row = {page, mode};
        fprintf(page->out, "<tr class=\"group\"><th class=\"t\" colspan=\"%u\">%s</th></tr>\n", page->runs->count + 1,
                mode_titles[mode]);
        put_mode_row(&row, "cycles");
        put_mode_row(&row, "insns");
        put_cpi_of_mode(page, mode_name(mode));
        put_mode_row(&row, "execute");
        result_files_visit_rows(page->runs, "interlock.", put_mode_row, &row);
        result_files_visit_rows(page->runs, "stall.", put_mode_row, &row);
        put_mode_row(&row, "wait");
        result_files_visit_rows(page->runs, "miss.", put_mode_row, &row);
    }
    page_end_table(page);
    page_end_section(page);
}
