"""Reads a file of `simos report --mcpat` as McPAT 1.3 does: components by their order, values by the names that its parser
(XML_Parse.cc) looks for; and compares what simos counted with the statistics.

    mcpat.py FILE.xml FILE.json        prints what is wrong, then the number of values
"""
import json
import sys
import xml.etree.ElementTree as ElementTree

# The names that McPAT's parser looks for in each kind of component, by what the file must do: the first list it must have,
# the second it may leave out, since McPAT 1.3 reads them and uses them nowhere, or computes them if they are missing.
CACHE_UNUSED = """total_accesses total_hits total_misses read_hits write_hits replacements write_backs miss_buffer_access
    miss_buffer_accesses fill_buffer_accesses prefetch_buffer_accesses prefetch_buffer_writes prefetch_buffer_reads
    prefetch_buffer_hits wbb_writes wbb_reads conflicts"""
SHARED = "clockrate vdd power_gating_vcc ports device_type buffer_sizes read_accesses write_accesses read_misses write_misses duty_cycle "
SHARED_UNUSED = CACHE_UNUSED + """ merged_dir threeD_stack homenode_read_accesses homenode_write_accesses homenode_read_hits
    homenode_write_hits homenode_read_misses homenode_write_misses dir_duty_cycle"""
NAMES = {
    "system": ("""number_of_cores number_of_L1Directories number_of_L2Directories number_of_L2s Private_L2 number_of_L3s
        number_of_NoCs homogeneous_cores homogeneous_L2s homogeneous_L1Directories homogeneous_L2Directories homogeneous_L3s
        homogeneous_ccs homogeneous_NoCs core_tech_node target_core_clockrate temperature number_cache_levels
        interconnect_projection_type device_type longer_channel_device power_gating machine_bits virtual_address_width
        physical_address_width virtual_memory_page_size total_cycles""",
        """number_of_dir_levels domain_size first_level_dir target_chip_area L1_property L2_property L3_property
        Max_area_deviation Max_power_deviation opt_dynamic_power opt_lakage_power opt_clockrate opt_area Embedded vdd
        power_gating_vcc"""),
    "core": ("""clock_rate opt_local vdd power_gating_vcc instruction_length opcode_width x86 micro_opcode_width machine_type
        number_hardware_threads fetch_width number_instruction_fetch_ports decode_width issue_width peak_issue_width
        commit_width fp_issue_width prediction_width pipelines_per_core pipeline_depth ALU_per_core MUL_per_core FPU_per_core
        instruction_buffer_size decoded_stream_buffer_size instruction_window_scheme instruction_window_size
        fp_instruction_window_size ROB_size archi_Regs_IRF_size archi_Regs_FRF_size phy_Regs_IRF_size phy_Regs_FRF_size
        rename_scheme checkpoint_depth register_windows_size LSU_order store_buffer_size load_buffer_size memory_ports
        RAS_size number_of_BPT number_of_BTB total_instructions int_instructions fp_instructions branch_instructions
        branch_mispredictions load_instructions store_instructions committed_instructions committed_int_instructions
        committed_fp_instructions pipeline_duty_cycle total_cycles idle_cycles busy_cycles ROB_reads ROB_writes rename_reads
        rename_writes fp_rename_reads fp_rename_writes inst_window_reads inst_window_writes inst_window_wakeup_accesses
        fp_inst_window_reads fp_inst_window_writes fp_inst_window_wakeup_accesses int_regfile_reads float_regfile_reads
        int_regfile_writes float_regfile_writes function_calls context_switches ialu_accesses fpu_accesses mul_accesses
        cdb_alu_accesses cdb_mul_accesses cdb_fpu_accesses IFU_duty_cycle BR_duty_cycle LSU_duty_cycle MemManU_I_duty_cycle
        MemManU_D_duty_cycle ALU_duty_cycle MUL_duty_cycle FPU_duty_cycle ALU_cdb_duty_cycle MUL_cdb_duty_cycle
        FPU_cdb_duty_cycle""",
        """machine_bits virtual_address_width physical_address_width internal_datapath_width FPU divider_multiplier
        Dcache_dual_pump instruction_buffer_reads instruction_buffer_write inst_window_selections archi_int_regfile_reads
        archi_float_regfile_reads phy_int_regfile_reads phy_float_regfile_reads phy_int_regfile_writes
        phy_float_regfile_writes archi_int_regfile_writes archi_float_regfile_writes windowed_reg_accesses
        windowed_reg_transports load_buffer_reads load_buffer_writes load_buffer_cams store_buffer_reads
        store_buffer_writes store_buffer_cams store_buffer_forwards main_memory_access main_memory_read
        main_memory_write"""),
    "PBT": ("""local_predictor_size local_predictor_entries global_predictor_entries global_predictor_bits
        chooser_predictor_entries chooser_predictor_bits""",
        "prediction_width prediction_scheme predictor_size predictor_entries predictor_accesses"),
    "itlb": ("number_entries total_accesses total_misses", "total_hits conflicts"),
    "icache": ("icache_config buffer_sizes read_accesses read_misses", CACHE_UNUSED),
    "dtlb": ("number_entries total_accesses total_misses",
        "read_accesses write_accesses read_hits write_hits read_misses write_misses total_hits conflicts"),
    "dcache": ("dcache_config buffer_sizes read_accesses write_accesses read_misses write_misses", CACHE_UNUSED),
    "BTB": ("BTB_config read_accesses write_accesses",
        "total_accesses total_hits total_misses read_hits write_hits read_misses write_misses replacements"),
    "L2": (SHARED + "L2_config", SHARED_UNUSED),
    "L3": (SHARED + "L3_config", SHARED_UNUSED),
    "noc": ("""clockrate vdd power_gating_vcc type horizontal_nodes vertical_nodes has_global_link link_throughput link_latency
        input_ports output_ports flit_bits chip_coverage link_routing_over_percentage total_accesses duty_cycle""",
        """topology virtual_channel_per_port input_buffer_entries_per_vc ports_of_input_buffer dual_pump number_of_crossbars
        crossbar_type crosspoint_type arbiter_type"""),
    "mc": ("""type mc_clock vdd power_gating_vcc peak_transfer_rate block_size number_mcs memory_channels_per_mc number_ranks
        withPHY req_window_size_per_channel IO_buffer_size_per_channel databus_width addressbus_width memory_accesses
        memory_reads memory_writes""", "LVDS"),
    "niu": ("number_units", ""), "pcie": ("number_units", ""), "flashc": ("number_flashcs", ""),
    "L1Directory": ("", ""), "L2Directory": ("", ""),
}


def kind(component: ElementTree.Element) -> str:
    """The row of NAMES for a component."""
    name = component.get("name", "")
    return name[:2] if name[:2] in ("L2", "L3") and name[2:].isdigit() else name.rstrip("0123456789")


def numbers(component: ElementTree.Element, tag: str = "stat") -> dict[str, str]:
    """Its values by name."""
    return {value.get("name", ""): value.get("value", "") for value in component.findall(tag)}


def check_names(component: ElementTree.Element, wrong: list[str]) -> int:
    """Compare the names of a component with NAMES; the number of its values, and of those in it."""
    names = [value.get("name", "") for value in component if value.tag in ("param", "stat")]
    # A component that is not there (number 0) has no values.
    needed, others = (set(row.split()) for row in NAMES[kind(component)])
    needed = needed if names else set()
    wrong += [f"{component.get('id')}: no {name}" for name in sorted(needed - set(names))]
    wrong += [f"{component.get('id')}: McPAT knows no {name}" for name in names if name not in needed | others]
    wrong += [f"{component.get('id')}: twice {name}" for name in set(names) if names.count(name) > 1]
    return len(names) + sum(check_names(part, wrong) for part in component.findall("component"))


def main() -> None:
    """Check the files named on the command line."""
    system = ElementTree.parse(sys.argv[1]).getroot().find("component")
    assert system is not None
    with open(sys.argv[2], encoding="utf-8") as file:
        run = json.load(file)
    wrong: list[str] = []
    count = check_names(system, wrong)
    cpus = sum(name.startswith("cpu") and name[3:].isdigit() for name in run)
    parts = system.findall("component")
    number = numbers(system, "param")
    l3 = int(number["number_of_L3s"]) if cpus > 1 else 1
    order = (["core"] * cpus + ["L1Directory", "L2Directory"] + ["L2"] * (int(number["number_of_L2s"]) if cpus > 1 else 1)
             + ["L3"] * l3 + ["noc", "mc", "niu", "pcie", "flashc"])
    if [kind(part) for part in parts] != order:
        wrong.append(f"order: {[kind(part) for part in parts]}")
    for i in range(cpus):
        cpu, core = run[f"cpu{i}"], numbers(parts[i])
        caches = {kind(part): numbers(part) for part in parts[i].findall("component")}
        level = next((numbers(part) for part in parts if part.get("id") == f"system.L2{i}"), {})
        pairs = {
            "cycles": (core["total_cycles"], sum(mode["cycles"] for mode in cpu["mode"].values())),
            "instructions": (core["committed_instructions"], cpu["insns"]),
            "loads": (core["load_instructions"], sum(m["mix"]["load"] + m["mix"]["ll"] + m["mix"]["prefetch"] for m in cpu["mode"].values())),
            "classes": (int(core["committed_int_instructions"]) + int(core["committed_fp_instructions"]), cpu["insns"]),
            "all": (sum(int(core[name + "_instructions"]) for name in ("int", "fp", "branch")), int(core["total_instructions"])),
            "fetched": (core["total_instructions"], cpu.get("mxs", {}).get("fetched") or cpu["insns"]),
            "i misses": (caches["icache"]["read_misses"], cpu["l1i"]["misses"]),
            "d misses": (caches["dcache"]["write_misses"], cpu["l1d"]["write_misses"]),
        }
        if number["Private_L2"] != "0":
            pairs["l2 misses"] = (level.get("read_misses"), cpu["l2"]["insn_misses"] + cpu["l2"]["read_misses"])
        wrong += [f"cpu{i}, {name}: {left} is not {right}" for name, (left, right) in pairs.items() if int(-1 if left is None else left) != right]
    for name in ("L2", "L3"):
        ours = sum(run[f"cpu{i}"].get(name.lower(), {}).get("insn_misses", 0) + run[f"cpu{i}"].get(name.lower(), {}).get("read_misses", 0) for i in range(cpus))
        theirs = sum(int(numbers(part).get("read_misses", 0)) for part in parts if kind(part) == name)
        if ours != theirs:
            wrong.append(f"{name}, misses of all: {theirs} is not {ours}")
    for line in wrong:
        print(line)
    print(count, "values")


if __name__ == "__main__":
    main()
