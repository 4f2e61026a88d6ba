/*
 * Completion of command lines in shells. `simos completion SHELL` prints a script for SHELL, which asks `simos
 * completion candidates WORD...` what the last WORD, of which a part has been typed, may become. The answer comes from
 * the tables of commands, options and parameters, so it is that of the program that would run.
 */
#include "cpu/model.h"
#include "src/base/save_file.h"
#include "src/cli/completion_scripts.h"
#include "src/command/command_line.h"
#include "src/machine/machine.h"
#include "src/description/machine_file.h"
#include "src/trace/trace_export.h"
#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What is being completed. */
struct completion {
    FILE *out;
    const struct commands *commands;
    const struct params *params;   /* all that there are */
    const struct command *command; /* NULL: the command itself */
    const struct option *option;   /* whose value is completed; NULL: none */
    const char *before;            /* the part of the word that stands before what is completed: "--name=", or empty */
    size_t before_length;
    const char *typed; /* what is completed, as far as it has been typed */
};

static bool begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* Print the candidate that consists of FIRST, the rest of it and MEANING (NULL: none), if it continues what is typed.
 */
static void offer(const struct completion *c, const char *first, const char *rest, const char *meaning)
{
    char text[PATH_MAX];
    if (snprintf(text, sizeof text, "%s%s", first, rest) >= (int)sizeof text || !begins_with(text, c->typed))
        return;
    fprintf(c->out, "%.*s%s", (int)c->before_length, c->before, text);
    if (meaning)
        fprintf(c->out, "\t%s", meaning);
    fputc('\n', c->out);
}

/* Files */

/* Can NAME be shown on a line, and told from its meaning? */
static bool is_plain(const char *name)
{
    for (; *name; name++)
        if (iscntrl((unsigned char)*name))
            return false;
    return true;
}

/* Offer the files in the folder that is typed, with the part of the word SHOWN before their names: all folders, and
 * files with ENDING (empty: all; NULL: no files). READ: the name of the folder for this process. */
static void offer_folder(const struct completion *c, const char *shown, const char *read, const char *ending)
{
    DIR *folder = opendir(*read ? read : ".");
    const struct dirent *entry;
    const char *typed_name = c->typed + strlen(shown);
    if (!folder)
        return;
    while ((entry = readdir(folder))) {
        char path[PATH_MAX], name[sizeof entry->d_name + 1];
        struct stat file;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 || !is_plain(entry->d_name) ||
            (entry->d_name[0] == '.' && *typed_name != '.') ||
            snprintf(path, sizeof path, "%s%s", read, entry->d_name) >= (int)sizeof path || stat(path, &file) != 0)
            continue;
        const bool is_folder = S_ISDIR(file.st_mode);
        if (!is_folder && (!ending || !path_ends_with(entry->d_name, ending)))
            continue;
        snprintf(name, sizeof name, "%s%s", entry->d_name, is_folder ? "/" : "");
        offer(c, shown, name, NULL);
    }
    closedir(folder);
}

static void offer_files(const struct completion *c, const char *ending)
{
    const char *slash = strrchr(c->typed, '/'), *home = getenv("HOME");
    const size_t length = slash ? (size_t)(slash - c->typed) + 1 : 0;
    char shown[PATH_MAX], read[PATH_MAX];
    if (length >= sizeof shown)
        return;
    snprintf(shown, sizeof shown, "%.*s", (int)length, c->typed);
    const bool at_home = begins_with(shown, "~/") && home;
    if (snprintf(read, sizeof read, "%s%s", at_home ? home : "", shown + at_home) < (int)sizeof read)
        offer_folder(c, shown, read, ending);
}

/* Checkpoints, and those of the workloads of a check-out (docs/how-to/workloads.md), wherever they are. */
static void offer_checkpoints(const struct completion *c)
{
    static const char workloads[] = "build/workloads/";
    offer_files(c, ".ckpt");
    if (strchr(c->typed, '/'))
        return;
    struct completion there = *c;
    char typed[PATH_MAX];
    snprintf(typed, sizeof typed, "%s", workloads);
    there.typed = typed;
    if (begins_with(workloads, c->typed))
        offer_folder(&there, workloads, workloads, ".ckpt");
}

/* Names */

static void offer_commands(const struct completion *c)
{
    for (unsigned i = 0; c->commands->list[i]; i++)
        offer(c, c->commands->list[i]->name, "", c->commands->list[i]->usages[0].help);
}

static void offer_machines(const struct completion *c)
{
    for (const struct machine_text *machine = machine_texts; machine->name; machine++) {
        const char *about = machine->text + strspn(machine->text, "# ");
        char meaning[128];
        snprintf(meaning, sizeof meaning, "%.*s", (int)strcspn(about, "\n"), about);
        offer(c, machine->name, "", meaning);
    }
}

static void offer_models(const struct completion *c, const char *after)
{
    for (unsigned i = 0; cpu_model_at(i); i++)
        offer(c, cpu_model_at(i)->name, after, NULL);
}

static void offer_events(const struct completion *c)
{
    offer(c, "boot", "", "userland is up");
    offer(c, "mark:", "", "the guest said so");
    offer(c, "time:", "", "simulated seconds");
    offer(c, "insns:", "", "instructions of all CPUs");
}

/* Parameters, and after their names AFTER; with SWEPT only those of a sweep. */
static void offer_params(const struct completion *c, const char *after, bool swept)
{
    const struct param_def *def;
    for (size_t i = 0; (def = params_at(c->params, i)); i++) {
        const bool is_read = !c->command || !(option_uses_without_param(def) & c->command->always);
        if (is_read && (!swept || def->traits & TRAIT_SWEPT))
            offer(c, def->name, after, def->help);
    }
}

static void offer_alternatives(const struct completion *c, const char *value);

/* NAME=VALUE */
static void offer_assignment(const struct completion *c, bool swept)
{
    const char *equals = strchr(c->typed, '=');
    if (!equals) {
        offer_params(c, "=", swept);
        return;
    }
    char name[64];
    struct completion value = *c;
    snprintf(name, sizeof name, "%.*s", (int)(equals - c->typed), c->typed);
    const struct param_def *def = params_find(c->params, name);
    value.before_length += (size_t)(equals - c->typed) + 1; /* `typed` follows `before` in the word */
    value.typed = equals + 1;
    if (def && def->type == PARAM_CHOICE)
        offer_alternatives(&value, def->choices);
    else if (def && def->type == PARAM_BOOL)
        offer_alternatives(&value, "on|off");
    else if (def && (def->type == PARAM_INPUT || def->type == PARAM_OUTPUT || def->type == PARAM_DISK))
        offer_files(&value, "");
}

/* Values and operands, as the help names them */

/* The word of capital letters that NAME begins with, such as "FILE" of "FILE.json". */
static bool is_kind(const char *name, const char *kind)
{
    const size_t length = strlen(kind);
    return strncmp(name, kind, length) == 0 && !isupper((unsigned char)name[length]);
}

/* Offer what NAME, from a capital letter on, stands for: "FOLDER", "FILE.tcl", "MODEL@EVENT". */
static void offer_kind(const struct completion *c, const char *name)
{
    const char *at = strrchr(c->typed, '@');
    if (strstr(name, "@EVENT") && at) {
        struct completion event = *c;
        event.before_length += (size_t)(at - c->typed) + 1;
        event.typed = at + 1;
        offer_events(&event);
    } else if (strcmp(name, "NAME=VALUE") == 0 || is_kind(name, "SERIES"))
        offer_assignment(c, is_kind(name, "SERIES"));
    else if (is_kind(name, "NAME") && c->option)
        offer_machines(c);
    else if (is_kind(name, "NAME"))
        offer_params(c, "", false);
    else if (is_kind(name, "MODEL"))
        offer_models(c, strstr(name, "@EVENT") ? "@" : "");
    else if (is_kind(name, "FORMAT"))
        offer_alternatives(c, TRACE_FORMATS);
    else if (is_kind(name, "COMMAND"))
        offer_commands(c);
    else if (is_kind(name, "CKPT"))
        offer_checkpoints(c);
    else if (is_kind(name, "FOLDER"))
        offer_files(c, NULL);
    else if (is_kind(name, "FILE") && name[4] == '.')
        offer_files(c, name + 4);
    else if (is_kind(name, "FILE") || is_kind(name, "PATH") || is_kind(name, "PREFIX") || is_kind(name, "TRACE"))
        offer_files(c, "");
}

/* One of the alternatives of a value: a word, a word that something follows ("file:PATH"), or a kind. */
static void offer_alternative(const struct completion *c, const char *text)
{
    size_t word = 0;
    while (text[word] && !isupper((unsigned char)text[word]))
        word++;
    if (word == 0 || !text[word]) {
        (text[0] && word == 0 ? offer_kind(c, text) : offer(c, text, "", NULL));
        return;
    }
    char start[64];
    snprintf(start, sizeof start, "%.*s", (int)word, text);
    if (!begins_with(c->typed, start)) {
        offer(c, start, "", NULL);
        return;
    }
    struct completion rest = *c;
    rest.before_length += word;
    rest.typed += word;
    offer_kind(&rest, text + word);
}

/* Offer what may follow a comma: each ",name" and ",name=" of VALUE. */
static void offer_details(const struct completion *c, const char *value)
{
    const char *comma = strrchr(c->typed, ','), *equals = strchr(comma, '=');
    struct completion detail = *c;
    detail.before_length += (size_t)(comma - c->typed) + 1;
    detail.typed = comma + 1;
    for (const char *at = strchr(value, ','); at; at = strchr(at + 1, ',')) {
        const size_t length = strspn(at + 1, "abcdefghijklmnopqrstuvwxyz");
        char name[32];
        snprintf(name, sizeof name, "%.*s", (int)(length + (at[1 + length] == '=')), at + 1);
        if (!equals)
            offer(&detail, name, "", NULL);
        else if (begins_with(detail.typed, name) && is_kind(at + 1 + strlen(name), "EVENT")) {
            struct completion event = *c;
            event.before_length += (size_t)(equals - c->typed) + 1;
            event.typed = equals + 1;
            offer_events(&event);
        }
    }
}

/* Offer the alternatives of VALUE, a text of the help such as "NAME|FILE.tcl" or "FILE[,ro|,write|,overlay=FILE]". */
static void offer_alternatives(const struct completion *c, const char *value)
{
    if (strchr(value, ',') && strchr(c->typed, ',')) {
        offer_details(c, value);
        return;
    }
    const size_t end = strcspn(value, value[0] == '[' ? "" : "[,");
    for (size_t at = value[0] == '[', next; at < end; at = next + 1) {
        char text[64];
        next = at + strcspn(value + at, "|[],");
        snprintf(text, sizeof text, "%.*s", (int)(next - at), value + at);
        if (*text)
            offer_alternative(c, text);
    }
}

/* Options */

static void offer_options(const struct completion *c)
{
    struct option_walk walk = {0};
    const struct option *option;
    while ((option = command_next_option(c->command, &walk))) {
        char name[64];
        if (!option->help)
            continue;
        snprintf(name, sizeof name, "--%s", option->name);
        offer(c, name, "", option->help);
        if (option->value && option->value[0] == '[')
            offer(c, name, "=", option->help);
    }
    offer(c, "--help", "", "the options of this command");
}

/* The option of COMMAND that WORD ("--name" or "--name=value") is; NULL if there is none. */
static const struct option *option_of(const struct command *command, const char *word)
{
    char name[64];
    if (!begins_with(word, "--"))
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    const struct option *option = command_option(command, name);
    return option && option->help ? option : NULL;
}

/* Does OPTION take the next word as its value? */
static bool takes_word(const struct option *option, const char *word)
{
    return option && option->value && option->value[0] != '[' && !strchr(word, '=');
}

/* Offer the operands of the command: the words of its synopses that are neither options nor the guest's command. */
static void offer_operands(const struct completion *c)
{
    for (unsigned i = 0; i < COMMAND_USAGES && c->command->usages[i].synopsis; i++) {
        const char *synopsis = c->command->usages[i].synopsis;
        bool is_value = false; /* of the option before it */
        for (const char *at = synopsis + strcspn(synopsis, " "); *at;) {
            char word[64];
            at += strspn(at, " [|]");
            const size_t length = strcspn(at, " []|");
            snprintf(word, sizeof word, "%.*s", (int)length, at);
            if (strcmp(word, "--") == 0)
                break;
            if (path_ends_with(word, "..."))
                word[strlen(word) - 3] = 0;
            if (*word && strcmp(word, "options") != 0 && *word != '-' && !is_value)
                offer_alternative(c, word);
            is_value = *word == '-';
            at += length;
        }
    }
}

/* Offer what the last of COUNT words, at least one, may become. */
static void offer_candidates(const struct commands *commands, int count, const char *const *words,
                             const struct params *params)
{
    const char *last = words[count - 1];
    struct completion c = {.out = stdout, .commands = commands, .params = params, .before = last, .typed = last};
    struct err ignored = {""};
    if (count == 1) {
        offer_commands(&c);
        offer(&c, "--help", "", "all options");
        return;
    }
    c.command = commands_find(commands, words[0], &ignored);
    if (!c.command)
        return;
    const struct option *waits = NULL; /* for its value */
    for (int i = 1; i < count - 1; i++) {
        if (!waits && strcmp(words[i], "--") == 0)
            return; /* the guest's command */
        const struct option *option = waits ? NULL : option_of(c.command, words[i]);
        waits = takes_word(option, words[i]) ? option : NULL;
    }
    c.option = waits;
    const char *equals = strchr(last, '=');
    if (!waits && begins_with(last, "--") && equals) {
        c.option = option_of(c.command, last);
        c.before_length = (size_t)(equals - last) + 1;
        c.typed = equals + 1;
    }
    if (c.option)
        offer_alternatives(&c, c.option->value ? c.option->value : "");
    else if (last[0] == '-')
        offer_options(&c);
    else
        offer_operands(&c);
}

/* The command */

static bool asks_candidates(int count, const char *const *words)
{
    return count > 0 && strcmp(words[0], "candidates") == 0;
}

struct completion_options {
    int count;
    const char *const *words;
};

static bool take_operands(struct command_line *line, int count, const char *const *words, struct err *err)
{
    struct completion_options *options = line->options;
    (void)err;
    options->count = count;
    options->words = words;
    return true;
}

/* Prints a script; or the candidates, one per line, each with a tab and its meaning if it has one. A candidate that
 * ends in one of "/=:@," is to be continued. */
static int execute(struct command_line *line, struct err *err)
{
    const struct completion_options *options = line->options;
    if (asks_candidates(options->count, options->words)) {
        struct machine_options machine;
        machine_options_init(&machine);
        if (options->count > 1)
            offer_candidates(line->commands, options->count - 1, options->words + 1, machine.params);
        machine_options_release(&machine);
        return 0;
    }
    const char *script = completion_script(options->count > 0 ? options->words[0] : "");
    if (!script)
        err_set(err, "`completion` needs a shell: bash, zsh or fish");
    else if (options->count > 1)
        command_line_unexpected(options->words[1], err);
    else
        fputs(script, stdout);
    return script && options->count == 1 ? 0 : EXIT_SIMOS_FAILED;
}

const struct command completion_command = {
    .name = "completion",
    .usages = {{"completion bash|zsh|fish",
                "a script that completes command lines in this shell; `make install` puts it in place"}},
    .page = "how-to/hosts.md",
    .size = sizeof(struct completion_options),
    .takes_all = asks_candidates,
    .operands = take_operands,
    .main = execute,
};
