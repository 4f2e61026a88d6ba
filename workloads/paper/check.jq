# Sum rules: prints a line for each that the statistics of the run $name break. Services, processes and modes are each all of
# the time, the instructions and the misses (merged windows have no processes). Coherence misses and upgrades by data
# (coherence.tcl) are all that the outermost caches count.
include "statistics";

def total(accounts): {cycles: (accounts | map(.cycles) | add), insns: (accounts | map(.insns) | add),
    misses: (accounts | map(.miss | add) | add), stall: (accounts | map(.stall | add) | add)};
def accounts: total([cpus[].mode[]]) as $modes
    | {services: total([.annotations.services[]])}
      + if .annotations.processes then {processes: total([.annotations.processes[] | .user, .kernel, .idle])} else {} end
    | to_entries[] | .key as $what | .value | to_entries[] | select(.value != $modes[.key])
    | "\($name): \($what) have \(.value) \(.key) together, all modes have \($modes[.key])";
def communication: .annotations.statistics["coherence by data"] | select(.) | [.[].sum] | add;
def coherence: communication as $by_data
    | ([cpus[].l2.miss.data[] | .true_sharing, .false_sharing, .upgrade] | add) as $all | select($by_data != $all)
    | "\($name): there are \($by_data) coherence misses and upgrades by data, \($all) in all caches";
accounts, coherence
