# Phantom instructions: those that an analyser sees enter the processor, but that do not execute (Nagle, Uhlig and Mudge,
# "Monster", 1992, section 3.3). Each analyser counts `addu`.
#
#     simos run --cpu mxs --script workloads/monster/phantoms.tcl -- COMMAND

# The obvious way: every addu on the bus. It counts stale words, which the cache held in the place of a line that missed,
# and what a processor fetches and squashes.
analyser define naive -clock fetch {
    recogniser add -instruction addu
    also add * -count addu
}

# One sample of history: count the previous word unless it turns out now that its fetch missed, or that it was squashed.
analyser define one-cycle -clock fetch {
    recogniser add -instruction addu
    recogniser miss -miss l1i
    recogniser flush -squashed {in 1 65535}
    state other seen
    on {add miss} * -> seen
    on {add flush} * -> seen
    on miss * -> other
    on flush * -> other
    on add seen -> seen -count addu
    on * seen -> other -count addu
    on add other -> seen
}

# Four samples of history, in 16 states: bit N of a state's number says whether the word before N others was an addu. A
# flush removes the youngest ones. What leaves the history is counted.
analyser define four-cycle -clock fetch {
    recogniser add -instruction addu
    recogniser miss -miss l1i
    foreach n {1 2 3} { recogniser flush$n -squashed $n }
    recogniser flush4 -squashed {in 4 65535}
    for {set h 0} {$h < 16} {incr h} { state h$h }
    for {set h 0} {$h < 16} {incr h} {
        foreach {lost signals} {4 flush4 4 {flush3 miss} 3 flush3 3 {flush2 miss} 2 flush2 2 {flush1 miss} 1 flush1 1 miss 0 {}} {
            foreach {word now} {1 add 0 {}} {
                set history [expr {$h >> $lost}]
                set line [list on [concat $signals $now] h$h -> h[expr {($history << 1 | $word) & 15}]]
                if {$history & 8} { lappend line -count addu }
                {*}$line
            }
        }
    }
}

# The truth, which the pins of a processor do not show.
analyser define truth -clock graduation {
    recogniser add -instruction addu
    also add * -count addu
}
