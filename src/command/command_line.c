#include "src/command/command_line.h"

#include "src/base/deprecated.h"
#include "src/base/suggest.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool command_line_unexpected(const char *word, struct err *err)
{
    return err_set(err, "unexpected argument \"%.128s\"", word);
}

/* Options */

static bool has_option(const struct command *command, const void *name)
{
    return command_option(command, name);
}

static bool takes_guest_command(const struct command *command, const void *unused)
{
    (void)unused;
    return command->guest_command;
}

/* LINE's command does not have the option NAME: report it, with the commands that have it if these are few. */
static void reject_option(const struct command_line *line, const char *name, struct err *err)
{
    enum { FEW = 3 };
    char list[320];
    const unsigned count = commands_list(line->commands, has_option, name, list, sizeof list);
    if (count > FEW)
        err_set(err, "--%s: `%s` has no such option", name, line->command->name);
    else
        err_set(err, "--%s: only %s ha%s it", name, list, count > 1 ? "ve" : "s");
}

/* Find the option of LINE's command for WORD ("--name" or "--name=value"); *OPTIONS: the struct of its table. NULL with
 * ERR if there is none. */
static const struct option *find_option(const struct command_line *line, const char *word, void **options,
                                        struct err *err)
{
    char name[SUGGEST_LENGTH_MAX];
    struct suggest suggest;
    struct option_walk walk = {0};
    const struct option *option, *other;
    const size_t dashes = strspn(word, "-");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + dashes, "="), word + dashes);
    suggest_begin(&suggest, name);
    while ((option = command_next_option(line->command, &walk))) {
        if (dashes == 2 && strcmp(option->name, name) == 0) {
            *options = (char *)line->options + line->command->tables[walk.table].at;
            return option;
        }
        if (option->help)
            suggest_offer(&suggest, option->name);
    }
    other = dashes == 2 ? commands_option(line->commands, word) : NULL;
    if (other)
        reject_option(line, other->name, err);
    else if (access(word, F_OK) == 0)
        err_set(err, "unknown option %.128s; the file of that name is ./%.128s", word, word);
    else if (suggest.nearest)
        err_set(err, "unknown option %.128s; did you mean --%s?", word, suggest.nearest);
    else
        err_set(err, "unknown option %.128s; \"simos %s --help\" lists them", word, line->command->name);
    return NULL;
}

/* Does VALUE name a file "-" to be written? simos has no file of this name by itself: no output means standard output
 * by it, and most who write it mean that. */
static bool names_dash(const struct option *option, const char *value)
{
    return option->flags & (OPTION_WRITES | OPTION_MAKES) && value && *value == '-' && strchr(",@", value[1]);
}

static void note_given(struct command_line *line, const struct option *option)
{
    line->given = checked_memory(realloc(line->given, (line->given_count + 1u) * sizeof *line->given));
    line->given[line->given_count++] = option;
}

static void note_assigned(struct command_line *line, const char *value)
{
    line->assigned = checked_memory(realloc(line->assigned, (line->assigned_count + 1u) * sizeof *line->assigned));
    line->assigned[line->assigned_count++] = value;
}

/* The words from here on come from the file ORIGIN; NULL: from the command line. */
static void set_origin(struct command_line *line, const char *origin)
{
    line->origin = origin;
    if (line->command->params)
        params_set_origin(line->command->params(line->options), origin);
}

/* Apply OPTION with VALUE to OPTIONS, the struct of its table. */
static bool apply(struct command_line *line, const struct option *option, const char *value, void *options,
                  struct err *err)
{
    if (line->origin && (option->flags & OPTION_HOST) && !line->trusted)
        return err_set(err, "%.200s: its --%s%s%.200s touches this host: repeat it on the command line, or use --trust",
                       line->origin, option->name, value ? " " : "", value ? value : "");
    if (option->flags & OPTION_ORIGIN) {
        set_origin(line, line->trusted ? NULL : value);
        return true;
    }
    if (!option->apply(options, option, value, err))
        return false;
    line->trusted |= !!(option->flags & OPTION_TRUST);
    if (option->flags & OPTION_ASSIGNS)
        note_assigned(line, value);
    return true;
}

/* Process the options from word *AT on; *AT becomes the index of the first word that is no option. */
static bool parse_options(struct command_line *line, int count, const char *const *words, int *at, bool first_pass,
                          struct err *err)
{
    for (; *at < count && words[*at][0] == '-' && words[*at][1] && strcmp(words[*at], "--") != 0; (*at)++) {
        const char *word = words[*at];
        void *options = NULL;
        const struct option *option = find_option(line, word, &options, err);
        if (!option)
            return false;
        const char *value = strchr(word, '=');
        if (!option->value && value)
            return err_set(err, "--%s takes no value", option->name);
        if (option->value && value)
            value++;
        else if (option->value && option->value[0] == '[')
            value = NULL;
        else if (option->value && *at + 1 < count)
            value = words[++*at];
        else if (option->value)
            return err_set(err, "--%s needs a value: %s", option->name, option->value);
        if (names_dash(option, value))
            return err_set(err, "--%s: standard output is /dev/stdout, a file named \"-\" is ./-", option->name);
        if (first_pass)
            note_given(line, option);
        else if (line->command->pass && (option->flags & OPTION_PASSED))
            line->command->pass(line->options, word, strchr(word, '=') ? NULL : value);
        if (((option->flags & OPTION_ORIGIN) || !!(option->flags & OPTION_FIRST) == first_pass) &&
            !apply(line, option, value, options, err))
            return false;
    }
    return true;
}

/* Words */

/* Format the words with "--" inserted before number AT, for a suggestion. Empty if they contain "--" or do not fit. */
static void show_with_dashes(int count, const char *const *words, int at, char *text, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < count; i++)
        if (strcmp(words[i], "--") == 0)
            count = 0;
    for (int i = 0; i < count && used < size; i++) {
        /* quote words with characters special to the shell, if one kind of quote suffices */
        const char *quote = words[i][strcspn(words[i], " \t\n'\"\\$&;|<>()*?[]`#~!")] ? "'" : "";
        used += (size_t)snprintf(text + used, size - used, "%s %s%s%s", i == at ? " --" : "", quote, words[i], quote);
        if (*quote && strchr(words[i], '\''))
            used = size;
    }
    if (count == 0 || used >= size)
        *text = 0;
    else
        memmove(text, text + 1, used);
}

/* Report the surplus operand AT of a command that takes a command for the guest. */
static bool reject_operand(const struct command_line *line, int count, const char *const *words, int at,
                           struct err *err)
{
    char meant[200];
    show_with_dashes(count, words, at, meant, sizeof meant);
    return err_set(err, "unexpected argument \"%.128s\"; the command for the guest goes after --%s%s %s", words[at],
                   *meant ? ": simos " : "", *meant ? line->command->name : "", meant);
}

/* Parse options anywhere before "--", in two passes. The operands must be consecutive: *OPERANDS words from *FIRST on.
 * *AFTER: the index of "--", or COUNT. */
static bool parse_words(struct command_line *line, int count, const char *const *words, int *operands, int *first,
                        int *after, struct err *err)
{
    for (int pass = 0; pass < 2; pass++) {
        int at = 0;
        *operands = 0;
        for (;;) {
            if (!parse_options(line, count, words, &at, pass == 0, err))
                return false;
            if (at >= count || strcmp(words[at], "--") == 0)
                break;
            if (line->command->guest_command && *operands == line->command->guest_operands)
                return reject_operand(line, count, words, at, err);
            if (*operands == 0)
                *first = at;
            else if (at != *first + *operands)
                return command_line_unexpected(words[at], err);
            ++*operands;
            at++;
        }
        *after = at;
        set_origin(line, NULL);
    }
    return true;
}

/* Take the words from "--" on, word AFTER. */
static bool take_command(struct command_line *line, int count, const char *const *words, int after, struct err *err)
{
    const struct command *command = line->command;
    char list[64];
    if (after >= count)
        return true;
    count -= after + 1;
    words += after + 1;
    if (command->take_command && count > 0)
        return command->take_command(line->options, count, words, err);
    if (command->guest_command)
        return err_set(err, "no command after --");
    if (count > 0 && words[0][0] == '-')
        return err_set(err, "unexpected argument \"--\": a file whose name begins with \"-\" is ./%.128s", words[0]);
    commands_list(line->commands, takes_guest_command, NULL, list, sizeof list);
    return err_set(err, "unexpected argument \"--\": only %s take a command", list);
}

/* Is there a --help before the guest's command? */
static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static bool wants_help(int count, const char *const *words)
{
    for (int i = 0; i < count && strcmp(words[i], "--") != 0; i++)
        if (is_help(words[i]))
            return true;
    return false;
}

/* Effects */

static bool check_option(const struct command_line *line, const struct option *option, uint32_t uses, struct err *err)
{
    const char *refused = option_uses_refuse(option->without, uses);
    for (unsigned i = 0; refused && i < line->given_count; i++)
        if (line->given[i] == option)
            return err_set(err, "--%s: %s", option->name, refused);
    return true;
}

static bool check_assignment(const struct command_line *line, const char *assignment, uint32_t uses, struct err *err)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(assignment, "="), assignment);
    const struct param_def *def = params_find(line->command->params(line->options), name);
    const char *refused = option_uses_refuse(option_uses_without_param(def), uses);
    return !refused || err_set(err, "--set %.64s: %s", name, refused);
}

/* True if each option and each parameter of LINE has an effect. False with ERR naming one that has none, and the use.
 */
static bool check_effects(const struct command_line *line, struct err *err)
{
    const struct command *command = line->command;
    const uint32_t uses = command->always | (command->uses ? command->uses(line->options) : 0);
    struct option_walk walk = {0};
    const struct option *option;
    while ((option = command_next_option(command, &walk)))
        if (!check_option(line, option, uses, err))
            return false;
    for (unsigned i = 0; i < line->assigned_count; i++)
        if (!check_assignment(line, line->assigned[i], uses, err))
            return false;
    return true;
}

/* Command lines */

/* LINE is of COMMAND: create its options. */
static void begin(struct command_line *line, const struct command *command)
{
    line->command = command;
    if (command->size)
        line->options = checked_memory(calloc(1, command->size));
    if (command->init)
        command->init(line->options, line);
}

static bool begin_help(struct command_line *line, int count, const char *const *words, struct err *err)
{
    begin(line, line->commands->help);
    return line->command->operands(line, count, words, err);
}

/* Parse the COUNT words WORDS after the command's name. */
static bool parse(struct command_line *line, int count, const char *const *words, struct err *err)
{
    int operands = 0, first = 0, after = 0;
    return parse_words(line, count, words, &operands, &first, &after, err) &&
           take_command(line, count, words, after, err) &&
           line->command->operands(line, operands, words + first, err) && check_effects(line, err);
}

bool command_line_parse(struct command_line *line, const struct commands *commands, enum command_place place, int count,
                        const char *const *words, struct err *err)
{
    *line = (struct command_line){.commands = commands, .place = place, .count = count, .words = words};
    if (count > 0 && is_help(words[0]))
        return begin_help(line, count - 1, words + 1, err);
    const struct command *command = commands_find(commands, count > 0 ? words[0] : "", err);
    if (!command)
        return false;
    words++, count--;
    if (command->takes_all && command->takes_all(count, words)) {
        begin(line, command);
        return command->operands(line, count, words, err);
    }
    if (wants_help(count, words))
        return begin_help(line, 1, words - 1, err);
    begin(line, command);
    return parse(line, count, words, err);
}

static void forget(struct command_line *line)
{
    free(line->given);
    free(line->assigned);
    line->given = NULL;
    line->assigned = NULL;
    line->given_count = line->assigned_count = 0;
    line->trusted = false;
}

bool command_line_parse_again(struct command_line *line, struct err *err)
{
    forget(line);
    return parse(line, line->count - 1, line->words + 1, err);
}

void command_line_release(struct command_line *line)
{
    forget(line);
    if (line->command && line->command->release)
        line->command->release(line->options);
    free(line->options);
    line->options = NULL;
}

static bool is_given(const struct command_line *line, const char *name)
{
    for (unsigned i = 0; i < line->given_count; i++)
        if (strcmp(line->given[i]->name, name) == 0)
            return true;
    return false;
}

void command_line_warn_deprecated(const struct command_line *line)
{
    const bool quiet = is_given(line, "quiet");
    for (const struct deprecated *row = deprecated_names; row->name; row++)
        if ((row->kind == DEPRECATED_COMMAND && strcmp(row->name, line->command->name) == 0) ||
            (row->kind == DEPRECATED_OPTION && is_given(line, row->name)))
            deprecated_warn(row, quiet);
}

void *command_line_struct(const struct command_line *line, const struct option *table)
{
    for (unsigned i = 0; line->options && i < COMMAND_TABLES; i++)
        if (line->command->tables[i].options == table)
            return (char *)line->options + line->command->tables[i].at;
    return NULL;
}
