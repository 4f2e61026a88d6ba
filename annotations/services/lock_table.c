#include "annotations/services/lock_table.h"
#include "src/base/printable.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 1 << 9, HINTS = 1 << 10, LOCKS_MAX = 1 << 14, HOLDERS_MAX = 64 };

void lock_table_init(struct lock_table *table, const struct symbols *symbols)
{
    *table = (struct lock_table){.symbols = symbols};
    table->hint = checked_memory(calloc(HINTS, sizeof *table->hint));
}

static void free_holders(struct lock *lock)
{
    while (lock->holders) {
        struct lock_holder *holder = lock->holders;
        lock->holders = holder->next;
        free(holder);
    }
}

void lock_table_release(struct lock_table *table)
{
    for (unsigned i = 0; i < table->count; i++)
        free_holders(&table->lock[i]);
    free(table->lock);
    hash_map_release(&table->entries);
    free(table->hint);
}

void lock_table_reset(struct lock_table *table)
{
    for (unsigned i = 0; i < table->count; i++) {
        struct lock *lock = &table->lock[i];
        free_holders(lock);
        *lock = (struct lock){.kind = lock->kind, .address = lock->address, .first_function = lock->first_function};
    }
}

static bool is_variable(const struct lock_table *table, vaddr address)
{
    return vaddr_in_kseg0(address) && address < table->image_end;
}

/* Start address of the function that the call returning to CALLER is in; CALLER if unknown. */
static vaddr function_of(const struct lock_table *table, vaddr caller)
{
    const struct symbol *symbol = table->symbols ? symbols_at(table->symbols, caller - 8) : NULL;
    return symbol ? symbol->address : caller;
}

static unsigned find(struct lock_table *table, enum lock_kind kind, vaddr address, vaddr taker)
{
    const uint64_t key = (address ? address : taker) | (uint64_t)(address == 0) << 32 | (uint64_t)kind << 33;
    const struct hash_slot *slot = hash_map_find(&table->entries, key);
    if (slot)
        return (unsigned)slot->number;
    if (table->count == LOCKS_MAX)
        return 0; /* not a plausible guest: further locks share the first entry */
    if (table->count == table->capacity) {
        table->capacity = table->capacity ? table->capacity * 2 : FIRST_CAPACITY;
        table->lock = checked_memory(realloc(table->lock, table->capacity * sizeof *table->lock));
    }
    table->lock[table->count] = (struct lock){.kind = kind, .address = address, .first_function = taker};
    hash_map_add(&table->entries, key)->number = table->count;
    return table->count++;
}

unsigned lock_table_find(struct lock_table *table, enum lock_kind kind, vaddr address, vaddr caller)
{
    vaddr variable = is_variable(table, address) ? address : 0;
    struct lock_hint *hint = &table->hint[(caller >> 2 ^ variable >> 2 ^ variable >> 12) % HINTS];
    if (hint->caller != caller || hint->lock != variable || hint->kind != kind)
        *hint = (struct lock_hint){.lock = variable,
                                   .caller = caller,
                                   .kind = kind,
                                   .entry = find(table, kind, variable, function_of(table, caller))};
    return hint->entry;
}

/* The holder entry of LOCK for CALLER, moved to the front of the list. Beyond HOLDERS_MAX callers, entry 0 is
 * shared. */
static struct lock_holder *holder_of(struct lock *lock, vaddr caller)
{
    struct lock_holder **at = &lock->holders;
    while (*at && (*at)->caller != caller)
        at = &(*at)->next;
    struct lock_holder *holder = *at;
    if (!holder && lock->holder_count == HOLDERS_MAX && caller)
        return holder_of(lock, 0);
    if (holder) {
        *at = holder->next;
    } else {
        holder = checked_memory(calloc(1, sizeof *holder));
        holder->caller = caller;
        lock->holder_count += caller != 0;
    }
    holder->next = lock->holders;
    return lock->holders = holder;
}

void lock_table_add_hold(struct lock_table *table, unsigned entry, vaddr caller, unsigned pid, const char *name,
                         cycles time)
{
    struct lock *lock = &table->lock[entry];
    struct lock_holder *holder = holder_of(lock, caller);
    lock->releases++;
    lock->held += time;
    holder->releases++;
    holder->held += time;
    if (time > holder->longest)
        holder->longest = time;
    if (time > lock->held_longest || lock->releases == 1) {
        lock->held_longest = time;
        lock->longest_caller = caller;
        lock->longest_pid = pid;
        snprintf(lock->longest_name, sizeof lock->longest_name, "%s", name);
    }
}

/* Results */

const char *lock_kind_name(enum lock_kind kind)
{
    static const char *const names[LOCK_KINDS] = {
        [LOCK_SPIN] = "spin",     [LOCK_READ] = "read",           [LOCK_WRITE] = "write",        [LOCK_MUTEX] = "mutex",
        [LOCK_SHARED] = "shared", [LOCK_EXCLUSIVE] = "exclusive", [LOCK_SEMAPHORE] = "semaphore"};
    return names[kind];
}

static int by_cost(const void *a, const void *b)
{
    const struct lock *x = *(const struct lock *const *)a, *y = *(const struct lock *const *)b;
    if (x->wait != y->wait)
        return x->wait < y->wait ? 1 : -1;
    if (x->acquires != y->acquires)
        return x->acquires < y->acquires ? 1 : -1;
    return x < y ? -1 : 1;
}

/* All locks that were acquired, sorted by cost. The caller frees the array. */
static const struct lock **sorted(const struct lock_table *table, unsigned *count)
{
    const struct lock **locks = checked_memory(calloc(table->count + 1, sizeof *locks));
    *count = 0;
    for (unsigned i = 0; i < table->count; i++)
        if (table->lock[i].acquires > 0)
            locks[(*count)++] = &table->lock[i];
    qsort(locks, *count, sizeof *locks, by_cost);
    return locks;
}

/* Name of a lock: its symbol, or its address and the function that acquired it first; without address, the function. */
static void name_of(const struct lock_table *table, const struct lock *lock, char *name, size_t size)
{
    const struct symbol *variable = lock->address && table->symbols ? symbols_at(table->symbols, lock->address) : NULL;
    const struct symbol *taker = table->symbols ? symbols_at(table->symbols, lock->first_function) : NULL;
    char function[64];
    if (taker)
        snprintf(function, sizeof function, "%.60s", taker->name);
    else
        snprintf(function, sizeof function, "%08x", lock->first_function);
    if (variable && variable->address == lock->address)
        snprintf(name, size, "%s", variable->name);
    else if (lock->address)
        snprintf(name, size, "%08x (%s)", lock->address, function);
    else
        snprintf(name, size, "%s", function);
}

void lock_table_name(const struct lock_table *table, unsigned entry, char *name, size_t size)
{
    name_of(table, &table->lock[entry], name, size);
}

/* Name of the function that the call returning to CALLER is in; "" if unknown. */
static const char *function_name(const struct lock_table *table, vaddr caller)
{
    const struct symbol *symbol = caller && table->symbols ? symbols_at(table->symbols, caller - 8) : NULL;
    return symbol ? symbol->name : "";
}

/* Sum the holders by function, as several calls may be in one function. Returns the number of sums. */
static unsigned collect_holders(const struct lock_table *table, const struct lock *lock,
                                struct lock_holder sums[HOLDERS_MAX + 1])
{
    unsigned count = 0;
    for (const struct lock_holder *holder = lock->holders; holder; holder = holder->next) {
        const vaddr function = holder->caller ? function_of(table, holder->caller) : 0;
        unsigned i = 0;
        while (i < count && sums[i].caller != function)
            i++;
        if (i == count)
            sums[count++] = (struct lock_holder){.caller = function};
        sums[i].releases += holder->releases;
        sums[i].held += holder->held;
        if (holder->longest > sums[i].longest)
            sums[i].longest = holder->longest;
    }
    return count;
}

static int by_held(const void *a, const void *b)
{
    const struct lock_holder *x = a, *y = b;
    if (x->held != y->held)
        return x->held < y->held ? 1 : -1;
    return x->caller < y->caller ? -1 : x->caller > y->caller;
}

static void write_holders(const struct lock_table *table, const struct lock *lock, struct json_writer *json)
{
    struct lock_holder sums[HOLDERS_MAX + 1];
    const unsigned count = collect_holders(table, lock, sums);
    if (count == 0)
        return;
    qsort(sums, count, sizeof *sums, by_held);
    json_member_object(json, "longest_by");
    json_member_text(json, "function", function_name(table, lock->longest_caller));
    json_member_count(json, "pid", lock->longest_pid);
    json_member_text(json, "process", lock->longest_name);
    json_end_object(json);
    json_member_array(json, "holders");
    for (unsigned i = 0; i < count; i++) {
        json_begin_object(json);
        json_member_text(json, "function", function_name(table, sums[i].caller ? sums[i].caller + 8 : 0));
        json_member_count(json, "releases", sums[i].releases);
        json_member_count(json, "held", sums[i].held);
        json_member_count(json, "longest", sums[i].longest);
        json_end_object(json);
    }
    json_end_array(json);
}

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

void lock_table_print(const struct lock_table *table, uint64_t clock_hz, unsigned rows, FILE *out)
{
    unsigned count;
    const struct lock **locks = sorted(table, &count);
    const double microseconds = 1e6 / (double)clock_hz;
    if (count > 0)
        fprintf(
            out,
            "\nLocks%s: dynamically allocated ones by acquiring function; total wait, mean hold time, microseconds\n"
            "%-44s %-9s %10s %10s %7s %11s %10s %8s %10s  %s\n",
            count > rows ? " with the longest waiting time" : "", "", "", "taken", "contended", "", "waited", "a wait",
            "held", "longest", "by");
    for (unsigned i = 0; i < count && i < rows; i++) {
        const struct lock *lock = locks[i];
        char name[128];
        name_of(table, lock, name, sizeof name);
        fprintf(out, "%-44.44s %-9s %10" PRIu64 " %10" PRIu64 " %6.2f%% %11.1f %10.2f", PRINTABLE(name),
                lock_kind_name(lock->kind), lock->acquires, lock->contended,
                100 * ratio((double)lock->contended, (double)lock->acquires), (double)lock->wait * microseconds,
                ratio((double)lock->wait * microseconds, (double)lock->contended));
        if (lock->releases > 0)
            fprintf(out, " %8.2f %10.2f  %s, %s", ratio((double)lock->held * microseconds, (double)lock->releases),
                    (double)lock->held_longest * microseconds, PRINTABLE(function_name(table, lock->longest_caller)),
                    PRINTABLE(lock->longest_name));
        fputc('\n', out);
    }
    if (count > rows)
        fprintf(out, "and %u more\n", count - rows);
    free(locks);
}

static void write_lock(const struct lock_table *table, const struct lock *lock, struct json_writer *json)
{
    const struct symbol *taker = table->symbols ? symbols_at(table->symbols, lock->first_function) : NULL;
    char name[128], address[16];
    name_of(table, lock, name, sizeof name);
    snprintf(address, sizeof address, "%08x", lock->address);
    json_begin_object(json);
    json_member_text(json, "name", name);
    json_member_text(json, "kind", lock_kind_name(lock->kind));
    json_member_text(json, "caller", taker ? taker->name : "");
    if (lock->address)
        json_member_text(json, "address", address);
    json_member_count(json, "acquires", lock->acquires);
    json_member_count(json, "contended", lock->contended);
    json_member_count(json, "wait", lock->wait);
    json_member_count(json, "releases", lock->releases);
    json_member_count(json, "held", lock->held);
    json_member_count(json, "held_longest", lock->held_longest);
    write_holders(table, lock, json);
    json_end_object(json);
}

void lock_table_write_json(const struct lock_table *table, struct json_writer *json)
{
    unsigned count;
    const struct lock **locks = sorted(table, &count);
    json_begin_array(json);
    for (unsigned i = 0; i < count; i++) {
        json_line(json, 6);
        write_lock(table, locks[i], json);
    }
    json_line(json, 4);
    json_end_array(json);
    free(locks);
}
