#include "checkpoint/reader.h"

#include <string.h>

bool checkpoint_stream_open(struct checkpoint_stream *stream, const struct checkpoint *checkpoint,
                            const struct checkpoint_entry *entry, struct err *err)
{
    stream->checkpoint = checkpoint;
    stream->entry = entry;
    stream->zlib = (z_stream){0};
    stream->stored_left = entry->section.stored;
    stream->left = entry->section.size;
    stream->err = err;
    stream->ended = false;
    if (inflateInit(&stream->zlib) != Z_OK)
        log_bug("out of memory");
    return fseek(checkpoint->file, entry->at, SEEK_SET) == 0 || err_set(err, "cannot be read");
}

/* Read more compressed bytes. The file was verified when it was opened, but may have changed since. */
static bool refill(struct checkpoint_stream *stream)
{
    size_t part = stream->stored_left < sizeof stream->piece ? (size_t)stream->stored_left : sizeof stream->piece;
    if (part == 0 || fread(stream->piece, 1, part, stream->checkpoint->file) != part)
        return false;
    stream->stored_left -= part;
    stream->zlib.next_in = stream->piece;
    stream->zlib.avail_in = (uInt)part;
    return true;
}

/* Decompress a step further. */
static bool unpack(struct checkpoint_stream *stream)
{
    if (stream->ended || (stream->zlib.avail_in == 0 && !refill(stream)))
        return err_set(stream->err, "truncated: the compressed data is shorter than its header says");
    int result = inflate(&stream->zlib, Z_NO_FLUSH);
    stream->ended = result == Z_STREAM_END;
    return result == Z_OK || stream->ended || err_set(stream->err, "altered: it cannot be decompressed");
}

bool checkpoint_stream_get(void *opaque, void *bytes, size_t count)
{
    struct checkpoint_stream *stream = opaque;
    if (count > stream->left || count > UINT32_MAX)
        return err_set(stream->err, "truncated: the section ends within its values");
    stream->zlib.next_out = bytes;
    stream->zlib.avail_out = (uInt)count;
    while (stream->zlib.avail_out)
        if (!unpack(stream))
            return false;
    stream->left -= count;
    return true;
}

bool checkpoint_stream_at_end(struct checkpoint_stream *stream)
{
    if (stream->left)
        return err_set(stream->err, "%llu unexpected bytes at its end", (unsigned long long)stream->left);
    /* zlib's end marker may not have been read yet; one more output byte would be too many */
    uint8_t beyond;
    stream->zlib.next_out = &beyond;
    stream->zlib.avail_out = 1;
    while (!stream->ended && stream->zlib.avail_out)
        if (!unpack(stream))
            return false;
    return (stream->zlib.avail_out && !stream->zlib.avail_in && !stream->stored_left) ||
           err_set(stream->err, "altered: the compressed data is longer than its header says");
}

void checkpoint_stream_close(struct checkpoint_stream *stream)
{
    inflateEnd(&stream->zlib);
}
