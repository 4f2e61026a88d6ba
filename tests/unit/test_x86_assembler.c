/*
 * The translator's assembler against objdump: every function, every register, and the addressing modes with encodings
 * of their own (AMD64 vol. 3, 1.4: no displacement, 8 and 32 bits, rsp and r12 as base, rbp and r13 without
 * displacement, indices, scales, no base).
 *
 * A new function of x86_assembler.h needs a TRY here: the last test checks this.
 */
#include "tests/unit/test.h"
#include "cpu/host/x86_assembler.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CODE_BYTES = 1 << 20, MAX_LINES = 1 << 17, LINE = 80, MAX_NAMES = 400, REGISTERS = 16 };

static const char *const r64[REGISTERS] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
                                           "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};
static const char *const r32[REGISTERS] = {"eax", "ecx", "edx",  "ebx",  "esp",  "ebp",  "esi",  "edi",
                                           "r8d", "r9d", "r10d", "r11d", "r12d", "r13d", "r14d", "r15d"};
static const char *const r16[REGISTERS] = {"ax",  "cx",  "dx",   "bx",   "sp",   "bp",   "si",   "di",
                                           "r8w", "r9w", "r10w", "r11w", "r12w", "r13w", "r14w", "r15w"};
static const char *const r8[REGISTERS] = {"al",  "cl",  "dl",   "bl",   "spl",  "bpl",  "sil",  "dil",
                                          "r8b", "r9b", "r10b", "r11b", "r12b", "r13b", "r14b", "r15b"};
static const char *const conditions[] = {"o", "no", "b", "ae", "e", "ne", "be", "a",
                                         "s", "ns", "p", "np", "l", "ge", "le", "g"};
enum { CONDITIONS = sizeof conditions / sizeof conditions[0] };

struct expected {
    uint32_t at;
    char text[LINE];
};

/* Code under construction, and its expected disassembly. */
struct listing {
    uint8_t *code;
    struct x86 x;
    uint32_t begun; /* start of the last instruction */
    struct expected *lines;
    unsigned count;
};

/* Names of the functions that the tests have used. */
struct names {
    const char *name[MAX_NAMES];
    unsigned count;
};

struct fixture {
    struct listing listing;
    struct names names;
};

static void note(struct names *names, const char *name)
{
    for (unsigned i = 0; i < names->count; i++)
        if (strcmp(names->name[i], name) == 0)
            return;
    assert_true(names->count < MAX_NAMES);
    names->name[names->count++] = name;
}

static void begin(struct listing *l)
{
    l->begun = (uint32_t)(l->x.at - l->code);
    assert_true(x86_room(&l->x, 1) && l->count < MAX_LINES);
}

/* Record the expected text of the last instruction, and check its maximum length. */
static void __attribute__((format(printf, 2, 3))) expect(struct listing *l, const char *format, ...)
{
    struct expected *line = &l->lines[l->count++];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line->text, sizeof line->text, format, arguments);
    va_end(arguments);
    line->at = l->begun;
    assert_true(l->x.at - l->code - l->begun <= X86_MAX_INSN);
}

/* TRY(function, (&l->x, arguments...), expected objdump text) */
#define TRY(function, arguments, ...)                                                                                  \
    do {                                                                                                               \
        note(&f->names, "x86_" #function);                                                                             \
        begin(l);                                                                                                      \
        x86_##function arguments;                                                                                      \
        expect(l, __VA_ARGS__);                                                                                        \
    } while (0)

/* Operands */

static void format_displacement(char *text, size_t size, int64_t displacement)
{
    if (displacement < 0)
        snprintf(text, size, "-0x%llx", (unsigned long long)-displacement);
    else
        snprintf(text, size, "+0x%llx", (unsigned long long)displacement);
}

/* In objdump's format: [base+index*scale+displacement]. */
static const char *address(struct x86_operand m, char *text)
{
    char displacement[24] = "", base[24] = "", index[24] = "";
    bool shown = m.displacement != 0 || (m.base != X86_NONE && (m.base & 7) == RBP);
    if (m.base == X86_NONE && m.index == X86_NONE) {
        sprintf(text, "ds:0x%x", (unsigned)m.displacement);
        return text;
    }
    if (shown || m.base == X86_NONE)
        format_displacement(displacement, sizeof displacement, m.displacement);
    if (m.base != X86_NONE)
        snprintf(base, sizeof base, "%s", r64[m.base]);
    if (m.index != X86_NONE)
        snprintf(index, sizeof index, "%s%s*%d", *base ? "+" : "", r64[m.index], 1 << m.scale);
    sprintf(text, "[%s%s%s]", base, index, displacement);
    return text;
}

/* The operand with its size, or the register from NAMES. */
static const char *sized(struct x86_operand operand, const char *size, const char *const *names, char *text)
{
    char memory[LINE];
    if (x86_is_reg(operand))
        sprintf(text, "%s", names[operand.reg]);
    else
        sprintf(text, "%s PTR %s", size, address(operand, memory));
    return text;
}

/* Every kind of memory operand. Returns their number. */
static unsigned every_mode(struct x86_operand *modes)
{
    static const int32_t displacements[] = {0, 8, -8, 127, 128, -128, -129, 0x12345678};
    static const int bases[] = {RAX, RSP, RBP, RDI, R8, R12, R13, R15};
    unsigned count = 0;
    for (int base = 0; base < REGISTERS; base++)
        for (unsigned i = 0; i < sizeof displacements / sizeof displacements[0]; i++)
            modes[count++] = x86_mem(base, displacements[i]);
    for (int index = 0; index < REGISTERS; index++)
        for (unsigned i = 0; index != RSP && i < sizeof bases / sizeof bases[0]; i++)
            for (unsigned scale = 0; scale < 4; scale++)
                modes[count++] = x86_indexed(bases[i], index, scale, displacements[(scale * 3 + i) % 8]);
    for (int index = 0; index < REGISTERS; index++)
        if (index != RSP)
            modes[count++] = x86_indexed(X86_NONE, index, 3, 0x1000);
    modes[count++] = x86_indexed(X86_NONE, X86_NONE, 0, 0x1234);
    return count;
}

/* Each register as base and index once, and the special bases. Returns their number. */
static unsigned some_modes(struct x86_operand *modes)
{
    unsigned count = 0;
    for (int reg = 0; reg < REGISTERS; reg++) {
        modes[count++] = x86_mem(reg, 0x10);
        if (reg != RSP)
            modes[count++] = x86_indexed(R13, reg, 3, 0x2000);
    }
    modes[count++] = x86_mem(R12, 0);
    modes[count++] = x86_mem(RBP, 0);
    modes[count++] = x86_mem(RBP, -0x80);
    modes[count++] = x86_indexed(RAX, R9, 0, 0);
    return count;
}

/* Registers and some memory. */
static unsigned some_operands(struct x86_operand *operands)
{
    unsigned count = some_modes(operands);
    for (int reg = 0; reg < REGISTERS; reg++)
        operands[count++] = x86_reg(reg);
    return count;
}

enum { MAX_OPERANDS = 1024 };

/* objdump */

/* Replace several blanks by one; remove comments. */
static void tidy(char *text)
{
    char *to = text;
    text[strcspn(text, "#\n")] = '\0';
    for (const char *from = text; *from; from++)
        if (*from != ' ' || (to > text && to[-1] != ' '))
            *to++ = *from;
    while (to > text && to[-1] == ' ')
        to--;
    *to = '\0';
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* Compare LISTING with objdump's output for its bytes, and restart it. */
static void check(struct listing *l)
{
    char path[] = "/tmp/simos-assembler-XXXXXX", command[256], line[256];
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    write_file(path, l->code, (size_t)(l->x.at - l->code));
    snprintf(command, sizeof command, "objdump -D -b binary -m i386:x86-64 -M intel --no-show-raw-insn %s", path);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    unsigned found = 0, wrong = 0;
    while (fgets(line, sizeof line, pipe)) {
        unsigned at;
        int text = 0;
        if (sscanf(line, " %x:%n", &at, &text) != 1 || text == 0 || line[text] != '\t')
            continue;
        tidy(line + text + 1);
        const struct expected *expected = &l->lines[found++];
        if (found > l->count || at != expected->at || strcmp(line + text + 1, expected->text) != 0) {
            print_error("%x: %s\n  should be %x: %s\n", at, line + text + 1, expected->at, expected->text);
            if (++wrong == 5)
                break;
        }
    }
    int status = pclose(pipe);
    unlink(path);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        fail_msg("objdump is missing: it is in the package binutils, which gcc needs");
    unsigned count = l->count;
    l->x.at = l->code;
    l->count = 0;
    assert_int_equal(wrong, 0);
    assert_int_equal(found, count);
    assert_true(count > 0);
}

/* Tests */

static void moves(void **state)
{
    struct fixture *f = *state;
    struct listing *l = &f->listing;
    struct x86_operand operands[MAX_OPERANDS];
    char text[LINE];
    unsigned count = every_mode(operands);
    for (unsigned i = 0; i < count; i++)
        for (int reg = RAX; reg <= R15; reg += R15) {
            TRY(mov, (&l->x, reg, operands[i]), "mov %s,%s", r32[reg], sized(operands[i], "DWORD", r32, text));
            TRY(store64, (&l->x, operands[i], reg), "mov %s,%s", sized(operands[i], "QWORD", r64, text), r64[reg]);
        }
    count = some_operands(operands);
    for (unsigned i = 0; i < count; i++)
        for (int reg = 0; reg < REGISTERS; reg++) {
            struct x86_operand o = operands[i];
            TRY(mov, (&l->x, reg, o), "mov %s,%s", r32[reg], sized(o, "DWORD", r32, text));
            TRY(mov64, (&l->x, reg, o), "mov %s,%s", r64[reg], sized(o, "QWORD", r64, text));
            TRY(movzx8, (&l->x, reg, o), "movzx %s,%s", r32[reg], sized(o, "BYTE", r8, text));
            TRY(movsx8, (&l->x, reg, o), "movsx %s,%s", r32[reg], sized(o, "BYTE", r8, text));
            TRY(movzx16, (&l->x, reg, o), "movzx %s,%s", r32[reg], sized(o, "WORD", r16, text));
            TRY(movsx16, (&l->x, reg, o), "movsx %s,%s", r32[reg], sized(o, "WORD", r16, text));
            TRY(movsxd, (&l->x, reg, o), "movsxd %s,%s", r64[reg], sized(o, "DWORD", r32, text));
        }
    check(l);
}

static void stores(void **state)
{
    struct fixture *f = *state;
    struct listing *l = &f->listing;
    struct x86_operand modes[MAX_OPERANDS];
    char text[LINE];
    unsigned count = some_modes(modes);
    for (unsigned i = 0; i < count; i++) {
        struct x86_operand m = modes[i];
        for (int reg = 0; reg < REGISTERS; reg++) {
            TRY(store, (&l->x, m, reg), "mov %s,%s", sized(m, "DWORD", r32, text), r32[reg]);
            TRY(store64, (&l->x, m, reg), "mov %s,%s", sized(m, "QWORD", r64, text), r64[reg]);
            TRY(store16, (&l->x, m, reg), "mov %s,%s", sized(m, "WORD", r16, text), r16[reg]);
            TRY(store8, (&l->x, m, reg), "mov %s,%s", sized(m, "BYTE", r8, text), r8[reg]);
        }
        TRY(store_imm, (&l->x, m, 0x89abcdef), "mov %s,0x89abcdef", sized(m, "DWORD", r32, text));
        TRY(store64_imm, (&l->x, m, -2), "mov %s,0xfffffffffffffffe", sized(m, "QWORD", r64, text));
        TRY(store64_imm, (&l->x, m, 0x7fffffff), "mov %s,0x7fffffff", sized(m, "QWORD", r64, text));
        TRY(store16_imm, (&l->x, m, 0xfedc), "mov %s,0xfedc", sized(m, "WORD", r16, text));
        TRY(store8_imm, (&l->x, m, 0xfe), "mov %s,0xfe", sized(m, "BYTE", r8, text));
    }
    check(l);
}

static void constants_and_addresses(void **state)
{
    struct fixture *f = *state;
    struct listing *l = &f->listing;
    struct x86_operand modes[MAX_OPERANDS];
    char text[LINE];
    unsigned count = some_modes(modes);
    for (int reg = 0; reg < REGISTERS; reg++) {
        TRY(mov_imm, (&l->x, reg, 0), "xor %s,%s", r32[reg], r32[reg]);
        TRY(mov_imm, (&l->x, reg, 0x80000001), "mov %s,0x80000001", r32[reg]);
        TRY(mov_imm_keeping_flags, (&l->x, reg, 0), "mov %s,0x0", r32[reg]);
        TRY(mov_imm_keeping_flags, (&l->x, reg, 0xffffffff), "mov %s,0xffffffff", r32[reg]);
        TRY(mov_imm64, (&l->x, reg, 0xffffffff), "mov %s,0xffffffff", r32[reg]);
        TRY(mov_imm64, (&l->x, reg, 0), "mov %s,0x0", r32[reg]);
        TRY(mov_imm64, (&l->x, reg, 0x123456789abcdef0), "movabs %s,0x123456789abcdef0", r64[reg]);
        for (unsigned i = 0; i < count; i++) {
            TRY(lea, (&l->x, reg, modes[i]), "lea %s,%s", r32[reg], address(modes[i], text));
            TRY(lea64, (&l->x, reg, modes[i]), "lea %s,%s", r64[reg], address(modes[i], text));
        }
    }
    check(l);
}

static void arithmetic(void **state)
{
    static const char *const alu[] = {"add", "or", "adc", "sbb", "and", "sub", "xor", "cmp"};
    struct fixture *f = *state;
    struct listing *l = &f->listing;
    struct x86_operand operands[MAX_OPERANDS];
    char text[LINE];
    unsigned count = some_operands(operands);
    for (unsigned op = X86_ADD; op <= X86_CMP; op++)
        for (unsigned i = 0; i < count; i++) {
            struct x86_operand o = operands[i];
            for (int reg = 0; reg < REGISTERS; reg++) {
                TRY(alu, (&l->x, op, reg, o), "%s %s,%s", alu[op], r32[reg], sized(o, "DWORD", r32, text));
                TRY(alu64, (&l->x, op, reg, o), "%s %s,%s", alu[op], r64[reg], sized(o, "QWORD", r64, text));
                TRY(alu_store, (&l->x, op, o, reg), "%s %s,%s", alu[op], sized(o, "DWORD", r32, text), r32[reg]);
                TRY(alu64_store, (&l->x, op, o, reg), "%s %s,%s", alu[op], sized(o, "QWORD", r64, text), r64[reg]);
            }
            TRY(alu_imm, (&l->x, op, o, 0x7f), "%s %s,0x7f", alu[op], sized(o, "DWORD", r32, text));
            TRY(alu_imm, (&l->x, op, o, 0x80), "%s %s,0x80", alu[op], sized(o, "DWORD", r32, text));
            TRY(alu_imm, (&l->x, op, o, 0xffffff80), "%s %s,0xffffff80", alu[op], sized(o, "DWORD", r32, text));
            TRY(alu_imm, (&l->x, op, o, 0xffffff7f), "%s %s,0xffffff7f", alu[op], sized(o, "DWORD", r32, text));
            TRY(alu64_imm, (&l->x, op, o, -1), "%s %s,0xffffffffffffffff", alu[op], sized(o, "QWORD", r64, text));
            TRY(alu64_imm, (&l->x, op, o, 0x12345), "%s %s,0x12345", alu[op], sized(o, "QWORD", r64, text));
            TRY(alu_flags, (&l->x, op, o, -0x1000, X86_W), "%s %s,0xfffffffffffff000", alu[op],
                sized(o, "QWORD", r64, text));
        }
    check(l);
}

static void comparisons(void **state)
{
    struct fixture *f = *state;
    struct listing *l = &f->listing;
    struct x86_operand operands[MAX_OPERANDS];
    char text[LINE];
    unsigned count = some_operands(operands);
    for (int a = 0; a < REGISTERS; a++)
        for (int b = 0; b < REGISTERS; b++) {
            TRY(test, (&l->x, a, b), "test %s,%s", r32[b], r32[a]);
            TRY(test64, (&l->x, a, b), "test %s,%s", r64[b], r64[a]);
        }
    for (unsigned i = 0; i < count; i++) {
        struct x86_operand o = operands[i];
        TRY(cmp_imm32, (&l->x, o, 5), "cmp %s,0x5", sized(o, "DWORD", r32, text));
        assert_memory_equal(l->x.at - 4, (&(uint32_t){5}), 4); /* where it is patched later */
        if (!x86_is_reg(o)) {
            TRY(cmp8_imm, (&l->x, o, 0xff), "cmp %s,0xff", sized(o, "BYTE", r8, text));
            TRY(alu8_imm, (&l->x, X86_XOR, o, 0x10), "xor %s,0x10", sized(o, "BYTE", r8, text));
            TRY(alu8, (&l->x, X86_OR, RDX, o), "or dl,%s", sized(o, "BYTE", r8, text));
        }
        TRY(test8_imm, (&l->x, o, 0x83), "test %s,0x83", sized(o, "BYTE", r8, text));
        TRY(test_imm, (&l->x, o, 0x80000003), "test %s,0x80000003", sized(o, "DWORD", r32, text));
        for (unsigned condition = 0; condition < CONDITIONS; condition++)
            for (int reg = RAX; reg < REGISTERS; reg += 5)
                TRY(cmov, (&l->x, condition, reg, o), "cmov%s %s,%s", conditions[condition], r32[reg],
                    sized(o, "DWORD", r32, text));
    }
    for (unsigned condition = 0; condition < CONDITIONS; condition++)
        for (int reg = 0; reg < REGISTERS; reg++)
            TRY(set, (&l->x, condition, reg), "set%s %s", conditions[condition], r8[reg]);
    check(l);
}

static void unary_and_products(void **state)
{
    struct fixture *f = *state;
    struct listing *l = &f->listing;
    struct x86_operand operands[MAX_OPERANDS];
    char text[LINE];
    unsigned count = some_operands(operands);
    for (unsigned i = 0; i < count; i++) {
        struct x86_operand o = operands[i];
        TRY(not, (&l->x, o), "not %s", sized(o, "DWORD", r32, text));
        TRY(neg, (&l->x, o), "neg %s", sized(o, "DWORD", r32, text));
        TRY(inc, (&l->x, o), "inc %s", sized(o, "DWORD", r32, text));
        for (int reg = 0; reg < REGISTERS; reg++) {
            TRY(imul, (&l->x, reg, o), "imul %s,%s", r32[reg], sized(o, "DWORD", r32, text));
            TRY(imul64, (&l->x, reg, o), "imul %s,%s", r64[reg], sized(o, "QWORD", r64, text));
            TRY(bsr, (&l->x, reg, o), "bsr %s,%s", r32[reg], sized(o, "DWORD", r32, text));
        }
    }
    for (int reg = 0; reg < REGISTERS; reg++) {
        TRY(div, (&l->x, reg), "div %s", r32[reg]);
        TRY(idiv, (&l->x, reg), "idiv %s", r32[reg]);
        TRY(cdq, (&l->x), "cdq");
    }
    check(l);
}

static void shifts(void **state)
{
    static const struct {
        enum x86_shift op;
        const char *text;
    } kinds[] = {{X86_ROL, "rol"}, {X86_ROR, "ror"}, {X86_SHL, "shl"}, {X86_SHR, "shr"}, {X86_SAR, "sar"}};
    struct fixture *f = *state;
    struct listing *l = &f->listing;
    struct x86_operand operands[MAX_OPERANDS];
    char text[LINE];
    unsigned count = some_operands(operands);
    for (unsigned k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        for (unsigned i = 0; i < count; i++) {
            struct x86_operand o = operands[i];
            TRY(shift_imm, (&l->x, kinds[k].op, o, 31), "%s %s,0x1f", kinds[k].text, sized(o, "DWORD", r32, text));
            TRY(shift64_imm, (&l->x, kinds[k].op, o, 32), "%s %s,0x20", kinds[k].text, sized(o, "QWORD", r64, text));
            TRY(shift_cl, (&l->x, kinds[k].op, o), "%s %s,cl", kinds[k].text, sized(o, "DWORD", r32, text));
        }
    check(l);
}

/* Vector registers: with registers, with each addressing mode, and moves from and to general registers. */
static void vectors(void **state)
{
    static const char *const xmm[REGISTERS] = {"xmm0", "xmm1", "xmm2",  "xmm3",  "xmm4",  "xmm5",  "xmm6",  "xmm7",
                                               "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"};
    static const struct {
        enum x86_sse op;
        const char *text[2];
    } kinds[] = {{X86_SSE_SQRT, {"sqrtss", "sqrtsd"}}, {X86_SSE_ADD, {"addss", "addsd"}},
                 {X86_SSE_MUL, {"mulss", "mulsd"}},    {X86_SSE_TO_OTHER, {"cvtss2sd", "cvtsd2ss"}},
                 {X86_SSE_SUB, {"subss", "subsd"}},    {X86_SSE_DIV, {"divss", "divsd"}}};
    struct fixture *f = *state;
    struct listing *l = &f->listing;
    struct x86_operand operands[MAX_OPERANDS];
    char text[LINE];
    unsigned count = some_operands(operands);
    assert_int_equal(x86_sse_format(true), X86_0F | X86_F2);
    assert_int_equal(x86_sse_format(false), X86_0F | X86_F3);
    for (unsigned i = 0; i < count; i++)
        for (int reg = 0; reg < REGISTERS; reg++) {
            struct x86_operand o = operands[i];
            for (int d = 0; d < 2; d++) {
                const char *size = d ? "QWORD" : "DWORD";
                char format = d ? 'd' : 's';
                for (unsigned k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
                    TRY(sse, (&l->x, kinds[k].op, d, reg, o), "%s %s,%s", kinds[k].text[d], xmm[reg],
                        sized(o, size, xmm, text));
                TRY(sse_load, (&l->x, d, reg, o), "movs%c %s,%s", format, xmm[reg], sized(o, size, xmm, text));
                if (!x86_is_reg(o))
                    TRY(sse_store, (&l->x, d, o, reg), "movs%c %s,%s", format, sized(o, size, xmm, text), xmm[reg]);
                TRY(sse_compare, (&l->x, d, reg, o), "ucomis%c %s,%s", format, xmm[reg], sized(o, size, xmm, text));
                TRY(sse_from_integer, (&l->x, d, reg, o), "cvtsi2s%c %s,%s", format, xmm[reg],
                    sized(o, "DWORD", r32, text));
                TRY(sse_to_integer, (&l->x, d, false, reg, o), "cvts%c2si %s,%s", format, r32[reg],
                    sized(o, size, xmm, text));
                TRY(sse_to_integer, (&l->x, d, true, reg, o), "cvtts%c2si %s,%s", format, r32[reg],
                    sized(o, size, xmm, text));
            }
            TRY(movd_in, (&l->x, reg, o), "movd %s,%s", xmm[reg], sized(o, "DWORD", r32, text));
            TRY(movq_in, (&l->x, reg, o), "movq %s,%s", xmm[reg], sized(o, "QWORD", r64, text));
            TRY(movd_out, (&l->x, o, reg), "movd %s,%s", sized(o, "DWORD", r32, text), xmm[reg]);
            TRY(movq_out, (&l->x, o, reg), "movq %s,%s", sized(o, "QWORD", r64, text), xmm[reg]);
        }
    check(l);
    for (int a = 0; a < REGISTERS; a++) {
        for (int b = 0; b < REGISTERS; b++) {
            TRY(sse_copy, (&l->x, a, b), "movaps %s,%s", xmm[a], xmm[b]);
            TRY(punpckldq, (&l->x, a, b), "punpckldq %s,%s", xmm[a], xmm[b]);
            TRY(pshufd, (&l->x, a, b, 0xe4), "pshufd %s,%s,0xe4", xmm[a], xmm[b]);
        }
        TRY(sse_clear, (&l->x, a), "xorps %s,%s", xmm[a], xmm[a]);
        TRY(bts, (&l->x, a, 15 - a), "bts %s,%s", r32[a], r32[15 - a]);
        TRY(btr64, (&l->x, a, 63), "btr %s,0x3f", r64[a]);
        TRY(btc64, (&l->x, a, 31), "btc %s,0x1f", r64[a]);
    }
    count = some_modes(operands);
    for (unsigned i = 0; i < count; i++) {
        TRY(ldmxcsr, (&l->x, operands[i]), "ldmxcsr %s", sized(operands[i], "DWORD", r32, text));
        TRY(stmxcsr, (&l->x, operands[i]), "stmxcsr %s", sized(operands[i], "DWORD", r32, text));
    }
    check(l);
}

/* Targets are offsets in the listing. */
static void control(void **state)
{
    struct fixture *f = *state;
    struct listing *l = &f->listing;
    const uint8_t *start = l->code;
    uint8_t *far = NULL, *near = NULL;
    struct x86_operand operands[MAX_OPERANDS];
    char text[LINE];
    const unsigned modes = some_modes(operands);
    TRY(jump_to, (&l->x, start), "jmp 0x0");
    for (unsigned condition = 0; condition < CONDITIONS; condition++)
        TRY(jcc_to, (&l->x, condition, start + 5), "j%s 0x5", conditions[condition]);
    TRY(call_to, (&l->x, start), "call 0x0");
    note(&f->names, "x86_call"); /* x86_call_to() calls it */
    TRY(push_imm, (&l->x, 0x12345678), "push 0x12345678");
    TRY(push_imm, (&l->x, 0x80000001), "push 0xffffffff80000001");
    for (int reg = 0; reg < REGISTERS; reg++) {
        TRY(call_reg, (&l->x, reg), "call %s", r64[reg]);
        TRY(jump_reg, (&l->x, reg), "jmp %s", r64[reg]);
        TRY(push, (&l->x, reg), "push %s", r64[reg]);
        TRY(pop, (&l->x, reg), "pop %s", r64[reg]);
    }
    for (unsigned i = 0; i < modes; i++) {
        TRY(call_memory, (&l->x, operands[i]), "call %s", sized(operands[i], "QWORD", r64, text));
        TRY(jump_memory, (&l->x, operands[i]), "jmp %s", sized(operands[i], "QWORD", r64, text));
    }
    TRY(ret, (&l->x), "ret");
    /* jumps whose target is set later */
    for (unsigned condition = 0; condition < CONDITIONS; condition++) {
        note(&f->names, "x86_jcc");
        begin(l);
        far = x86_jcc(&l->x, condition);
        expect(l, "j%s 0x5", conditions[condition]);
        x86_patch(far, start + 5);
        assert_ptr_equal(x86_patched_target(far), start + 5);
        note(&f->names, "x86_jcc_short");
        begin(l);
        near = x86_jcc_short(&l->x, condition);
        expect(l, "j%s 0x%x", conditions[condition], (unsigned)(l->x.at - start) + 4);
        x86_patch_short(near, l->x.at + 4);
        TRY(test_imm, (&l->x, x86_mem(RAX, 0), 1), "test DWORD PTR [rax],0x1");
    }
    note(&f->names, "x86_jump");
    begin(l);
    far = x86_jump(&l->x);
    expect(l, "jmp 0x%x", (unsigned)(l->x.at - start) + 5);
    note(&f->names, "x86_jump_short");
    begin(l);
    near = x86_jump_short(&l->x);
    expect(l, "jmp 0x%x", (unsigned)(l->x.at - start) - 2);
    x86_patch_short(near, l->x.at - 2);
    TRY(ret, (&l->x), "ret");
    TRY(ret, (&l->x), "ret");
    TRY(ret, (&l->x), "ret");
    x86_patch(far, l->x.at);
    check(l);
}

/* Hand-made opcodes with prefixes. */
static void opcodes(void **state)
{
    struct fixture *f = *state;
    struct listing *l = &f->listing;
    char text[LINE];
    for (int reg = 0; reg < REGISTERS; reg++) {
        struct x86_operand m = x86_indexed(RBP, reg == RSP ? RAX : reg, 2, 0x40);
        TRY(op, (&l->x, 0x39, reg, m), "cmp %s,%s", sized(m, "DWORD", r32, text), r32[reg]);
        TRY(op, (&l->x, 0x29 | X86_W, reg, m), "sub %s,%s", sized(m, "QWORD", r64, text), r64[reg]);
        TRY(op, (&l->x, 0xb8 | X86_0F | X86_F3, reg, m), "popcnt %s,%s", r32[reg], sized(m, "DWORD", r32, text));
        TRY(op, (&l->x, 0x10 | X86_0F | X86_F2, XMM3, m), "movsd xmm3,%s", sized(m, "QWORD", r64, text));
        TRY(op, (&l->x, 0x6e | X86_0F | X86_66 | X86_W, XMM5, x86_reg(reg)), "movq xmm5,%s", r64[reg]);
    }
    check(l);
}

static void conditions_have_inverses(void **state)
{
    static const enum x86_condition pairs[][2] = {{X86_O, X86_NO}, {X86_B, X86_AE}, {X86_E, X86_NE}, {X86_BE, X86_A},
                                                  {X86_S, X86_NS}, {X86_P, X86_NP}, {X86_L, X86_GE}, {X86_LE, X86_G}};
    (void)state;
    for (unsigned i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        assert_int_equal(x86_inverse(pairs[i][0]), pairs[i][1]);
        assert_int_equal(x86_inverse(pairs[i][1]), pairs[i][0]);
    }
}

static void room_is_counted_in_instructions(void **state)
{
    (void)state;
    uint8_t memory[X86_MAX_INSN * 3];
    struct x86 x = {memory, memory + sizeof memory};
    assert_true(x86_room(&x, 3));
    assert_false(x86_room(&x, 4));
    x86_byte(&x, 0x90);
    assert_false(x86_room(&x, 3));
    x86_word32(&x, 0x04030201);
    x86_word64(&x, 0x0c0b0a0908070605);
    for (unsigned i = 1; i <= 12; i++)
        assert_int_equal(memory[i], i);
}

/* A distance that does not fit aborts: DISTANCE from the end of a short jump. */
static bool short_jump_is_refused(int distance)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        static uint8_t memory[1024];
        struct x86 x = {memory + 512, memory + sizeof memory};
        if (!freopen("/dev/null", "w", stderr))
            _exit(2);
        signal(SIGABRT, SIG_DFL);
        uint8_t *place = x86_jump_short(&x);
        x86_patch_short(place, x.at + distance);
        _exit(*(int8_t *)place == distance ? 0 : 1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status))
        assert_int_equal(WEXITSTATUS(status), 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void short_jumps_are_short(void **state)
{
    (void)state;
    assert_false(short_jump_is_refused(127));
    assert_false(short_jump_is_refused(-128));
    assert_true(short_jump_is_refused(128));
    assert_true(short_jump_is_refused(-129));
}

/* Every function of the header that emits an instruction has been used. */
static void every_function_is_tried(void **state)
{
    static const char *const parts[] = {"x86_byte", "x86_word32", "x86_word64"};
    struct fixture *f = *state;
    char line[256], name[64];
    unsigned functions = 0, missing = 0;
    FILE *header = fopen("cpu/host/x86_assembler.h", "r");
    if (!header)
        fail_msg("cpu/host/x86_assembler.h: run the test in the repository");
    for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++)
        note(&f->names, parts[i]);
    while (fgets(line, sizeof line, header)) {
        const char *call = strstr(line, "(struct x86 *x");
        const char *start = strstr(line, "x86_");
        if (strncmp(line, "static inline", 13) != 0 || !call || !start || start > call)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)(call - start), start);
        functions++;
        bool tried = false;
        for (unsigned i = 0; i < f->names.count; i++)
            tried |= strcmp(f->names.name[i], name) == 0;
        if (!tried) {
            print_error("%s is not tried\n", name);
            missing++;
        }
    }
    fclose(header);
    assert_int_equal(missing, 0);
    assert_true(functions > 50);
}

static int set_up(void **state)
{
    static struct fixture fixture; /* static: names point to it */
    struct listing *l = &fixture.listing;
    l->code = malloc(CODE_BYTES);
    l->lines = calloc(MAX_LINES, sizeof *l->lines);
    l->x = (struct x86){l->code, l->code + CODE_BYTES};
    *state = &fixture;
    return l->code && l->lines ? 0 : -1;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    free(f->listing.code);
    free(f->listing.lines);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves),
        cmocka_unit_test(stores),
        cmocka_unit_test(constants_and_addresses),
        cmocka_unit_test(arithmetic),
        cmocka_unit_test(comparisons),
        cmocka_unit_test(unary_and_products),
        cmocka_unit_test(shifts),
        cmocka_unit_test(vectors),
        cmocka_unit_test(control),
        cmocka_unit_test(opcodes),
        cmocka_unit_test(conditions_have_inverses),
        cmocka_unit_test(room_is_counted_in_instructions),
        cmocka_unit_test(short_jumps_are_short),
        cmocka_unit_test(every_function_is_tried),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
