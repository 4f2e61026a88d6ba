#include "src/cluster/cluster_output.h"

#include <string.h>

static void print(struct console_output *output, enum console_stream stream, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        console_output_put(output, stream, (uint8_t)text[i]);
}

static void end_line(struct cluster_lines *lines, struct console_output *output, unsigned uart)
{
    enum console_stream stream = uart == 1 ? CONSOLE_OUT : CONSOLE_ERR;
    print(output, stream, lines->name, strlen(lines->name));
    print(output, stream, "| ", 2);
    print(output, stream, lines->text[uart], lines->length[uart]);
    print(output, stream, "\n", 1);
    lines->length[uart] = 0;
}

void cluster_lines_put(struct cluster_lines *lines, struct console_output *output, unsigned uart, uint8_t byte)
{
    if (uart == 0 && byte == '\r') /* kernel messages end with CR LF */
        return;
    if (byte == '\n' || lines->length[uart] == CLUSTER_LINE_MAX)
        end_line(lines, output, uart);
    if (byte != '\n')
        lines->text[uart][lines->length[uart]++] = (char)byte;
}

void cluster_lines_flush(struct cluster_lines *lines, struct console_output *output)
{
    for (unsigned uart = 0; uart < BOARD_UART_COUNT; uart++)
        if (lines->length[uart])
            end_line(lines, output, uart);
}
