#include "annotations/timeline/stack_profile.h"
#include "annotations/services/service_tasks.h"
#include "annotations/services/service_frames.h"
#include "annotations/services/service_names.h"
#include "annotations/services/service_charge.h"

#include "src/base/board.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PART = 96, DEPTH = SERVICE_LEVELS + 1, LINE = (DEPTH + 1) * PART };

/* A node of the tree of stacks: process, services, routine. */
struct node {
    struct node *parent, *child, *sibling; /* child: the first one */
    char name[PART];
    bool is_routine;
    uint64_t weight[2];  /* charged to exactly this stack, by enum stack_profile_weight */
    uint64_t sampled[2]; /* the part of weight that has been assigned to routines */
};

struct cpu_state {
    struct node *node;
    struct service_cost charged;
    char process[16]; /* the name of the process of `root` */
    struct node *root;
};

struct stack_profile {
    const struct machine_view *machine;
    struct services *services;
    struct node root; /* parent of the processes' nodes */
    struct cpu_state now[BOARD_MAX_CPUS];
};

/* NAME as a part of a stack. A number at its end, after a space, is joined: "x 12 345" has two weights for
 * flamegraph.pl. */
static void put_part(char part[PART], const char *name)
{
    snprintf(part, PART, "%s", *name ? name : "?");
    for (char *at = part; *at; at++)
        if (*at == ';' || *at < ' ' || *at > '~')
            *at = '?';
    char *last = strrchr(part, ' ');
    if (last && last[1 + strspn(last + 1, "0123456789.")] == '\0')
        *last = '_';
}

/* The child NAME of NODE, created if necessary, moved to the front of the list. */
static struct node *child_of(struct node *node, const char *name, bool is_routine)
{
    struct node **at = &node->child;
    while (*at && ((*at)->is_routine != is_routine || strcmp((*at)->name, name) != 0))
        at = &(*at)->sibling;
    struct node *found = *at;
    if (found) {
        *at = found->sibling;
    } else {
        found = checked_memory(calloc(1, sizeof *found));
        found->parent = node;
        found->is_routine = is_routine;
        memcpy(found->name, name, strlen(name) + 1);
    }
    found->sibling = node->child;
    node->child = found;
    return found;
}

static struct node *process_node(struct stack_profile *contexts, struct core *core)
{
    struct cpu_state *now = &contexts->now[core->number];
    const char *name = services_current_process(contexts->services, core).name;
    char part[PART];
    if (now->root && strncmp(now->process, name, sizeof now->process) == 0)
        return now->root;
    snprintf(now->process, sizeof now->process, "%s", name);
    put_part(part, name);
    return now->root = child_of(&contexts->root, part, false);
}

static struct node *stack_node(struct stack_profile *contexts, struct core *core)
{
    struct service_level levels[SERVICE_LEVELS];
    unsigned count = services_stack(contexts->services, core, levels);
    struct node *node = process_node(contexts, core);
    char part[PART];
    for (unsigned i = 0; i < count; i++) {
        put_part(part, services_name(contexts->services, levels[i].service));
        node = child_of(node, part, false);
    }
    return node;
}

static void charge(struct stack_profile *contexts, struct core *core)
{
    struct cpu_state *now = &contexts->now[core->number];
    struct service_cost cost = services_cost(contexts->services, core);
    if (now->node) {
        now->node->weight[STACK_PROFILE_CYCLES] += cost.cycles - now->charged.cycles;
        now->node->weight[STACK_PROFILE_STALL] += cost.stall - now->charged.stall;
    }
    now->charged = cost;
}

static void service_changed(void *opaque, struct core *core)
{
    struct stack_profile *contexts = opaque;
    charge(contexts, core);
    contexts->now[core->number].node = stack_node(contexts, core);
}

struct stack_profile *stack_profile_create(const struct machine_view *machine, struct services *services)
{
    struct stack_profile *contexts = checked_memory(calloc(1, sizeof *contexts));
    contexts->machine = machine;
    contexts->services = services;
    stack_profile_reset(contexts);
    services_watch(services, service_changed, contexts);
    return contexts;
}

/* Free all nodes below NODE in the tree. */
static void free_children(struct node *node)
{
    while (node->child) {
        struct node *child = node->child;
        node->child = child->sibling;
        free_children(child);
        free(child);
    }
}

void stack_profile_free(struct stack_profile *contexts)
{
    if (!contexts)
        return;
    services_unwatch(contexts->services, service_changed, contexts);
    free_children(&contexts->root);
    free(contexts);
}

void stack_profile_reset(struct stack_profile *contexts)
{
    free_children(&contexts->root);
    services_charge(contexts->services);
    for (unsigned cpu = 0; cpu < contexts->machine->cpus; cpu++) {
        struct core *core = contexts->machine->cores[cpu];
        contexts->now[cpu] = (struct cpu_state){.charged = services_cost(contexts->services, core)};
        contexts->now[cpu].node = stack_node(contexts, core);
    }
}

void stack_profile_update(struct stack_profile *contexts)
{
    services_charge(contexts->services);
    for (unsigned cpu = 0; cpu < contexts->machine->cpus; cpu++)
        charge(contexts, contexts->machine->cores[cpu]);
}

void stack_profile_sample(struct stack_profile *contexts, stack_profile_name_fn *name, void *opaque)
{
    char text[PART], part[PART];
    stack_profile_update(contexts);
    for (unsigned cpu = 0; cpu < contexts->machine->cpus; cpu++) {
        struct node *node = contexts->now[cpu].node;
        if (node->weight[STACK_PROFILE_CYCLES] == node->sampled[STACK_PROFILE_CYCLES])
            continue;
        name(opaque, contexts->machine->cores[cpu], text, sizeof text);
        put_part(part, text);
        struct node *routine = child_of(node, part, true);
        for (unsigned i = 0; i < 2; i++) {
            routine->weight[i] += node->weight[i] - node->sampled[i];
            node->sampled[i] = node->weight[i];
        }
    }
}

/* Results */

struct lines {
    enum stack_profile_weight weight;
    size_t count, room;
    char **text;
};

static void add_line(struct lines *lines, const char *stack, uint64_t weight)
{
    if (weight == 0)
        return;
    if (lines->count == lines->room) {
        lines->room = lines->room ? 2 * lines->room : 256;
        lines->text = checked_memory(realloc(lines->text, lines->room * sizeof *lines->text));
    }
    size_t size = strlen(stack) + 24;
    char *line = checked_memory(malloc(size));
    snprintf(line, size, "%s %" PRIu64, stack, weight);
    lines->text[lines->count++] = line;
}

/* Add the lines of NODE and its descendants. STACK holds the text of its parents, LENGTH bytes. */
static void collect(struct lines *lines, const struct node *node, char stack[LINE], size_t length)
{
    size_t end = length + (size_t)snprintf(stack + length, LINE - length, "%s%s", length ? ";" : "", node->name);
    add_line(lines, stack, node->weight[lines->weight] - node->sampled[lines->weight]);
    for (const struct node *child = node->child; child; child = child->sibling)
        collect(lines, child, stack, end);
    stack[length] = 0;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void stack_profile_write(const struct stack_profile *contexts, enum stack_profile_weight weight, FILE *out)
{
    struct lines lines = {.weight = weight};
    char stack[LINE] = "";
    for (const struct node *process = contexts->root.child; process; process = process->sibling)
        collect(&lines, process, stack, 0);
    if (lines.count)
        qsort(lines.text, lines.count, sizeof *lines.text, by_text);
    for (size_t i = 0; i < lines.count; i++) {
        fprintf(out, "%s\n", lines.text[i]);
        free(lines.text[i]);
    }
    free(lines.text);
}
