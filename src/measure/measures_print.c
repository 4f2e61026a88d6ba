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

void measures_print(FILE *out)
{
    struct json_writer json = json_writer_to(out);
    const struct measure_cause *cause;
    const struct measure_formula *formula;
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
    json_member_array(&json, "formulas");
    for (unsigned i = 0; (formula = measure_formula_at(i)); i++) {
        json_line(&json, 2);
        json_begin_object(&json);
        json_member_text(&json, "name", formula->name);
        json_member_text(&json, "unit", "cycles/instruction");
        json_member_text(&json, "meaning", formula->meaning);
        json_end_object(&json);
    }
    json_line(&json, 1);
    json_end_array(&json);
    json_line(&json, 0);
    json_end_object(&json);
    fputc('\n', out);
}
