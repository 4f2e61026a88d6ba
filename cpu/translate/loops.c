/*
 * Detection of loops in a page of guest code, from its branches. A loop extends from its head to the last branch back
 * to it; code outside this range is not part of it, even if control returns from it.
 */
#include "cpu/translate/loops.h"
#include "cpu/translate/host.h"
#include <string.h>

/* Maximum number of nodes and instructions. Longer loops gain nothing, and their code must fit the room guaranteed by
 * host_has_room(). */
enum { NODES = 96, MAX_INSNS = 600 };

/* A node of the control flow graph: code that ends with a branch, and its successors within the loop's range. */
struct node {
    vaddr pc, end; /* address of the first instruction, and of the first one after the delay slot */
    vaddr to[2];
    unsigned to_count;
    bool returns; /* there is a path from here to the head */
};

struct graph {
    const struct build_context *context;
    vaddr head, last; /* the loop lies between them, inclusive */
    unsigned count, insns;
    struct node nodes[NODES];
};

static uint32_t word_at(const struct build_context *context, vaddr pc)
{
    return context->words[(pc & (PAGE_SIZE - 1)) >> 2];
}

static bool is_in_page(const struct build_context *context, vaddr pc)
{
    return (pc & ~(vaddr)(PAGE_SIZE - 1)) == context->page;
}

static void add_exit(struct graph *graph, struct node *node, vaddr to)
{
    if (to >= graph->head && to <= graph->last)
        node->to[node->to_count++] = to;
}

/* Does instruction INDEX branch or jump to an address from FIRST to LAST, within the page, and to which? */
static bool find_target(const struct build_context *context, unsigned index, vaddr first, vaddr last, vaddr *target)
{
    const struct isa_decoder *decoder = context->core->decoder;
    const uint32_t word = context->words[index];
    const vaddr pc = context->page + index * 4;
    struct insn insn;
    if (!isa_may_be_direct(decoder, word, pc, target) || *target < first || *target > last)
        return false;
    const enum isa_id id = isa_decode(decoder, word, &insn);
    const struct isa_control control = isa_control(id, &insn, pc);
    return control.direct && !control.calls;
}

/* Address of the last instruction of PAGE that branches to HEAD; HEAD itself if there is none. */
static vaddr last_branch_back(const struct code_page *page, const struct build_context *context, vaddr head)
{
    const unsigned first = (head & (PAGE_SIZE - 1)) >> 2;
    for (unsigned word = PAGE_INSNS / 64; word-- > first / 64;)
        for (uint64_t left = page->branches_back[word]; left != 0;) {
            const unsigned bit = 63 - (unsigned)__builtin_clzll(left), index = word * 64 + bit;
            vaddr target;
            if (find_target(context, index, head, head, &target))
                return context->page + index * 4;
            left &= ~(UINT64_C(1) << bit);
        }
    return head;
}

/* Does the instruction ID at PC end the node? If so, add its successors. */
static bool find_exits(struct graph *graph, struct node *node, enum isa_id id, const struct insn *insn, vaddr pc)
{
    const struct isa_control control = isa_control(id, insn, pc);
    if (control.flow < FLOW_EXCEPTION)
        return false;
    if (!control.direct || control.calls)
        return true;
    add_exit(graph, node, control.target);
    if (control.conditional)
        add_exit(graph, node, pc + 8);
    return true;
}

static void scan(struct graph *graph, struct node *node)
{
    const struct build_context *context = graph->context;
    for (vaddr pc = node->pc; is_in_page(context, pc); pc += 4) {
        struct insn insn;
        enum isa_id id = isa_decode(context->core->decoder, word_at(context, pc), &insn);
        graph->insns++;
        if (pc != node->pc && pc == graph->head) {
            add_exit(graph, node, pc);
            node->end = pc;
            return;
        }
        if (find_exits(graph, node, id, &insn, pc)) {
            node->end = pc + 8;
            return;
        }
    }
    node->end = node->pc; /* runs past the end of the page */
}

static struct node *node_at(struct graph *graph, vaddr pc)
{
    for (unsigned i = 0; i < graph->count; i++)
        if (graph->nodes[i].pc == pc)
            return &graph->nodes[i];
    return NULL;
}

/* Add all nodes reachable from the head. False: too large. */
static bool explore(struct graph *graph)
{
    graph->nodes[graph->count++] = (struct node){.pc = graph->head};
    for (unsigned i = 0; i < graph->count; i++) {
        struct node *node = &graph->nodes[i];
        scan(graph, node);
        if (graph->insns > MAX_INSNS)
            return false;
        for (unsigned j = 0; j < node->to_count; j++) {
            if (node_at(graph, node->to[j]) != NULL)
                continue;
            if (graph->count == NODES)
                return false;
            graph->nodes[graph->count++] = (struct node){.pc = node->to[j]};
        }
    }
    return true;
}

/* Mark the nodes from which there is a path to the head. */
static void find_returning(struct graph *graph)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned i = 0; i < graph->count; i++) {
            struct node *node = &graph->nodes[i];
            for (unsigned j = 0; j < node->to_count && !node->returns; j++) {
                const struct node *next = node_at(graph, node->to[j]);
                if (node->to[j] == graph->head || next->returns)
                    node->returns = changed = true;
            }
        }
    }
}

/* Count the instruction ID in LOOP, and its uses of registers. */
static void count_uses(struct loop *loop, enum isa_id id, const struct insn *insn)
{
    struct isa_register registers[ISA_REGISTERS_MAX];
    const unsigned count = isa_registers(id, insn, isa_table[id].uses | isa_table[id].defines, registers);
    loop->insns++;
    for (unsigned i = 0; i < count; i++)
        if (registers[i].number <= ISA_REG_LO)
            loop->uses[registers[i].number]++;
}

/* No register is used for these. */
static void end_count(struct loop *loop)
{
    loop->uses[0] = loop->uses[GPR_SINK] = 0;
}

static void count_node(const struct graph *graph, const struct node *node, struct loop *loop)
{
    const struct build_context *context = graph->context;
    for (vaddr pc = node->pc; pc != node->end && is_in_page(context, pc); pc += 4) {
        struct insn insn;
        const enum isa_id id = isa_decode(context->core->decoder, word_at(context, pc), &insn);
        count_uses(loop, id, &insn);
    }
}

bool loop_find(struct loop *loop, const struct code_page *page, const struct build_context *context, vaddr pc)
{
    struct graph graph = {.context = context, .head = pc, .last = last_branch_back(page, context, pc) + 4};
    memset(loop, 0, sizeof *loop);
    if (!explore(&graph))
        return false;
    find_returning(&graph);
    if (!graph.nodes[0].returns)
        return false;
    for (unsigned i = 0; i < graph.count; i++) {
        if (!graph.nodes[i].returns)
            continue;
        if (loop->count == LOOP_BLOCKS)
            return false;
        loop->pc[loop->count++] = graph.nodes[i].pc;
        count_node(&graph, &graph.nodes[i], loop);
    }
    end_count(loop);
    return true;
}

bool loop_find_handler(struct loop *loop, const struct build_context *context, vaddr pc)
{
    memset(loop, 0, sizeof *loop);
    loop->pc[loop->count++] = pc;
    for (; is_in_page(context, pc) && loop->insns < LOOP_SMALL; pc += 4) {
        struct insn insn;
        const enum isa_id id = isa_decode(context->core->decoder, word_at(context, pc), &insn);
        if (isa_table[id].flow == FLOW_ERET) {
            end_count(loop);
            return host_prefers_loop(loop);
        }
        const bool returns = id == ISA_JR && is_in_page(context, pc + 4) &&
                             isa_identify(context->core->decoder, word_at(context, pc + 4)) == ISA_RFE;
        if (isa_table[id].flow >= FLOW_EXCEPTION && !returns)
            return false;
        count_uses(loop, id, &insn);
        if (returns) {
            end_count(loop);
            return host_prefers_loop(loop);
        }
    }
    return false;
}

/* Mark all backward branches of the page, and the instructions that are their targets. */
static void find_targets(struct code_page *page, const struct build_context *context)
{
    memset(page->loops, LOOP_NONE, sizeof page->loops);
    memset(page->branches_back, 0, sizeof page->branches_back);
    const struct isa_decoder *decoder = context->core->decoder;
    for (unsigned i = 0; (i = isa_next_direct(decoder, context->words, i, PAGE_INSNS)) < PAGE_INSNS; i++) {
        vaddr target;
        if (!find_target(context, i, context->page, context->page + i * 4, &target))
            continue;
        page->branches_back[i / 64] |= UINT64_C(1) << i % 64;
        page->loops[target >> 2 & (PAGE_INSNS - 1)] = LOOP_UNKNOWN;
    }
    page->loops_known = true;
}

/* Should LOOP be translated separately? */
static bool is_preferred(const struct loop *loop, const struct build_context *context)
{
    return (context->line_mask != 0 && loop->insns <= LOOP_SMALL) || host_prefers_loop(loop);
}

bool loop_is_head(struct code_page *page, const struct build_context *context, vaddr pc)
{
    struct loop loop;
    if (!page->loops_known)
        find_targets(page, context);
    uint8_t *known = &page->loops[pc >> 2 & (PAGE_INSNS - 1)];
    if (*known == LOOP_UNKNOWN)
        *known = loop_find(&loop, page, context, pc) && is_preferred(&loop, context) ? LOOP_HEAD : LOOP_NONE;
    return *known == LOOP_HEAD;
}
