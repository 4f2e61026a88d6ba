# Stacked bars from `data` (tab-separated, with a head) to the SVG `out`; `what` is on the axis.
set terminal svg size 900,420 font "sans-serif,11" background "#ffffff"
set output out
set datafile separator "\t"
set style data histograms
set style histogram rowstacked
set style fill solid 0.85 border -1
set boxwidth 0.75
set xtics rotate by 45 right nomirror
set ytics nomirror
set border 3
set grid ytics lc rgb "#dddddd"
set key outside right top reverse Left
set ylabel what
set yrange [0:*]
columns = int(system(sprintf("head -n 1 '%s' | awk -F '\\t' '{ print NF }'", data)))
plot for [i = 2:columns] data using i:xtic(1) title columnheader(i)
