/* XML (src/base/xml_writer.h): elements, attributes and texts that end neither. */
#include "src/base/xml_writer.h"

#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"

static char *text;
static size_t size;

static struct xml_writer begin(void)
{
    struct xml_writer xml = {.out = open_memstream(&text, &size)};
    assert_non_null(xml.out);
    return xml;
}

static void check(struct xml_writer *xml, const char *expected)
{
    fclose(xml->out);
    assert_string_equal(text, expected);
    free(text);
}

static void elements_are_nested(void **state)
{
    struct xml_writer xml = begin();
    (void)state;
    xml_begin(&xml, "a");
    xml_attribute(&xml, "x", "%d", 1);
    xml_attribute(&xml, "y", "%s", "two");
    xml_begin(&xml, "b");
    xml_end(&xml);
    xml_begin(&xml, "text");
    xml_text(&xml, "one");
    xml_begin(&xml, "title"); /* white space before it would be shown */
    xml_text(&xml, "two");
    xml_end(&xml);
    xml_end(&xml);
    xml_end(&xml);
    check(&xml, "<a x=\"1\" y=\"two\">\n<b/>\n<text>one<title>two</title></text></a>");
}

static void text_is_text(void **state)
{
    struct xml_writer xml = begin();
    (void)state;
    xml_begin(&xml, "a");
    xml_attribute(&xml, "x", "%s", "\" onload='f()'>&lt;");
    xml_text(&xml, "</a><!-- ]]> & \"'");
    xml_end(&xml);
    check(&xml, "<a x=\"&quot; onload=&#39;f()&#39;&gt;&amp;lt;\">&lt;/a&gt;&lt;!-- ]]&gt; &amp; &quot;&#39;</a>");
}

static void what_would_be_obeyed_is_replaced(void **state)
{
    struct xml_writer xml = begin();
    (void)state;
    xml_put_escaped(xml.out, "a\001\n\xff\xe2\x80\xae"
                             "b\xc3\xa4");
    xml_put_escaped_lines(xml.out, "\nc\t");
    check(&xml, "a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
                "b\xc3\xa4\nc\xef\xbf\xbd");
}

static void a_long_attribute_is_whole(void **state)
{
    struct xml_writer xml = begin();
    char long_text[5001];
    (void)state;
    memset(long_text, 'x', 5000);
    long_text[5000] = 0;
    xml_begin(&xml, "a");
    xml_attribute(&xml, "d", "%s", long_text);
    xml_end(&xml);
    fclose(xml.out);
    assert_int_equal(size, 5000 + strlen("<a d=\"\"/>"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_are_nested),
        cmocka_unit_test(text_is_text),
        cmocka_unit_test(what_would_be_obeyed_is_replaced),
        cmocka_unit_test(a_long_attribute_is_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
