# The runs of one machine and device, as a list of objects: what the guest counted (a line each, on stdout) beside what
# simos saw in the same window (a line each, on stderr). --rawfile counted, --rawfile seen, --arg machine.
def lines($text): $text | split("\n") | map(sub("^client\\| "; ""));
(lines($counted) | map(select(test("^(l1d|l1i|l2) ")) | split(" "))) as $counts
| (lines($seen) | map(select(startswith("window ")) | ltrimstr("window ") | fromjson)) as $windows
| if ($counts | length) == 0 or ($counts | length) != ($windows | length)
  then error("\($machine): \($counts | length) counts, but \($windows | length) windows") else . end
| [$counts, $windows] | transpose
| map({machine: $machine, cache: .[0][0], scenario: .[0][1], pattern: .[0][2], mode: .[0][3], run: (.[0][4] | tonumber),
    count: (.[0][5] | tonumber), done: (.[0][6] == "1"), misses: .[1][.[0][0]]})
