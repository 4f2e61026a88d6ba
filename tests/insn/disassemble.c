/*
 * Random words of every row of the instruction set, for disassembly.sh: writes them to the file WORDS as a program
 * would lie in memory at BASE and their disassembly to standard output, a line a word.
 *
 *     disassemble WORDS BASE COUNT       COUNT words a row
 */
#include "cpu/isa/isa.h"

#include <stdlib.h>
#include <string.h>

static uint32_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

/* Coprocessor 2 has no syntax of ours; other rows: every field random, every third word mostly zeros or ones. */
static bool is_compared(unsigned id)
{
    return id != ISA_RESERVED && id != ISA_COP2;
}

/* Change what has no meaning, and so no syntax, into something that has. */
static uint32_t meaningful(unsigned id, uint32_t word)
{
    unsigned rs = (word >> 21) & 31, rd = (word >> 11) & 31, sa = (word >> 6) & 31;
    switch (id) {
    case ISA_CLZ:
    case ISA_CLO: return (word & ~(31u << 16)) | rd << 16; /* rt and rd must name the same register */
    case ISA_EXT: return sa + rd > 31 ? (word & ~(31u << 11)) | (31 - sa) << 11 : word;
    case ISA_INS: return rd < sa ? (word & ~(31u << 11)) | sa << 11 : word;
    case ISA_JR: return word & ~0x3c0u; /* hints other than the hazard barrier */
    case ISA_JALR: word &= ~0x3c0u; return rs == rd ? word ^ 1u << 11 : word;
    default: return word;
    }
}

static void write_word(const struct isa_decoder *decoder, uint32_t word, vaddr pc, FILE *words)
{
    uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
    char text[80];
    isa_disassemble(decoder, word, pc, text, sizeof text);
    fwrite(bytes, 1, sizeof bytes, words);
    printf("%08x %s\n", word, text);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: disassemble WORDS BASE COUNT\n");
        return 2;
    }
    FILE *words = fopen(argv[1], "wb");
    if (words == NULL) {
        perror(argv[1]);
        return 1;
    }
    vaddr pc = (vaddr)strtoul(argv[2], NULL, 0);
    unsigned count = (unsigned)strtoul(argv[3], NULL, 0);
    struct isa_decoder *decoder = isa_decoder_create(LEVEL_32R2);
    uint64_t state = 1;
    for (unsigned id = 0; id < ISA_COUNT; id++) {
        for (unsigned i = 0; is_compared(id) && isa_has(&isa_table[id], LEVEL_32R2) && i < count; i++) {
            uint32_t fields = next_random(&state);
            if (i % 3 == 1)
                fields &= next_random(&state) & next_random(&state);
            if (i % 3 == 2)
                fields |= next_random(&state) | next_random(&state);
            uint32_t word = meaningful(id, (fields & ~isa_table[id].mask) | isa_table[id].match);
            write_word(decoder, word, pc, words);
            pc += 4;
        }
    }
    for (uint32_t amount = 0; amount < 8; amount++, pc += 4) /* nop, ssnop, ehb, pause */
        write_word(decoder, amount << 6, pc, words);
    isa_decoder_free(decoder);
    return fclose(words) == 0 ? 0 : 1;
}
