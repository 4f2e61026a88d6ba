/*
 * A profile by routine and instruction in the format of pprof: a gzipped protocol buffer (google/pprof,
 * proto/profile.proto). Each sample is an instruction, with stall cycles, misses and executions; there are no stacks.
 */
#include "src/observe/profile.h"

#include "src/base/printable.h"
#include "src/base/save_file.h"
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Numbers of fields, by message. */
enum { PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE, PROFILE_MAPPING, PROFILE_LOCATION, PROFILE_FUNCTION, PROFILE_STRING };
enum { PROFILE_DEFAULT_TYPE = 14 };
enum { TYPE_TYPE = 1, TYPE_UNIT };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE };
enum { MAPPING_ID = 1, MAPPING_FILENAME = 5, MAPPING_HAS_FUNCTIONS = 7 };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION = 1 };
enum { FUNCTION_ID = 1, FUNCTION_NAME };

struct pprof {
    struct profile_insns insns;
    FILE *out; /* the message */
    uint64_t strings, mappings, locations, functions;
    uint64_t object;            /* the upper half of the key that the last mapping is of */
    char routine[PROFILE_NAME]; /* the last function */
    uint8_t *packed;
    size_t packed_size;
};

static void put_number(FILE *out, uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        putc((int)(number & 0x7f) | 0x80, out);
    putc((int)number, out);
}

static void put_field(FILE *out, unsigned field, uint64_t number)
{
    put_number(out, field << 3);
    put_number(out, number);
}

static void put_bytes(FILE *out, unsigned field, const void *bytes, size_t size)
{
    put_number(out, field << 3 | 2);
    put_number(out, size);
    fwrite(bytes, 1, size, out);
}

/* Add TEXT, which may be from outside, to the table of strings; its number. Strings are UTF-8, or readers refuse the
 * file. */
static uint64_t add_string(struct pprof *p, const char *text)
{
    char *copy = checked_memory(strdup(text));
    printable_replace(copy, '?');
    put_bytes(p->out, PROFILE_STRING, copy, strlen(copy));
    free(copy);
    return p->strings++;
}

/* A message in a message: written to the stream that begin() returns, and then added by end(). */
struct part {
    FILE *stream;
    char *bytes;
    size_t size;
};

static FILE *begin(struct part *part)
{
    *part = (struct part){.stream = NULL};
    return part->stream = checked_memory(open_memstream(&part->bytes, &part->size));
}

static void end(struct part *part, FILE *out, unsigned field)
{
    fclose(part->stream);
    put_bytes(out, field, part->bytes, part->size);
    free(part->bytes);
}

/* A kind of values; the number of the string TYPE. */
static uint64_t put_type(struct pprof *p, const char *type, const char *unit)
{
    struct part part;
    const uint64_t type_string = add_string(p, type), unit_string = add_string(p, unit);
    FILE *out = begin(&part);
    put_field(out, TYPE_TYPE, type_string);
    put_field(out, TYPE_UNIT, unit_string);
    end(&part, p->out, PROFILE_SAMPLE_TYPE);
    return type_string;
}

/* The kinds of values, in the order of put_sample(). Readers show the last one unless told. */
static void put_types(struct pprof *p)
{
    if (p->insns.machine->execution_profile)
        put_type(p, "instructions", "count");
    if (!p->insns.classify)
        return;
    put_field(p->out, PROFILE_DEFAULT_TYPE, put_type(p, "stall", "cycles"));
    for (unsigned cache = 0; cache < profile_insns_caches(&p->insns); cache++)
        put_type(p, classify_cache_name(p->insns.classify, cache), "misses");
}

static void put_mapping(struct pprof *p, uint64_t key)
{
    struct part part;
    char name[PROFILE_NAME];
    const uint64_t string = add_string(p, profile_object(p->insns.machine, key, name));
    FILE *out = begin(&part);
    put_field(out, MAPPING_ID, ++p->mappings);
    put_field(out, MAPPING_FILENAME, string);
    put_field(out, MAPPING_HAS_FUNCTIONS, 1);
    end(&part, p->out, PROFILE_MAPPING);
}

static void put_function(struct pprof *p, const char *name)
{
    struct part part;
    const uint64_t string = add_string(p, name);
    FILE *out = begin(&part);
    put_field(out, FUNCTION_ID, ++p->functions);
    put_field(out, FUNCTION_NAME, string);
    end(&part, p->out, PROFILE_FUNCTION);
}

static void put_location(struct pprof *p, uint64_t key)
{
    struct part part, line;
    FILE *out = begin(&part);
    put_field(out, LOCATION_ID, ++p->locations);
    put_field(out, LOCATION_MAPPING, p->mappings);
    put_field(out, LOCATION_ADDRESS, (vaddr)key);
    put_field(begin(&line), LINE_FUNCTION, p->functions);
    end(&line, out, LOCATION_LINE);
    end(&part, p->out, PROFILE_LOCATION);
}

/* The values of the last location. */
static void put_sample(struct pprof *p, const struct profile_insn *insn)
{
    struct part part;
    FILE *out = begin(&part);
    put_field(out, SAMPLE_LOCATION, p->locations);
    if (p->insns.machine->execution_profile)
        put_field(out, SAMPLE_VALUE, (uint64_t)insn->executions);
    if (p->insns.classify)
        put_field(out, SAMPLE_VALUE, insn->costs->stall);
    for (unsigned cache = 0; cache < profile_insns_caches(&p->insns); cache++)
        put_field(out, SAMPLE_VALUE, insn->costs->miss[cache]);
    end(&part, p->out, PROFILE_SAMPLE);
}

static void put_instruction(struct pprof *p, const struct profile_insn *insn)
{
    char name[PROFILE_NAME];
    const bool other = p->mappings == 0 || insn->key >> 32 != p->object;
    if (other)
        put_mapping(p, insn->key);
    profile_name_routine(p->insns.machine, insn->key, name);
    if (other || strcmp(name, p->routine) != 0)
        put_function(p, name);
    p->object = insn->key >> 32;
    memcpy(p->routine, name, sizeof name);
    put_location(p, insn->key);
    put_sample(p, insn);
}

/* Compress SIZE bytes as gzip does, without a time. */
static void pack(struct pprof *p, char *bytes, size_t size)
{
    enum { GZIP = 15 + 16 };
    z_stream stream = {.next_in = (Bytef *)bytes, .avail_in = (uInt)size};
    if (deflateInit2(&stream, 6, Z_DEFLATED, GZIP, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        log_bug("a profile cannot be packed");
    p->packed_size = deflateBound(&stream, (uLong)size);
    p->packed = checked_memory(malloc(p->packed_size));
    stream.next_out = p->packed;
    stream.avail_out = (uInt)p->packed_size;
    if (deflate(&stream, Z_FINISH) != Z_STREAM_END)
        log_bug("a profile cannot be packed");
    p->packed_size = stream.total_out;
    deflateEnd(&stream);
}

static void write_packed(const void *opaque, FILE *out)
{
    const struct pprof *p = opaque;
    fwrite(p->packed, 1, p->packed_size, out);
}

bool profile_save_pprof(const struct machine *machine, const char *path, struct err *err)
{
    struct pprof p = {.strings = 0};
    char *bytes = NULL;
    size_t size = 0;
    if (!profile_insns_read(&p.insns, machine, path, err))
        return false;
    p.out = checked_memory(open_memstream(&bytes, &size));
    add_string(&p, ""); /* string 0 */
    put_types(&p);
    for (struct profile_insn insn = {.key = 0}; profile_insns_next(&p.insns, &insn);)
        put_instruction(&p, &insn);
    fclose(p.out);
    pack(&p, bytes, size);
    const bool done = save_file("profile", path, write_packed, &p, err);
    free(p.packed);
    free(bytes);
    profile_insns_free(&p.insns);
    return done;
}
