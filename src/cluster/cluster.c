/*
 * `simos cluster FILE.tcl`: several machines in one process, connected by simulated network segments
 * (docs/how-to/cluster.md).
 *
 * Synchronisation: each machine runs to the end of the current window of simulated time, one after the other; then
 * the machines exchange frames (src/network/hub_port.h). Results do not depend on the order.
 */
#include "src/machine/board_net.h"
#include "src/network/board_network.h"
#include "src/cluster/cluster_file.h"
#include "src/cluster/cluster_output.h"
#include "src/host/end_signals.h"
#include "src/host/external.h"
#include "src/base/error_lines.h"
#include "src/base/host_time.h"
#include "src/base/printable.h"
#include "src/command/command_line.h"
#include "src/host/copy_files.h"
#include "src/network/hub_local.h"
#include "src/observe/evictions.h"
#include "src/observe/machine_progress.h"
#include "src/run/run_files.h"
#include "src/run/run.h"
#include "src/run/salvage.h"
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { SLICE_CYCLES = 1 << 21 };

struct cluster_options {
    struct run_options run; /* of every node, before the node's own */
    const char *file;       /* FILE.tcl */
    int word_count;         /* the words they come from, and FILE.tcl among them */
    const char *const *words;
    const struct commands *commands; /* of the words of a node */
};

struct cluster;

struct node {
    struct cluster *cluster;
    const struct cluster_file_node *description;
    const char **words; /* arguments of an equivalent `simos run` */
    struct run_options run;
    bool parsed; /* `line` must be released */
    char stats_path[PATH_MAX], profile_path[PATH_MAX];
    struct hub_local *hub; /* of its network segment; NULL: none */
    struct machine *machine;
    struct machine_progress progress;
    struct cluster_lines lines;
    struct salvage salvage;
    bool running;
    enum machine_stop reason; /* valid when it has stopped */
    double set_up, host;      /* host seconds */
};

/* A network segment: the nodes with the same value of --net. */
struct segment {
    const char *net;
    struct hub_local *hub;
    unsigned nodes;
};

struct cluster {
    const struct cluster_options *options;
    struct cluster_file file;
    struct node *nodes; /* in the order of the file */
    struct segment segments[HUB_NODES_MAX];
    unsigned segment_count;
    struct console_output *output;
    struct console_output_hooks hooks;
    struct end_signals *signals;
    struct named_files *named;
    struct progress *progress; /* NULL: not shown */
    int signal;                /* received; 0: none */
};

/* Host interface */

static void uart_output(void *opaque, unsigned uart, uint8_t byte)
{
    struct node *node = opaque;
    if (uart != 0 || !node->run.options.quiet)
        cluster_lines_put(&node->lines, node->cluster->output, uart, byte);
}

/* Show the progress of the slowest running node that is not a service. */
static void draw(struct cluster *cluster)
{
    double share = 2, least = 0;
    bool any = false;
    for (unsigned i = 0; i < cluster->file.count; i++) {
        const struct node *node = &cluster->nodes[i];
        if (!node->running || node->description->service)
            continue;
        const double own = machine_progress_share(&node->progress, node->machine);
        const double seconds = (double)machine_now(node->machine) / (double)node->machine->queue->clock_hz;
        share = own < share ? own : share;
        least = any && least < seconds ? least : seconds;
        any = true;
    }
    progress_draw(cluster->progress, share, "%u machine%s, %.2f s simulated", cluster->file.count,
                  cluster->file.count == 1 ? "" : "s", least);
}

static void about_to_write(void *opaque)
{
    const struct cluster *cluster = opaque;
    progress_erase(cluster->progress);
}

static void poll_host(void *opaque)
{
    struct node *node = opaque;
    struct cluster *cluster = node->cluster;
    int signal = end_signals_check(cluster->signals);
    if (signal)
        cluster->signal = signal;
    console_output_flush_old(cluster->output);
    if (cluster->signal || console_output_failed(cluster->output, NULL))
        external_stop(node->machine->external, (unsigned)cluster->signal);
    else if (progress_is_due(cluster->progress) && console_output_is_idle(cluster->output))
        draw(cluster);
}

static const struct machine_host host = {.uart_output = uart_output, .poll = poll_host};

/* Command lines of the nodes */

/* Build the words: "run --net hub", the options of the command line, "--from FILE", the words of the file. */
static void collect_words(struct node *node)
{
    const struct cluster_options *options = node->cluster->options;
    const struct cluster_file_node *description = node->description;
    static const char *const first[] = {"run", "--net", "hub"};
    int count = 0;
    node->words =
        checked_memory(calloc((size_t)(5 + options->word_count + description->word_count), sizeof *node->words));
    for (int i = 0; i < 3; i++)
        node->words[count++] = first[i];
    for (int i = 0; i < options->word_count; i++)
        if (options->words[i] != options->file)
            node->words[count++] = options->words[i];
    node->words[count++] = "--from";
    node->words[count++] = options->file;
    for (int i = 0; i < description->word_count; i++)
        node->words[count++] = description->words[i];
    node->parsed = true;
}

static int count_words(const struct node *node)
{
    return 5 + node->cluster->options->word_count - 1 + node->description->word_count;
}

/* Reject options that a node of a cluster cannot have. */
static bool check_run(const struct run_options *run, struct err *err)
{
    if (run->kind != RUN_KIND_RUN || (run->options.command_count == 0 && !machine_lacks_userland(run->options.params)))
        return err_set(err, "there is no command for the guest (-- COMMAND...), and a cluster has no console");
    return true;
}

/* Insert "-NAME" before the extension of PATH. */
static bool own_path(char own[PATH_MAX], const char *path, const char *name, struct err *err)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    size_t stem = dot && dot != path && dot[-1] != '/' ? (size_t)(dot - path) : strlen(path);
    return snprintf(own, PATH_MAX, "%.*s-%s%s", (int)stem, path, name, path + stem) < PATH_MAX ||
           err_set(err, "%.64s...: the path is too long", path);
}

/* PATH, a file that NODE writes: if it is ALL, named for all nodes, becomes the node's own, kept in OWN. */
static bool set_path(const struct node *node, const char **path, const char *all, char own[PATH_MAX], struct err *err)
{
    if (*path == NULL || *path != all)
        return true;
    if (!own_path(own, *path, node->description->name, err))
        return false;
    *path = own;
    return true;
}

/* Give each node its own version of files that were named for all nodes, by options or by parameters. */
static bool set_paths(struct node *node, struct err *err)
{
    const struct run_options *all = &node->cluster->options->run;
    struct run_options *run = &node->run;
    const struct param_def *def;
    for (size_t i = 0; (def = params_at(run->options.params, i)); i++) {
        const char *path = def->type == PARAM_OUTPUT ? params_string(run->options.params, def->name) : "";
        char own[PATH_MAX];
        if (*path && strcmp(path, params_string(all->options.params, def->name)) == 0 &&
            !(own_path(own, path, node->description->name, err) &&
              params_set(run->options.params, def->name, own, err)))
            return false;
    }
    return set_path(node, &run->stats_path, all->stats_path, node->stats_path, err) &&
           set_path(node, &run->profile_path, all->profile_path, node->profile_path, err);
}

static bool parse_node(struct cluster *cluster, unsigned number, struct err *err)
{
    struct node *node = &cluster->nodes[number];
    struct err reason = {""};
    node->cluster = cluster;
    node->description = &cluster->file.nodes[number];
    node->lines.name = node->description->name;
    collect_words(node);
    if (run_options_parse(&node->run, cluster->options->commands, COMMAND_PLACE_NODE, count_words(node), node->words,
                          &reason) &&
        check_run(&node->run, &reason) && set_paths(node, &reason) &&
        (!node->run.options.copy || copy_out_check(node->run.options.copy, &reason)))
        return true;
    return err_set(err, "cluster %.128s: node %s: %s", cluster->options->file, node->description->name, reason.text);
}

/* Network segments */

static struct segment *find_segment(struct cluster *cluster, const char *net)
{
    for (unsigned i = 0; i < cluster->segment_count; i++)
        if (strcmp(cluster->segments[i].net, net) == 0)
            return &cluster->segments[i];
    struct segment *segment = &cluster->segments[cluster->segment_count++];
    *segment = (struct segment){.net = net, .hub = hub_local_create()};
    return segment;
}

static void set_number(struct params *params, const char *name, unsigned value)
{
    char text[16];
    snprintf(text, sizeof text, "%u", value);
    if (!params_set(params, name, text, NULL))
        log_bug("%s cannot be %u", name, value);
}

/* Number the nodes of each segment from 0, in the order of the file. */
static void join_segments(struct cluster *cluster)
{
    for (unsigned i = 0; i < cluster->file.count; i++) {
        struct node *node = &cluster->nodes[i];
        const char *net = params_string(node->run.options.params, "machine.net");
        if (strcmp(net, "hub") != 0 && strncmp(net, "hub:", 4) != 0)
            continue;
        struct segment *segment = find_segment(cluster, net);
        params_clear_origin(node->run.options.params, "machine.net"); /* allowed: the segment is within this process */
        node->hub = segment->hub;
        node->run.options.hub_carrier = hub_local_carrier(segment->hub);
        set_number(node->run.options.params, "net.node", segment->nodes++);
    }
    for (unsigned i = 0; i < cluster->file.count; i++) {
        struct params *params = cluster->nodes[i].run.options.params;
        if (cluster->nodes[i].hub)
            set_number(params, "net.nodes", find_segment(cluster, params_string(params, "machine.net"))->nodes);
    }
}

/* Running */

static bool build_node(struct node *node, struct err *err)
{
    struct err reason = {""};
    double started = host_seconds();
    node->machine = machine_create(&node->run.options, &host, node, &reason);
    if (!node->machine || !machine_load(node->machine, &reason))
        return err_set(err, "node %s: %s", node->description->name, reason.text);
    evictions_register(node->machine);
    node->set_up = host_seconds() - started;
    salvage_begin(&node->salvage, &node->run, node->machine, NULL, NULL);
    const struct machine_limits end = run_limits(&node->run);
    machine_progress_begin(&node->progress, node->machine, &end);
    node->running = true;
    return true;
}

/* Run a node to the end of the window, or of a time slice if there are no windows, so that other nodes run too; or to
 * its end. */
static void run_node(struct node *node)
{
    const struct machine_limits limits = run_limits(&node->run);
    struct machine *machine = node->machine;
    struct machine_limits slice = limits;
    double started = host_seconds();
    if (machine->barrier.time == CYCLES_NEVER && !machine_is_idle_forever(machine) &&
        slice.time > machine->now + SLICE_CYCLES)
        slice.time = machine->now + SLICE_CYCLES;
    node->reason = machine_run(machine, &slice);
    node->host += host_seconds() - started;
    node->running =
        node->reason == MACHINE_STOP_BARRIER || (node->reason == MACHINE_STOP_TIME && slice.time < limits.time);
    if (node->running)
        return;
    cluster_lines_flush(&node->lines, node->cluster->output);
    struct hub_port *port = board_hub_port(machine);
    if (port)
        hub_port_leave(port);
}

/* Is a node running that is not a service? */
static bool goes_on(const struct cluster *cluster)
{
    if (cluster->signal || console_output_failed(cluster->output, NULL))
        return false;
    for (unsigned i = 0; i < cluster->file.count; i++)
        if (cluster->nodes[i].running && !cluster->nodes[i].description->service)
            return true;
    return false;
}

static bool run_all(struct cluster *cluster, struct err *err)
{
    while (goes_on(cluster)) {
        for (unsigned i = 0; i < cluster->file.count; i++)
            if (cluster->nodes[i].running)
                run_node(&cluster->nodes[i]);
        for (unsigned i = 0; i < cluster->segment_count; i++) {
            struct err reason = {""};
            if (!hub_local_exchange(cluster->segments[i].hub, &reason))
                return err_set(err, "cluster %.128s: %s: %s", cluster->options->file, cluster->segments[i].net,
                               reason.text);
        }
    }
    for (unsigned i = 0; i < cluster->file.count; i++)
        cluster_lines_flush(&cluster->nodes[i].lines, cluster->output);
    console_output_flush(cluster->output);
    return !console_output_failed(cluster->output, err);
}

/* Print the tables and write the files of all nodes. Returns the first non-zero status. */
static int finish_all(struct cluster *cluster)
{
    int status = 0;
    progress_erase(cluster->progress);
    for (unsigned i = 0; i < cluster->file.count; i++) {
        struct node *node = &cluster->nodes[i];
        struct err err = {""};
        const bool ended_by_us = node->running; /* it was a service, or a signal arrived */
        fprintf(stderr, "\nnode %s:\n", PRINTABLE(node->description->name));
        board_net_flush(board_net_of(node->machine), &err);
        enum machine_stop reason = ended_by_us ? MACHINE_STOP_REQUEST : node->reason;
        int own = run_finish(&node->run, node->machine, NULL, reason, node->set_up, node->host, &err);
        if (ended_by_us)
            continue;
        if (*err.text)
            error_lines_print("node %s: %s", PRINTABLE(node->description->name), err.text);
        if (status == 0 && !node->description->service)
            status = own;
    }
    return cluster->signal ? error_lines_status_of_signal(cluster->signal) : status;
}

/* Check the files of all nodes. */
static bool check_files(struct cluster *cluster, struct err *err)
{
    struct err reason = {""};
    cluster->named = named_files_create();
    for (unsigned i = 0; i < cluster->file.count; i++) {
        char owner[160];
        snprintf(owner, sizeof owner, "node %.140s: ", cluster->file.nodes[i].name);
        named_files_add_run(cluster->named, owner, &cluster->nodes[i].run);
    }
    return named_files_check(cluster->named, &reason) ||
           err_set(err, "cluster %.128s: %s", cluster->options->file, reason.text);
}

static bool check_lines(struct cluster *cluster, struct err *err)
{
    cluster->nodes = checked_memory(calloc(cluster->file.count, sizeof *cluster->nodes));
    for (unsigned i = 0; i < cluster->file.count; i++)
        if (!parse_node(cluster, i, err))
            return false;
    join_segments(cluster);
    return check_files(cluster, err);
}

static bool build_all(struct cluster *cluster, struct err *err)
{
    for (unsigned i = 0; i < cluster->file.count; i++)
        if (!build_node(&cluster->nodes[i], err))
            return false;
    return true;
}

static void release(struct cluster *cluster)
{
    for (unsigned i = 0; cluster->nodes && i < cluster->file.count; i++) {
        struct node *node = &cluster->nodes[i];
        salvage_end(&node->salvage);
        machine_free(node->machine);
        if (node->parsed)
            run_options_release(&node->run);
        free(node->words);
    }
    for (unsigned i = 0; i < cluster->segment_count; i++)
        hub_local_free(cluster->segments[i].hub);
    named_files_free(cluster->named);
    free(cluster->nodes);
    cluster_file_release(&cluster->file);
}

/* Run the cluster that the file describes. Returns the exit status of the process: the first non-zero status of a node
 * in the order of the file, services excluded; 128 + signal number; or EXIT_SIMOS_FAILED with ERR. */
static int run_cluster(const struct cluster_options *options, struct err *err)
{
    struct cluster cluster = {.options = options};
    struct sigaction old_pipe;
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    int status = EXIT_SIMOS_FAILED;
    cluster.hooks = (struct console_output_hooks){.writing = about_to_write, .opaque = &cluster};
    cluster.output = console_output_create(&cluster.hooks);
    sigaction(SIGPIPE, &ignore, &old_pipe); /* a closed stdout then is an error of write() */
    cluster.signals = end_signals_create(true);
    end_signals_take(cluster.signals);
    cluster.progress = progress_create();
    if (cluster_file_read(&cluster.file, options->file, err) && check_lines(&cluster, err) &&
        build_all(&cluster, err) && run_all(&cluster, err))
        status = finish_all(&cluster);
    progress_free(cluster.progress);
    release(&cluster);
    const int signal = end_signals_end(cluster.signals);
    end_signals_free(cluster.signals);
    console_output_free(cluster.output);
    sigaction(SIGPIPE, &old_pipe, NULL);
    return signal ? 128 + signal : status;
}

/* The command */

static void init(void *opaque, const struct command_line *line)
{
    struct cluster_options *options = opaque;
    run_options_begin(&options->run, RUN_KIND_CLUSTER, line);
    options->commands = line->commands;
    options->words = line->words + 1;
    options->word_count = line->count - 1;
}

static bool take_operands(struct command_line *line, int count, const char *const *words, struct err *err)
{
    struct cluster_options *options = line->options;
    options->file = count == 1 ? words[0] : NULL;
    return options->file || err_set(err, "`cluster` needs one FILE.tcl that describes its machines");
}

static void add_files(const void *opaque, const char *owner, struct named_files *files)
{
    const struct cluster_options *options = opaque;
    named_files_add_input(files, "the script", options->file);
    named_files_add_run(files, owner, &options->run);
}

static int execute(struct command_line *line, struct err *err)
{
    return run_cluster(line->options, err);
}

const struct command cluster_command = {
    .name = "cluster",
    .usages = {{"cluster [options] FILE.tcl",
                "several machines on one network (FILE.tcl); options apply to each of them"}},
    .page = "how-to/cluster.md",
    .tables = {{run_option_table, offsetof(struct cluster_options, run), RUN_HAS(CLUSTER)}},
    .size = sizeof(struct cluster_options),
    .init = init,
    .release = run_based_release,
    .params = run_based_params,
    .operands = take_operands,
    .uses = run_based_uses,
    .add_files = add_files,
    .main = execute,
};
