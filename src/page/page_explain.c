/* Of two runs: why the second takes other time than the first, as `simos explain` divides the difference. */
#include "src/page/page_sections.h"

#include "src/explain/explain.h"

enum { TEXT = 1024 };

static void put_cause(const struct page *page, const struct explanation *explanation, size_t i)
{
    const struct explain_cause *cause = &explanation->causes[i];
    char text[TEXT];
    fputs("<tr>", page->out);
    explanation_say(explanation, i, text, sizeof text);
    page_cell_text(page, text);
    explanation_amount(explanation, cause->difference, text, sizeof text);
    fputs("<td class=\"t amount\">", page->out);
    page_text(page->out, text);
    fprintf(page->out, "</td><td class=\"t amount\">%+.1f&nbsp;%%</td>",
            explanation_share(explanation, cause->difference));
    explanation_say_why(explanation, i, text, sizeof text);
    page_cell_text(page, text);
    fputs("</tr>\n", page->out);
}

void page_put_explanation(const struct page *page)
{
    struct err err = {""};
    char text[TEXT];
    if (page->runs->count != EXPLAIN_SIDES)
        return;
    struct results *const *columns = page->runs->columns;
    struct explanation *explanation = explanation_create((const char *const[]){columns[0]->title, columns[1]->title},
                                                         (json_t *const[]){columns[0]->root, columns[1]->root}, &err);
    page_begin_section(page, "explain", "Why one takes other time than the other");
    if (explanation) {
        explanation_amount(explanation, explanation->difference, text, sizeof text);
        fputs("<p>", page->out);
        page_put_run(page, 1);
        fputs(" less ", page->out);
        page_put_run(page, 0);
        fputs(": <b>", page->out);
        page_text(page->out, text);
        fputs(
            "</b>. The causes below are the largest; all causes add up to the difference exactly. <code>simos explain"
            "</code> has them all, and runs with <code>--script cycles</code> have them by routine and data structure."
            "</p>\n",
            page->out);
        if (!explanation_same_work(explanation, text, sizeof text)) {
            fputs("<p><b>The runs did not do the same work</b>: ", page->out);
            page_text(page->out, text);
            fputs(".</p>\n", page->out);
        }
        page_begin_table(page, "cause|#change|#share of the difference|why", true, NULL);
        for (size_t i = 0; i < explanation->cause_count && i < EXPLAIN_TOP; i++)
            put_cause(page, explanation, i);
        page_end_table(page);
    } else {
        fputs("<p class=\"missing\">", page->out);
        page_text(page->out, err.text);
        fputs("</p>\n", page->out);
    }
    explanation_free(explanation);
    page_end_section(page);
}
