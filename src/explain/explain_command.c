#include "src/explain/explain_command.h"

#include "src/base/save_file.h"
#include "src/base/version.h"
#include "src/explain/explain_confirm.h"
#include "src/explain/explain_output.h"
#include "src/explain/explain.h"
#include <stdlib.h>

static void write_json(const void *opaque, FILE *out)
{
    struct json_writer json = json_writer_to(out);
    explanation_write_json(opaque, &json);
    putc('\n', out);
}

int explain_main(const struct explain_options *options, struct err *err)
{
    json_t *roots[EXPLAIN_SIDES] = {NULL, NULL};
    struct explanation *e = NULL;
    for (unsigned side = 0; side < EXPLAIN_SIDES && (side == 0 || roots[0]); side++)
        roots[side] = json_file_read(INPUT_STATISTICS, options->files[side], NULL, err);
    if (roots[0] && roots[1])
        e = explanation_create(options->files, roots, err);
    bool done = e != NULL;
    if (done)
        explanation_print(e, stdout);
    if (done && options->json_path)
        done = save_file("JSON file", options->json_path, write_json, e, err);
    if (done && options->confirm > 0)
        done = explain_confirm(options, e, err);
    explanation_free(e);
    json_decref(roots[0]);
    json_decref(roots[1]);
    return done ? 0 : EXIT_SIMOS_FAILED;
}
