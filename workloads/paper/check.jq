# Sum rules: prints a line for each that the statistics of the run $name break. Services, processes and modes are each all of
# the time, the instructions and the misses. Merged windows have no processes.
include "statistics";

def total(accounts): {cycles: (accounts | map(.cycles) | add), insns: (accounts | map(.insns) | add),
    misses: (accounts | map(.miss | add) | add), stall: (accounts | map(.stall | add) | add)};

total([cpus[].mode[]]) as $modes
| {services: total([.annotations.services[]])} + if .annotations.processes then {processes: total([.annotations.processes[] | .user, .kernel, .idle])} else {} end
| to_entries[] | .key as $what | .value | to_entries[] | select(.value != $modes[.key])
| "\($name): \($what) have \(.value) \(.key) together, all modes have \($modes[.key])"
