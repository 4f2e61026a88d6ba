#!/bin/sh
# Prints docs/reference/statistics.md, the reference page of the statistics, from their descriptions in the program: a machine
# with every cache, device and mechanism executes a few instructions in the shell, whose `stats describe` tells them.
#
#     docs/statistics.sh SIMOS >docs/reference/statistics.md        (`make docs`)
#     docs/statistics.sh SIMOS names                                name, unit and meaning of each, divided by tabs
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$(dirname "$0")/loop.sh" "$work/loop"
printf '80002000 T copy_page\n80002004 T clear_page\n' >"$work/symbols"
for name in get_page_from_freelist free_pcp_prepare __free_pages_ok handle_mm_fault filemap_add_folio exit_mmap; do
    echo "80002008 T $name"
done >>"$work/symbols"
head -c 1048576 /dev/zero >"$work/disk"
options="--cpu mxs --cpus 2 --net user --initrd none --kernel $work/loop --disk $work/disk"
for parameter in "guest.symbols=$work/symbols" cache.model=three-level cache.l2.split=on cache.protocol=mesi cache.l1i.index=virtual \
    cache.l1d.index=virtual cache.l1d.assist=1 cache.l1i.line=128 cache.l1d.line=128 cache.l1d.prepare_for_store=allocate \
    cache.classify=full cache.l1d.write_buffer.depth=1 cache.l2.occupancy=1ns cache.l3.occupancy=1ns \
    memory.contention=on dram.banks=1 prefetch.insn.trigger=miss prefetch.stream.buffers=1 prefetch.data=on block.engine=on \
    rng.present=on execution.counts=mix mipsy.taken_delay=1 mipsy.latency.exception=1 cpu.watch_registers=on cpu.page_walker=on \
    cpu.tlb2_entries=4 cpu.page_walk_cache=1; do
    options="$options --set $parameter"
done
cat >"$work/commands" <<'END'
run -insns 1000
foreach name [dict keys [stats]] {
    lassign [stats describe $name] unit text
    puts "$name\t$unit\t$text"
}
END
# shellcheck disable=SC2086 # a list of words
"$1" shell $options "$work/commands" >"$work/all"
# which goes with a physical index alone
# shellcheck disable=SC2086 # a list of words
"$1" shell $options --set cache.l1i.index=physical --set cache.l1d.index=physical --set page_mapping.policy=random "$work/commands" |
    grep "^page_mapping" >>"$work/all"
# which has no contention and no split outer levels
shared="cache.model=two-level cache.l2.shared=2 cache.l2.inclusive=off cache.l2.directory_entries=8 memory.nodes=2 memory.move_pages=both memory.home_occupancy=1ns memory.link_occupancy=1ns"
options="--cpu mxs --cpus 4 --initrd none --kernel $work/loop"
for parameter in $shared; do
    options="$options --set $parameter"
done
# shellcheck disable=SC2086 # a list of words
"$1" shell $options "$work/commands" | grep -e '^numa' -e '\.numa\.' -e directory_evictions -e page_move >>"$work/all"
grep -v -e '^parameters\.' -e '^cpu[0-9]*\.models\.' -e '^[^.]*	' "$work/all" >"$work/said"
cat >"$work/rare" <<'END'
cpuN.models.K.insns	instructions	executed under CPU model K (`mipsy`, `embra`, `mxs`)
cpuN.before.cycles	cycles	before a restore with another machine ([checkpoints.md](../how-to/checkpoints.md)); in no mode
cpuN.before.insns	instructions	before a restore with another machine ([checkpoints.md](../how-to/checkpoints.md)); in no mode
window.start	instructions	of a window ([series.md](../how-to/series.md)): position of its start since power-on, of all CPUs
window.warmup	instructions	of a window: warm-up before it
window.length	instructions	of a window: length requested (0: to the end of the run)
window.warmup_least	instructions	of merged windows whose warm-ups differ: the shortest
window.warmup_model		CPU model of the warm-up; `none`
net.hub.lookahead	ns	in a cluster: length of a window in which nodes run without exchange ([cluster.md](../how-to/cluster.md))
net.hub.windows	windows	exchanged with the other nodes
net.hub.sent_frames	frames	sent to the other nodes
net.hub.received_frames	frames	received from them
net.hub.lost_frames	frames	lost because a window carried more than 4096
net.hub.discarded_frames	frames	discarded because no other node was present
parameters.*		every parameter of the run, as text ([parameters.md](parameters.md))
END
if [ "${2-}" = names ]; then
    sed -e '1,$s/\[\([^]]*\)\]([^)]*)/\1/g' "$work/said" "$work/rare"
    exit
fi
cat <<'END'
# The statistics

Made by `make docs` from the descriptions in the program; a test fails when it is out of date. The account of a run, and the
table that `simos run` prints of it, are described in [results.md](results.md); the file of `--stats` in
[file-formats.md](file-formats.md#statistics), and so are its tables: `annotations`, `over_time`, `evictions`. In the shell,
`stats PATTERN` shows the value and the description of each statistic.

Dots separate the levels of nested JSON objects. In a name, N is a number (of a CPU, a device, a bank, an interrupt input), X
the name of a cache, M a mode (`user`, `kernel`, `idle`), and K one of the words in the row. A statistic exists only if the
machine has what it counts: the page is of a machine with three levels of cache and every optional mechanism.
END
awk -F '\t' '
    function parent(name) { return match(name, /\.[^.]*$/) ? substr(name, 1, RSTART - 1) : "" }
    function last(name) { sub(/.*\./, "", name); return name }
    # The title of the section of NAME, whose numbers are letters by now.
    function title(name)
    {
        if (name ~ /^(simos|machine)\./) return "Run and machine"
        if (name ~ /^cpuN\.(mode|mode_changes)/) return "Modes of a CPU"
        if (name ~ /^cpuN\.mxs/) return "Pipeline of mxs"
        if (name ~ /^cpuN\.X\.(miss|evicted)\./) return "Misses by class"
        if (name ~ /^R\./) return "Resources"
        if (name ~ /^cpuN\.X\.write_buffer\./) return "Write buffers"
        if (name ~ /^cpuN\.X\./) return "Caches"
        if (name ~ /^cpuN\.(prefetch|block)\./) return "Prefetching and block transfer"
        if (name ~ /^cpuN/) return "A CPU"
        if (name ~ /^(memory|bus|dram|numa|page_mapping)\./) return "Memory, bus and banks"
        if (name ~ /^gic\./) return "Interrupt controller"
        if (name ~ /^(diskN|scsi)\./) return "Disks"
        if (name ~ /^net\./) return "Network card"
        return "Other devices"
    }
    BEGIN {
        about["Misses by class"] = "With `cache.classify` ([miss-classes.md](miss-classes.md)). A cache of instructions and data has `insn.` or\n" \
            "`data.` after `miss.` and `evicted.`."
        about["Prefetching and block transfer"] = "P is `insn`, `data` or `stream` ([prefetch.md](prefetch.md))."
        about["Resources"] = "R is `bus.address`, `bus.data` (one set of wires: `bus.wires`), `dram.bankN` or `cpuN.X.port`\n" \
            "([memory-timing.md](memory-timing.md))."
    }
    {
        unit = $2
        text = $3
        gsub(/\|/, "\\|", text)
        name = $1
        cache = ""
        sub(/^cpu[0-9]+\./, "cpuN.", name)
        sub(/^gic\.cpu[0-9]+\./, "gic.cpuN.", name)
        sub(/^gic\.input[0-9]+$/, "gic.inputN", name)
        sub(/^dram\.bank[0-9]+/, "dram.bankN", name)
        sub(/^numa\.node[0-9]+/, "numa.nodeN", name)
        sub(/\.home[0-9]+\./, ".homeN.", name)
        sub(/\.cache[0-9]+$/, ".cacheN", name)
        if (name ~ /^(uart|disk)[0-9]/) sub(/[0-9]+/, "N", name)
        sub(/^cpuN\.interrupts\.ip[0-9]$/, "cpuN.interrupts.ipN", name)
        if (name ~ /^cpuN\.(mode|l[123][id]?\.miss)\./) sub(/\.(user|kernel|idle)\./, ".M.", name)
        sub(/\.reference\.(user|kernel|idle)$/, ".reference.M", name)
        if (match(name, /^cpuN\.l[123][id]?\./)) {
            cache = substr(name, 6, RLENGTH - 6)
            name = "cpuN.X." substr(name, RLENGTH + 1)
        }
        sub(/^cpuN\.X\.(miss|evicted)\.(insn|data)\./, "&\n", name)
        sub(/(insn|data)\.\n/, "", name)
        sub(/^cpuN\.prefetch\.(insn|data|stream)\./, "cpuN.prefetch.P.", name)
        if (sub(/^(bus\.(address|data|wires)|dram\.bankN|cpuN\.X\.port)\./, "R.", name)) cache = ""
        if (!(name in texts)) {
            names[++count] = name
            texts[name] = text
            units[name] = unit
        }
        if (cache && index(caches[name] " ", " " cache " ") == 0)
            caches[name] = caches[name] " " cache
    }
    END {
        if (count < 100) {
            print "docs/statistics.sh: only " count + 0 " statistics" >"/dev/stderr"
            exit 1
        }
        # Names of the same parent, unit and text are one row where they follow each other.
        for (i = 1; i <= count; i++) {
            name = names[i]
            key = parent(name) SUBSEP units[name] SUBSEP texts[name] SUBSEP caches[name]
            if (i == 1 || key != last_key) {
                set = i
                last_key = key
                sets[++set_count] = set
                first[set] = name
            }
            members[set] = members[set] (sizes[set]++ ? ", " : "") "`" last(name) "`"
        }
        for (i = 1; i <= set_count; i++) {
            set = sets[i]
            name = first[set]
            heading = title(name)
            if (!(heading in rows)) headings[++heading_count] = heading
            text = texts[name]
            if (sizes[set] > 1) text = text ". K: " members[set]
            list = caches[name]
            if (list) {
                sub(/^ /, "", list)
                gsub(/ /, "`, `", list)
                text = text ". X: `" list "`"
            }
            rows[heading] = rows[heading] sprintf("| `%s` | %s | %s |\n", sizes[set] > 1 ? parent(name) ".K" : name,
                units[name], text)
        }
        for (i = 1; i <= heading_count; i++)
            printf "\n## %s\n\n%s| name | unit | meaning |\n| --- | --- | --- |\n%s", headings[i],
                headings[i] in about ? about[headings[i]] "\n\n" : "", rows[headings[i]]
    }' "$work/said"
printf '\n## Statistics of certain runs only\n\n| name | unit | meaning |\n| --- | --- | --- |\n'
awk -F '\t' '{ printf "| `%s` | %s | %s |\n", $1, $2, $3 }' "$work/rare"
