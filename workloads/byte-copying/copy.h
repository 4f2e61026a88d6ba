/* What the parts of the program share. */
#ifndef SIMOS_WORKLOADS_BYTE_COPYING_COPY_H
#define SIMOS_WORKLOADS_BYTE_COPYING_COPY_H

/* loops.S: copy BYTES, a multiple of 1024, FROM to TO; both are at a double word, but TO of copy_memcpy() anywhere. */
typedef void copy_function(void *to, const void *from, unsigned bytes);
copy_function copy_memcpy, copy_words, copy_words_hinted, copy_doubles, copy_doubles_hinted, copy_quads;

/* Of a buffer (section 3.3 of the paper): in the cache; not, and the lines in its place are clean; not, and they are
 * modified. */
enum temperature { HOT, CLEAN, DIRTY };

/* One copy to be timed. check.tcl reads it, by these offsets, where measure() begins. */
struct cell {
    const char *routine;
    copy_function *copy;
    unsigned char *from, *to;
    unsigned bytes;
    enum temperature source, destination;
    const char *placement; /* "apart"; "same": both buffers have the same lines of the cache */
};

/* measure.c: the cycles of CELL's copy, with what it costs to call it and to read the counter. */
unsigned measure(const struct cell *cell);

/* start.S: ends the run with STATUS. */
void finish(int status);

#endif
