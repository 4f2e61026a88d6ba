#include "src/sweep/window_merge.h"

#include "src/base/printable.h"
#include "src/results/sampling.h"
#include "src/sweep/simpoints.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* The samples of one ratio: numerators (parts) and denominators (wholes), one pair a window. */
struct series_of_samples {
    json_t *const *windows;
    size_t count;
    const struct simpoints *simpoints; /* NULL: the windows are alike */
    const unsigned *stratum_of;
    double confidence;
    double *parts, *wholes;
};

/* The sum of NAME over the modes of CPU whose name is MODE (NULL: all modes). IN_STALL: NAME is in the group
 * `stall`. */
static double sum_modes(const json_t *cpu, const char *mode, bool in_stall, const char *name)
{
    json_t *modes = json_object_get(cpu, "mode"), *group;
    const char *key;
    double sum = 0;
    json_object_foreach(modes, key, group)
    {
        if (mode && strcmp(key, mode) != 0)
            continue;
        const json_t *of = in_stall ? json_object_get(group, "stall") : group;
        sum += json_number_value(json_object_get(of, name));
    }
    return sum;
}

/* sum_modes() over all CPUs of WINDOW. */
static double sum_cpus(const json_t *window, const char *mode, bool in_stall, const char *name)
{
    double sum = 0;
    const json_t *cpu;
    char key[16];
    for (unsigned i = 0; snprintf(key, sizeof key, "cpu%u", i), (cpu = json_object_get(window, key)); i++)
        sum += sum_modes(cpu, mode, in_stall, name);
    return sum;
}

/* A JSON number, or null for NaN and infinity, which jansson cannot represent. */
static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *estimate(const struct series_of_samples *of)
{
    const struct simpoints *simpoints = of->simpoints;
    const struct sampling_estimate result =
        simpoints ? sampling_stratified(of->parts, of->wholes, of->stratum_of, of->count, simpoints->strata,
                                        simpoints->stratum_count, of->confidence)
                  : sampling_ratio(of->parts, of->wholes, of->count, of->confidence);
    return json_pack("{s:o, s:o}", "mean", number(result.mean), "half_width", number(result.half_width));
}

static json_t *per_insn(const struct series_of_samples *of, const char *mode, bool in_stall, const char *name)
{
    for (size_t i = 0; i < of->count; i++) {
        of->parts[i] = sum_cpus(of->windows[i], mode, in_stall, name);
        of->wholes[i] = sum_cpus(of->windows[i], NULL, false, "insns");
    }
    return estimate(of);
}

static json_t *cpi(const struct series_of_samples *of, const char *mode)
{
    for (size_t i = 0; i < of->count; i++) {
        const json_t *window = of->windows[i];
        of->parts[i] = sum_cpus(window, mode, false, "cycles") - sum_cpus(window, mode, false, "wait");
        of->wholes[i] = sum_cpus(window, mode, false, "insns");
    }
    return estimate(of);
}

static json_t *stall_share(const struct series_of_samples *of, const char *mode, json_t *stalls)
{
    for (size_t i = 0; i < of->count; i++) {
        const json_t *window = of->windows[i];
        const char *name;
        json_t *value;
        of->wholes[i] = sum_cpus(window, mode, false, "cycles") - sum_cpus(window, mode, false, "wait");
        of->parts[i] = 0;
        json_object_foreach(stalls, name, value) if (strcmp(name, "uncached") != 0) of->parts[i] +=
            sum_cpus(window, mode, true, name);
    }
    return estimate(of);
}

static json_t *sample_mode(const struct series_of_samples *of, const char *mode, json_t *stalls)
{
    static const char *const names[] = {"insns", "execute", "wait"};
    json_t *result = json_pack("{s:o}", "cpi", cpi(of, mode)), *group = json_object(), *value;
    const char *name;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        json_object_set_new(result, names[i], per_insn(of, mode, false, names[i]));
    json_object_set_new(result, "stall_share", stall_share(of, mode, stalls));
    json_object_foreach(stalls, name, value) json_object_set_new(group, name, per_insn(of, mode, true, name));
    json_object_set_new(result, "stall", group);
    return result;
}

/* The clusters: their weights, intervals (null if not known) and windows. */
static json_t *strata_of(const struct series_of_samples *of)
{
    json_t *strata = json_array();
    for (unsigned h = 0; h < of->simpoints->stratum_count; h++) {
        const struct sampling_stratum *stratum = &of->simpoints->strata[h];
        json_int_t windows = 0;
        for (size_t i = 0; i < of->count; i++)
            windows += of->stratum_of[i] == h;
        json_array_append_new(strata,
                              json_pack("{s:f, s:o, s:I}", "weight", stratum->weight, "intervals",
                                        stratum->size ? json_integer(stratum->size) : json_null(), "windows", windows));
    }
    return strata;
}

json_t *window_sample(json_t *const *windows, size_t count, const struct simpoints *simpoints,
                      const unsigned *stratum_of, double confidence, struct err *err)
{
    json_t *modes = json_object_get(json_object_get(windows[0], "cpu0"), "mode"), *mode;
    struct series_of_samples of = {.windows = windows,
                                   .count = count,
                                   .simpoints = simpoints,
                                   .stratum_of = stratum_of,
                                   .confidence = confidence,
                                   .parts = checked_memory(calloc(count, sizeof(double))),
                                   .wholes = checked_memory(calloc(count, sizeof(double)))};
    json_t *sample = NULL, *stalls = NULL;
    const char *name;
    if (!json_is_object(modes))
        err_set(err, "there is no cpu0.mode in the statistics");
    else
        sample = json_pack("{s:I, s:f, s:o}", "windows", (json_int_t)count, "confidence", confidence, "student_t",
                           count > 1 && !simpoints ? json_real(sampling_student_t(confidence, (unsigned)count - 1))
                                                   : json_null());
    json_object_foreach(modes, name, mode)
    {
        stalls = json_object_get(mode, "stall");
        json_object_set_new(sample, name, sample_mode(&of, name, stalls));
    }
    if (sample)
        json_object_set_new(sample, "total", sample_mode(&of, NULL, stalls));
    if (sample && simpoints)
        json_object_set_new(sample, "strata", strata_of(&of));
    free(of.parts);
    free(of.wholes);
    return sample;
}

/* The table */

static void print_estimate(const json_t *estimate, FILE *out)
{
    const json_t *half = json_object_get(estimate, "half_width");
    const json_t *mean = json_object_get(estimate, "mean");
    if (json_is_null(mean))
        fprintf(out, " %19s", "-");
    else if (json_is_null(half))
        fprintf(out, " %9.4f %9s", json_real_value(mean), "");
    else
        fprintf(out, " %9.4f +- %6.4f", json_real_value(mean), json_real_value(half));
}

/* Print one row: the value NAME of each mode, from its group GROUP (NULL: from the mode itself). */
static void print_row(const json_t *sample, const char *label, const char *group, const char *name, FILE *out)
{
    json_t *mode;
    const char *key;
    fprintf(out, "%s%s%-*s", group ? group : "", group ? " " : "", group ? 17 - (int)strlen(group) : 18,
            PRINTABLE(label));
    json_object_foreach((json_t *)(uintptr_t)sample, key, mode) if (json_is_object(mode))
        print_estimate(json_object_get(group ? json_object_get(mode, group) : mode, name), out);
    fputc('\n', out);
}

void window_print_sample(const json_t *merged, const json_t *sample, FILE *out)
{
    const json_t *window = json_object_get(merged, "window");
    json_int_t count = json_integer_value(json_object_get(sample, "windows"));
    json_t *mode, *value;
    const char *name;
    fprintf(out, "%" JSON_INTEGER_FORMAT " windows of %" JSON_INTEGER_FORMAT " instructions", count,
            json_integer_value(json_object_get(window, "length")));
    json_int_t warmup = json_integer_value(json_object_get(window, "warmup"));
    const json_t *least = json_object_get(window, "warmup_least");
    if (warmup && least)
        fprintf(out, ", each after a warm-up of %" JSON_INTEGER_FORMAT " to", json_integer_value(least));
    else if (warmup)
        fprintf(out, ", each after a warm-up of");
    if (warmup)
        fprintf(out, " %" JSON_INTEGER_FORMAT " by %s", warmup,
                PRINTABLE(json_string_value(json_object_get(window, "warmup_model"))));
    fprintf(out, "\nmean and %g %% confidence interval", 100 * json_real_value(json_object_get(sample, "confidence")));
    const json_t *strata = json_object_get(sample, "strata");
    if (strata)
        fprintf(out,
                ", by the weights of %zu clusters of SimPoint\n(stratified; Student's t with Satterthwaite's degrees "
                "of freedom)",
                json_array_size(strata));
    else if (count > 1)
        fprintf(out,
                " (Student's t, %" JSON_INTEGER_FORMAT
                " degrees of freedom: %.4f, corrected for the skewness of\nthe windows)",
                count - 1, json_real_value(json_object_get(sample, "student_t")));
    if (!strata && count < SAMPLING_FEW)
        fprintf(out,
                "\nfewer than %d windows: an interval may hold less often than it says, most of all in rows that come "
                "from\n"
                "few of the windows",
                SAMPLING_FEW);
    fprintf(out,
            "\nCPI: cycles without wait to instructions of the mode; stall share: memory stall to these cycles;\n"
            "below: to all instructions\n\n%-18s",
            "");
    json_object_foreach((json_t *)(uintptr_t)sample, name, mode) if (json_is_object(mode))
        fprintf(out, " %19s", PRINTABLE(name));
    fputc('\n', out);
    print_row(sample, "CPI", NULL, "cpi", out);
    print_row(sample, "stall share", NULL, "stall_share", out);
    print_row(sample, "insns", NULL, "insns", out);
    print_row(sample, "execute", NULL, "execute", out);
    json_object_foreach(json_object_get(json_object_get(sample, "total"), "stall"), name, value)
        print_row(sample, name, "stall", name, out);
    print_row(sample, "wait", NULL, "wait", out);
}
