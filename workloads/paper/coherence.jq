# Communication between processors (section 5.3): the coherence misses of the kernel by the data that they are of and by line,
# as coherence.tcl counts them. Input: all that is known (statistics.jq).
include "statistics";
include "html";

# [{mode, class, data, count}] of the run of eight CPUs.
def coherence_by_data($w): run_of($w; "mp8").annotations.statistics["coherence by data"] // {}
    | to_entries | map((.key | split(", ")) as $key | {mode: $key[0], class: $key[1], data: $key[2], count: .value.sum});
def kernel_coherence($w): coherence_by_data($w) | map(select(.mode == "kernel" and .class != "upgrade"));
# Slabs and stacks that belong to one process or thread (paper: process table, user areas, kernel stacks).
def process_structures: ["slab task_struct", "slab mm_struct", "slab signal_cache", "slab sighand_cache", "slab files_cache", "slab pid", "slab cred_jar", "kernel stack"];
# [{name, count}], most first; "all others" is not among them.
def coherence_by_line($w): run_of($w; "mp8").annotations.statistics["coherence by line"] // {}
    | to_entries | map({name: .key, count: .value.sum} | select(.name != "all others")) | sort_by(-.count);
def total: map(.count) | add // 0;
# The part that the data NAMES have, in percent.
def part_of_data($names): total as $sum | map(select(.data as $data | $names | index($data))) | total | percent_of($sum);
def of_class($class): map(select(.class == $class)) | total;

def coherence_data($w): . as $all | kernel_coherence($w) as $misses | ($misses | total) as $sum
  | (coherence_by_data($w) | map(select(.mode == "kernel" and .class == "upgrade"))) as $upgrades
  | as_table(
      (["data", "coherence misses of the kernel", "", "true sharing", "false sharing", "upgrades", ""] | head),
      ([($misses + $upgrades) | group_by(.data)[] | {data: .[0].data, misses: (map(select(.class != "upgrade")) | total), of: .}]
       | sort_by(-.misses) | (.[0:14][], ({data: "all others", misses: (.[14:] | map(.misses) | add // 0), of: (.[14:] | map(.of) | add // [])}),
           {data: "together", misses: $sum, of: ($misses + $upgrades)})
       | [.data, (.misses | count), (.misses | percent_of($sum) | percent), (.of | of_class("true_sharing") | count),
          (.of | of_class("false_sharing") | count), (.of | of_class("upgrade") | count),
          (.of | of_class("upgrade") | percent_of($upgrades | total) | percent)] | row));
def coherence_lines($w): . as $all | (kernel_coherence($w) | total) as $sum | (coherence_by_line($w)) as $lines
  | as_table(
      (["line, data, routine that misses it most", "coherence misses of the kernel", ""] | head),
      (($lines[0:12][], {name: "the other lines", count: ($sum - ($lines[0:12] | total))}) | [.name, (.count | count), (.count | percent_of($sum) | percent)] | row));

def communication: . as $all | [("pmake", "database", "engineering") as $w | select($all | kernel_coherence($w) | length > 0) | $w] as $w
  | if $w | length == 0 then empty else
      "<h2>Which data the processors share</h2>",
      "<p>Section 5.3: every coherence miss of the kernel in the second-level caches of 1994-mp8, by the data at its address and by line of 128 bytes. Upgrades are counted beside them.</p>",
      ($w[] | "<h3>\(title)</h3>", (. as $one | $all | coherence_data($one), coherence_lines($one))) end;
