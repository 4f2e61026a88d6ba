/*
 * `monitor COMMAND` at the debugger's prompt: information of the simulator for which the protocol has no packets.
 * Commands are untrusted input, so they are not Tcl and contain no paths: a checkpoint is saved under a new name in
 * the folder that the command line specifies.
 */
#include "src/gdb/gdb_state.h"
#include "src/base/json_writer.h"
#include "src/base/output_lock.h"
#include "src/machine/machine_saved.h"
#include "src/machine/machine_text.h"
#include "src/observe/annotated.h"
#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { WORDS_MAX = 4, NAME_MAX_LENGTH = 100, SYMBOL_BYTES = 256, PROCESS_BYTES = 48 };

/* Resolves names of processes and user code. */
struct gdb_names {
    struct annotated *annotated; /* NULL: the kernel's structures are unknown */
};

struct monitor_command {
    const char *name, *usage, *brief;
    unsigned words; /* arguments after the name: minimum ... */
    unsigned most;
    bool at_place; /* of the machine's state: while the debugger looks at the past, that of then */
    void (*call)(struct gdb_stub *stub, char *const words[], unsigned count, FILE *out);
};
extern const struct monitor_command monitor_commands[];

/* Positions of the CPUs */

/* The name resolver, created at its first use. NULL if the kernel's structures are unknown. */
static struct annotate *names_of(struct gdb_stub *stub)
{
    struct err err = {""};
    if (stub->machine->annotate)
        return stub->machine->annotate;
    if (!stub->interpreter)
        return NULL;
    if (stub->names == NULL) {
        stub->names = checked_memory(calloc(1, sizeof *stub->names));
        if (!annotated_create(&stub->names->annotated, "layout", stub->interpreter, &err) ||
            !annotated_begin(stub->names->annotated, stub->machine, NULL, &err)) {
            annotated_free(stub->names->annotated);
            stub->names->annotated = NULL;
        }
    }
    return annotated_annotate(stub->names->annotated);
}

static void where(struct gdb_stub *stub, char *const words[], unsigned count, FILE *out)
{
    struct annotate *names = names_of(stub);
    (void)words, (void)count;
    for (unsigned i = 0; i < stub->machine->cpus; i++) {
        struct core *core = stub->machine->cores[i];
        char symbol[SYMBOL_BYTES] = "", process[PROCESS_BYTES] = "";
        if (core->s.running) { /* the pc of a CPU that is off is meaningless */
            machine_text_symbol(stub->machine, core->s.pc, symbol, sizeof symbol);
            if (names && !*symbol && !annotate_user_symbol(names, core, core->s.pc, symbol, sizeof symbol))
                annotate_routine_text(names, core, symbol, sizeof symbol);
            if (names)
                annotate_process_text(names, core, process, sizeof process);
        }
        fprintf(out, "%c CPU %u %-7s 0x%08x%s%s%s%s%s\n", i == stub->general_cpu ? '*' : ' ', i,
                machine_text_mode(core), core->s.pc, core->s.in_delay_slot ? " (delay slot)" : "", *symbol ? " " : "",
                symbol, *process ? ", process " : "", process);
    }
}

static void tlb(struct gdb_stub *stub, char *const words[], unsigned count, FILE *out)
{
    unsigned long cpu = stub->general_cpu;
    char *end = "";
    if (count > 0)
        cpu = strtoul(words[0], &end, 10);
    if (*end || (count > 0 && !isdigit((unsigned char)*words[0])) || cpu >= stub->machine->cpus)
        fprintf(out, "tlb: %.32s is no CPU; valid: 0..%u\n", words[0], stub->machine->cpus - 1);
    else
        machine_text_tlb(stub->machine->cores[cpu], out);
}

static void statistics(struct gdb_stub *stub, char *const words[], unsigned count, FILE *out)
{
    const struct stats *stats = stub->machine->stats;
    const char *name;
    bool any = false;
    for (size_t i = 0; (name = stats_name_at(stats, i)); i++) {
        char *text = NULL;
        size_t size;
        if (count > 0 && fnmatch(words[0], name, 0) != 0)
            continue;
        any = true;
        FILE *value = open_memstream(&text, &size);
        if (!value)
            log_bug("out of memory");
        if (stats_text_value(stats, name))
            fputs(stats_text_value(stats, name), value);
        else
            json_print_double(stats_value_at(stats, i), value);
        fclose(value);
        machine_text_statistic(stub->machine, name, text, out);
        free(text);
    }
    if (!any)
        fprintf(out, "statistics: none matches %.64s\n", words[0]);
}

/* Checkpoints */

/* Is TEXT a plain file name, without a path? */
static bool is_name(const char *text)
{
    size_t length = 0;
    while (text[length] && (isalnum((unsigned char)text[length]) || (length && strchr("._+-", text[length]))))
        length++;
    return length > 0 && length <= NAME_MAX_LENGTH && !text[length];
}

static bool save(struct gdb_stub *stub, const char *name, struct err *err)
{
    struct stat there;
    if (!stub->folder)
        return err_set(err, "not allowed without --gdb PORT,save=FOLDER");
    if (!is_name(name))
        return err_set(err, "\"%.64s\": not a file name of letters, digits and . _ + -", name);
    char *path = NULL;
    if (asprintf(&path, "%s/%s", stub->folder, name) < 0)
        log_bug("out of memory");
    /* A name that is an output of this run, or that another debugger's checkpoint is getting, exists as good as. */
    struct output_lock *lock = NULL;
    bool done = !output_lock_is_held(path) || err_set(err, "%.300s is an output of this run", path);
    done = done && (lock = output_lock_take("checkpoint", path, err));
    done = done && (lstat(path, &there) != 0 || err_set(err, "%.300s exists already", path));
    done = done && machine_can_save(stub->machine, "checkpoint", err) &&
           machine_save(stub->machine, "a debugger", path, err);
    output_lock_release(lock);
    free(path);
    return done;
}

static void checkpoint(struct gdb_stub *stub, char *const words[], unsigned count, FILE *out)
{
    struct err err = {""};
    (void)count;
    if (strcmp(words[0], "save") != 0)
        fprintf(out, "checkpoint: unknown subcommand \"%.32s\"; valid: save\n", words[0]);
    else if (save(stub, words[1], &err))
        fprintf(out, "saved %s/%s\n", stub->folder, words[1]);
    else
        fprintf(out, "checkpoint: %s\n", err.text);
}

/* The past */

static void history(struct gdb_stub *stub, char *const words[], unsigned count, FILE *out)
{
    (void)words, (void)count;
    gdb_past_overview(stub, out);
}

static void last_access(struct gdb_stub *stub, char *const words[], enum find_kind kind, FILE *out)
{
    char *end;
    const unsigned long long value = strtoull(words[0], &end, 0);
    if (!isdigit((unsigned char)*words[0]) || *end || value > UINT32_MAX)
        fprintf(out, "\"%.32s\" is no address\n", words[0]);
    else
        gdb_past_last_access(stub, kind, (vaddr)value, out);
}

static void last_write(struct gdb_stub *stub, char *const words[], unsigned count, FILE *out)
{
    (void)count;
    last_access(stub, words, FIND_STORE, out);
}

static void last_read(struct gdb_stub *stub, char *const words[], unsigned count, FILE *out)
{
    (void)count;
    last_access(stub, words, FIND_LOAD, out);
}

/* Commands */

static void help(struct gdb_stub *stub, char *const words[], unsigned count, FILE *out)
{
    (void)stub, (void)words, (void)count;
    for (const struct monitor_command *command = monitor_commands; command->name; command++) {
        char left[64];
        snprintf(left, sizeof left, "%s %s", command->name, command->usage);
        fprintf(out, "monitor %-22s %s\n", left, command->brief);
    }
}

const struct monitor_command monitor_commands[] = {
    {"help", "", "this list", 0, 0, false, help},
    {"where", "", "what every CPU executes: mode, pc, symbol, process", 0, 0, true, where},
    {"tlb", "[CPU]", "the valid TLB entries of the selected CPU, or of CPU", 0, 1, true, tlb},
    {"statistics", "[PATTERN]", "the statistics, all or those like PATTERN: cpu0.*", 0, 1, true, statistics},
    {"checkpoint", "save NAME", "the machine, to NAME in the folder of --gdb PORT,save=FOLDER", 2, 2, true, checkpoint},
    {"history", "", "with --history: how far the past reaches", 0, 0, false, history},
    {"last-write", "ADDRESS", "with --history: what stored to the word there last", 1, 1, false, last_write},
    {"last-read", "ADDRESS", "with --history: what loaded it last", 1, 1, false, last_read},
    {0},
};

/* The command NAME; NULL: none. */
static const struct monitor_command *find_command(const char *name)
{
    for (const struct monitor_command *command = monitor_commands; command->name; command++)
        if (strcmp(command->name, name) == 0)
            return command;
    return NULL;
}

static void call(struct gdb_stub *stub, char *const words[], unsigned count, FILE *out)
{
    const struct monitor_command *command = count > 0 ? find_command(words[0]) : monitor_commands;
    if (!command)
        fprintf(out, "no command \"%.32s\"; `monitor help` lists them\n", words[0]);
    else if (count > 0 && (count - 1 < command->words || count - 1 > command->most))
        fprintf(out, "usage: monitor %s %s\n", command->name, command->usage);
    else
        command->call(stub, words + 1, count ? count - 1 : 0, out);
}

/* Send TEXT to the debugger's console in as many 'O' packets as needed. */
static void send_output(struct gdb_stub *stub, const char *text, size_t length)
{
    enum { EACH = (GDB_PACKET_MAX - 32) / 2 };
    for (size_t at = 0; at < length && !stub->finished; at += EACH) {
        const size_t part = length - at < EACH ? length - at : EACH;
        stub->reply[0] = 'O';
        gdb_hex_put(stub->reply + 1, text + at, part);
        gdb_send(stub, stub->reply);
    }
    if (!stub->finished)
        gdb_send(stub, "OK");
}

void gdb_monitor(struct gdb_stub *stub, const char *hex, const char *end)
{
    char line[512], *words[WORDS_MAX + 1], *rest = line, *text = NULL;
    unsigned count = 0;
    const size_t length = (size_t)(end - hex) / 2;
    size_t size;
    if ((end - hex) % 2 || length >= sizeof line || !gdb_hex_get(hex, line, length)) {
        gdb_send(stub, GDB_ERROR_PACKET);
        return;
    }
    line[length] = '\0';
    FILE *out = open_memstream(&text, &size);
    if (!out)
        log_bug("out of memory");
    while (count <= WORDS_MAX && (words[count] = strsep(&rest, " \t\r\n")))
        count += *words[count] != '\0';
    const struct monitor_command *command = count > 0 ? find_command(words[0]) : NULL;
    const bool elsewhere = command && command->at_place && history_is_past(stub->history);
    if (!elsewhere)
        call(stub, words, count, out);
    fclose(out);
    if (elsewhere)
        gdb_past_pass_on(stub, stub->packet, strlen(stub->packet));
    else
        send_output(stub, text, size);
    free(text);
}

void gdb_monitor_end(struct gdb_stub *stub)
{
    if (stub->names == NULL)
        return;
    annotated_free(stub->names->annotated);
    free(stub->names);
    stub->names = NULL;
}
