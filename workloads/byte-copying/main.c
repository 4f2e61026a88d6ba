/* The experiment of "Fast Byte Copying" (Inouye, Walpole, Zhang 1995): copies of 4 KB by several routines, for each
 * temperature of source and destination, and for several alignments. One line a cell on the serial port:
 *
 *     ROUTINE SOURCE DESTINATION OFFSET PLACEMENT CYCLES
 */
#include "copy.h"
#include "serial.h"

enum {
    BYTES = 4096,
    LINE = 32,
    ROUND = 2 * BYTES, /* what is set up: an unaligned destination ends in a second page */
    TIMES = 4,         /* the lowest is taken; the first one brings the code into the cache */
};

/* The buffers, in direct-mapped caches of 256 KB: those of one name have the same lines of the cache. (The kernel's
 * addresses are in space 0, which the hash of the index leaves as they are.) CLEAN_ ones are only ever read, DIRTY_
 * ones are written. */
#define BLOCK(number, offset) ((unsigned char *)0x80000000 + ((number) << 18) + (offset))
#define SOURCE                BLOCK(8, 0x10000)
#define CLEAN_SOURCE          BLOCK(10, 0x10000)
#define DIRTY_SOURCE          BLOCK(11, 0x10000)
#define TARGET                BLOCK(9, 0x20000)
#define CLEAN_TARGET          BLOCK(10, 0x20000)
#define DIRTY_TARGET          BLOCK(11, 0x20000)
#define SAME_TARGET           BLOCK(9, 0x10000) /* the same lines of the cache as SOURCE */

static const char *const temperature_names[] = {"hot", "clean", "dirty"};

static unsigned touched;
static void read_lines(const volatile unsigned char *buffer)
{
    for (unsigned i = 0; i < ROUND; i += LINE)
        touched += buffer[i];
}

static void write_lines(volatile unsigned char *buffer)
{
    for (unsigned i = 0; i < ROUND; i += LINE)
        buffer[i] = buffer[i + 1];
}

/* Brings the buffers to the temperatures of CELL. A hot destination has been written, as by the copy before. */
static void set_up(const struct cell *cell)
{
    switch (cell->source) {
    case HOT: read_lines(SOURCE); break;
    case CLEAN: read_lines(CLEAN_SOURCE); break;
    case DIRTY: write_lines(DIRTY_SOURCE); break;
    }
    switch (cell->destination) {
    case HOT: write_lines(TARGET); break;
#ifdef BROKEN /* for the test of check.tcl */
    case CLEAN: break;
#else
    case CLEAN: read_lines(CLEAN_TARGET); break;
#endif
    case DIRTY: write_lines(DIRTY_TARGET); break;
    }
    for (volatile int i = 0; i < 100; i++) { /* write buffers empty */
    }
}

static unsigned char byte_of(unsigned i)
{
    return (unsigned char)(i * 7 + (i >> 8));
}

/* Does the copy of CELL copy all bytes, and no others? */
static void verify(const struct cell *cell)
{
    for (unsigned i = 0; i < cell->bytes; i++)
        cell->from[i] = byte_of(i);
    for (int i = -LINE; i < (int)cell->bytes + LINE; i++)
        cell->to[i] = 0xff;
    cell->copy(cell->to, cell->from, cell->bytes);
    int good = 1;
    for (int i = -LINE; i < 0; i++)
        good &= cell->to[i] == 0xff && cell->to[(int)cell->bytes - 1 - i] == 0xff;
    for (unsigned i = 0; i < cell->bytes; i++)
        good &= cell->to[i] == byte_of(i);
    if (!good) {
        put_text(cell->routine);
        put_text("copies wrongly");
        finish(1);
    }
}

static void report(const struct cell *cell, unsigned cycles)
{
    put_text(cell->routine);
    put_text(temperature_names[cell->source]);
    put_text(temperature_names[cell->destination]);
    put('0' + (char)((unsigned)cell->to % 8));
    put(' ');
    put_text(cell->placement);
    put_number(cycles);
    put('\n');
}

/* The lowest of several measurements of CELL, each from its temperatures. */
static void run(const struct cell *cell)
{
    unsigned lowest = ~0u;
    verify(cell);
    for (int i = 0; i < TIMES; i++) {
        set_up(cell);
        unsigned cycles = measure(cell);
        lowest = cycles < lowest ? cycles : lowest;
    }
    report(cell, lowest);
}

/* The lowest of several copies in a loop, as the buffers are left by the copy before. */
static void run_in_loop(const struct cell *cell)
{
    unsigned lowest = ~0u;
    cell->copy(cell->to, cell->from, cell->bytes);
    for (int i = 0; i < TIMES; i++) {
        for (volatile int j = 0; j < 100; j++) {
        }
        unsigned cycles = measure(cell);
        lowest = cycles < lowest ? cycles : lowest;
    }
    report(cell, lowest);
}

static const struct {
    const char *name;
    copy_function *copy;
} routines[] = {
    {"memcpy", copy_memcpy},     {"8Wld-8Wst", copy_words},           {"8Wld-8WstH", copy_words_hinted},
    {"4Dld-4Dst", copy_doubles}, {"4Dld-4DstH", copy_doubles_hinted}, {"4Dld-2Qst", copy_quads},
};
enum { ROUTINES = sizeof routines / sizeof routines[0] };

int main(void)
{
    count_cycles();
    for (int i = 0; i < ROUTINES; i++)
        for (int temperatures = 0; temperatures < 9; temperatures++) {
            const struct cell cell = {.routine = routines[i].name,
                                      .copy = routines[i].copy,
                                      .from = SOURCE,
                                      .to = TARGET,
                                      .bytes = BYTES,
                                      .source = temperatures / 3,
                                      .destination = temperatures % 3,
                                      .placement = "apart"};
            run(&cell);
        }
    for (int offset = 1; offset <= 4; offset++)
        for (int clean = 0; clean < 2; clean++) {
            const struct cell cell = {.routine = "memcpy",
                                      .copy = copy_memcpy,
                                      .from = SOURCE,
                                      .to = TARGET + offset,
                                      .bytes = BYTES,
                                      .source = clean ? CLEAN : HOT,
                                      .destination = clean ? CLEAN : HOT,
                                      .placement = "apart"};
            run(&cell);
        }
    /* The paper's section 5: one place or two in the cache for source and destination, the copy repeated. */
    for (int i = 0; i < ROUTINES; i++) {
        const struct cell apart = {.routine = routines[i].name,
                                   .copy = routines[i].copy,
                                   .from = SOURCE,
                                   .to = TARGET,
                                   .bytes = BYTES,
                                   .source = HOT,
                                   .destination = HOT,
                                   .placement = "apart-loop"};
        run_in_loop(&apart);
        const struct cell same = {.routine = routines[i].name,
                                  .copy = routines[i].copy,
                                  .from = SOURCE,
                                  .to = SAME_TARGET,
                                  .bytes = BYTES,
                                  .source = DIRTY,
                                  .destination = HOT,
                                  .placement = "same-loop"};
        run_in_loop(&same);
    }
    return 0;
}
