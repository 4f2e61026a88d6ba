/* The catalogue of measures (src/measure/): its rows are complete and tell causes apart; its formulas are those of
 * SOSP'95 figure 4.4. */

#include "tests/unit/test.h"

#include "src/measure/measures.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static void every_cause_is_found_by_its_name(void **state)
{
    (void)state;
    const struct measure_cause *cause;
    unsigned of[MEASURE_PIPELINE + 1] = {0};
    for (unsigned i = 0; (cause = measure_cause_at(i)); i++) {
        assert_ptr_equal(measure_cause_named(cause->name), cause); /* the first of that name is this one */
        of[cause->family]++;
    }
    assert_int_equal(of[MEASURE_STALL], STALL_COUNT);
    assert_int_equal(of[MEASURE_INTERLOCK], INTERLOCK_COUNT);
    assert_int_equal(of[MEASURE_PIPELINE], PIPELINE_COUNT);
    assert_null(measure_cause_named("no cause"));
}

static void numbers_and_names_agree(void **state)
{
    (void)state;
    const struct measure_cause *cause;
    for (unsigned i = 0; (cause = measure_cause_at(i)); i++)
        switch (cause->family) {
        case MEASURE_TIME: break;
        case MEASURE_STALL: assert_string_equal(stall_name(cause->number), cause->name); break;
        case MEASURE_INTERLOCK: assert_string_equal(interlock_name(cause->number), cause->name); break;
        case MEASURE_PIPELINE: assert_string_equal(pipeline_name(cause->number), cause->name); break;
        }
    assert_string_equal(stall_name(STALL_WRITE_BUFFER), "write_buffer");
    assert_string_equal(miss_name(MISS_L2_DATA), "l2_data");
    assert_string_equal(miss_label(MISS_UPGRADE), "upgrades");
}

static void rows_are_complete(void **state)
{
    (void)state;
    const struct measure_cause *cause;
    for (unsigned i = 0; (cause = measure_cause_at(i)); i++) {
        assert_true(strlen(cause->before) > 0 && cause->before[strlen(cause->before) - 1] == ' ');
        assert_true(cause->after[0] == '\0' || cause->after[0] == ' ');
        assert_true(cause->family == MEASURE_STALL || (cause->side == SIDE_NONE && !cause->times));
        assert_true(cause->family != MEASURE_STALL || (cause->label && cause->part && cause->colour));
        for (const char *at = cause->name; *at; at++)
            assert_true(islower((unsigned char)*at) || isdigit((unsigned char)*at) || *at == '_');
        if (cause->colour) {
            assert_int_equal(strlen(cause->colour), 7);
            assert_int_equal(cause->colour[0], '#');
            assert_int_equal(strspn(cause->colour + 1, "0123456789abcdef"), 6);
        }
    }
}

static void classes_are_told_apart(void **state)
{
    (void)state;
    static const enum class_group groups[CLASS_COUNT] = {[CLASS_COLD] = CLASS_GROUP_COLD,
                                                         [CLASS_CAPACITY] = CLASS_GROUP_REPLACED,
                                                         [CLASS_CONFLICT] = CLASS_GROUP_REPLACED,
                                                         [CLASS_REPLACED] = CLASS_GROUP_REPLACED,
                                                         [CLASS_INCLUSION] = CLASS_GROUP_OTHER,
                                                         [CLASS_TRUE_SHARING] = CLASS_GROUP_COHERENCE,
                                                         [CLASS_FALSE_SHARING] = CLASS_GROUP_COHERENCE,
                                                         [CLASS_COHERENCE] = CLASS_GROUP_COHERENCE,
                                                         [CLASS_FLUSHED] = CLASS_GROUP_OTHER,
                                                         [CLASS_UPGRADE] = CLASS_GROUP_UPGRADE,
                                                         [CLASS_INTERFERENCE] = CLASS_GROUP_REPLACED};
    for (unsigned class = 0; class < CLASS_COUNT; class ++) {
        const struct measure_class *row = measure_class(class);
        assert_ptr_equal(measure_class_named(row->name), row);
        assert_int_equal(row->group, groups[class]);
        assert_true(row->is_full == (class != CLASS_REPLACED && class != CLASS_COHERENCE));
        assert_non_null(row->colour);
        for (unsigned other = 0; other < class; other++)
            assert_string_not_equal(row->colour, measure_class(other)->colour);
    }
    assert_null(measure_class_named("no class"));
}

/* SOSP'95 figure 4.4: memory stall cycles for fetches, and for loads and stores with upgrades; uncached accesses are in
 * neither. */
static void formulas_by_hand(void **state)
{
    (void)state;
    const struct bucket bucket = {.cycles = 1100,
                                  .wait = 100,
                                  .insns = 200,
                                  .stall = {[STALL_L1I] = 1,
                                            [STALL_L2I] = 20,
                                            [STALL_L1D] = 3,
                                            [STALL_L2D] = 40,
                                            [STALL_UPGRADE] = 5,
                                            [STALL_WRITE_BUFFER] = 60,
                                            [STALL_UNCACHED] = 700}};
    static const struct {
        const char *name;
        bool is_statistic;
        double value;
    } expected[] = {{"cpi", true, 1000.0 / 200},  {"i_mcpi", true, 21.0 / 200},      {"d_mcpi", true, 108.0 / 200},
                    {"mcpi", false, 829.0 / 200}, {"share", false, 110000.0 / 4400}, {"mpki", false, 9000.0 / 200}};
    double terms[TERMS];
    measure_bucket_terms(&bucket, terms);
    terms[TERM_WHOLE] = 4400;
    terms[TERM_MISSES] = 9;
    for (enum formula i = 0; i < FORMULAS; i++) {
        const struct measure_formula *formula = measure_formula(i);
        if (i >= sizeof expected / sizeof expected[0])
            fail_msg("formulas_by_hand() of tests/unit/test_measures.c has no value of %s", formula->name);
        assert_string_equal(formula->name, expected[i].name);
        assert_int_equal(formula->is_statistic, expected[i].is_statistic);
        assert_true(measure_figure(i, terms) == expected[i].value);
        if (formula->is_statistic)
            assert_true(formula->of_bucket(&bucket) == expected[i].value);
        assert_true(!isfinite(formula->of_bucket(&(struct bucket){.wait = 1})));
        const double divisor = terms[formula->per];
        terms[formula->per] = 0;
        assert_true(isnan(measure_figure(i, terms)));
        terms[formula->per] = divisor;
    }
    assert_int_equal(bucket_stall_of(&bucket, SIDE_NONE), 700);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cause_is_found_by_its_name),
        cmocka_unit_test(numbers_and_names_agree),
        cmocka_unit_test(rows_are_complete),
        cmocka_unit_test(classes_are_told_apart),
        cmocka_unit_test(formulas_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
