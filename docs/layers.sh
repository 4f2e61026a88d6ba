#!/bin/sh
# Prints docs/drawings/layers.svg, the rooms of the source in layers, from what the rooms include. Exit status 1 if an
# arrow would point up, or a room is in no layer.
#
#     docs/layers.sh >docs/drawings/layers.svg        (`make docs`)
set -eu
cd "$(dirname "$0")/.."
rooms=$(sed -n 's#^| `\([^`]*\)/` |.*#\1#p' docs/design/code-layout.md | grep -v '^tests')
# room, room that it includes, of every #include
for room in $rooms; do
    for file in "$room"/*.[ch] "$room"/*.def "$room"/*.inc; do
        [ -e "$file" ] && sed -n 's#^\#include "\([^"]*\)/[^/"]*".*#'"$room"'\t\1#p' "$file"
    done
done | awk -F '\t' -v rooms="$rooms" '
    # The layers, upper ones first: name, column (0: both), rooms as patterns. Layers of a row do not include each other.
    function layer(name, column, patterns) { names[++count] = name; columns[count] = column; pattern[count] = patterns }
    function layer_of(room,    i, n, of, k)
    {
        for (i = 1; i <= count; i++) {
            n = split(pattern[i], of, " ")
            for (k = 1; k <= n; k++)
                if (room == of[k] || (of[k] ~ /\/$/ && (index(room, of[k]) == 1 || room "/" == of[k]))) return i
        }
        return 0
    }
    function escape(text) { gsub(/&/, "\\&amp;", text); return text }
    BEGIN {
        layer("base, which all use", 0, "src/base src/command src/measure src/memory src/host src/tcl cpu/host")
        layer("commands", 0, "src/cli src/shell src/run src/trace src/sweep src/regress src/cluster src/check src/gdb src/history")
        layer("views", 2, "src/report src/page src/explain src/chart")
        layer("observation", 1, "src/observe annotations/accounts annotations/services annotations/timeline annotations/automata annotations/tcl")
        layer("results", 2, "src/results")
        layer("machine", 0, "src/machine src/boards src/network src/image src/description")
        layer("guest", 0, "src/guest annotations/symbols")
        layer("cpu", 0, "cpu/")
        layer("cache", 0, "cache/")
        layer("devices", 0, "devices/ checkpoint")
        # drawn from the top: row of each layer
        split("9 1 2 3 3 4 5 6 7 8", row, " ")
        LEFT = 180; WIDE = 680; HIGH = 68; GAP = 30; TOP = 20
        number = split(rooms, all, /[ \n]+/)
        for (i = 1; i <= number; i++) {
            of = layer_of(all[i])
            if (!of) { print "docs/layers.sh: " all[i] " is in no layer" >"/dev/stderr"; bad = 1 }
            held[of] = held[of] (held[of] ? ", " : "") all[i]
        }
    }
    {
        upper = layer_of($1); lower = layer_of($2)
        if (!upper || !lower || upper == lower) next
        if (row[upper] >= row[lower]) {
            print "docs/layers.sh: " $1 " (" names[upper] ") includes " $2 " (" names[lower] "), which is no lower layer" >"/dev/stderr"
            bad = 1
        }
        if (lower > 1) arrows[upper, lower] = 1 # all use base
    }
    function left_of(i) { return columns[i] == 2 ? LEFT + WIDE / 2 + 10 : LEFT }
    function width_of(i) { return columns[i] ? WIDE / 2 - 10 : WIDE }
    function top_of(i) { return TOP + (row[i] - 1) * (HIGH + GAP) }
    # The names of the rooms in lines of at most MOST characters.
    function put_rooms(i,    words, n, k, line, y, most)
    {
        most = int(width_of(i) / 6.4)
        n = split(held[i], words, ", ")
        line = ""
        y = top_of(i) + 34
        for (k = 1; k <= n; k++) {
            if (line != "" && length(line words[k]) + 2 > most) {
                printf "  <text x=\"%d\" y=\"%d\">%s</text>\n", left_of(i) + 10, y, escape(line)
                y += 14
                line = ""
            }
            line = line (line == "" ? "" : ", ") words[k]
        }
        printf "  <text x=\"%d\" y=\"%d\">%s</text>\n", left_of(i) + 10, y, escape(line)
    }
    END {
        if (bad) exit 1
        high = TOP + 9 * (HIGH + GAP) + 10
        printf "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!-- Made by docs/layers.sh (`make docs`) from the includes. -->\n"
        printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"960\" height=\"%d\" viewBox=\"0 0 960 %d\">\n", high, high
        print "  <title>The rooms of the source in layers</title>"
        print "  <style>"
        print "    text { font-family: sans-serif; font-size: 11px; fill: #222 }"
        print "    .name { font-weight: bold; font-size: 13px }"
        print "    .room { fill: #f4f4f0; stroke: #333 }"
        print "    .arrow { stroke: #4a6fa5; fill: none; marker-end: url(#tip) }"
        print "  </style>"
        print "  <defs><marker id=\"tip\" markerWidth=\"9\" markerHeight=\"9\" refX=\"8\" refY=\"4\" orient=\"auto\"><path d=\"M0 0 L9 4 L0 8 Z\" fill=\"#4a6fa5\"/></marker></defs>"
        printf "  <rect width=\"960\" height=\"%d\" fill=\"#fff\"/>\n", high
        for (i = 1; i <= count; i++) {
            printf "  <rect class=\"room\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\"/>\n", left_of(i), top_of(i), width_of(i), HIGH
            printf "  <text class=\"name\" x=\"%d\" y=\"%d\">%s</text>\n", left_of(i) + 10, top_of(i) + 17, names[i]
            put_rooms(i)
        }
        # To the next row an arrow is straight; to a farther one it goes round, on the side of the upper layer.
        for (upper = 1; upper <= count; upper++)
            for (lower = 1; lower <= count; lower++) {
                if (!((upper, lower) in arrows)) continue
                y1 = top_of(upper) + HIGH
                y2 = top_of(lower)
                if (row[lower] == row[upper] + 1) {
                    low = left_of(upper) > left_of(lower) ? left_of(upper) : left_of(lower)
                    end = left_of(upper) + width_of(upper) < left_of(lower) + width_of(lower) ? left_of(upper) + width_of(upper) : left_of(lower) + width_of(lower)
                    x = int(low < end ? (low + end) / 2 : columns[upper] == 1 ? end - 20 : low + 20)
                    target = low < end ? x : columns[upper] == 1 ? left_of(lower) + 20 : left_of(lower) + width_of(lower) - 20
                    printf "  <path class=\"arrow\" d=\"M%d %d L%d %d\"/>\n", x, y1, target, y2
                } else {
                    side = columns[upper] == 2 || columns[lower] == 2
                    lane = ++lanes[side]
                    from = side ? left_of(upper) + width_of(upper) : left_of(upper)
                    to = side ? left_of(lower) + width_of(lower) : left_of(lower)
                    x = side ? LEFT + WIDE + 11 * lane : LEFT - 11 * lane
                    out = top_of(upper) + 16 + 6 * (++leaving[upper, side] % 8)
                    into = top_of(lower) + 12 + 6 * (++entering[lower, side] % 8)
                    printf "  <path class=\"arrow\" d=\"M%d %d H%d V%d H%d\"/>\n", from, out, x, into, to
                }
            }
        print "</svg>"
    }'
