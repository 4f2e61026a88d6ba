/* Printing the contents of a checkpoint. */
#include "checkpoint/reader.h"

#include <string.h>

static bool print_fields(struct checkpoint *checkpoint, const struct checkpoint_entry *entry, FILE *out,
                         struct err *err)
{
    struct checkpoint_stream stream;
    struct saved_in in = {.get = checkpoint_stream_get, .opaque = &stream};
    uint32_t count = 0;
    bool done = checkpoint_stream_open(&stream, checkpoint, entry, err) && saved_get_u32(&in, &count);
    for (uint32_t i = 0; done && i < count; i++) {
        uint8_t length, kind;
        uint32_t elements;
        char name[256];
        done = saved_get(&in, &length, 1) && saved_get(&in, name, length) && saved_get(&in, &kind, 1) &&
               saved_get_u32(&in, &elements);
        if (!done)
            break;
        fprintf(out, "    %-40.*s %s", (int)strnlen(name, length), name, saved_kind_name(kind));
        fprintf(out, elements == 1 ? "\n" : " * %u\n", elements);
    }
    checkpoint_stream_close(&stream);
    return done;
}

bool checkpoint_print(struct checkpoint *checkpoint, bool fields, FILE *out, struct err *err)
{
    for (size_t i = 0; i < checkpoint->count; i++) {
        const struct checkpoint_entry *entry = &checkpoint->entries[i];
        const struct checkpoint_section *section = &entry->section;
        struct err reason = {""};
        fprintf(out, "%-24s ", section->name);
        if (section->version)
            fprintf(out, "version %-3u ", section->version);
        else
            fprintf(out, "text        ");
        fprintf(out, "%12llu bytes, %llu in the file\n", (unsigned long long)section->size,
                (unsigned long long)section->stored);
        if (fields && section->version && !print_fields(checkpoint, entry, out, &reason))
            return err_set(err, "checkpoint %s: section %s: %s", checkpoint->path, section->name, reason.text);
    }
    return true;
}
