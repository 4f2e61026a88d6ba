/* Candidates for the completion at the prompt. */
#include "src/shell/shell_complete.h"

#include "src/description/machine_file.h"
#include "src/base/symbols.h"
#include <stdlib.h>
#include <string.h>

enum { WORD_SIZE = 128 };

/* Kinds of arguments. */
enum argument_kind {
    KIND_FILE,
    KIND_COMMAND,
    KIND_SHELL_COMMAND,
    KIND_PARAM,
    KIND_PARAM_VALUE,
    KIND_MACHINE,
    KIND_MODEL,
    KIND_SYMBOL,
    KIND_REGISTER,
    KIND_STATISTIC,
    KIND_WORDS, /* only the words of the row */
    KIND_NOTHING,
};

/* Candidates for argument POSITION (0: any argument without a row of its own) of COMMAND: fixed words, separated by
 * blanks, and a kind. */
static const struct row {
    const char *command;
    int position;
    const char *words;
    enum argument_kind argument_kind;
} rows[] = {
    {"help", 1, "", KIND_SHELL_COMMAND},
    {"param", 1, "", KIND_PARAM},
    {"param", 2, "", KIND_PARAM_VALUE},
    {"machine", 1, "", KIND_MACHINE},
    {"model", 1, "", KIND_MODEL},
    {"build", 1, "--", KIND_WORDS},
    {"run", 0, "-seconds -insns -until -mark -expect -boot", KIND_WORDS},
    {"step", 0, "-cpu", KIND_WORDS},
    {"break", 1, "", KIND_SYMBOL},
    {"unbreak", 1, "all", KIND_SYMBOL},
    {"register", 1, "", KIND_REGISTER},
    {"memory", 1, "read write dump string lines", KIND_WORDS},
    {"memory", 0, "-size -cache -physical", KIND_SYMBOL},
    {"disassemble", 1, "", KIND_SYMBOL},
    {"symbol", 0, "-at -match", KIND_SYMBOL},
    {"stats", 1, "save", KIND_STATISTIC},
};

/* Candidates for the value of an option. */
static const struct row values[] = {
    {"-until", 0, "", KIND_SYMBOL},  {"-size", 0, "1 2 4", KIND_WORDS}, {"-seconds", 0, "", KIND_NOTHING},
    {"-insns", 0, "", KIND_NOTHING}, {"-mark", 0, "", KIND_NOTHING},    {"-expect", 0, "", KIND_NOTHING},
    {"-cpu", 0, "", KIND_NOTHING},
};

/* The command that contains the cursor. */
struct context {
    int position; /* index of the word to complete; 0: the command's name */
    char command[WORD_SIZE], first[WORD_SIZE], before[WORD_SIZE];
};

static void find_context(const char *line, size_t end, struct context *context)
{
    size_t begin = 0;
    for (size_t i = 0; i < end; i++)
        if (strchr("[{;\n", line[i]))
            begin = i + 1;
    *context = (struct context){0};
    for (size_t i = begin; i < end;) {
        size_t length = strcspn(line + i, " \t");
        if (length > end - i)
            length = end - i;
        if (length) {
            char *words[] = {context->command, context->first};
            if (context->position < 2)
                snprintf(words[context->position], WORD_SIZE, "%.*s", (int)length, line + i);
            snprintf(context->before, WORD_SIZE, "%.*s", (int)length, line + i);
            context->position++;
        }
        i += length + 1;
    }
}

static const struct row *find_row(const struct context *context)
{
    static const struct row command = {"", 0, "", KIND_COMMAND}, file = {"", 0, "", KIND_FILE};
    if (context->position == 0)
        return &command;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (strcmp(values[i].command, context->before) == 0)
            return &values[i];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].command, context->command) == 0 &&
            (rows[i].position == 0 || rows[i].position == context->position))
            return &rows[i];
    return &file;
}

/* Collecting candidates */

struct candidates {
    Tcl_Obj *list;
    const char *text; /* prefix of all candidates */
    size_t length;
};

static void add(struct candidates *found, const char *name)
{
    if (strncmp(name, found->text, found->length) == 0)
        Tcl_ListObjAppendElement(NULL, found->list, Tcl_NewStringObj(name, -1));
}

/* Add the words of TEXT, separated by any of SEPARATORS. */
static void add_words(struct candidates *found, const char *text, const char *separators)
{
    while (*text) {
        char word[WORD_SIZE];
        size_t length = strcspn(text, separators);
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        if (length)
            add(found, word);
        text += length + (text[length] != '\0');
    }
}

/* Add the elements of the list that the Tcl command SCRIPT returns, with PREFIX before each. */
static void add_tcl(struct shell *shell, struct candidates *found, const char *script, const char *prefix)
{
    Tcl_Size count;
    Tcl_Obj **words;
    Tcl_InterpState state = Tcl_SaveInterpState(shell->interp, TCL_OK);
    if (Tcl_EvalEx(shell->interp, script, -1, TCL_EVAL_GLOBAL) == TCL_OK) {
        Tcl_Obj *result = Tcl_GetObjResult(shell->interp);
        Tcl_IncrRefCount(result);
        if (Tcl_ListObjGetElements(NULL, result, &count, &words) == TCL_OK)
            for (Tcl_Size i = 0; i < count; i++) {
                char name[WORD_SIZE];
                snprintf(name, sizeof name, "%s%s", prefix, Tcl_GetString(words[i]));
                add(found, name);
            }
        Tcl_DecrRefCount(result);
    }
    Tcl_RestoreInterpState(shell->interp, state);
}

static void add_param_values(struct shell *shell, struct candidates *found, const char *name)
{
    const struct param_def *def = params_find(shell->options->params, name);
    if (def && def->type == PARAM_CHOICE)
        add_words(found, def->choices, "|");
    else if (def && def->type == PARAM_BOOL)
        add_words(found, "on off", " ");
}

static void add_kind(struct shell *shell, struct candidates *found, enum argument_kind argument_kind, const char *first)
{
    const struct param_def *def;
    const struct symbols *symbols = shell->machine ? shell->machine->symbols : NULL;
    const struct symbol *symbol;
    const char *name;
    switch (argument_kind) {
    case KIND_COMMAND: add_tcl(shell, found, "info commands", ""); break;
    case KIND_SHELL_COMMAND:
        for (const struct shell_command *const *table = shell_command_tables; *table; table++)
            for (const struct shell_command *command = *table; command->name; command++)
                add(found, command->name);
        break;
    case KIND_PARAM:
        for (size_t i = 0; (def = params_at(shell->options->params, i)); i++)
            add(found, def->name);
        break;
    case KIND_PARAM_VALUE: add_param_values(shell, found, first); break;
    case KIND_MACHINE:
        for (const struct machine_text *machine = machine_texts; machine->name; machine++)
            add(found, machine->name);
        break;
    case KIND_MODEL:
        for (size_t i = 0; (name = machine_cpu_model_at(i)); i++)
            add(found, name);
        break;
    case KIND_SYMBOL:
        for (size_t i = 0; symbols && (symbol = symbols_get(symbols, i)); i++)
            add(found, symbol->name);
        break;
    case KIND_REGISTER:
        for (unsigned number = 0; (name = shell_register_name(shell, &number)); number++)
            add(found, name);
        break;
    case KIND_STATISTIC:
        for (size_t i = 0; shell->machine && (name = stats_name_at(shell->machine->stats, i)); i++)
            add(found, name);
        break;
    case KIND_FILE:
    case KIND_WORDS:
    case KIND_NOTHING: break;
    }
}

Tcl_Obj *shell_complete(struct shell *shell, const char *line, size_t start, const char *text, bool *files)
{
    struct context context;
    struct candidates found = {.list = Tcl_NewListObj(0, NULL), .text = text, .length = strlen(text)};
    Tcl_Size count = 0;
    *files = false;
    if (text[0] == '$') {
        add_tcl(shell, &found, "info vars", "$");
        return found.list;
    }
    find_context(line, start, &context);
    const struct row *row = find_row(&context);
    add_words(&found, row->words, " ");
    add_kind(shell, &found, row->argument_kind, context.first);
    Tcl_ListObjLength(NULL, found.list, &count);
    *files = count == 0 && (row->argument_kind == KIND_FILE || row->argument_kind == KIND_MACHINE);
    return found.list;
}
