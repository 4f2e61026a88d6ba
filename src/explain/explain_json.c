/* An explanation as JSON. */
#include "src/explain/explain_output.h"

#include <stdlib.h>

/* A number of ticks may have more digits than 64 bits. */
static void put_ticks(struct json_writer *json, const char *key, ticks amount)
{
    char digits[48];
    size_t at = sizeof digits;
    unsigned __int128 rest = amount < 0 ? -(unsigned __int128)amount : (unsigned __int128)amount;
    digits[--at] = '\0';
    do {
        digits[--at] = (char)('0' + (unsigned)(rest % 10));
        rest /= 10;
    } while (rest > 0);
    json_key(json, key);
    fprintf(json_put_raw(json), "%s%s", amount < 0 ? "-" : "", digits + at);
}

static void put_pair(struct json_writer *json, const char *key, const int64_t value[EXPLAIN_SIDES])
{
    json_member_array(json, key);
    json_put_integer(json, value[0]);
    json_put_integer(json, value[1]);
    json_end_array(json);
}

static void put_counts(struct json_writer *json, const uint64_t value[EXPLAIN_SIDES])
{
    json_member_array(json, "count");
    json_put_count(json, value[0]);
    json_put_count(json, value[1]);
    json_end_array(json);
}

static void put_name(struct json_writer *json, const struct leaf_name *name)
{
    const char *const keys[] = {"routine", "cause", "data", "class"};
    const char *const texts[] = {name->routine, name->cause, name->data, name->class};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (texts[i])
            json_member_text(json, keys[i], texts[i]);
}

static void put_parts(struct json_writer *json, ticks difference, ticks by_count, ticks by_cost)
{
    put_ticks(json, "difference", difference);
    put_ticks(json, "by_count", by_count);
    put_ticks(json, "by_cost", by_cost);
}

static void put_run(const struct explanation *e, unsigned side, struct json_writer *json)
{
    const struct results *column = e->column[side];
    json_line(json, 2);
    json_member_object(json, side ? "b" : "a");
    json_member_text(json, "title", e->title[side]);
    json_member_text(json, "machine", column->machine);
    json_member_text(json, "model", column->model);
    json_member_count(json, "cpus", column->cpus);
    json_member_count(json, "clock_hz", column->clock_hz);
    json_member_count(json, "ticks_per_cycle", e->ticks_per_cycle[side]);
    json_key(json, "cycles");
    json_put_integer(json, e->cycles[side]);
    json_member_count(json, "insns", e->insns[side]);
    json_end_object(json);
}

static void put_work(const struct explanation *e, struct json_writer *json)
{
    char text[160] = "";
    json_line(json, 2);
    json_key(json, "same_work");
    json_put_bool(json, explanation_same_work(e, text, sizeof text));
    if (*text)
        json_member_text(json, "other_work", text);
}

static void put_cause(const struct explanation *e, size_t index, struct json_writer *json)
{
    const struct explain_cause *cause = &e->causes[index];
    char text[768];
    struct leaf_name free_name;
    json_line(json, 4);
    json_begin_object(json);
    put_name(json, &cause->name);
    json_member_count(json, "leaves", cause->leaves);
    put_counts(json, cause->count);
    put_pair(json, "cycles", cause->cycles);
    put_parts(json, cause->difference, cause->by_count, cause->by_cost);
    json_key(json, "percent");
    json_put_rounded(json, "%.4f", explanation_share(e, cause->difference));
    if (cause->most[0]) {
        json_member_array(json, "most");
        for (unsigned i = 0; i < EXPLAIN_MOST && cause->most[i]; i++)
            json_put_text(json, cause->most[i]);
        json_end_array(json);
    }
    explanation_say(e, index, text, sizeof text);
    json_member_text(json, "text", text);
    explanation_say_why(e, index, text, sizeof text);
    json_member_text(json, "why", text);
    if (explanation_whatif(e, index, text, sizeof text, &free_name)) {
        json_member_text(json, "whatif", text);
        json_key(json, "predicted");
        json_put_integer(json, explanation_cycles(e, 1, &free_name));
    }
    json_end_object(json);
}

static void put_leaf(const struct explain_leaf *leaf, struct json_writer *json)
{
    json_line(json, 4);
    json_begin_object(json);
    put_name(json, &leaf->name);
    put_counts(json, leaf->count);
    put_pair(json, "cycles", leaf->cycles);
    put_parts(json, leaf->difference, leaf->by_count, leaf->by_cost);
    json_end_object(json);
}

static void put_explanation(const struct explanation *e, struct json_writer *json)
{
    static const char *const levels[] = {
        [LEAVES_BY_MODE] = "mode", [LEAVES_BY_SERVICE] = "service", [LEAVES_BY_PLACE] = "place"};
    ticks sum = 0;
    for (size_t i = 0; i < e->leaf_count; i++)
        sum += e->leaves[i].difference;
    json_line(json, 2);
    json_member_text(json, "format", "simos explanation 1");
    json_member_text(json, "level", levels[e->level]);
    put_run(e, 0, json);
    put_run(e, 1, json);
    put_work(e, json);
    json_line(json, 2);
    json_key(json, "ticks_per_second");
    json_put_double(json, e->ticks_per_second);
    put_ticks(json, "difference", e->difference);
    put_ticks(json, "residual", e->difference - sum);
    json_line(json, 2);
    json_member_array(json, "causes");
    for (size_t i = 0; i < e->cause_count; i++)
        put_cause(e, i, json);
    json_line(json, 2);
    json_end_array(json);
    json_line(json, 2);
    json_member_array(json, "leaves");
    for (size_t i = 0; i < e->leaf_count; i++)
        put_leaf(&e->leaves[i], json);
    json_line(json, 2);
    json_end_array(json);
}

static void put_part(const char *key, const struct explanation *part, struct json_writer *json)
{
    json_line(json, 2);
    json_member_object(json, key);
    put_explanation(part, json);
    json_line(json, 2);
    json_end_object(json);
}

void explanation_write_json(const struct explanation *e, const struct explain_placement *parts,
                            struct json_writer *json)
{
    json_begin_object(json);
    put_explanation(e, json);
    if (parts) {
        put_part("own", parts->own, json);
        put_part("placement", parts->placement, json);
    }
    json_line(json, 0);
    json_end_object(json);
}
