/*
 * The C library's conversions of integers and dates, character classes, patterns, options, streams and environment.
 */
#define _GNU_SOURCE
#include "corpus.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <inttypes.h>
#include <libgen.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

CASE(printf_ints)
{
    static const int v[] = {0, 1, -1, 42, -42, 2147483647, -2147483647 - 1};
    for (size_t i = 0; i < 7; i++)
        printf("%d|%5d|%-5d|%05d|%+d|% d|%.3d|%i\n", v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
}

CASE(printf_unsigned)
{
    static const unsigned v[] = {0, 1, 8, 255, 0x80000000, 0xffffffff};
    for (size_t i = 0; i < 6; i++)
        printf("%u|%o|%x|%X|%#x|%#o|%08x|%-10x|\n", v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
}

CASE(printf_wide)
{
    static const long long v[] = {0, -1, INT64_MAX, INT64_MIN, 1000000000000, 0x123456789abcdef};
    for (size_t i = 0; i < 6; i++)
        printf("%lld|%llu|%llx|%llo|%25lld|%-25lld|%" PRId64 "\n", v[i], (unsigned long long)v[i],
               (unsigned long long)v[i], (unsigned long long)v[i], v[i], v[i], (int64_t)v[i]);
}

CASE(printf_narrow)
{
    for (int v = -300; v < 400; v += 99)
        printf("%hhd %hhu %hd %hu %zx %td\n", (signed char)v, (unsigned char)v, (short)(v * 300),
               (unsigned short)(v * 300), (size_t)(v & 0xff), (ptrdiff_t)v);
}

CASE(printf_strings)
{
    int n = 0;
    printf("[%s] [%10s] [%-10s] [%.3s] [%*.*s] [%c%5c] %%%n", "text", "text", "text", "text", 8, 2, "text", 'x', 'y',
           &n);
    printf(" %d\n", n);
    printf("%2$s %1$d %2$s\n", 7, "twice");
}

CASE(scanf_ints)
{
    int a = 0, b = 0, c = 0, n = 0;
    unsigned x = 0;
    long long l = 0;
    char word[8] = "", set[8] = "";
    printf("%d", sscanf(" 12 -34 0x1f 077", "%d %d %x %o", &a, &b, &x, (unsigned *)&c));
    printf(" %d %d %x %d\n", a, b, x, c);
    printf("%d", sscanf("1234567890123 abc,def", "%lld %7[a-c]%n", &l, set, &n));
    printf(" %lld %s %d\n", l, set, n);
    printf("%d", sscanf("987654", "%3d%*2d%d", &a, &b));
    printf(" %d %d\n", a, b);
    printf("%d", sscanf("0x2a 010 9", "%i %i %i", &a, &b, &c));
    printf(" %d %d %d\n", a, b, c);
    printf("%d", sscanf("key=value", "%*[^=]=%7s", word));
    printf(" %s\n", word);
    printf("%d\n", sscanf("", "%d", &a));
}

CASE(strtol_values)
{
    static const char *const texts[] = {"0",          "-1",   "2147483647", "2147483648", "-2147483649",
                                        "0x7fffffff", "0777", " +42z",      "0x",         "zz",
                                        "",           "1e5",  "4294967296", "-0x10"};
    for (size_t i = 0; i < 14; i++) {
        char *end;
        errno = 0;
        long long v = strtoll(texts[i], &end, 0);
        int error = errno;
        errno = 0;
        unsigned long long u = strtoull(texts[i], NULL, 10);
        printf("%lld %d %d | %llu %d | %lld\n", v, (int)(end - texts[i]), error, u, errno, atoll(texts[i]));
    }
}

CASE(strtol_bases)
{
    for (int base = 2; base <= 36; base++)
        printf("%lld ", strtoll("1011zyx", NULL, base));
    printf("\n");
    errno = 0;
    long long v = strtoll("99999999999999999999", NULL, 10);
    printf("%lld %d\n", v, errno);
    errno = 0;
    unsigned long long u = strtoull("99999999999999999999", NULL, 10);
    printf("%llu %d\n", u, errno);
}

CASE(ctype_classes)
{
    unsigned count[12] = {0}, hash = 0;
    for (int c = 0; c < 256; c++) {
        int is[12] = {isalpha(c), isdigit(c), isalnum(c), isspace(c), isupper(c),  islower(c),
                      ispunct(c), isprint(c), isgraph(c), iscntrl(c), isxdigit(c), isblank(c)};
        for (int k = 0; k < 12; k++)
            count[k] += is[k] != 0;
        hash = hash * 31 + (unsigned)(toupper(c) * 3 + tolower(c));
    }
    for (int k = 0; k < 12; k++)
        printf("%u ", count[k]);
    printf("%u\n", hash);
}

CASE(time_gmtime)
{
    static const long long seconds[] = {0, 951782400, 1000000000, 1234567890, 2147483647, -1, -86400 * 365, 68169600};
    for (size_t i = 0; i < 8; i++) {
        time_t t = (time_t)seconds[i];
        struct tm tm;
        char text[80];
        gmtime_r(&t, &tm);
        strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %a %b %j %U %p", &tm);
        printf("%s %d\n", text, timegm(&tm) == t);
    }
}

CASE_ALONE(time_zones)
{
    time_t winter = 1000000000, summer = 1010000000;
    setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
    tzset();
    struct tm tm;
    char text[40];
    strftime(text, sizeof text, "%F %T %Z", localtime_r(&winter, &tm));
    printf("%s %d\n", text, tm.tm_isdst);
    strftime(text, sizeof text, "%F %T %Z", localtime_r(&summer, &tm));
    printf("%s %d\n", text, tm.tm_isdst);
    tm = (struct tm){.tm_year = 100, .tm_mon = 13, .tm_mday = 32, .tm_hour = 25, .tm_isdst = -1};
    printf("%lld\n", (long long)mktime(&tm));
}

CASE(time_strptime)
{
    struct tm tm;
    memset(&tm, 0, sizeof tm);
    const char *rest = strptime("1996-12-19T16:39:57 tail", "%Y-%m-%dT%H:%M:%S", &tm);
    printf("%d %d %d %d %d [%s] %lld\n", tm.tm_year, tm.tm_mon, tm.tm_yday, tm.tm_wday, tm.tm_sec, rest ? rest : "",
           (long long)timegm(&tm));
}

CASE(regex_matches)
{
    static const char *const patterns[] = {"^a(b|c)*d$", "[0-9]+\\.[0-9]*", "([a-z]+)=([a-z]+)", "x{2,3}y", "^$"};
    static const char *const texts[] = {"abcbcd", "pi 3.14", "key=value", "xxxxy", "", "ad"};
    for (size_t i = 0; i < 5; i++) {
        regex_t regex;
        printf("%d:", regcomp(&regex, patterns[i], REG_EXTENDED));
        for (size_t j = 0; j < 6; j++) {
            regmatch_t match[3];
            if (regexec(&regex, texts[j], 3, match, 0) == 0)
                printf(" (%d-%d %d)", (int)match[0].rm_so, (int)match[0].rm_eo, (int)match[1].rm_so);
            else
                printf(" -");
        }
        printf("\n");
        regfree(&regex);
    }
}

CASE(fnmatch_patterns)
{
    printf("%d %d %d %d %d\n", fnmatch("*.c", "main.c", 0), fnmatch("*.c", "main.h", 0), fnmatch("a[!b-d]e", "axe", 0),
           fnmatch("*", "a/b", FNM_PATHNAME), fnmatch("?[0-9]", "x7", 0));
}

CASE(path_names)
{
    char a[] = "/usr/lib/file.txt", b[] = "/usr/lib/file.txt", c[] = "///", d[] = "plain";
    printf("%s %s %s %s\n", dirname(a), basename(b), dirname(c), dirname(d));
}

CASE(getopt_options)
{
    char *arguments[] = {(char *)"prog",     (char *)"-ab",  (char *)"-o", (char *)"out",
                         (char *)"--long=7", (char *)"rest", (char *)"-x", NULL};
    static const struct option longs[] = {{"long", required_argument, NULL, 'L'}, {NULL, 0, NULL, 0}};
    optind = 1;
    opterr = 0;
    for (int c; (c = getopt_long(7, arguments, "abo:", longs, NULL)) != -1;)
        printf("%c[%s] ", c, optarg ? optarg : "");
    printf("%d %s\n", optind, arguments[optind]);
}

CASE_ALONE(environment)
{
    clearenv();
    setenv("FIRST", "one", 1);
    setenv("FIRST", "two", 0);
    putenv((char *)"SECOND=2");
    printf("%s %s %d\n", getenv("FIRST"), getenv("SECOND"), getenv("THIRD") == NULL);
    unsetenv("FIRST");
    int count = 0;
    for (char **e = environ; e && *e; e++)
        count++;
    printf("%d\n", count);
}

CASE(stream_memory)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (int i = 0; i < 100; i++)
        fprintf(out, "%d,", i * i);
    fclose(out);
    printf("%zu %08x\n", size, corpus_hash_bytes(text, size));
    FILE *in = fmemopen(text, size, "r");
    int v = 0, sum = 0;
    while (fscanf(in, "%d,", &v) == 1)
        sum += v;
    fclose(in);
    free(text);
    printf("%d\n", sum);
}

CASE(stream_file)
{
    FILE *file = fdopen(memfd_create("corpus", 0), "w+");
    for (int i = 0; i < 2000; i++)
        fprintf(file, "line %d\n", i);
    printf("%ld\n", ftell(file));
    fseek(file, 5000, SEEK_SET);
    char line[32];
    printf("%s", fgets(line, sizeof line, file));
    printf("%s", fgets(line, sizeof line, file));
    ungetc('!', file);
    int pushed = fgetc(file), next = fgetc(file);
    printf("%c %d\n", pushed, next);
    rewind(file);
    int lines = 0;
    for (int c; (c = fgetc(file)) != EOF;)
        lines += c == '\n';
    printf("%d %d %d\n", lines, !!feof(file), !!ferror(file));
    uint32_t words[64], back[64] = {0}, state = 5;
    for (int i = 0; i < 64; i++)
        words[i] = corpus_random(&state);
    rewind(file);
    printf("%zu\n", fwrite(words, 4, 64, file));
    rewind(file);
    size_t count = fread(back, 4, 64, file);
    printf("%zu %d\n", count, memcmp(words, back, sizeof words));
    fclose(file);
}

CASE(stream_getline)
{
    char text[] = "one\ntwo two\n\nlast", *line = NULL;
    size_t room = 0;
    FILE *in = fmemopen(text, strlen(text), "r");
    for (ssize_t n; (n = getline(&line, &room, in)) != -1;)
        printf("%zd ", n);
    printf("[%s]\n", line);
    free(line);
    fclose(in);
}

CASE(errno_values)
{
    errno = 0;
    int a = close(-1), ea = errno;
    ssize_t b = read(-1, NULL, 0);
    int eb = errno;
    int c = access("/no/such/file", R_OK), ec = errno;
    int d = chdir(""), ed = errno;
    printf("%d %s, %d %s, %d %s, %d %s\n", a, strerrorname_np(ea), (int)b, strerrorname_np(eb), c, strerrorname_np(ec),
           d, strerrorname_np(ed));
}
