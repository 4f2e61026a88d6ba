#include "src/regress/regress_baseline.h"

#include "src/base/input_file.h"
#include "src/base/save_file.h"
#include "src/base/sums.h"
#include "src/base/version.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char first_line[] = "simos baseline 1";
static const char others[] = "(others)";

enum { FIELDS_MAX = 6, PARTS_KEPT = 30 };

int regress_stem_length(const char *path)
{
    const size_t length = strlen(path);
    return (int)(length > 4 && strcmp(path + length - 4, ".tcl") == 0 ? length - 4 : length);
}

char *regress_baseline_path(const char *path)
{
    const size_t size = strlen(path) + sizeof ".baseline";
    char *baseline = checked_memory(malloc(size));
    snprintf(baseline, size, "%.*s.baseline", regress_stem_length(path), path);
    return baseline;
}

/* Reading */

struct reading {
    struct regress_side *side;
    const struct regress_run *run;
    const char *path;
    unsigned line, rows; /* the present line; rows so far */
    bool *has_row;       /* [machine * rows + row] */
    bool *has_machine;   /* [machine] */
    bool has_workload, has_repetitions;
    int64_t amounts; /* the sum of the sizes of all parts */
    struct err *err;
};

static bool refuse(struct reading *reading, const char *why)
{
    return err_set(reading->err, "baseline %.200s, line %u: %s", reading->path, reading->line, why);
}

static bool read_number(const char *text, uint64_t most, uint64_t *number)
{
    char *end;
    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && *number <= most;
}

/* The number of the machine NAME; run->machines: it is none of the test's. */
static unsigned find_machine(const struct regress_run *run, const char *name)
{
    unsigned machine = 0;
    while (machine < run->machines && strcmp(run->machine_name[machine], name) != 0)
        machine++;
    return machine;
}

/* The cell of ROW on MACHINE; the number of cells: it is none of the test's. */
static unsigned find_cell(const struct regress_run *run, const char *machine_name, const char *row_name)
{
    const unsigned machine = find_machine(run, machine_name);
    unsigned row = 0;
    while (row < run->file->row_count && strcmp(run->file->rows[row].name, row_name) != 0)
        row++;
    return machine < run->machines && row < run->file->row_count ? machine * run->file->row_count + row
                                                                 : run->machines * run->file->row_count;
}

static bool take_workload(struct reading *reading, char *const fields[])
{
    reading->has_workload = true;
    return strcmp(fields[1], reading->run->workload_digest) == 0 ||
           err_set(reading->err,
                   "baseline %.200s: it is of another workload (position, command or disks); --bless makes it anew",
                   reading->path);
}

static bool keep_file(char **digest, char **path, char *const fields[])
{
    free(*digest);
    free(*path);
    *digest = checked_memory(strdup(fields[1]));
    *path = checked_memory(strdup(fields[2]));
    return true;
}

static bool take_kernel(struct reading *reading, char *const fields[])
{
    return keep_file(&reading->side->kernel_digest, &reading->side->kernel_path, fields);
}

static bool take_program(struct reading *reading, char *const fields[])
{
    return keep_file(&reading->side->program_digest, &reading->side->program_path, fields);
}

static bool take_repetitions(struct reading *reading, char *const fields[])
{
    uint64_t count;
    if (!read_number(fields[1], REGRESS_REPETITIONS_MAX, &count))
        return refuse(reading, "not a number of repetitions");
    reading->has_repetitions = true;
    reading->side->repetitions = (unsigned)count;
    return true;
}

static bool take_machine(struct reading *reading, char *const fields[])
{
    const unsigned machine = find_machine(reading->run, fields[1]);
    if (machine == reading->run->machines)
        return true;
    reading->has_machine[machine] = true;
    return strcmp(fields[2], reading->run->machine_digest[machine]) == 0 ||
           err_set(reading->err, "baseline %.200s: its machine %.64s is another one; --bless makes it anew",
                   reading->path, fields[1]);
}

/* The values of the repetitions. */
static bool take_values(struct reading *reading, unsigned cell, char *text)
{
    const unsigned most = reading->run->file->most;
    char *rest = NULL;
    unsigned count = 0;
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        uint64_t value;
        if (!read_number(word, INT64_MAX, &value))
            return refuse(reading, "not a value");
        if (count < most)
            reading->side->value[cell][count] = value;
        count++;
    }
    return count == reading->side->repetitions || refuse(reading, "not as many values as there are repetitions");
}

static bool take_row(struct reading *reading, char *const fields[])
{
    const struct regress_run *run = reading->run;
    const unsigned cell = find_cell(run, fields[1], fields[2]);
    if (cell == run->machines * run->file->row_count)
        return true;
    char *definition = regress_run_define(run, &run->file->rows[cell % run->file->row_count]);
    const bool same = strcmp(definition, fields[3]) == 0;
    free(definition);
    if (!same)
        return err_set(reading->err,
                       "baseline %.200s, line %u: row \"%.64s\" was defined otherwise; --bless makes it anew",
                       reading->path, reading->line, fields[2]);
    if (reading->has_row[cell])
        return refuse(reading, "this row is there twice");
    reading->has_row[cell] = true;
    const bool plain = strcmp(fields[4], "-") != 0;
    if (plain && !read_number(fields[4], INT64_MAX, &reading->side->plain[cell]))
        return refuse(reading, "not a value without perturbation");
    if (reading->rows++ > 0 && plain != reading->side->has_plain)
        return refuse(reading, "some rows have a value without perturbation, others have none");
    reading->side->has_plain = plain;
    return take_values(reading, cell, fields[5]);
}

static bool read_amount(const char *text, int64_t *amount)
{
    char *end;
    *amount = strtoll(text, &end, 10);
    return *text && !*end &&
           *amount<INT64_MAX / REGRESS_REPETITIONS_MAX && * amount> - INT64_MAX / REGRESS_REPETITIONS_MAX;
}

/* Parts are joined, and added up by row: no sum of them is larger than that of the sizes of all. */
static bool add_size(struct reading *reading, int64_t amount)
{
    return sum_add_signed(&reading->amounts, amount < 0 ? -amount : amount) ||
           refuse(reading, "the parts are more than any run has");
}

static bool take_part(struct reading *reading, char *const fields[])
{
    const unsigned cell = find_cell(reading->run, fields[1], fields[2]);
    int64_t plain, amount;
    if (cell == reading->run->machines * reading->run->file->row_count)
        return true;
    if (!read_amount(fields[4], &plain) || !read_amount(fields[5], &amount))
        return refuse(reading, "not the amount of a part");
    if (!add_size(reading, plain) || !add_size(reading, amount))
        return false;
    regress_parts_add(&reading->side->plain_parts[cell], fields[3], plain);
    regress_parts_add(&reading->side->parts[cell], fields[3], amount);
    return true;
}

static bool ignore(struct reading *reading, char *const fields[])
{
    (void)reading, (void)fields;
    return true;
}

static const struct {
    const char *name;
    unsigned fields;
    bool (*take)(struct reading *reading, char *const fields[]);
} kinds[] = {
    {"simos", 3, ignore},         {"seed", 2, ignore},          {"workload", 2, take_workload},
    {"kernel", 3, take_kernel},   {"program", 3, take_program}, {"repetitions", 2, take_repetitions},
    {"machine", 3, take_machine}, {"row", 6, take_row},         {"part", 6, take_part},
};

static bool read_line(struct reading *reading, char *line)
{
    char *fields[FIELDS_MAX + 1];
    unsigned count = 0;
    for (char *field; count <= FIELDS_MAX && (field = strsep(&line, "\t"));)
        fields[count++] = field;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(fields[0], kinds[i].name) == 0)
            return count == kinds[i].fields ? kinds[i].take(reading, fields)
                                            : refuse(reading, "not as many fields as this line has");
    return refuse(reading, "not a line of a baseline");
}

/* The next line of *TEXT, or NULL: an editor or version control may have ended it with CR and LF. */
static char *next_line(char **text)
{
    char *line = strsep(text, "\n");
    const size_t length = line ? strlen(line) : 0;
    if (length > 0 && line[length - 1] == '\r')
        line[length - 1] = 0;
    return line;
}

/* Has the baseline everything that the test asks for? */
static bool is_complete(struct reading *reading)
{
    const struct regress_run *run = reading->run;
    if (!reading->has_workload || !reading->has_repetitions)
        return err_set(reading->err, "baseline %.200s: it ends early", reading->path);
    for (unsigned i = 0; i < run->machines * run->file->row_count; i++) {
        const char *machine = run->machine_name[i / run->file->row_count];
        if (!reading->has_machine[i / run->file->row_count])
            return err_set(reading->err, "baseline %.200s: it has no machine %.64s; --bless makes it anew",
                           reading->path, machine);
        if (!reading->has_row[i])
            return err_set(reading->err, "baseline %.200s: it has no row \"%.64s\" on %.64s; --bless makes it anew",
                           reading->path, run->file->rows[i % run->file->row_count].name, machine);
        if (run->file->rows[i % run->file->row_count].exact && !reading->side->has_plain)
            return err_set(reading->err,
                           "baseline %.200s: row \"%.64s\" has no value without perturbation; --bless makes it anew",
                           reading->path, run->file->rows[i % run->file->row_count].name);
    }
    if (reading->side->repetitions > run->file->most)
        reading->side->repetitions = run->file->most;
    return true;
}

static bool read_lines(struct reading *reading, char *text)
{
    char *line = next_line(&text);
    reading->line = 1;
    if (strcmp(line, first_line) != 0)
        return err_set(reading->err, "baseline %.200s: not a baseline of simos: it does not begin with \"%s\"",
                       reading->path, first_line);
    while ((line = next_line(&text))) {
        reading->line++;
        if ((*line || text) && !read_line(reading, line))
            return false;
    }
    return is_complete(reading);
}

bool regress_baseline_parse(struct regress_side *side, const struct regress_run *run, const char *path, char *text,
                            struct err *err)
{
    const unsigned cells = run->machines * run->file->row_count;
    struct reading reading = {.side = side,
                              .run = run,
                              .path = path,
                              .has_row = checked_memory(calloc(cells + 1, sizeof(bool))),
                              .has_machine = checked_memory(calloc(run->machines + 1, sizeof(bool))),
                              .err = err};
    const bool done = read_lines(&reading, text);
    for (unsigned i = 0; i < cells; i++) {
        regress_parts_join(&side->parts[i]);
        regress_parts_join(&side->plain_parts[i]);
    }
    free(reading.has_row);
    free(reading.has_machine);
    return done;
}

bool regress_baseline_read(struct regress_side *side, const struct regress_run *run, const char *path, struct err *err)
{
    char *text = input_file_text(INPUT_BASELINE, path, err);
    const bool done = text && regress_baseline_parse(side, run, path, text, err);
    free(text);
    return done;
}

/* Writing */

struct writing {
    const struct regress_side *side;
    const struct regress_run *run;
};

static int by_amount(const void *a, const void *b)
{
    const struct regress_part *x = a, *y = b;
    if (llabs(x->amount) != llabs(y->amount))
        return llabs(x->amount) < llabs(y->amount) ? 1 : -1;
    return strcmp(x->place, y->place);
}

static int64_t amount_at(const struct regress_parts *parts, const char *place)
{
    const struct regress_part *part = regress_parts_find(parts, place);
    return part ? part->amount : 0;
}

static int64_t sum_of(const struct regress_parts *parts)
{
    int64_t sum = 0;
    for (size_t i = 0; i < parts->count; i++)
        sum_add_signed(&sum, parts->parts[i].amount);
    return sum;
}

/* The largest parts of PARTS, sorted by place, as many as are kept. The caller frees the array. */
static struct regress_part *largest(const struct regress_parts *parts, size_t *count)
{
    struct regress_part *copy = checked_memory(calloc(parts->count + 1, sizeof *copy));
    if (parts->count > 0)
        memcpy(copy, parts->parts, parts->count * sizeof *copy);
    qsort(copy, parts->count, sizeof *copy, by_amount);
    *count = parts->count < PARTS_KEPT ? parts->count : PARTS_KEPT;
    qsort(copy, *count, sizeof *copy, regress_part_order);
    return copy;
}

/* The places of the repetitions' largest parts, or without repetitions those of the run without perturbation. */
static void put_parts(const struct regress_side *side, unsigned cell, const char *machine, const char *row, FILE *out)
{
    const struct regress_parts *parts = &side->parts[cell], *plain = &side->plain_parts[cell];
    int64_t plain_rest = sum_of(plain), rest = sum_of(parts);
    size_t count;
    struct regress_part *kept = largest(side->repetitions ? parts : plain, &count);
    for (size_t i = 0; i < count; i++) {
        const int64_t of_plain = amount_at(plain, kept[i].place), of_all = amount_at(parts, kept[i].place);
        plain_rest -= of_plain;
        rest -= of_all;
        fprintf(out, "part\t%s\t%s\t%s\t%" PRId64 "\t%" PRId64 "\n", machine, row, kept[i].place, of_plain, of_all);
    }
    if (plain_rest || rest)
        fprintf(out, "part\t%s\t%s\t%s\t%" PRId64 "\t%" PRId64 "\n", machine, row, others, plain_rest, rest);
    free(kept);
}

static void put_row(const struct writing *writing, unsigned cell, FILE *out)
{
    const struct regress_run *run = writing->run;
    const struct regress_side *side = writing->side;
    const struct regress_row *row = &run->file->rows[cell % run->file->row_count];
    const char *machine = run->machine_name[cell / run->file->row_count];
    char *definition = regress_run_define(run, row);
    fprintf(out, "row\t%s\t%s\t%s\t", machine, row->name, definition);
    free(definition);
    if (side->has_plain)
        fprintf(out, "%" PRIu64 "\t", side->plain[cell]);
    else
        fputs("-\t", out);
    for (unsigned i = 0; i < side->repetitions; i++)
        fprintf(out, "%s%" PRIu64, i ? " " : "", side->value[cell][i]);
    fputc('\n', out);
    put_parts(side, cell, machine, row->name, out);
}

struct cell {
    const char *machine, *row;
    unsigned number;
};

static int by_names(const void *a, const void *b)
{
    const struct cell *x = a, *y = b;
    const int machines = strcmp(x->machine, y->machine);
    return machines ? machines : strcmp(x->row, y->row);
}

/* The last folder and the file of PATH: what is before them says where it was measured, not what. */
static const char *last_names(const char *path)
{
    const char *at = path + strlen(path);
    for (unsigned slashes = 0; at > path && slashes < 2; at -= slashes < 2)
        slashes += at[-1] == '/';
    return at;
}

static void put_baseline(const void *opaque, FILE *out)
{
    const struct writing *writing = opaque;
    const struct regress_run *run = writing->run;
    const unsigned cells = run->machines * run->file->row_count;
    const struct version *version = version_of_program();
    struct cell *order = checked_memory(calloc(cells + 1, sizeof *order));
    fprintf(out, "%s\nsimos\t%s\t%s\nworkload\t%s\n", first_line, version->number, version->commit,
            run->workload_digest);
    if (writing->side->kernel_digest)
        fprintf(out, "kernel\t%s\t%s\n", writing->side->kernel_digest, last_names(writing->side->kernel_path));
    if (writing->side->program_digest)
        fprintf(out, "program\t%s\t%s\n", writing->side->program_digest, last_names(writing->side->program_path));
    fprintf(out, "repetitions\t%u\nseed\t%u\n", writing->side->repetitions, run->file->seed);
    for (unsigned i = 0; i < run->machines; i++)
        fprintf(out, "machine\t%s\t%s\n", run->machine_name[i], run->machine_digest[i]);
    for (unsigned i = 0; i < cells; i++)
        order[i] = (struct cell){run->machine_name[i / run->file->row_count],
                                 run->file->rows[i % run->file->row_count].name, i};
    qsort(order, cells, sizeof *order, by_names);
    for (unsigned i = 0; i < cells; i++)
        put_row(writing, order[i].number, out);
    free(order);
}

bool regress_baseline_write(const struct regress_side *side, const struct regress_run *run, const char *path,
                            struct err *err)
{
    const struct writing writing = {side, run};
    return save_file("baseline", path, put_baseline, &writing, err);
}
