/*
 * Writes XML and the elements of HTML sequentially: elements, their attributes, texts. Text from outside is text
 * wherever it is put: nothing in it is obeyed by what reads the file.
 */
#ifndef SIMOS_BASE_XML_WRITER_H
#define SIMOS_BASE_XML_WRITER_H

#include <stdbool.h>
#include <stdio.h>

enum { XML_DEPTH = 16 };

struct xml_writer {
    FILE *out;
    const char *open[XML_DEPTH]; /* names of the elements that have begun */
    unsigned depth;
    bool in_tag; /* the last of them has no content yet */
};

/* Put TEXT, with entities for what XML and HTML obey. Control characters, changes of direction and bytes that are no
 * UTF-8 become U+FFFD. Valid in elements and in quoted attributes. */
void xml_put_escaped(FILE *out, const char *text);
/* The same, but line breaks stay. */
void xml_put_escaped_lines(FILE *out, const char *text);

/* Begin the element NAME, a constant, inside the present one; on a line of its own unless it is within a text. */
void xml_begin(struct xml_writer *xml, const char *name);
/* Add an attribute to the element that has just begun, before its content. NAME and FORMAT are constants. */
void xml_attribute(struct xml_writer *xml, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Add text to the present element. */
void xml_text(struct xml_writer *xml, const char *text);
/* End the present element. */
void xml_end(struct xml_writer *xml);

#endif
