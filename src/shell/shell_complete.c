/* What may stand where the cursor is: candidates for the prompt's completion. */
#include "src/shell/shell_complete.h"

#include "src/machine/machine_file.h"
#include "src/base/symbols.h"
#include <stdlib.h>
#include <string.h>

enum { WORD_SIZE = 128 };

/* Whose arguments are what. */
enum subject {
    SUBJECT_FILE,
    SUBJECT_COMMAND,
    SUBJECT_SHELL_COMMAND,
    SUBJECT_PARAM,
    SUBJECT_PARAM_VALUE,
    SUBJECT_MACHINE,
    SUBJECT_MODEL,
    SUBJECT_SYMBOL,
    SUBJECT_REGISTER,
    SUBJECT_STATISTIC,
    SUBJECT_WORDS, /* only those of the row */
    SUBJECT_NOTHING,
};

/* For the argument POSITION (0: any other) of COMMAND: words, separated by blanks, and a subject. */
static const struct row {
    const char *command;
    int position;
    const char *words;
    enum subject subject;
} rows[] = {
    {"help", 1, "", SUBJECT_SHELL_COMMAND},
    {"param", 1, "", SUBJECT_PARAM},
    {"param", 2, "", SUBJECT_PARAM_VALUE},
    {"machine", 1, "", SUBJECT_MACHINE},
    {"model", 1, "", SUBJECT_MODEL},
    {"build", 1, "--", SUBJECT_WORDS},
    {"run", 0, "-seconds -insns -until -mark -expect -boot", SUBJECT_WORDS},
    {"step", 0, "-cpu", SUBJECT_WORDS},
    {"break", 1, "", SUBJECT_SYMBOL},
    {"unbreak", 1, "all", SUBJECT_SYMBOL},
    {"register", 1, "", SUBJECT_REGISTER},
    {"memory", 1, "read write dump string", SUBJECT_WORDS},
    {"memory", 0, "-size -physical", SUBJECT_SYMBOL},
    {"disassemble", 1, "", SUBJECT_SYMBOL},
    {"symbol", 0, "-at -match", SUBJECT_SYMBOL},
    {"stats", 1, "save", SUBJECT_STATISTIC},
};

/* The value of an option. */
static const struct row values[] = {
    {"-until", 0, "", SUBJECT_SYMBOL},  {"-size", 0, "1 2 4", SUBJECT_WORDS}, {"-seconds", 0, "", SUBJECT_NOTHING},
    {"-insns", 0, "", SUBJECT_NOTHING}, {"-mark", 0, "", SUBJECT_NOTHING},    {"-expect", 0, "", SUBJECT_NOTHING},
    {"-cpu", 0, "", SUBJECT_NOTHING},
};

/* The command that the cursor is in. */
struct context {
    int position; /* of the word that is being completed; 0: the command's name */
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
    static const struct row command = {"", 0, "", SUBJECT_COMMAND}, file = {"", 0, "", SUBJECT_FILE};
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

/* Gathering */

struct candidates {
    Tcl_Obj *list;
    const char *text; /* what they begin with */
    size_t length;
};

static void add(struct candidates *found, const char *name)
{
    if (strncmp(name, found->text, found->length) == 0)
        Tcl_ListObjAppendElement(NULL, found->list, Tcl_NewStringObj(name, -1));
}

/* Words of TEXT, separated by any of SEPARATORS. */
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

/* The list that the Tcl command SCRIPT returns, each word behind PREFIX. */
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

static void add_subject(struct shell *shell, struct candidates *found, enum subject subject, const char *first)
{
    const struct param_def *def;
    const struct symbols *symbols = shell->machine ? shell->machine->symbols : NULL;
    const struct symbol *symbol;
    const char *name;
    switch (subject) {
    case SUBJECT_COMMAND: add_tcl(shell, found, "info commands", ""); break;
    case SUBJECT_SHELL_COMMAND:
        for (const struct shell_command *const *table = shell_command_tables; *table; table++)
            for (const struct shell_command *command = *table; command->name; command++)
                add(found, command->name);
        break;
    case SUBJECT_PARAM:
        for (size_t i = 0; (def = params_at(shell->options->params, i)); i++)
            add(found, def->name);
        break;
    case SUBJECT_PARAM_VALUE: add_param_values(shell, found, first); break;
    case SUBJECT_MACHINE:
        for (const struct machine_text *machine = machine_texts; machine->name; machine++)
            add(found, machine->name);
        break;
    case SUBJECT_MODEL:
        for (size_t i = 0; (name = machine_cpu_model_at(i)); i++)
            add(found, name);
        break;
    case SUBJECT_SYMBOL:
        for (size_t i = 0; symbols && (symbol = symbols_get(symbols, i)); i++)
            add(found, symbol->name);
        break;
    case SUBJECT_REGISTER:
        for (size_t i = 0; (name = shell_register_name(i)); i++)
            add(found, name);
        break;
    case SUBJECT_STATISTIC:
        for (size_t i = 0; shell->machine && (name = stats_name_at(shell->machine->stats, i)); i++)
            add(found, name);
        break;
    case SUBJECT_FILE:
    case SUBJECT_WORDS:
    case SUBJECT_NOTHING: break;
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
    add_subject(shell, &found, row->subject, context.first);
    Tcl_ListObjLength(NULL, found.list, &count);
    *files = count == 0 && (row->subject == SUBJECT_FILE || row->subject == SUBJECT_MACHINE);
    return found.list;
}
