#include "devices/dec/job_line.h"

#include "src/base/board.h"
#include <stdlib.h>
#include <string.h>

enum {
    LINE_MAX_BYTES = CONTROL_NAME_MAX + 8, /* of a request */
    ANSWER_MAX = BOARD_MAILBOX_SIZE + 16,
    DELAY = 10000, /* ns */
};

struct job_line {
    struct event_queue *queue;
    struct control *control;
    bool (*send)(void *opaque, uint8_t byte);
    void *opaque;
    struct log *log;
    struct event begin; /* of an answer */
    /* Architectural state, held by a checkpoint. */
    char request[LINE_MAX_BYTES];
    uint32_t request_length; /* LINE_MAX_BYTES: too long */
    uint8_t answer[ANSWER_MAX];
    uint32_t answer_length, answer_sent;
    bool answers_command; /* the answer has the job */
};

/* Answers */

static void send_answer(struct job_line *line)
{
    while (!event_is_scheduled(&line->begin) && line->answer_sent < line->answer_length &&
           line->send(line->opaque, line->answer[line->answer_sent]))
        line->answer_sent++;
}

static void begin_answer(void *opaque)
{
    send_answer(opaque);
}

static void set_answer(struct job_line *line, const char *head, size_t rest)
{
    const size_t length = strlen(head);
    memmove(line->answer + length, line->answer, rest);
    memcpy(line->answer, head, length);
    line->answer_length = (uint32_t)(length + rest);
    line->answer_sent = 0;
    event_schedule(line->queue, &line->begin, line->queue->now + time_cycles_of_nsec(line->queue, DELAY));
}

/* The answer is the script of LENGTH bytes that is in it already. */
static void set_script(struct job_line *line, size_t length)
{
    char head[16];
    snprintf(head, sizeof head, "%zu\n", length);
    set_answer(line, head, length);
    line->answers_command = true;
}

void job_line_refresh(struct job_line *line)
{
    if (line->answers_command && line->answer_sent == 0)
        set_script(line, control_job(line->control, (char *)line->answer, BOARD_MAILBOX_SIZE));
}

void job_line_has_room(struct job_line *line)
{
    send_answer(line);
}

/* Requests */

static bool is_request(const struct job_line *line, const char *name)
{
    return line->request_length >= strlen(name) && memcmp(line->request, name, strlen(name)) == 0;
}

static void ignore(const struct job_line *line)
{
    log_guest(line->log, "job_line.request", "job line: \"%.*s\" is no request", (int)line->request_length,
              line->request);
}

static void execute(struct job_line *line)
{
    static const char mark[] = "mark ", status[] = "status ";
    line->answers_command = false;
    if (line->request_length == strlen("command") && is_request(line, "command")) {
        set_script(line, control_request_command(line->control, (char *)line->answer, BOARD_MAILBOX_SIZE));
    } else if (is_request(line, mark)) {
        control_mark(line->control, line->request + strlen(mark), line->request_length - (uint32_t)strlen(mark));
        set_answer(line, "ok\n", 0);
    } else if (is_request(line, status)) {
        line->request[line->request_length] = 0;
        control_exit(line->control, (uint32_t)strtoul(line->request + strlen(status), NULL, 10));
    } else {
        ignore(line);
    }
}

void job_line_take(struct job_line *line, uint8_t byte)
{
    if (byte == '\n') {
        if (line->request_length < LINE_MAX_BYTES)
            execute(line);
        line->request_length = 0;
    } else if (byte != '\r' && line->request_length < LINE_MAX_BYTES) {
        line->request[line->request_length++] = (char)byte;
    }
}

/* Creation and saved state */

struct job_line *job_line_create(struct event_queue *queue, struct control *control,
                                 bool (*send)(void *opaque, uint8_t byte), void *opaque, struct log *log)
{
    struct job_line *line = checked_memory(calloc(1, sizeof *line));
    line->queue = queue;
    line->control = control;
    line->send = send;
    line->opaque = opaque;
    line->log = log;
    event_init(&line->begin, "job line answer", begin_answer, line);
    return line;
}

void job_line_free(struct job_line *line)
{
    if (!line)
        return;
    event_cancel(line->queue, &line->begin);
    free(line);
}

static const struct saved_field fields[] = {
    SAVED_LIMITED(struct job_line, request_length, SAVED_U32, LINE_MAX_BYTES),
    SAVED_LIMITED(struct job_line, answer_length, SAVED_U32, ANSWER_MAX),
    SAVED_LIMITED(struct job_line, answer_sent, SAVED_U32, ANSWER_MAX),
    SAVED_FIELD(struct job_line, answers_command, SAVED_BOOL),
    SAVED_FIELD(struct job_line, begin, SAVED_EVENT),
};

static void write_texts(void *base, struct saved_out *out)
{
    const struct job_line *line = base;
    saved_put(out, line->request, sizeof line->request);
    saved_put(out, line->answer, line->answer_length);
}

static bool read_texts(void *base, struct saved_in *in, struct err *err)
{
    struct job_line *line = base;
    (void)err;
    return saved_get(in, line->request, sizeof line->request) && saved_get(in, line->answer, line->answer_length);
}

void job_line_register_saved(struct job_line *line, struct saved *saved)
{
    static const struct saved_ops ops = {.write = write_texts, .read = read_texts};
    saved_add(saved, &(struct saved_section){
                         .name = "job_line", .version = 1, .base = line, SAVED_TABLE(fields), .ops = &ops});
}
