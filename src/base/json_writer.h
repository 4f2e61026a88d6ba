/*
 * JSON output (RFC 8259). Every file of simos in JSON is written by these functions: they place the commas, escape the
 * texts and keep the locale out of the numbers. Elements are separated by ", "; json_line() begins a new line.
 */
#ifndef SIMOS_BASE_JSON_WRITER_H
#define SIMOS_BASE_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json_writer {
    FILE *out;
    bool has_element; /* an element precedes in the innermost object or array */
    bool has_key;     /* the next value belongs to the key just written */
    int indent;       /* of the line that the next element begins; negative: it stays on this line */
};

/* A writer of one value to OUT, which stays the caller's. */
struct json_writer json_writer_to(FILE *out);

void json_begin_object(struct json_writer *json);
void json_end_object(struct json_writer *json);
void json_begin_array(struct json_writer *json);
void json_end_array(struct json_writer *json);

/* The next element, or the next closing bracket, begins a new line indented by INDENT spaces. */
void json_line(struct json_writer *json, int indent);

/* The key of the next value. */
void json_key(struct json_writer *json, const char *key);

/* Values: elements of an array, or what follows a key. Bytes of TEXT that are not UTF-8 become U+FFFD; NULL becomes
 * null. */
void json_put_text(struct json_writer *json, const char *text);
void json_put_count(struct json_writer *json, uint64_t count);
void json_put_integer(struct json_writer *json, int64_t integer);
void json_put_bool(struct json_writer *json, bool truth);
void json_put_null(struct json_writer *json);
/* The shortest decimal number that reads back as VALUE; null if VALUE is not finite. */
void json_put_double(struct json_writer *json, double value);
/* As above, by the printf() FORMAT for one double ("%.6g"). */
void json_put_rounded(struct json_writer *json, const char *format, double value) __attribute__((format(printf, 2, 0)));
/* The stream, to which the caller writes the text of one value. */
FILE *json_put_raw(struct json_writer *json);

/* A key and its value. */
void json_member_text(struct json_writer *json, const char *key, const char *text);
void json_member_count(struct json_writer *json, const char *key, uint64_t count);
/* A key and the opening bracket of its value. */
void json_member_object(struct json_writer *json, const char *key);
void json_member_array(struct json_writer *json, const char *key);

/* Write VALUE as json_put_double() does. */
void json_print_double(double value, FILE *out);

#endif
