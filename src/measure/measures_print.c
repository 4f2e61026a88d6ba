/* The catalogue as JSON, for programs that read statistics. */
#include "src/measure/measures.h"

#include "src/base/json_writer.h"

static void put_cause(struct json_writer *json, const struct measure_cause *cause)
{
    static const char *const families[] = {[MEASURE_TIME] = "time",
                                           [MEASURE_STALL] = "stall",
                                           [MEASURE_INTERLOCK] = "interlock",
                                           [MEASURE_PIPELINE] = "pipeline"};
    json_line(json, 2);
    json_begin_object(json);
    json_member_text(json, "name", cause->name);
    json_member_text(json, "family", families[cause->family]);
    json_member_text(json, "label", cause->label ? cause->label : cause->name);
    json_key(json, "formula");
    json_put_text(json, cause->side == SIDE_INSN ? "i_mcpi" : cause->side == SIDE_DATA ? "d_mcpi" : NULL);
    json_member_text(json, "colour", cause->colour);
    json_end_object(json);
}

static void put_class(struct json_writer *json, const struct measure_class *class)
{
    static const char *const groups[] = {[CLASS_GROUP_COLD] = "cold",
                                         [CLASS_GROUP_REPLACED] = "replaced",
                                         [CLASS_GROUP_COHERENCE] = "coherence",
                                         [CLASS_GROUP_OTHER] = "other",
                                         [CLASS_GROUP_UPGRADE] = "upgrade"};
    json_line(json, 2);
    json_begin_object(json);
    json_member_text(json, "name", class->name);
    json_member_text(json, "group", groups[class->group]);
    json_member_text(json, "colour", class->colour);
    json_member_text(json, "meaning", class->meaning);
    json_end_object(json);
}

static const char *term_name(enum term term)
{
    static const char *const names[TERMS + 1] = {[TERM_CYCLES] = "cycles",         [TERM_WAIT] = "wait",
                                                 [TERM_INSNS] = "insns",           [TERM_STALL] = "stall",
                                                 [TERM_INSN_STALL] = "insn_stall", [TERM_DATA_STALL] = "data_stall",
                                                 [TERM_WHOLE] = "whole",           [TERM_MISSES] = "misses"};
    return names[term];
}

static void put_term(struct json_writer *json, const char *key, enum term term)
{
    json_key(json, key);
    json_put_text(json, term_name(term));
}

static void put_formula(struct json_writer *json, const struct measure_formula *formula)
{
    json_line(json, 2);
    json_begin_object(json);
    json_member_text(json, "name", formula->name);
    json_key(json, "statistic");
    json_put_bool(json, formula->is_statistic);
    json_member_text(json, "label", formula->label);
    json_member_text(json, "heading", formula->heading);
    json_member_text(json, "unit", formula->unit);
    json_member_count(json, "factor", (uint64_t)formula->factor);
    put_term(json, "add", formula->add);
    put_term(json, "subtract", formula->subtract);
    put_term(json, "per", formula->per);
    json_member_text(json, "meaning", formula->meaning);
    json_end_object(json);
}

void measures_print(FILE *out)
{
    struct json_writer json = json_writer_to(out);
    const struct measure_cause *cause;
    json_begin_object(&json);
    json_line(&json, 1);
    json_member_count(&json, "format", 1);
    json_line(&json, 1);
    json_member_array(&json, "causes");
    for (unsigned i = 0; (cause = measure_cause_at(i)); i++)
        put_cause(&json, cause);
    json_line(&json, 1);
    json_end_array(&json);
    json_line(&json, 1);
    json_member_array(&json, "classes");
    for (unsigned class = 0; class < CLASS_COUNT; class ++)
        put_class(&json, measure_class(class));
    json_line(&json, 1);
    json_end_array(&json);
    json_line(&json, 1);
    json_member_array(&json, "formulas");
    for (enum formula formula = 0; formula < FORMULAS; formula++)
        put_formula(&json, measure_formula(formula));
    json_line(&json, 1);
    json_end_array(&json);
    json_line(&json, 0);
    json_end_object(&json);
    fputc('\n', out);
}
