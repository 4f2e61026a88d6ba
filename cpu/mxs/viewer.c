#include "cpu/mxs/viewer.h"

#include "cpu/core.h"
#include "src/base/log.h"
#include "src/base/save_file.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Record of an instruction; times of events that have not occurred are 0. */
struct record {
    uint64_t number; /* sequence number in the window; not unique, because those of squashed instructions are reused */
    vaddr pc;
    uint32_t word;
    bool complete, squashed;
    cycles fetched, issued, done, left;
};

struct mxs_viewer {
    const struct core *core;
    char *path;
    FILE *out;   /* NULL: the file has been closed */
    int failure; /* errno of a write error; 0: none */
    bool kanata;
    uint64_t from, limit; /* recording starts after this number of graduated instructions; maximum number of records */
    uint64_t count, open; /* number of records; the first record that is not complete */
    struct record *record;
};

bool mxs_viewer_create(struct mxs_viewer **viewer, const struct params *params, const struct core *core,
                       struct err *err)
{
    const char *name = params_string(params, "mxs.view");
    char path[4200];
    *viewer = NULL;
    if (name[0] == 0)
        return true;
    snprintf(path, sizeof path, core->number ? "%s.cpu%u" : "%s", name, core->number);
    struct mxs_viewer *v = checked_memory(calloc(1, sizeof *v));
    v->core = core;
    v->kanata = params_string(params, "mxs.view_format")[0] == 'k';
    v->from = params_u64(params, "mxs.view_from");
    v->limit = params_u64(params, "mxs.view_count");
    v->record = calloc(v->limit, sizeof *v->record);
    if (v->record == NULL)
        err_set(err, "mxs.view: no memory for mxs.view_count=%" PRIu64 " instructions", v->limit);
    int descriptor = v->record != NULL ? save_open("mxs.view", path, O_TRUNC, err) : -1;
    if (descriptor < 0) {
        free(v->record);
        free(v);
        return false;
    }
    v->path = checked_memory(strdup(path));
    v->out = checked_memory(fdopen(descriptor, "w"));
    *viewer = v;
    return true;
}

/* The last incomplete record of instruction NUMBER; NULL if there is none. */
static struct record *find(struct mxs_viewer *v, uint64_t number)
{
    for (uint64_t i = v->count; i-- > v->open;)
        if (v->record[i].number == number && !v->record[i].complete)
            return &v->record[i];
    return NULL;
}

void mxs_viewer_fetch(struct mxs_viewer *v, uint64_t number, vaddr pc, uint32_t word, uint64_t insns, cycles now)
{
    if (v->out == NULL || insns < v->from || v->count == v->limit)
        return;
    v->record[v->count++] = (struct record){.number = number, .pc = pc, .word = word, .fetched = now};
}

void mxs_viewer_issue(struct mxs_viewer *v, uint64_t number, cycles now)
{
    struct record *r = find(v, number);
    if (r != NULL)
        r->issued = now;
}

/* Writing */

static void disassemble(const struct mxs_viewer *v, const struct record *r, char *text, size_t size)
{
    isa_disassemble(v->core->decoder, r->word, r->pc, text, size);
    for (char *at = text; *at; at++)
        if (*at == '\t' || *at == ':') /* separators in the file formats */
            *at = ' ';
}

static void write_o3pipeview(const struct mxs_viewer *v)
{
    enum { TICKS = 1000 };
    for (uint64_t i = 0; i < v->count; i++) {
        const struct record *r = &v->record[i];
        char text[128];
        disassemble(v, r, text, sizeof text);
        fprintf(v->out, "O3PipeView:fetch:%" PRIu64 ":0x%08x:0:%" PRIu64 ":%s\n", r->fetched * TICKS, r->pc, i + 1,
                text);
        fprintf(v->out,
                "O3PipeView:decode:%" PRIu64 "\nO3PipeView:rename:%" PRIu64 "\nO3PipeView:dispatch:%" PRIu64 "\n",
                r->fetched * TICKS, r->fetched * TICKS, r->fetched * TICKS);
        fprintf(v->out, "O3PipeView:issue:%" PRIu64 "\nO3PipeView:complete:%" PRIu64 "\n", r->issued * TICKS,
                r->done * TICKS);
        fprintf(v->out, "O3PipeView:retire:%" PRIu64 ":store:0\n", r->squashed || !r->complete ? 0 : r->left * TICKS);
    }
}

/* An event of a record. */
enum kind { FETCHED, ISSUED, DONE, LEFT };
struct viewer_event {
    cycles time;
    uint64_t record;
    enum kind kind;
};

static int compare_events(const void *one, const void *two)
{
    const struct viewer_event *a = one, *b = two;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    if (a->record != b->record)
        return a->record < b->record ? -1 : 1;
    return (int)a->kind - (int)b->kind;
}

static void write_event(const struct mxs_viewer *v, const struct viewer_event *h, uint64_t *graduated)
{
    const struct record *r = &v->record[h->record];
    const uint64_t id = h->record;
    char text[128];
    switch (h->kind) {
    case FETCHED:
        disassemble(v, r, text, sizeof text);
        fprintf(v->out, "I\t%" PRIu64 "\t%" PRIu64 "\t%u\nL\t%" PRIu64 "\t0\t%08x: %s\nS\t%" PRIu64 "\t0\tF\n", id, id,
                v->core->number, id, r->pc, text, id);
        break;
    case ISSUED: fprintf(v->out, "S\t%" PRIu64 "\t0\tX\n", id); break;
    case DONE: fprintf(v->out, "S\t%" PRIu64 "\t0\tG\n", id); break;
    case LEFT:
        fprintf(v->out, "R\t%" PRIu64 "\t%" PRIu64 "\t%d\n", id, r->squashed ? 0 : (*graduated)++, r->squashed);
        break;
    }
}

static void write_kanata(const struct mxs_viewer *v)
{
    struct viewer_event *list = calloc(4 * v->count + 1, sizeof *list);
    uint64_t count = 0, graduated = 0;
    if (list == NULL)
        log_bug("out of memory");
    for (uint64_t i = 0; i < v->count; i++) {
        const struct record *r = &v->record[i];
        const cycles times[] = {r->fetched, r->issued, r->done, r->left};
        for (unsigned kind = FETCHED; kind <= LEFT; kind++)
            if (kind == FETCHED || times[kind] != 0)
                list[count++] = (struct viewer_event){times[kind], i, (enum kind)kind};
    }
    qsort(list, count, sizeof *list, compare_events);
    fprintf(v->out, "Kanata\t0004\n");
    for (uint64_t i = 0; i < count; i++) {
        if (i == 0)
            fprintf(v->out, "C=\t%" PRIu64 "\n", list[i].time);
        else if (list[i].time != list[i - 1].time)
            fprintf(v->out, "C\t%" PRIu64 "\n", list[i].time - list[i - 1].time);
        write_event(v, &list[i], &graduated);
    }
    free(list);
}

static void finish(struct mxs_viewer *v)
{
    if (v->out == NULL)
        return;
    if (v->kanata)
        write_kanata(v);
    else
        write_o3pipeview(v);
    errno = 0;
    if (fflush(v->out) != 0 || ferror(v->out))
        v->failure = errno ? errno : EIO;
    if (save_close_stream(v->out) != 0 && v->failure == 0)
        v->failure = errno;
    v->out = NULL;
}

bool mxs_viewer_finish(struct mxs_viewer *v, struct err *err)
{
    finish(v);
    return v->failure == 0 || err_set(err, "mxs.view %s: %s", v->path, strerror(v->failure));
}

static void leave(struct mxs_viewer *v, struct record *r, bool squashed, cycles now)
{
    r->complete = true;
    r->squashed = squashed;
    r->left = now;
    while (v->open < v->count && v->record[v->open].complete)
        v->open++;
    if (v->open == v->limit)
        finish(v);
}

void mxs_viewer_graduate(struct mxs_viewer *v, uint64_t number, cycles done, cycles now)
{
    struct record *r = find(v, number);
    if (r == NULL)
        return;
    r->done = done;
    if (r->issued == 0) /* serialising: executed at the head of the window */
        r->issued = r->done = now;
    leave(v, r, false, now);
}

void mxs_viewer_squash(struct mxs_viewer *v, uint64_t number, cycles now)
{
    struct record *r = find(v, number);
    if (r != NULL)
        leave(v, r, true, now);
}

void mxs_viewer_free(struct mxs_viewer *v)
{
    if (v == NULL)
        return;
    finish(v);
    free(v->record);
    free(v->path);
    free(v);
}
