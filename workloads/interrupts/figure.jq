# Figure 2, what a processor does while a message comes back, from a time line (docs/reference/file-formats.md): a row for
# each service, and the program between them. --arg machine, --arg title.
def short($digits): pow(10; $digits) as $p | . * $p | round / $p | tostring;
(.otherData | .from_cycle / .clock_hz * 1e6) as $from | (.otherData | .to_cycle / .clock_hz * 1e6) as $to
| [.traceEvents[] | select(.ph == "X" and (.tid == 0)) | {name: (if .cat == "process" then "process " + .name else .name end), ts, dur}] as $slices
| (reduce $slices[] as $s ([]; if index($s.name) then . else . + [$s.name] end)) as $names
| (900 / ($to - $from)) as $scale | 18 as $height
| "<h2>Figure 2, \($title): from sending a message to the end of counting</h2>",
  "<svg viewBox=\"0 0 1100 \(($names | length) * $height + 30)\" role=\"img\" aria-label=\"time line\">",
  ($names | to_entries[] | .key as $row | .value as $name
  | "<text x=\"0\" y=\"\($row * $height + 13)\" font-size=\"12\">\($name | @html)</text>",
    ($slices[] | select(.name == $name)
    | "<rect x=\"\((.ts - $from) * $scale + 180 | short(2))\" y=\"\($row * $height + 2)\" width=\"\([.dur * $scale, 0.4] | max | short(2))\" height=\"\($height - 4)\" fill=\"#47a\"><title>\($name | @html): \(.dur | short(1)) µs at \(.ts - $from | short(1)) µs</title></rect>")),
  (range(0; $to - $from; 250) | "<text x=\"\(. * $scale + 180 | short(1))\" y=\"\(($names | length) * $height + 20)\" font-size=\"11\">\(.) µs</text>"),
  "</svg>"
