#include "src/base/json_writer.h"

#include "src/base/printable.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DOUBLE_SIZE = 40 };

struct json_writer json_writer_to(FILE *out)
{
    return (struct json_writer){.out = out, .indent = -1};
}

/* Structure */

static void begin_line(struct json_writer *json)
{
    fprintf(json->out, "\n%*s", json->indent, "");
    json->indent = -1;
}

/* What precedes a key, or a value without one. */
static void begin_element(struct json_writer *json)
{
    if (json->has_element)
        putc(',', json->out);
    if (json->indent >= 0)
        begin_line(json);
    else if (json->has_element)
        putc(' ', json->out);
    json->has_element = true;
}

static void begin_value(struct json_writer *json)
{
    if (!json->has_key)
        begin_element(json);
    json->has_key = false;
}

static void open_bracket(struct json_writer *json, char bracket)
{
    begin_value(json);
    putc(bracket, json->out);
    json->has_element = false;
}

static void close_bracket(struct json_writer *json, char bracket)
{
    if (json->indent >= 0)
        begin_line(json);
    putc(bracket, json->out);
    json->has_element = true;
}

void json_begin_object(struct json_writer *json)
{
    open_bracket(json, '{');
}

void json_end_object(struct json_writer *json)
{
    close_bracket(json, '}');
}

void json_begin_array(struct json_writer *json)
{
    open_bracket(json, '[');
}

void json_end_array(struct json_writer *json)
{
    close_bracket(json, ']');
}

void json_line(struct json_writer *json, int indent)
{
    json->indent = indent;
}

/* Texts */

static void print_text(const char *text, FILE *out)
{
    putc('"', out);
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        int length = printable_utf8_length((const char *)at);
        if (length == 0) {
            fputs("\\ufffd", out);
            length = 1;
        } else if (*at == '"' || *at == '\\')
            fprintf(out, "\\%c", *at);
        else if (*at == '\n')
            fputs("\\n", out);
        else if (*at == '\t')
            fputs("\\t", out);
        else if (printable_is_control((const char *)at, length)) /* of one to three bytes */
            fprintf(out, "\\u%04x",
                    length == 1   ? (unsigned)*at
                    : length == 2 ? (at[0] & 0x1fu) << 6 | (at[1] & 0x3fu)
                                  : (at[0] & 0xfu) << 12 | (at[1] & 0x3fu) << 6 | (at[2] & 0x3fu));
        else
            fwrite(at, 1, (size_t)length, out);
        at += length;
    }
    putc('"', out);
}

void json_key(struct json_writer *json, const char *key)
{
    begin_element(json);
    print_text(key, json->out);
    fputs(": ", json->out);
    json->has_key = true;
}

void json_put_text(struct json_writer *json, const char *text)
{
    begin_value(json);
    if (text)
        print_text(text, json->out);
    else
        fputs("null", json->out);
}

/* Numbers and constants */

/* The locale may use another decimal separator. */
static void print_number(const char *text, FILE *out)
{
    for (const char *at = text; *at; at++)
        putc(strchr("0123456789+-e", *at) ? *at : '.', out);
}

void json_print_double(double value, FILE *out)
{
    char text[DOUBLE_SIZE];
    if (!isfinite(value)) {
        fputs("null", out);
        return;
    }
    /* %g would write 100 as 1e+02 */
    bool plain = value > -1e15 && value < 1e15 && value == (double)(int64_t)value;
    if (plain)
        snprintf(text, sizeof text, "%.0f", value);
    for (int digits = 1; !plain && digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    print_number(text, out);
}

void json_put_double(struct json_writer *json, double value)
{
    begin_value(json);
    json_print_double(value, json->out);
}

void json_put_rounded(struct json_writer *json, const char *format, double value)
{
    char text[512]; /* "%f" of the largest double has 317 characters */
    if (!isfinite(value)) {
        json_put_null(json);
        return;
    }
    begin_value(json);
    snprintf(text, sizeof text, format, value);
    print_number(text, json->out);
}

void json_put_count(struct json_writer *json, uint64_t count)
{
    begin_value(json);
    fprintf(json->out, "%" PRIu64, count);
}

void json_put_integer(struct json_writer *json, int64_t integer)
{
    begin_value(json);
    fprintf(json->out, "%" PRId64, integer);
}

void json_put_bool(struct json_writer *json, bool truth)
{
    begin_value(json);
    fputs(truth ? "true" : "false", json->out);
}

void json_put_null(struct json_writer *json)
{
    begin_value(json);
    fputs("null", json->out);
}

FILE *json_put_raw(struct json_writer *json)
{
    begin_value(json);
    return json->out;
}

/* Members */

void json_member_text(struct json_writer *json, const char *key, const char *text)
{
    json_key(json, key);
    json_put_text(json, text);
}

void json_member_count(struct json_writer *json, const char *key, uint64_t count)
{
    json_key(json, key);
    json_put_count(json, count);
}

void json_member_object(struct json_writer *json, const char *key)
{
    json_key(json, key);
    json_begin_object(json);
}

void json_member_array(struct json_writer *json, const char *key)
{
    json_key(json, key);
    json_begin_array(json);
}
