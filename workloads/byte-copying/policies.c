/*
 * Where buffers are placed (section 5 of "Fast Byte Copying", Inouye, Walpole, Zhang 1995), lines that are known to be
 * used once (section 6), and what an unaligned copy's shifts cost (section 4.1). Lines on the serial port:
 *
 *     read POLICY BUFFER COPY AFTER       a file of 64 pages read in order, page by page: cycles of all copies, and of
 * the program's own data read afterwards stream HINT COPY AFTER USE          copies past an assist cache: cycles of 64
 * copies, of the program's own data read afterwards, and of the destination of one copy read at once shift COUNT CYCLES
 * 4 KB, hot to hot, with COUNT instructions in front of each store
 *
 * POLICY is where the kernel puts a page of the file: "any": at places that follow one another, as memory is taken;
 * "conflicting": at the user's buffer; "apart": as "any", but not at the place of the buffer of the read before;
 * "region": all at one place that is not the program's. BUFFER is the user's: "fixed", or "moving": a page on at each
 * read, as a file is read into an array, here one that begins at the place of the file's first page.
 */
#include "copy.h"
#include "serial.h"

enum {
    PAGE = 4096,
    LINE = 32,
    PLACES = 64, /* pages of the cache */
    PAGES = 64,  /* of the file */
    OWN = 16, /* places of the program's data: OWN to OWN + OWN_PAGES - 1. This program's code is in front of them. */
    OWN_PAGES = 32,
    FIXED = 50,     /* the place of a fixed buffer */
    REGION = 52,    /* of all pages under "region" */
    OWN_BLOCK = 20, /* blocks of 256 KB, each as large as the cache */
    USER_BLOCK = 30,
    CLEAN_BLOCK = 40,
    FILE_BLOCK = 100, /* a block for each page: it can be at any place */
};

copy_function copy_lines, copy_lines_streamed, copy_shifted_0, copy_shifted_1, copy_shifted_2;

static unsigned char *page_at(unsigned block, unsigned place)
{
    return (unsigned char *)0x80000000 + (block << 18) + place % PLACES * PAGE;
}

static unsigned touched;
static void read_lines(const volatile unsigned char *buffer, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i += LINE)
        touched += buffer[i];
}

/* The cache holds the program's data, its buffer, and clean lines of no account. */
static void set_up(void)
{
    read_lines(page_at(CLEAN_BLOCK, 0), PLACES * PAGE);
    read_lines(page_at(OWN_BLOCK, OWN), OWN_PAGES * PAGE);
    read_lines(page_at(USER_BLOCK, FIXED), PAGE);
}

static unsigned time_of_reading(const unsigned char *buffer, unsigned bytes)
{
    unsigned start = read_cycles();
    read_lines(buffer, bytes);
    return read_cycles() - start;
}

static unsigned time_of_copy(copy_function *copy, void *to, const void *from)
{
    unsigned start = read_cycles();
    copy(to, from, PAGE);
    return read_cycles() - start;
}

enum policy { ANY, CONFLICTING, APART, REGION_ONLY, POLICIES };
static const char *const policy_names[POLICIES] = {"any", "conflicting", "apart", "region"};

/* Where the kernel puts page I of the file, if the user's buffer is at USER, and was at BEFORE at the read before. */
static unsigned place_of(enum policy policy, unsigned i, unsigned user, unsigned before)
{
    switch (policy) {
    case CONFLICTING: return user;
    case APART: return i % PLACES == before ? i + 1 : i;
    case REGION_ONLY: return REGION;
    default: return i;
    }
}

static void run_policy(enum policy policy, int moving)
{
    unsigned copies = 0, before = moving ? PLACES - 1 : FIXED;
    set_up();
    for (unsigned i = 0; i < PAGES; i++) {
        unsigned user = moving ? i % PLACES : FIXED;
        const unsigned char *from = page_at(FILE_BLOCK + i, place_of(policy, i, user, before));
        copies += time_of_copy(copy_memcpy, page_at(USER_BLOCK, user), from);
        before = user;
    }
    put_text("read");
    put_text(policy_names[policy]);
    put_text(moving ? "moving" : "fixed");
    put_number(copies);
    put(' ');
    put_number(time_of_reading(page_at(OWN_BLOCK, OWN), OWN_PAGES * PAGE));
    put('\n');
}

static void run_stream(const char *name, copy_function *copy)
{
    unsigned copies = 0;
    set_up();
    for (unsigned i = 0; i < PAGES; i++)
        copies += time_of_copy(copy, page_at(USER_BLOCK, i), page_at(FILE_BLOCK + i, i + PLACES / 2));
    unsigned after = time_of_reading(page_at(OWN_BLOCK, OWN), OWN_PAGES * PAGE);
    set_up();
    time_of_copy(copy, page_at(USER_BLOCK, FIXED + 2), page_at(FILE_BLOCK, FIXED + 4));
    put_text("stream");
    put_text(name);
    put_number(copies);
    put(' ');
    put_number(after);
    put(' ');
    put_number(time_of_reading(page_at(USER_BLOCK, FIXED + 2), PAGE));
    put('\n');
}

/* The second of two, which has the code in the cache. */
static void run_shift(unsigned count, copy_function *copy)
{
    unsigned cycles = 0;
    set_up();
    read_lines(page_at(FILE_BLOCK, FIXED + 4), PAGE);
    for (int i = 0; i < 2; i++)
        cycles = time_of_copy(copy, page_at(USER_BLOCK, FIXED), page_at(FILE_BLOCK, FIXED + 4));
    put_text("shift");
    put_number(count);
    put(' ');
    put_number(cycles);
    put('\n');
}

int main(void)
{
    count_cycles();
    for (int policy = 0; policy < POLICIES; policy++) {
        run_policy(policy, 0);
        run_policy(policy, 1);
    }
    run_stream("none", copy_lines);
    run_stream("streamed", copy_lines_streamed);
    run_shift(0, copy_shifted_0);
    run_shift(1, copy_shifted_1);
    run_shift(2, copy_shifted_2);
    return 0;
}
