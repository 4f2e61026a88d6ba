#include "src/base/code_words.h"

#include "src/base/address_text.h"
#include "src/base/symbols.h"
#include <stdlib.h>
#include <string.h>

static bool reject_symbol(const struct symbols *symbols, const char *parameter, const char *name, struct err *err)
{
    const char *other = symbols ? symbols_in_other_case(symbols, name) : NULL;
    return other ? err_set(err, "%s: no symbol %.64s; did you mean %.64s?", parameter, name, other)
                 : err_set(err, "%s: no symbol %.64s", parameter, name);
}

bool code_word_addresses(const struct symbols *symbols, const char *parameter, const char *word,
                         struct address_list *list, struct err *err)
{
    char *rest, name[256];
    uint64_t offset = 0;
    struct err reason = {""};
    if (*word >= '0' && *word <= '9') {
        const char *at = word;
        paddr address;
        if (!address_text_take(&at, &address) || *at != 0)
            return err_set(err, "%s: %.64s is no address; %s", parameter, word, address_text_rule);
        address_list_add(list, address);
        return true;
    }
    snprintf(name, sizeof name, "%s", word);
    char *plus = strchr(name, '+');
    if (plus) {
        *plus = '\0';
        offset = strtoull(plus + 1, &rest, 0);
        if (*rest || rest == plus + 1 || offset > UINT32_MAX)
            return err_set(err, "%s: %.64s: no offset behind +", parameter, word);
    }
    if (!symbols || !symbols_find_all(symbols, name, list))
        return reject_symbol(symbols, parameter, name, err);
    return !plus || address_list_move(list, name, (uint32_t)offset, &reason) ||
           err_set(err, "%s: %s", parameter, reason.text);
}

/* TEXT is modified: cut into words. */
static bool take_words(char *text, code_word_fn *take, void *opaque, struct err *err)
{
    char *rest;
    for (char *word = strtok_r(text, " ,\t\r\n", &rest); word; word = strtok_r(NULL, " ,\t\r\n", &rest))
        if (!take(opaque, word, err))
            return false;
    return true;
}

static void remove_comments(char *text)
{
    for (char *at = strchr(text, '#'); at; at = strchr(at, '#'))
        memset(at, ' ', strcspn(at, "\n"));
}

bool code_words_each(enum input_kind kind, const char *text, code_word_fn *take, void *opaque, struct err *err)
{
    char *copy = text[0] == '@' ? input_file_text(kind, text + 1, err) : strdup(text);
    if (copy && text[0] == '@')
        remove_comments(copy);
    const bool good = copy && take_words(copy, take, opaque, err);
    free(copy);
    return good;
}
