#include "src/base/xml_writer.h"

#include "src/base/log.h"
#include "src/base/printable.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void put_escaped(FILE *out, const char *text, bool lines)
{
    while (*text) {
        const int length = printable_utf8_length(text);
        const char *const entity = *text == '&'    ? "&amp;"
                                   : *text == '<'  ? "&lt;"
                                   : *text == '>'  ? "&gt;"
                                   : *text == '"'  ? "&quot;"
                                   : *text == '\'' ? "&#39;"
                                                   : NULL;
        if (lines && *text == '\n')
            putc('\n', out);
        else if (length == 0 || printable_is_control(text, length))
            fputs("\xef\xbf\xbd", out);
        else if (entity)
            fputs(entity, out);
        else
            fprintf(out, "%.*s", length, text);
        text += length ? length : 1;
    }
}

void xml_put_escaped(FILE *out, const char *text)
{
    put_escaped(out, text, false);
}

void xml_put_escaped_lines(FILE *out, const char *text)
{
    put_escaped(out, text, true);
}

static void end_tag(struct xml_writer *xml)
{
    if (xml->in_tag)
        fputc('>', xml->out);
    xml->in_tag = false;
}

/* Is white space before this element shown? */
static bool is_within_text(const char *name)
{
    return strcmp(name, "title") == 0;
}

void xml_begin(struct xml_writer *xml, const char *name)
{
    if (xml->depth == XML_DEPTH)
        log_bug("XML: %s is more than %d elements deep", name, XML_DEPTH);
    end_tag(xml);
    fprintf(xml->out, "%s<%s", xml->depth > 0 && !is_within_text(name) ? "\n" : "", name);
    xml->open[xml->depth++] = name;
    xml->in_tag = true;
}

void xml_attribute(struct xml_writer *xml, const char *name, const char *format, ...)
{
    char *value;
    va_list arguments;
    if (!xml->in_tag)
        log_bug("XML: attribute %s behind the content of its element", name);
    va_start(arguments, format);
    const int length = vasprintf(&value, format, arguments);
    va_end(arguments);
    if (length < 0)
        log_bug("XML: attribute %s cannot be formatted", name);
    fprintf(xml->out, " %s=\"", name);
    xml_put_escaped(xml->out, value);
    fputc('"', xml->out);
    free(value);
}

void xml_text(struct xml_writer *xml, const char *text)
{
    end_tag(xml);
    xml_put_escaped(xml->out, text);
}

void xml_end(struct xml_writer *xml)
{
    if (xml->depth == 0)
        log_bug("XML: the end of no element");
    const char *name = xml->open[--xml->depth];
    if (xml->in_tag)
        fputs("/>", xml->out);
    else
        fprintf(xml->out, "</%s>", name);
    xml->in_tag = false;
}
