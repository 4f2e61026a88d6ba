/* Loading a machine's state from a verified file. */
#include "checkpoint/reader.h"

#include <stdlib.h>
#include <string.h>

static bool section_error(const struct checkpoint *checkpoint, const char *section, const struct err *reason,
                          struct err *err)
{
    return err_set(err, "checkpoint %s: section %s: %s", checkpoint->path, section, reason->text);
}

static const struct checkpoint_entry *find(const struct checkpoint *checkpoint, const char *name)
{
    for (size_t i = 0; i < checkpoint->count; i++)
        if (strcmp(checkpoint->entries[i].section.name, name) == 0)
            return &checkpoint->entries[i];
    return NULL;
}

bool checkpoint_has(const struct checkpoint *checkpoint, const char *name)
{
    return find(checkpoint, name) != NULL;
}

char *checkpoint_text(struct checkpoint *checkpoint, const char *name, struct err *err)
{
    const struct checkpoint_entry *entry = find(checkpoint, name);
    struct err reason = {""};
    if (!entry || entry->section.version != 0) {
        err_set(err, "checkpoint %s: section %s is missing", checkpoint->path, name);
        return NULL;
    }
    size_t size = entry->section.size;
    if (size > CHECKPOINT_TEXT_MAX) {
        err_set(err, "checkpoint %s: section %s: %zu bytes of text; at most %d", checkpoint->path, name, size,
                CHECKPOINT_TEXT_MAX);
        return NULL;
    }
    char *text = checked_memory(calloc(1, size + 1));
    struct checkpoint_stream stream;
    bool done = checkpoint_stream_open(&stream, checkpoint, entry, &reason) &&
                checkpoint_stream_get(&stream, text, size) && checkpoint_stream_at_end(&stream);
    checkpoint_stream_close(&stream);
    if (done && strlen(text) != size)
        done = err_set(&reason, "altered: not a text");
    if (done)
        return text;
    section_error(checkpoint, name, &reason, err);
    free(text);
    return NULL;
}

/* Check that ENTRY of the file matches SECTION of the machine, the expected one (NULL: none is). False with REASON. */
static bool check_section(const struct checkpoint_entry *entry, const struct saved_section *section,
                          const struct saved *saved, struct err *reason)
{
    uint32_t version = entry->section.version;
    if (!section || strcmp(section->name, entry->section.name) != 0) {
        for (size_t i = 0; saved_at(saved, i); i++)
            if (strcmp(saved_at(saved, i)->name, entry->section.name) == 0)
                return err_set(reason, "it is where section %s is expected", section ? section->name : "none");
        return err_set(reason, "this machine has no section of that name");
    }
    if (section->timing != entry->section.timing)
        return err_set(reason, "it is%s a timing section", section->timing ? " not" : "");
    return (version <= section->version && version >= (section->oldest ? section->oldest : section->version)) ||
           err_set(reason, "version %u; this version of simos reads version %u%s", version, section->version,
                   version > section->version ? ": it is newer" : "");
}

static bool load_section(struct checkpoint *checkpoint, const struct checkpoint_entry *entry, struct saved *saved,
                         const struct saved_section *section, const struct saved_terms *terms, struct err *err)
{
    struct err reason = {""};
    struct checkpoint_stream stream;
    struct saved_in in = {
        .get = checkpoint_stream_get, .opaque = &stream, .version = entry->section.version, .continues = terms->over};
    if (!check_section(entry, section, saved, &reason))
        return section_error(checkpoint, entry->section.name, &reason, err);
    bool done = checkpoint_stream_open(&stream, checkpoint, entry, &reason) &&
                saved_read(saved, section, &in, terms, &reason) && checkpoint_stream_at_end(&stream);
    checkpoint_stream_close(&stream);
    return done || section_error(checkpoint, entry->section.name, &reason, err);
}

/* The next section of SAVED, from *INDEX on, that TERMS admit; NULL: none. */
static const struct saved_section *next_section(const struct saved *saved, size_t *index,
                                                const struct saved_terms *terms)
{
    const struct saved_section *section = saved_at(saved, (*index)++);
    while (section && section->timing && !terms->same_machine)
        section = saved_at(saved, (*index)++);
    return section;
}

/* The next section, for ENTRY (NULL: for none): optional sections with other names are skipped. */
static const struct saved_section *section_for(const struct checkpoint_entry *entry, const struct saved *saved,
                                               size_t *index, const struct saved_terms *terms)
{
    const struct saved_section *section = next_section(saved, index, terms);
    while (section && section->optional && (!entry || strcmp(section->name, entry->section.name) != 0))
        section = next_section(saved, index, terms);
    return section;
}

static bool has_parts(const struct saved_section *section)
{
    return section->ops && section->ops->parts;
}

bool checkpoint_load_parts(struct checkpoint *checkpoint, struct saved *saved, const struct saved_terms *terms,
                           struct err *err)
{
    const struct saved_section *section;
    for (size_t i = 0; (section = saved_at(saved, i)); i++) {
        const struct checkpoint_entry *entry = has_parts(section) ? find(checkpoint, section->name) : NULL;
        if (has_parts(section) && !entry)
            return err_set(err, "checkpoint %s: section %s is missing", checkpoint->path, section->name);
        if (entry && !load_section(checkpoint, entry, saved, section, terms, err))
            return false;
    }
    return true;
}

bool checkpoint_load(struct checkpoint *checkpoint, struct saved *saved, const struct saved_terms *terms,
                     struct err *err)
{
    size_t index = 0;
    struct err reason = {""};
    saved_load_begin(saved);
    for (size_t i = 0; i < checkpoint->count; i++) {
        const struct checkpoint_entry *entry = &checkpoint->entries[i];
        if (entry->section.version == 0 || (entry->section.timing && !terms->same_machine))
            continue;
        if (!load_section(checkpoint, entry, saved, section_for(entry, saved, &index, terms), terms, err))
            return false;
    }
    const struct saved_section *rest = section_for(NULL, saved, &index, terms);
    if (rest)
        return err_set(err, "checkpoint %s: section %s is missing", checkpoint->path, rest->name);
    return saved_load_end(saved, terms, &reason) || err_set(err, "checkpoint %s: %s", checkpoint->path, reason.text);
}
