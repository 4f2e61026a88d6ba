/* The types `miss` and SimOS's `scache`: cache misses by kind (cache/classify/miss_observer.h). */
#include "annotations/tcl/annotate_state.h"
#include "cpu/privileged/data_watch.h"

#include <stdlib.h>
#include <string.h>

enum { ALL_ACCESSES = 1 << MEMSYS_FETCH | 1 << MEMSYS_READ | 1 << MEMSYS_WRITE, ALL_CACHES = (1 << MEMSYS_CACHES) - 1 };
/* Bit CLASS_COUNT: misses that are not classified. */
enum { UPGRADES = 1 << CLASS_UPGRADE, ALL_CLASSES = (1 << (CLASS_COUNT + 1)) - 1 - UPGRADES };

struct word {
    const char *text;
    uint32_t bits;
};

static const struct word access_words[] = {
    {"insn", 1 << MEMSYS_FETCH}, {"fetch", 1 << MEMSYS_FETCH}, {"data", 1 << MEMSYS_READ | 1 << MEMSYS_WRITE},
    {"read", 1 << MEMSYS_READ},  {"write", 1 << MEMSYS_WRITE}, {NULL, 0},
};

static uint32_t outermost(const struct annotate *annotate)
{
    const enum memsys_cache data = miss_observer_outermost(annotate->view.machine.memsys);
    return 1u << data | 1u << (data - 1);
}

/* Bit mask of the cache that WORD names; 0 if none. */
static uint32_t cache_bit(const struct annotate *annotate, const char *word)
{
    if (strcmp(word, "outer") == 0)
        return outermost(annotate);
    for (enum memsys_cache cache = 0; cache < MEMSYS_CACHES; cache++) {
        const char *name = memsys_cache_name(annotate->view.machine.memsys, cache);
        if (name && strcmp(name, word) == 0)
            return 1u << cache;
    }
    return 0;
}

static uint32_t access_bits(const char *word)
{
    const struct word *at = access_words;
    while (at->text && strcmp(at->text, word) != 0)
        at++;
    return at->bits;
}

static uint32_t class_bit(const char *word)
{
    for (enum miss_class class = 0; class < CLASS_COUNT; class ++)
        if (strcmp(classify_class_name(class), word) == 0)
            return 1u << class;
    return 0;
}

static bool take_word(const struct annotate *annotate, struct miss_kinds *kinds, const char *word, struct err *err)
{
    const uint32_t cache = cache_bit(annotate, word), access = access_bits(word), class = class_bit(word);
    const struct classify *classify = memsys_classification(annotate->view.machine.memsys);
    if (strcmp(word, "any") != 0 && !cache && !access && !class)
        return err_set(
            err,
            "\"%.64s\" is not a cache of this machine (l1d, outer ...), an access (insn, data, read, write), a "
            "class (cold ...) or any",
            word);
    if (class && class != UPGRADES && !classify)
        return err_set(err, "\"%.64s\": misses are not classified (cache.classify)", word);
    if (class && class != UPGRADES && !classify_distinguishes_class(classify, (enum miss_class)__builtin_ctz(class)))
        return err_set(err, "\"%.64s\": cache.classify does not distinguish this class", word);
    kinds->caches |= cache;
    kinds->accesses |= access;
    kinds->classes |= class;
    return true;
}

static bool has_caches(const struct annotate *annotate, struct err *err)
{
    return (annotate->view.machine.memsys && !memsys_is_flat(annotate->view.machine.memsys)) ||
           err_set(err, "the machine has no caches (cache.model)");
}

bool miss_parse(struct annotate *annotate, struct annotation *annotation, const char *event, struct err *err)
{
    struct miss_kinds *kinds = &annotation->misses;
    char text[ANNOTATION_FILE], *rest = NULL;
    if (!has_caches(annotate, err))
        return false;
    snprintf(text, sizeof text, "%s", event);
    for (char *word = strtok_r(text, " \t\n", &rest); word; word = strtok_r(NULL, " \t\n", &rest))
        if (!take_word(annotate, kinds, word, err))
            return false;
    kinds->caches = kinds->caches ? kinds->caches : ALL_CACHES;
    kinds->accesses = kinds->accesses ? kinds->accesses : ALL_ACCESSES;
    kinds->classes = kinds->classes ? kinds->classes : ALL_CLASSES;
    return true;
}

/* SimOS's secondary cache corresponds to the outermost one. */
bool scache_parse(struct annotate *annotate, struct annotation *annotation, const char *event, struct err *err)
{
    static const struct {
        const char *text;
        uint32_t accesses, classes;
    } words[] = {
        {"instr", 1 << MEMSYS_FETCH, ALL_CLASSES}, {"read", 1 << MEMSYS_READ, ALL_CLASSES},
        {"write", 1 << MEMSYS_WRITE, ALL_CLASSES}, {"upg", ALL_ACCESSES, UPGRADES},
        {"sc_upg", ALL_ACCESSES, UPGRADES},
    };
    if (!has_caches(annotate, err))
        return false;
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i].text, event) == 0) {
            annotation->misses = (struct miss_kinds){outermost(annotate), words[i].accesses, words[i].classes};
            return true;
        }
    return err_set(err, "an event of scache is instr, read, write, upg or sc_upg, not \"%.64s\"", event);
}

static bool is_selected(const struct miss_kinds *kinds, const struct observed_miss *miss)
{
    return kinds->caches >> miss->cache & kinds->accesses >> miss->access & kinds->classes >> miss->class & 1;
}

static void missed(void *opaque, const struct observed_miss *miss)
{
    struct annotate *annotate = opaque;
    struct core *core = annotate->view.machine.cores[miss->cpu];
    const struct annotate_detail before = annotate->detail;
    annotate->detail = (struct annotate_detail){.miss = miss};
    for (unsigned i = 0; i < annotate->miss_count; i++) {
        struct annotation *annotation = annotate->on_miss[i];
        if (annotation && is_selected(&annotation->misses, miss))
            annotate_fire(annotate, annotation, core);
    }
    annotate->detail = before;
}

/* Must not be called while a miss is being raised. */
static void remove_disarmed(struct annotate *annotate)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < annotate->miss_count; i++)
        if (annotate->on_miss[i])
            annotate->on_miss[kept++] = annotate->on_miss[i];
    annotate->miss_count = kept;
    annotate->miss_disarmed = false;
}

void miss_arm(struct annotate *annotate, struct annotation *annotation)
{
    if (annotate->miss_count == annotate->miss_capacity) {
        annotate->miss_capacity = annotate->miss_capacity ? 2 * annotate->miss_capacity : 8;
        annotate->on_miss =
            checked_memory(realloc(annotate->on_miss, annotate->miss_capacity * sizeof(struct annotation *)));
    }
    annotate->on_miss[annotate->miss_count++] = annotation;
    if (annotate->miss_observer)
        return;
    data_watch_add_observer(annotate->view.machine.cores[0], true);
    annotate->miss_observer = miss_observer_begin(annotate->view.machine.memsys, missed, annotate);
}

void miss_disarm(struct annotate *annotate, struct annotation *annotation)
{
    for (unsigned i = 0; i < annotate->miss_count; i++)
        if (annotate->on_miss[i] == annotation)
            annotate->on_miss[i] = NULL;
    annotate->miss_disarmed = true;
    miss_remove_disarmed(annotate);
}

void miss_remove_disarmed(struct annotate *annotate)
{
    if (!annotate->miss_disarmed || annotate->detail.miss)
        return;
    remove_disarmed(annotate);
    if (annotate->miss_count > 0 || !annotate->miss_observer)
        return;
    miss_observer_end(annotate->miss_observer);
    annotate->miss_observer = NULL;
    data_watch_add_observer(annotate->view.machine.cores[0], false);
}
