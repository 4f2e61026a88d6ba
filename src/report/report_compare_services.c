#include "src/report/report_compare_services.h"

#include "src/base/json_file.h"
#include "src/base/log.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 64, WHAT = 48, PRINTED = 40 };

/* A number of a service that has moved. */
struct move {
    char service[NAME], what[WHAT]; /* "execve", "l2 data conflict misses" */
    bool is_miss;                   /* else cycles or calls */
    int64_t before, after;
};

struct moves {
    size_t count, room;
    struct move *move;
};

static int64_t number(const json_t *value)
{
    return json_is_integer(value) ? json_integer_value(value) : 0;
}

static void note(struct moves *moves, const char *service, const char *what, bool is_miss, const json_t *before,
                 const json_t *after)
{
    struct move move = {.is_miss = is_miss, .before = number(before), .after = number(after)};
    if (move.before == move.after)
        return;
    snprintf(move.service, sizeof move.service, "%.60s", service);
    snprintf(move.what, sizeof move.what, "%.47s", what);
    json_file_make_printable(move.service);
    json_file_make_printable(move.what);
    if (moves->count == moves->room) {
        moves->room = moves->room ? 2 * moves->room : 64;
        moves->move = checked_memory(realloc(moves->move, moves->room * sizeof *moves->move));
    }
    moves->move[moves->count++] = move;
}

/* Calls of VISIT for each member of either object, of the first first. */
typedef void visit_fn(struct moves *moves, const char *service, const char *prefix, const char *name, json_t *before,
                      json_t *after);
static void visit_both(struct moves *moves, const char *service, const char *prefix, json_t *before, json_t *after,
                       visit_fn *visit)
{
    const char *name;
    json_t *value;
    json_object_foreach(before, name, value) visit(moves, service, prefix, name, value, json_object_get(after, name));
    json_object_foreach(after, name, value) if (!json_object_get(before, name))
        visit(moves, service, prefix, name, NULL, value);
}

static void join(char text[WHAT], const char *prefix, const char *name)
{
    snprintf(text, WHAT, "%.30s%s%.14s", prefix, *prefix ? " " : "", name);
}

static void visit_class(struct moves *moves, const char *service, const char *prefix, const char *class, json_t *before,
                        json_t *after)
{
    char what[WHAT];
    snprintf(what, sizeof what, "%.20s %.18s misses", prefix, class);
    note(moves, service, what, true, before, after);
}

static void visit_kind(struct moves *moves, const char *service, const char *prefix, const char *kind, json_t *before,
                       json_t *after)
{
    char what[WHAT];
    join(what, prefix, kind);
    visit_both(moves, service, what, before, after, visit_class);
}

static void visit_cache(struct moves *moves, const char *service, const char *prefix, const char *cache, json_t *before,
                        json_t *after)
{
    char what[WHAT];
    join(what, prefix, cache);
    visit_both(moves, service, what, before, after, visit_kind);
}

static void visit_miss(struct moves *moves, const char *service, const char *prefix, const char *name, json_t *before,
                       json_t *after)
{
    char what[WHAT];
    (void)prefix;
    snprintf(what, sizeof what, "%.30s misses", name);
    note(moves, service, what, true, before, after);
}

/* Misses by class where both have classes, else by what was missed. */
static void visit_service(struct moves *moves, const char *prefix, const char *unused, const char *service,
                          json_t *before, json_t *after)
{
    static const char *const counts[] = {"calls", "cycles", "insns"};
    (void)prefix, (void)unused;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        note(moves, service, counts[i], false, json_object_get(before, counts[i]), json_object_get(after, counts[i]));
    json_t *old_class = json_object_get(before, "class"), *new_class = json_object_get(after, "class");
    if ((old_class || !before) && (new_class || !after))
        visit_both(moves, service, "", old_class, new_class, visit_cache);
    else
        visit_both(moves, service, "", json_object_get(before, "miss"), json_object_get(after, "miss"), visit_miss);
}

static uint64_t distance(const struct move *move)
{
    return move->after > move->before ? (uint64_t)move->after - (uint64_t)move->before
                                      : (uint64_t)move->before - (uint64_t)move->after;
}

static int by_distance(const void *a, const void *b)
{
    const struct move *x = a, *y = b;
    if (distance(x) != distance(y))
        return distance(x) < distance(y) ? 1 : -1;
    int order = strcmp(x->service, y->service);
    return order ? order : strcmp(x->what, y->what);
}

static void print(const struct moves *moves, bool misses, FILE *out)
{
    size_t seen = 0;
    for (size_t i = 0; i < moves->count; i++) {
        const struct move *move = &moves->move[i];
        if (move->is_miss != misses || ++seen > PRINTED)
            continue;
        if (seen == 1)
            fprintf(out, "\n%s\n", misses ? "misses of services, by class" : "services");
        fprintf(out, "%-22s %-30s %15" PRId64 " %15" PRId64 "  %+" PRId64 "\n", move->service, move->what, move->before,
                move->after, move->after - move->before);
    }
    if (seen > PRINTED)
        fprintf(out, "and %zu more\n", seen - PRINTED);
}

static json_t *services_of(const json_t *root)
{
    return json_object_get(json_object_get(root, "annotations"), "services");
}

void report_compare_services(const json_t *old_root, const json_t *new_root, FILE *out)
{
    struct moves moves = {0};
    json_t *before = services_of(old_root), *after = services_of(new_root);
    if (!json_is_object(before) || !json_is_object(after))
        return;
    visit_both(&moves, "", "", before, after, visit_service);
    if (moves.count)
        qsort(moves.move, moves.count, sizeof *moves.move, by_distance);
    print(&moves, false, out);
    print(&moves, true, out);
    free(moves.move);
}
