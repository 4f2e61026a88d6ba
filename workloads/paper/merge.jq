# The statistics of a run with the kernel's services under the paper's names: what has several names here (clone, clone3,
# vfork) is one service (fork), the sum of theirs.
include "statistics";

# Figures A and B of the same things, added: objects member by member.
def plus($a; $b):
    if $a == null then $b
    elif ($a | type) == "object" then reduce ($b | keys_unsorted[]) as $key ($a; .[$key] = plus(.[$key]; $b[$key]))
    elif ($a | type) == "number" then $a + $b
    else $a end;

.annotations.services |= reduce to_entries[] as $service ({}; ($service.key | paper_name) as $name | .[$name] = plus(.[$name]; $service.value))
