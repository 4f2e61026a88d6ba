#include "src/command/option_values.h"

#include <string.h>

static void *member_of(void *options, const struct option *option)
{
    return (char *)options + option->member;
}

bool option_set_flag(void *options, const struct option *option, const char *value, struct err *err)
{
    (void)value, (void)err;
    *(bool *)member_of(options, option) = true;
    return true;
}

bool option_set_file(void *options, const struct option *option, const char *value, struct err *err)
{
    if (!*value)
        return err_set(err, "--%s: no file is named", option->name);
    *(const char **)member_of(options, option) = value;
    return true;
}

bool option_set_folder(void *options, const struct option *option, const char *value, struct err *err)
{
    if (!*value)
        return err_set(err, "--%s: no folder is named", option->name);
    *(const char **)member_of(options, option) = value;
    return true;
}

bool option_set_prefix(void *options, const struct option *option, const char *value, struct err *err)
{
    if (*value && value[strlen(value) - 1] == '/')
        return err_set(err, "--%s: %s ends in a slash: a PREFIX is the beginning of the files' names", option->name,
                       value);
    return option_set_file(options, option, value, err);
}

bool option_set_assignment(void *options, const struct option *option, const char *value, struct err *err)
{
    if (*value == '=' || !strchr(value, '='))
        return err_set(err, "--%s: \"%.128s\" is not NAME=VALUE", option->name, value);
    return params_set_assignment(*(struct params **)member_of(options, option), value, err);
}

bool option_parse_count(const char *name, const char *value, uint64_t low, uint64_t high, uint64_t *number,
                        struct err *err)
{
    const struct param_def def = {.name = name, .type = PARAM_INT, .min = low, .max = high};
    return param_parse(&def, value, number, err);
}
