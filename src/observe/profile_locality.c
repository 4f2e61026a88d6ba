/* Locality of the kernel's code (cpu/observe/code_locality.h), from the execution profile. */
#include "cpu/observe/code_locality.h"
#include "src/observe/kernel_code.h"
#include "src/observe/profile.h"

static void write_loops(const char *name, const struct loop_figures *loops, struct json_writer *json)
{
    json_member_object(json, name);
    json_member_count(json, "loops", loops->loops);
    json_member_count(json, "at_most_six_iterations", loops->at_most_six);
    json_member_count(json, "executed", (uint64_t)loops->insns);
    json_member_count(json, "invocations", (uint64_t)loops->invocations);
    json_member_count(json, "iterations", (uint64_t)loops->iterations);
    json_end_object(json);
}

static void write_figures(const struct code_locality *locality, struct json_writer *json)
{
    const struct sequence_figures *sequences = &locality->sequences;
    json_member_count(json, "insns", locality->insns);
    json_member_count(json, "insns_executed", locality->insns_executed);
    json_member_count(json, "executed", (uint64_t)locality->executed);
    json_member_count(json, "transfers", (uint64_t)locality->transfers);
    json_line(json, 4);
    json_member_object(json, "routines");
    json_member_count(json, "all", locality->routines);
    json_member_count(json, "executed", locality->routines_executed);
    json_member_count(json, "called", locality->called);
    json_member_count(json, "called_from_one", locality->called_from_one);
    json_member_count(json, "targets", locality->targets);
    json_member_count(json, "targets_of_one", locality->targets_of_one);
    json_end_object(json);
    json_line(json, 4);
    write_loops("loops_without_calls", &locality->plain, json);
    json_line(json, 4);
    write_loops("loops_with_calls", &locality->calling, json);
    json_line(json, 4);
    json_member_object(json, "sequences");
    json_member_count(json, "sequences", sequences->sequences);
    json_member_count(json, "visits", sequences->visits);
    json_member_count(json, "insns", sequences->insns);
    json_member_count(json, "longest", sequences->longest);
    json_member_count(json, "executed", (uint64_t)sequences->executed);
    json_member_count(json, "executed_in_long", (uint64_t)sequences->executed_in_long);
    json_end_object(json);
}

void profile_write_locality(const struct machine *machine, struct json_writer *json)
{
    struct kernel_code kernel;
    if (!kernel_code_read(&kernel, machine, false))
        return;
    const struct code_locality locality = code_locality_of(&kernel.code);
    json_line(json, 2);
    json_member_object(json, "locality");
    json_line(json, 4);
    write_figures(&locality, json);
    json_line(json, 2);
    json_end_object(json);
    kernel_code_release(&kernel);
}
