# Cold misses of the second level by whether memory was in use before the measurement (SOSP'95, section 4.4.2, note 1): a line that
# no processor has accessed since, and that holds something other than zeros, was. The words that the missing access may have
# written do not count. A line that was in use may hold zeros only, so this is the least.
annotation set miss {outer cold} {
    set word [expr {($PADDRESS & 127) / 8 * 2}]
    set others [lreplace [memory read [expr {$PADDRESS & ~127}] 32 -physical] $word $word+1]
    set name "$MODE, empty"
    foreach value $others {
        if {$value != 0} {
            set name "$MODE, in use before"
            break
        }
    }
    incr cold($name)
}
statistics create "cold misses"
annotation set simos exit { foreach name [lsort [array names cold]] { statistics entry "cold misses" $cold($name) $name } }
