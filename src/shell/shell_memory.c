/* The shell's commands for memory: reading, writing, symbols, disassembly. */
#include "annotations/tcl/annotate.h"
#include "cache/placement/layout_map.h"
#include "cpu/isa/isa.h"
#include "src/machine/machine_text.h"
#include "src/shell/shell_state.h"
#include "src/base/symbols.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    COUNT_MAX = 1 << 20,      /* maximum number of values, bytes or instructions of one command */
    STRING_MAX = 4096,        /* bytes */
    DUMP_WIDTH = 16,          /* bytes per line */
    DUMP_INITIAL = 128,       /* bytes */
    DISASSEMBLE_INITIAL = 10, /* instructions */
    SYMBOL_TEXT_SIZE = 256,
};

/* Symbols */

static const struct symbols *symbols_of(const struct shell *shell)
{
    return shell->machine ? shell->machine->symbols : NULL;
}

void shell_symbol_text(const struct shell *shell, vaddr address, char *buffer, size_t size)
{
    if (size)
        buffer[0] = '\0';
    if (!shell->machine)
        return;
    if (vaddr_is_unmapped(address))
        machine_text_symbol(shell->machine, address, buffer, size);
    else
        annotate_user_symbol(shell->annotate, shell->machine->cores[shell->cpu], address, buffer, size);
}

int shell_get_address(struct shell *shell, Tcl_Obj *word, vaddr *address)
{
    Tcl_WideInt wide;
    const char *text = Tcl_GetString(word);
    if (Tcl_GetWideIntFromObj(NULL, word, &wide) == TCL_OK) {
        if (wide >= INT32_MIN && wide <= UINT32_MAX) {
            *address = (vaddr)wide;
            return TCL_OK;
        }
        return shell_error(shell, "address %s does not fit into 32 bits", text);
    }
    struct err err = {""};
    if (strstr(text, "::") && shell->annotate)
        return annotate_find_address(shell->annotate, text, address, &err) ? TCL_OK
                                                                           : shell_error(shell, "%s", err.text);
    const struct symbols *symbols = symbols_of(shell);
    if (!symbols)
        return shell_error(shell, "\"%s\" is no address, and there are no symbols (guest.symbols)", text);
    const char *plus = strchr(text, '+');
    char name[SYMBOL_TEXT_SIZE];
    snprintf(name, sizeof name, "%.*s", plus ? (int)(plus - text) : (int)strlen(text), text);
    char *end = NULL;
    unsigned long offset = plus ? strtoul(plus + 1, &end, 0) : 0;
    struct address_list list = {0};
    if ((plus && (end == plus + 1 || *end || offset > UINT32_MAX)) || !symbols_find_all(symbols, name, &list)) {
        const char *other = symbols_in_other_case(symbols, name);
        return shell_error(shell, "\"%s\" is neither an address nor a symbol%s%s%s", text,
                           other ? "; did you mean \"" : "", other ? other : "", other ? "\"?" : "");
    }
    const bool single = address_list_single(&list, name, address, &err);
    address_list_release(&list);
    *address += (uint32_t)offset;
    return single ? TCL_OK : shell_error(shell, "%s", err.text);
}

static Tcl_Obj *addresses_of(const struct symbols *symbols, const char *name)
{
    struct address_list list = {0};
    Tcl_Obj *addresses = Tcl_NewListObj(0, NULL);
    symbols_find_all(symbols, name, &list);
    for (unsigned i = 0; i < list.count; i++)
        Tcl_ListObjAppendElement(NULL, addresses, shell_hex_word(list.address[i]));
    address_list_release(&list);
    return addresses;
}

/* A dict of the names that match PATTERN, with the list of their addresses: more than one if functions share a name. */
static int match_symbols(struct shell *shell, const struct symbols *symbols, const char *pattern)
{
    Tcl_Obj *dict = Tcl_NewDictObj();
    const struct symbol *symbol;
    char *text = NULL;
    size_t size;
    FILE *out = shell->interactive ? shell_text_open(&text, &size) : NULL;
    for (size_t i = 0; (symbol = symbols_get(symbols, i)); i++)
        if (Tcl_StringMatch(symbol->name, pattern)) {
            Tcl_DictObjPut(NULL, dict, Tcl_NewStringObj(symbol->name, -1), addresses_of(symbols, symbol->name));
            if (out)
                fprintf(out, "0x%08x %s\n", symbol->address, symbol->name);
        }
    if (out)
        fclose(out);
    shell_pretty(shell, dict, text);
    return TCL_OK;
}

#define SYMBOL_USAGE                                                                                                   \
    "NAME | -at ADDRESS | -match PATTERN | read EXPRESSION | load FILE ... | path FOLDER | where ADDRESS | data "      \
    "ADDRESS"

/* Is `symbol WORD ...` a subcommand for symbols of programs? */
static bool is_of_programs(const char *word)
{
    static const char *const words[] = {"load", "path", "where", "data"};
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i], word) == 0)
            return true;
    return false;
}

static int symbol_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    static const char *const options[] = {"-at", "-match", NULL};
    struct shell *shell = data;
    vaddr address;
    int option;
    if (count < 2)
        return shell_usage(shell, words, SYMBOL_USAGE);
    if (shell_need_machine(shell) != TCL_OK)
        return TCL_ERROR;
    if (is_of_programs(Tcl_GetString(words[1])) && count > 2)
        return annotate_symbol_command(shell->annotate, count - 1, words + 1);
    if (count > 3)
        return shell_usage(shell, words, SYMBOL_USAGE);
    if (count == 2) {
        if (shell_get_address(shell, words[1], &address) != TCL_OK)
            return TCL_ERROR;
        Tcl_SetObjResult(interp, shell_hex_word(address));
        return TCL_OK;
    }
    if (strcmp(Tcl_GetString(words[1]), "read") == 0)
        return annotate_symbol_read(shell->annotate, Tcl_GetString(words[2]));
    const struct symbols *symbols = symbols_of(shell);
    if (Tcl_GetIndexFromObj(interp, words[1], options, "option", 0, &option) != TCL_OK)
        return TCL_ERROR;
    if (!symbols)
        return shell_error(shell, "symbol %s: there are no symbols (guest.symbols)", options[option]);
    if (option == 1)
        return match_symbols(shell, symbols, Tcl_GetString(words[2]));
    char name[SYMBOL_TEXT_SIZE];
    if (shell_get_address(shell, words[2], &address) != TCL_OK)
        return TCL_ERROR;
    shell_symbol_text(shell, address, name, sizeof name);
    Tcl_SetObjResult(interp, Tcl_NewStringObj(name, -1));
    return TCL_OK;
}

/* Access */

/* A location in memory, and the size of its values. */
struct location {
    bool physical;
    unsigned size;           /* bytes per value: 1, 2 or 4 */
    enum memsys_cache cache; /* MEMSYS_CACHES: -cache is missing */
    uint32_t address;
};

static int access_error(struct shell *shell, const struct location *location, uint32_t address)
{
    if (location->physical)
        return shell_error(shell, "physical address 0x%08x is not RAM", address);
    return shell_error(shell, "address 0x%08x is not mapped to RAM on CPU %u", address, shell->cpu);
}

static int read_bytes(struct shell *shell, const struct location *location, void *buffer, uint32_t size)
{
    struct machine *machine = shell->machine;
    if (!location->physical) {
        uint32_t done = machine_debug_read(machine, shell->cpu, location->address, buffer, size);
        return done == size ? TCL_OK : access_error(shell, location, location->address + done);
    }
    if (!physmem_is_ram(machine->mem, location->address, size))
        return access_error(shell, location, location->address);
    memcpy(buffer, physmem_host(machine->mem, location->address), size);
    return TCL_OK;
}

static int write_bytes(struct shell *shell, const struct location *location, const void *buffer, uint32_t size)
{
    struct machine *machine = shell->machine;
    if (location->physical)
        return physmem_dma_write(machine->mem, location->address, buffer, size)
                   ? TCL_OK
                   : access_error(shell, location, location->address);
    uint32_t done = machine_debug_write(machine, shell->cpu, location->address, buffer, size);
    return done == size ? TCL_OK : access_error(shell, location, location->address + done);
}

int shell_get_cache(struct shell *shell, Tcl_Obj *word, enum memsys_cache *cache)
{
    char names[64] = "";
    for (*cache = 0; *cache < MEMSYS_CACHES; (*cache)++) {
        const char *name = memsys_cache_name(shell->machine->memsys, *cache);
        if (name && strcmp(name, Tcl_GetString(word)) == 0)
            return TCL_OK;
        if (name)
            snprintf(names + strlen(names), sizeof names - strlen(names), " %s", name);
    }
    return shell_error(shell, "\"%s\" is not a cache of this machine:%s", Tcl_GetString(word), names);
}

/* Parse -size, -cache and -physical out of WORDS. The other words go to REST, which has room for all; the first of them
 * is the address. */
static int parse_location(struct shell *shell, int count, Tcl_Obj *const words[], Tcl_Obj **rest, int *rest_count,
                          struct location *location)
{
    enum { OPTION_SIZE, OPTION_PHYSICAL, OPTION_CACHE };
    static const char *const options[] = {"-size", "-physical", "-cache", NULL};
    uint64_t size;
    *location = (struct location){.size = 4, .cache = MEMSYS_CACHES};
    *rest_count = 0;
    for (int i = 0; i < count; i++) {
        const char *text = Tcl_GetString(words[i]);
        int option;
        if (text[0] != '-' || !isalpha((unsigned char)text[1])) {
            rest[(*rest_count)++] = words[i];
            continue;
        }
        if (Tcl_GetIndexFromObj(shell->interp, words[i], options, "option", 0, &option) != TCL_OK)
            return TCL_ERROR;
        if (option == OPTION_PHYSICAL) {
            location->physical = true;
            continue;
        }
        if (++i == count)
            return shell_error(shell, "%s: its value is missing", options[option]);
        if (option == OPTION_CACHE) {
            if (shell_get_cache(shell, words[i], &location->cache) != TCL_OK)
                return TCL_ERROR;
            continue;
        }
        if (shell_get_number(shell, words[i], "-size", 1, 4, &size) != TCL_OK || size == 3)
            return shell_error(shell, "-size \"%s\" is not 1, 2 or 4", Tcl_GetString(words[i]));
        location->size = (unsigned)size;
    }
    if (*rest_count == 0)
        return shell_error(shell, "memory: the address is missing");
    return shell_get_address(shell, rest[0], &location->address);
}

static uint32_t value_at(const uint8_t *bytes, unsigned size)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < size; i++)
        value |= (uint32_t)bytes[i] << 8 * i;
    return value;
}

static int optional_count(struct shell *shell, int count, Tcl_Obj *const words[], uint64_t initial, uint64_t max,
                          uint64_t *number)
{
    *number = initial;
    if (count > 2)
        return shell_error(shell, "memory: unexpected argument \"%s\"", Tcl_GetString(words[2]));
    return count < 2 ? TCL_OK : shell_get_number(shell, words[1], "count", 1, max, number);
}

static int memory_read(struct shell *shell, struct location *location, int count, Tcl_Obj *const words[])
{
    uint64_t number;
    if (optional_count(shell, count, words, 1, COUNT_MAX, &number) != TCL_OK)
        return TCL_ERROR;
    uint8_t *bytes = checked_memory(malloc(number * location->size));
    int code = read_bytes(shell, location, bytes, (uint32_t)number * location->size);
    if (code == TCL_OK) {
        Tcl_Obj *list = Tcl_NewListObj(0, NULL);
        for (uint64_t i = 0; i < number; i++)
            Tcl_ListObjAppendElement(NULL, list,
                                     shell_hex(value_at(bytes + i * location->size, location->size), location->size));
        Tcl_SetObjResult(shell->interp, list);
    }
    free(bytes);
    return code;
}

static int memory_write(struct shell *shell, struct location *location, int count, Tcl_Obj *const words[])
{
    if (count < 2)
        return shell_error(shell, "memory write: the value is missing");
    if (shell_check_change(shell) != TCL_OK)
        return TCL_ERROR;
    uint8_t *bytes = checked_memory(malloc((size_t)count * location->size));
    int code = TCL_OK;
    for (int i = 1; i < count && code == TCL_OK; i++) {
        uint32_t value = 0;
        code = shell_get_word(shell, words[i], "value", &value);
        /* -1 and 0xff are both valid bytes */
        unsigned bits = location->size * 8;
        if (code == TCL_OK && bits < 32 && value >> bits && (int32_t)value >> (bits - 1) != -1)
            code =
                shell_error(shell, "value \"%s\" does not fit into %u bytes", Tcl_GetString(words[i]), location->size);
        for (unsigned byte = 0; byte < location->size; byte++)
            bytes[(size_t)(i - 1) * location->size + byte] = (uint8_t)(value >> 8 * byte);
    }
    if (code == TCL_OK)
        code = write_bytes(shell, location, bytes, (uint32_t)(count - 1) * location->size);
    free(bytes);
    if (code == TCL_OK)
        Tcl_ResetResult(shell->interp);
    return code;
}

static void dump_line(FILE *out, uint32_t address, const uint8_t *bytes, size_t count)
{
    fprintf(out, "%08x ", address);
    for (size_t i = 0; i < DUMP_WIDTH; i++)
        if (i < count)
            fprintf(out, " %02x", bytes[i]);
        else
            fputs("   ", out);
    fputs("  ", out);
    for (size_t i = 0; i < count; i++)
        fputc(bytes[i] >= ' ' && bytes[i] < 0x7f ? bytes[i] : '.', out);
    fputc('\n', out);
}

static int memory_dump(struct shell *shell, struct location *location, int count, Tcl_Obj *const words[])
{
    uint64_t number;
    if (optional_count(shell, count, words, DUMP_INITIAL, COUNT_MAX, &number) != TCL_OK)
        return TCL_ERROR;
    uint8_t *bytes = checked_memory(malloc(number));
    int code = read_bytes(shell, location, bytes, (uint32_t)number);
    if (code == TCL_OK) {
        char *text;
        size_t size;
        FILE *out = shell_text_open(&text, &size);
        for (uint64_t i = 0; i < number; i += DUMP_WIDTH)
            dump_line(out, location->address + (uint32_t)i, bytes + i,
                      number - i < DUMP_WIDTH ? number - i : DUMP_WIDTH);
        fclose(out);
        Tcl_SetObjResult(shell->interp, Tcl_NewStringObj(text, (int)size - 1));
        free(text);
    }
    free(bytes);
    return code;
}

static int memory_string(struct shell *shell, struct location *location, int count, Tcl_Obj *const words[])
{
    uint64_t max, length = 0;
    uint8_t text[STRING_MAX];
    if (optional_count(shell, count, words, STRING_MAX, STRING_MAX, &max) != TCL_OK)
        return TCL_ERROR;
    for (struct location at = *location; length < max; at.address++, length++) {
        if (read_bytes(shell, &at, text + length, 1) != TCL_OK)
            return TCL_ERROR;
        if (!text[length])
            break;
    }
    /* every byte becomes one character: the encoding of the guest's text is unknown */
    Tcl_SetObjResult(shell->interp, Tcl_NewByteArrayObj(text, (int)length));
    return TCL_OK;
}

static void put_word(Tcl_Obj *dict, const char *key, Tcl_Obj *value)
{
    Tcl_DictObjPut(NULL, dict, Tcl_NewStringObj(key, -1), value);
}

static Tcl_Obj *entry_state_word(const struct memsys_entry *entry, const char *none)
{
    return Tcl_NewStringObj(!entry->valid ? none : entry->dirty ? "modified" : "clean", -1);
}

/* One line of CACHE as a dict: its state, and if it is absent that of the line in whose place it would come. */
static int line_dict(struct shell *shell, const struct location *location, enum memsys_cache cache, uint32_t address,
                     Tcl_Obj *list)
{
    const struct memsys *memsys = shell->machine->memsys;
    paddr physical = address;
    if (!location->physical && !core_debug_translate(shell->machine->cores[shell->cpu], address, &physical))
        return access_error(shell, location, address);
    const struct layout_map *layout = memsys_layout(memsys);
    physical = cache == MEMSYS_L1I ? layout_code(layout, physical) : layout_data(layout, physical);
    const struct memsys_entry entry = memsys_look(memsys, shell->cpu, cache, physical);
    Tcl_Obj *dict = Tcl_NewDictObj();
    put_word(dict, "line", shell_hex_word(address));
    put_word(dict, "state", entry_state_word(&entry, "absent"));
    if (!entry.valid) {
        const struct memsys_request request = {.address = physical,
                                               .virtual_address = address,
                                               .space = core_space(shell->machine->cores[shell->cpu], address)};
        const struct memsys_entry victim = memsys_look_victim(memsys, shell->cpu, cache, &request);
        put_word(dict, "victim", entry_state_word(&victim, "empty"));
    }
    Tcl_ListObjAppendElement(NULL, list, dict);
    return TCL_OK;
}

static int memory_lines(struct shell *shell, struct location *location, int count, Tcl_Obj *const words[])
{
    uint64_t number;
    if (optional_count(shell, count, words, 1, COUNT_MAX, &number) != TCL_OK)
        return TCL_ERROR;
    const enum memsys_cache cache = location->cache == MEMSYS_CACHES ? MEMSYS_L1D : location->cache;
    if (!memsys_cache_name(shell->machine->memsys, cache))
        return shell_error(shell, "the machine has no caches (cache.model)");
    const uint32_t size = memsys_line(shell->machine->memsys, cache), first = location->address & ~(size - 1);
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    int code = TCL_OK;
    for (uint64_t i = 0; i < number && code == TCL_OK; i++)
        code = line_dict(shell, location, cache, first + (uint32_t)i * size, list);
    if (code == TCL_OK)
        Tcl_SetObjResult(shell->interp, list);
    else
        Tcl_DecrRefCount(list);
    return code;
}

static int memory_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    static const char *const verbs[] = {"read", "write", "dump", "string", "lines", NULL};
    static int (*const calls[])(struct shell *, struct location *, int, Tcl_Obj *const[]) = {
        memory_read, memory_write, memory_dump, memory_string, memory_lines};
    struct shell *shell = data;
    struct location location;
    int verb, rest_count;
    if (count < 2)
        return shell_usage(shell, words, "read|write|dump|string|lines ADDRESS|SYMBOL ...");
    if (Tcl_GetIndexFromObj(interp, words[1], verbs, "subcommand", 0, &verb) != TCL_OK ||
        shell_need_machine(shell) != TCL_OK)
        return TCL_ERROR;
    Tcl_Obj **rest = calloc((size_t)count, sizeof *rest);
    if (!rest)
        log_bug("out of memory");
    int code = parse_location(shell, count - 2, words + 2, rest, &rest_count, &location);
    if (code == TCL_OK)
        code = calls[verb](shell, &location, rest_count, rest);
    free(rest);
    return code;
}

/* Disassembly */

/* Compute the target of the branch or jump WORD at ADDRESS. False if it is another instruction. */
static bool branch_target(const struct isa_decoder *decoder, uint32_t word, vaddr address, vaddr *target)
{
    struct insn insn;
    const enum isa_id id = isa_decode(decoder, word, &insn);
    const struct isa_control control = isa_control(id, &insn, address);
    *target = control.target;
    return control.direct;
}

static void insn_text(struct shell *shell, uint32_t word, vaddr address, char *buffer, size_t size)
{
    const struct isa_decoder *decoder = shell->machine->decoder;
    char name[SYMBOL_TEXT_SIZE];
    vaddr target;
    int length = isa_disassemble(decoder, word, address, buffer, size);
    if (!branch_target(decoder, word, address, &target) || length < 0 || (size_t)length >= size)
        return;
    shell_symbol_text(shell, target, name, sizeof name);
    if (*name)
        snprintf(buffer + length, size - (size_t)length, " <%s>", name);
}

static void print_insn(struct shell *shell, FILE *out, vaddr address, uint32_t word, const char *text)
{
    char name[SYMBOL_TEXT_SIZE];
    shell_symbol_text(shell, address, name, sizeof name);
    fprintf(out, "%08x %-24s %08x  %s\n", address, name, word, text);
}

void shell_print_insn(struct shell *shell, FILE *out, unsigned cpu, vaddr address)
{
    uint32_t word;
    char text[512];
    if (machine_debug_read(shell->machine, cpu, address, &word, sizeof word) != sizeof word) {
        fprintf(out, "%08x (not mapped)\n", address);
        return;
    }
    insn_text(shell, word, address, text, sizeof text);
    print_insn(shell, out, address, word, text);
}

static int disassemble_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct shell *shell = data;
    uint64_t number = DISASSEMBLE_INITIAL;
    uint32_t word;
    if (count > 3)
        return shell_usage(shell, words, "?ADDRESS|SYMBOL? ?COUNT?");
    if (shell_need_machine(shell) != TCL_OK)
        return TCL_ERROR;
    struct location location = {.size = sizeof word, .address = shell->machine->cores[shell->cpu]->s.pc};
    if ((count > 1 && shell_get_address(shell, words[1], &location.address) != TCL_OK) ||
        (count > 2 && shell_get_number(shell, words[2], "count", 1, COUNT_MAX, &number) != TCL_OK))
        return TCL_ERROR;
    if (location.address & 3)
        return shell_error(shell, "address 0x%08x is not a multiple of 4", location.address);
    char *pretty = NULL, text[512];
    size_t size;
    int code = TCL_OK;
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    FILE *out = shell->interactive ? shell_text_open(&pretty, &size) : NULL;
    for (uint64_t i = 0; i < number && (code = read_bytes(shell, &location, &word, sizeof word)) == TCL_OK; i++) {
        insn_text(shell, word, location.address, text, sizeof text);
        Tcl_Obj *row[] = {shell_hex_word(location.address), shell_hex_word(word), Tcl_NewStringObj(text, -1)};
        Tcl_ListObjAppendElement(interp, list, Tcl_NewListObj(3, row));
        if (out)
            print_insn(shell, out, location.address, word, text);
        location.address += 4;
    }
    if (out)
        fclose(out);
    if (code == TCL_OK) {
        shell_pretty(shell, list, pretty);
        return TCL_OK;
    }
    Tcl_DecrRefCount(list);
    free(pretty);
    return code;
}

static int translation_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct shell *shell = data;
    struct err err = {""};
    char *text;
    size_t size;
    if (count > 2)
        return shell_usage(shell, words, "?ADDRESS|SYMBOL?");
    if (shell_need_machine(shell) != TCL_OK)
        return TCL_ERROR;
    const struct core *core = shell->machine->cores[shell->cpu];
    vaddr address = core->s.pc;
    if (count > 1 && shell_get_address(shell, words[1], &address) != TCL_OK)
        return TCL_ERROR;
    if (!core->model_ops->dump_code)
        return shell_error(shell, "CPU model %s does not translate; `model embra` does", core->model_ops->name);
    FILE *out = shell_text_open(&text, &size);
    bool done = core->model_ops->dump_code(core->model, address, out, &err);
    fclose(out);
    if (done)
        Tcl_SetObjResult(interp, Tcl_NewStringObj(text, (int)size - 1));
    free(text);
    return done ? TCL_OK : shell_error(shell, "%s", err.text);
}

const struct shell_command shell_memory_commands[] = {
    {"memory", "read|write|dump|string|lines ADDRESS|SYMBOL ... ?-size 1|2|4? ?-cache NAME? ?-physical?",
     "read and write RAM",
     "    memory read ADDRESS ?COUNT?       a list of COUNT (1) values of -size (4) bytes\n"
     "    memory write ADDRESS VALUE ...    store values of -size (4) bytes, one behind the other\n"
     "    memory dump ADDRESS ?COUNT?       COUNT (128) bytes in hexadecimal and ASCII\n"
     "    memory string ADDRESS ?MAX?       the C string there, at most MAX (4096) bytes\n"
     "    memory lines ADDRESS ?COUNT?      states of COUNT (1) lines in the cache -cache (l1d)\n"
     "    Addresses are virtual ones of the selected CPU, or physical with -physical. Devices are not reached.",
     memory_command, SHELL_AT_PLACE},
    {"disassemble", "?ADDRESS|SYMBOL? ?COUNT?", "COUNT (10) instructions from there, or from the pc",
     "    A list of {address word text}.", disassemble_command, SHELL_AT_PLACE},
    {"translation", "?ADDRESS|SYMBOL?", "embra's translation of the instructions from there, or from the pc",
     "    A text: guest instructions with the operations they become, and the host's code. The CPU is the selected "
     "one.",
     translation_command, SHELL_AT_PLACE},
    {"symbol", SYMBOL_USAGE, "the address of a kernel symbol, or the symbol at an address",
     "    -at gives NAME+OFFSET. -match gives a dict of names and their addresses. Wherever an address is wanted, "
     "NAME\n"
     "    and NAME+OFFSET will do, unless several functions have that name. read gives the value of a typed "
     "expression: \"((struct task_struct *)$a1)->pid\".\n"
     "    load FILE ?-process NAME? ?-base ADDRESS? takes the symbols of a program or shared library of the guest "
     "from\n"
     "    its ELF file; path FOLDER finds files by what a process has mapped. where ADDRESS is its FILE:LINE.\n"
     "    data ADDRESS identifies the data there: slab cache, heap of a process, page of a file ...",
     symbol_command, SHELL_AT_PLACE},
    {0},
};
