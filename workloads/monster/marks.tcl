# Behind monster.tcl, for a run from power-on: what the analysers have counted at the marks start and end, a line of JSON each on
# stderr, `counted JSON`. The run ends at the second one.
proc counted {analyser names} {
    set members {}
    foreach name $names { lappend members "\"$name\":[analyser figure $analyser $name]" }
    return "{\"counters\":{[join $members ,]}}"
}
foreach kind {run insn data uncached write fp multiply other wait} {
    foreach region {user idle kernel bcopy bzero bcmp} { lappend names_of_cycles $region.$kind }
}
lappend names_of_mix addu user kernel
foreach kind {nops jumps branches loads stores alu multiply fp system marker} {
    foreach mode {user kernel} { lappend names_of_mix $mode.$kind }
}
proc log_counted {cycles insns} {
    global names_of_cycles names_of_mix
    set analysers "\"cycles\":[counted cycles $names_of_cycles],\"mix\":[counted mix $names_of_mix],\"bus\":[counted bus addu]"
    log "counted {\"annotations\":{\"analysers\":{$analysers}},\"cpu0\":{\"cycles\":$cycles,\"insns\":$insns}}"
}
annotation set mark start { log_counted $CYCLES $INSTS }
annotation set mark end {
    log_counted $CYCLES $INSTS
    exit 0
}
