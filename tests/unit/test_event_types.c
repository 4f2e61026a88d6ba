/* The rows of annotations/tcl/event_types.def are complete, and docs/reference/annotations.md agrees with them. */
#include <stdlib.h>
#include "tests/unit/test.h"
#include "annotations/tcl/annotate_state.h"
#include <stdio.h>
#include <string.h>

static void every_row_is_complete(void **state)
{
    (void)state;
    for (unsigned i = 0; i < EVENT_TYPES; i++) {
        const struct annotation_type *type = &annotation_types[i];
        assert_true(type->name && *type->name && type->events && *type->events && type->when && *type->when);
        assert_ptr_equal(annotate_find_type(type->name), type);
        assert_false(type->disarm && !type->arm);
        assert_false(type->parse_every && type->clock == CLOCK_NONE);
    }
    assert_null(annotate_find_type("nothing"));
}

/* LINE without its backquotes. */
static void drop_quotes(char *line)
{
    char *to = line;
    for (const char *from = line; *from; from++)
        if (*from != '`')
            *to++ = *from;
    *to = 0;
}

/* Does LINE, of a table of the page, describe TYPE and when its events occur? */
static bool says(char *line, const struct annotation_type *type)
{
    char name[80], *end = line[0] == '|' ? strchr(line + 1, '|') : NULL;
    snprintf(name, sizeof name, "`%s`", type->name);
    const char *found = end ? strstr(line, name) : NULL;
    if (!found || found > end)
        return false;
    drop_quotes(line);
    return strstr(line, type->when) != NULL;
}

static void the_page_has_every_row(void **state)
{
    (void)state;
    for (unsigned i = 0; i < EVENT_TYPES; i++) {
        char line[2048];
        bool found = false;
        FILE *page = fopen("docs/reference/annotation-events.md", "r");
        assert_non_null(page);
        while (!found && fgets(line, sizeof line, page))
            found = says(line, &annotation_types[i]);
        fclose(page);
        if (!found)
            fail_msg("docs/reference/annotation-events.md does not say of the type %s: %s", annotation_types[i].name,
                     annotation_types[i].when);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_complete),
        cmocka_unit_test(the_page_has_every_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
