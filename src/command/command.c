#include "src/command/command.h"

#include "src/base/suggest.h"
#include <stdio.h>
#include <string.h>

/* Commands */

/* List the commands that are words, not options: "run, restore, info". */
static void list_words(const struct commands *commands, char *text, size_t size)
{
    size_t used = 0;
    for (unsigned i = 0; commands->list[i] && used < size; i++)
        if (commands->list[i]->name[0] != '-')
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", commands->list[i]->name);
}

const struct command *commands_find(const struct commands *commands, const char *word, struct err *err)
{
    struct suggest suggest;
    char all[256];
    suggest_begin(&suggest, word);
    for (unsigned i = 0; commands->list[i]; i++) {
        if (strcmp(commands->list[i]->name, word) == 0)
            return commands->list[i];
        suggest_offer(&suggest, commands->list[i]->name);
    }
    list_words(commands, all, sizeof all);
    if (!*word)
        err_set(err, "no command; valid: %s (see \"simos --help\")", all);
    else if (suggest.nearest)
        err_set(err, "unknown command \"%.64s\"; did you mean \"%s\"?", word, suggest.nearest);
    else
        err_set(err, "unknown command \"%.64s\"; valid: %s", word, all);
    return NULL;
}

unsigned commands_list(const struct commands *commands, bool (*has)(const struct command *command, const void *opaque),
                       const void *opaque, char *text, size_t size)
{
    unsigned count = 0, left;
    size_t used = 0;
    for (unsigned i = 0; commands->list[i]; i++)
        count += has(commands->list[i], opaque);
    left = count;
    for (unsigned i = 0; commands->list[i] && used < size; i++) {
        if (!has(commands->list[i], opaque))
            continue;
        left--;
        used += (size_t)snprintf(text + used, size - used, "`%s`%s", commands->list[i]->name,
                                 left > 1    ? ", "
                                 : left == 1 ? " and "
                                             : "");
    }
    return count;
}

/* Options */

const struct option *command_next_option(const struct command *command, struct option_walk *walk)
{
    for (; walk->group < OPTION_GROUPS; walk->group++, walk->table = 0, walk->next = NULL)
        for (; walk->table < COMMAND_TABLES; walk->table++, walk->next = NULL) {
            const struct command_table *table = &command->tables[walk->table];
            for (const struct option *row = walk->next ? walk->next : table->options; row && row->name; row++) {
                walk->next = row + 1;
                if (row->group == walk->group && (!row->has || !table->has || (row->has & table->has)))
                    return row;
            }
        }
    return NULL;
}

/* Table *INDEX of the commands LIST; if there are fewer, NULL, and *INDEX becomes the number less. */
static const struct option *table_of(const struct command *const *list, unsigned *index)
{
    for (; *list; list++)
        for (unsigned i = 0; i < COMMAND_TABLES && (*list)->tables[i].options; i++)
            if ((*index)-- == 0)
                return (*list)->tables[i].options;
    return NULL;
}

/* Table INDEX of COMMANDS, in the order of the help; NULL at the end. A table may come several times. */
static const struct option *table_at(const struct commands *commands, unsigned index)
{
    const struct option *table = table_of(commands->first, &index);
    return table ? table : table_of(commands->list, &index);
}

static const struct option *find_row(const struct option *row, const char *name)
{
    while (row->name && strcmp(row->name, name) != 0)
        row++;
    return row->name ? row : NULL;
}

/* Has a table before table INDEX an option NAME? */
static bool is_known(const struct commands *commands, unsigned index, const char *name)
{
    for (unsigned i = 0; i < index; i++)
        if (find_row(table_at(commands, i), name))
            return true;
    return false;
}

const struct option *commands_next_option(const struct commands *commands, struct option_walk *walk)
{
    const struct option *table;
    for (; walk->group < OPTION_GROUPS; walk->group++, walk->table = 0, walk->next = NULL)
        for (; (table = table_at(commands, walk->table)); walk->table++, walk->next = NULL)
            for (const struct option *row = walk->next ? walk->next : table; row->name; row++) {
                walk->next = row + 1;
                if (row->group == walk->group && !is_known(commands, walk->table, row->name))
                    return row;
            }
    return NULL;
}

const struct option *command_option(const struct command *command, const char *name)
{
    struct option_walk walk = {0};
    const struct option *option;
    while ((option = command_next_option(command, &walk)) && strcmp(option->name, name) != 0)
        continue;
    return option;
}

const struct option *commands_option(const struct commands *commands, const char *word)
{
    struct option_walk walk = {0};
    const struct option *option;
    if (strncmp(word, "--", 2) != 0)
        return NULL;
    while ((option = commands_next_option(commands, &walk))) {
        const size_t length = strlen(option->name);
        if (strncmp(word + 2, option->name, length) == 0 && strchr("=", word[2 + length]))
            return option;
    }
    return NULL;
}
