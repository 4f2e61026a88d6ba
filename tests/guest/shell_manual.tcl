# Runs every example of the pages of the shell (their paths are the environment's MANUAL, with colons between them) as one
# session, and compares the result with what follows `;#=>`. Exits 1 with a line for each that differs, and for each command
# without a heading and an example.
set manual {}
foreach path [split $env(MANUAL) :] {
    set file [open $path]
    set number 0
    foreach line [split [read $file] \n] {
        lappend manual [file tail $path]:[incr number] $line
    }
    close $file
}

set failed 0
set passed 0
proc wrong {text} {
    global failed
    incr failed
    puts stderr "manual: $text"
}

# One complete command, and what it should return.
proc example {number command expected} {
    global passed
    if {[catch {uplevel #0 $command} result]} {
        wrong "$number: $command: $result"
    } elseif {$expected ne "" && $result ne $expected} {
        wrong "$number: $command: returns \"$result\", not \"$expected\""
    } else {
        incr passed
    }
}

set language ""
set headings ""
set examples ""
set command ""
foreach {number line} $manual {
    if {[regexp {^```(.*)} $line -> word]} {
        set language $word
    } elseif {$language eq "" && [regexp {^### (.*)} $line -> heading]} {
        append headings " " [string map {, " "} $heading]
    } elseif {$language ne ""} {
        append examples " " [string map {; " " \[ " " \] " "} $line]
        if {$language eq "tcl"} {
            set expected ""
            regexp {^(.*?)\s*;#=> (.*)$} $line -> line expected
            append command $line \n
            if {[info complete $command]} {
                example $number [string trim $command] $expected
                set command ""
            }
        }
    }
}
if {[string trim $command] ne ""} { wrong "an example ends in the middle of a command" }
foreach name [help] {
    if {[lsearch -exact [split $headings] $name] < 0} { wrong "no heading for $name" }
    if {[lsearch -exact [split $examples] $name] < 0} { wrong "no example of $name" }
}
if {$passed < 50} { wrong "only $passed examples" }
puts stderr "manual: $passed examples as they should be"
exit [expr {$failed > 0}]
