# The body of the page from what cells.jq has found. Include path: ../paper.
include "statistics";
include "html";

def machines: ["hp-720", "hp-755", "hp-712"];
def machine_name: "HP 9000/" + ltrimstr("hp-");
def signed: if type != "number" then "–" else (if . >= 0.05 then "+" else "" end) + fixed(1) + " %" end;
def kind_name: {fitted: "fitted", sets: "sets a parameter", predicted: "predicted", other: "not comparable"}[.];
def digits: if .table == 6 then (if .paper < 99.95 then 1 else 0 end) else 0 end;

# A routine or machine: what simos has, what the paper has, and how far apart they are.
def three_rows($name):
    ([$name, "simos"] + map({class: .kind, text: (digits as $d | .here | fixed($d))}) | row),
    (["", {class: "paper", text: "paper"}] + map({class: "paper", text: (digits as $d | .paper | fixed($d))}) | row),
    (["", {class: "error", text: "error"}] + map({class: "error \(.kind)", text: (.error | signed)}) | row);
def where: "\(.machine | machine_name), \(.routine), " + (if .table < 5 then "\(.column), offset \(.offset) (table \(.table))" else .column end);
# A figure: two bars a row, the paper's and ours.
def bars: .rows as $rows | ($rows | map(.paper, .here) | max) as $max | 34 as $height
    | "<h3>Figure \(.number): \(.title | html)</h3>",
      "<svg viewBox=\"0 0 1000 \(($rows | length) * $height)\" role=\"img\" aria-label=\"figure \(.number)\">",
      ($rows | to_entries[] | (.key * $height) as $y | .value
       | "<text x=\"170\" y=\"\($y + 19)\" text-anchor=\"end\">\(.name | html)</text>",
         ([[.paper, "paper", 2], [.here, "here", 15]][] | (.[0] / $max * 720) as $width
          | "<rect class=\"\(.[1])\" x=\"180\" y=\"\($y + .[2])\" width=\"\($width | fixed(1))\" height=\"12\"/>",
            "<text x=\"\(185 + $width | fixed(1))\" y=\"\($y + .[2] + 10)\">\(.[0] | fixed(0))</text>")),
      "</svg>";

def classes: to_entries | map("\(.key) \(.value | fixed(0))") | join(", ");
# A column for each place of the buffer.
def columns: (.cycles | max) as $max
    | "<h3>\(.machine | machine_name): cycles of a read by place of the buffer, up to \($max | fixed(0))</h3>",
      "<svg viewBox=\"0 0 1000 120\" role=\"img\" aria-label=\"\(.machine)\">",
      (.cycles | to_entries[] | (.value / $max * 118) as $height
       | "<rect class=\"here\" x=\"\(.key * 15 + 10)\" y=\"\(119 - $height | fixed(1))\" width=\"12\" height=\"\($height | fixed(1))\"/>"),
      "</svg>";

. as $all
| def cells($table; $m): [$all.cells[] | select(.table == $table and .machine == $m)];
def alignment_table($table; $title): "<h2>Table \($table): \($title)</h2>",
    as_table((["", "", "0 bytes", "1 byte", "2 bytes", "3 bytes", "4 bytes"] | head), (machines[] as $m | cells($table; $m) | three_rows($m | machine_name)));
def temperature_table($table; $title): "<h2>Table \($table): \($title)</h2>",
    (machines[] as $m | cells($table; $m) as $cells | "<h3>\($m | machine_name)</h3>",
        as_table((["", ""] + ($cells[0:9] | map(.column | sub("-"; " to "))) | head),
            ($cells | [.[].routine] as $names | range(0; length; 9) as $i | $cells[$i:$i + 9] | three_rows($names[$i]))));

"<h2>How close</h2>",
as_table((["", "fitted cells", "largest error", "cells that set a parameter", "largest error", "predicted cells", "median error", "largest error", "where", "above 20 %"] | head),
    ($all.summary[] | [(.machine | machine_name), .fitted.count, (.fitted.largest.error | signed), .sets.count, (.sets.largest.error | signed), .predicted.count,
        "\(.predicted.median | fixed(1)) %", (.predicted.largest.error | signed), (.predicted.largest | where), .predicted.above] | row)),
"<p>More than 20 % off, table 6 apart, which is table 5 in another unit:</p><ul>",
($all.above | group_by(.reason)[] | "<li>\(map("\(where) \(.error | signed)") | join("; ") | html). \(.[0].reason | html)</li>"), "</ul>",
"<p>Not comparable, and in none of these figures: 4Dld-2Qst.</p><ul>",
($all.other[] | "<li>\(.machine | machine_name), \(.errors[0] | signed) to \(.errors[1] | signed). \(.reason | html)</li>"), "</ul>",
"<h2>The paper's conclusions</h2>",
as_table((["", "paper", "simos", ""] | head),
    ($all.conclusions[] | [{class: "claim", text: .claim}, {class: "claim", text: .paper}, {class: "claim", text: .here}, (if .holds then "confirmed" else "refuted" end)] | row)),
alignment_table(3; "byte alignment, hot to hot (cycles)"),
alignment_table(4; "byte alignment, clean to clean (cycles)"),
temperature_table(5; "data copy time (cycles)"),
temperature_table(6; "data copy time (µs)"),
"<h2>Figures</h2><p><span class=\"key paper\">&nbsp;</span> paper <span class=\"key here\">&nbsp;</span> simos</p>",
($all.figures[] | bars),
"<h2>Hints that are obeyed</h2><p>8Wld-8WstH on the same machine, if <code>pref 30</code> allocates the line without reading it (<code>cache.l1d.prepare_for_store=allocate</code>).</p>",
as_table((["", "", "ignored", "obeyed", "gain"] | head), ($all.hints[] | [(.machine | machine_name), .column, .ignored, .obeyed, (.gain | percent)] | row)),
"<h2>Placement</h2><p>The same copy again and again: source and destination with different lines of the cache, and with the same.</p>",
as_table((["", "", "different", "same", "times"] | head), ($all.placement[] | [(.machine | machine_name), .routine, .apart, .same, (.factor | fixed(2))] | row)),
"<h2>read() on the running kernel</h2><p>The kernel copies a page of its page cache into a buffer, 8 times at each of the 64 places that a page has in the cache. Cycles and misses of the data cache a read, by class: of the place that costs most, and of the median of all. The assist cache is that of the PA7200 (section 6).</p>",
as_table((["", "assist cache", "other lines: cycles", "misses", "same lines: cycles", "misses", "times", "cycles saved"] | head),
    ($all.read[] | [(.machine | machine_name), (if .assist > 0 then "\(.assist) lines" else "none" end), (.apart.cycles | fixed(0)), (.apart.misses | classes),
        (.same.cycles | fixed(0)), (.same.misses | classes), (.same.cycles / .apart.cycles | fixed(2)), (.saved | fixed(0))] | row)),
($all.read[] | select(.assist == 0) | columns)
