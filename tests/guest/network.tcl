# What stands outside in the tests of the network.
#
#   tclsh network.tcl serve FILE PORTFILE   a web server on a free port of the loopback that always sends FILE; the port's
#                                           number goes to PORTFILE
#   tclsh network.tcl fetch PORT            what a web server on that port of the loopback sends, tried for a minute
#   tclsh network.tcl port                  a free port
#   tclsh network.tcl capture FILE          checks a file of captured frames; prints how many there are, their bytes, and
#                                           the first and last time in nanoseconds

proc answer {channel file} {
    fconfigure $channel -translation binary -blocking 1
    # the request's lines up to the empty one
    while {[gets $channel line] >= 0 && [string trim $line] ne ""} {}
    set in [open $file rb]
    puts -nonewline $channel "HTTP/1.0 200 OK\r\nContent-Length: [file size $file]\r\n\r\n"
    fcopy $in $channel
    close $in
    close $channel
}

proc serve {file portfile} {
    set server [socket -server [list apply {{file channel args} {
        if {[catch {answer $channel $file} message]} { puts stderr $message }
    }} $file] -myaddr 127.0.0.1 0]
    set out [open $portfile.new w]
    puts $out [lindex [fconfigure $server -sockname] 2]
    close $out
    file rename $portfile.new $portfile
    vwait forever
}

# The body, or an error.
proc try_fetch {port} {
    set channel [socket 127.0.0.1 $port]
    fconfigure $channel -translation binary
    puts -nonewline $channel "GET /data HTTP/1.0\r\n\r\n"
    flush $channel
    set answer [read $channel]
    close $channel
    set end [string first "\r\n\r\n" $answer]
    if {$end < 0 || ![string match "HTTP/1.? 200 *" $answer]} { error "no page" }
    return [string range $answer $end+4 end]
}

proc fetch {port} {
    for {set i 0} {$i < 300} {incr i} {
        if {![catch {try_fetch $port} body]} {
            fconfigure stdout -translation binary
            puts -nonewline $body
            return
        }
        after 200
    }
    puts stderr $body
    exit 1
}

proc port {} {
    set server [socket -server list -myaddr 127.0.0.1 0]
    puts [lindex [fconfigure $server -sockname] 2]
}

# draft-ietf-opsawg-pcap: nanoseconds, little-endian, Ethernet.
proc capture {path} {
    set in [open $path rb]
    set file [read $in]
    binary scan $file iussiiiuiu magic major minor zone accuracy snap link
    if {$magic != 0xa1b23c4d || $major != 2 || $minor != 4 || $link != 1} { error "not such a file" }
    set count 0
    set bytes 0
    set first 0
    set last 0
    for {set at 24} {$at < [string length $file]} {incr at $length} {
        if {[binary scan $file @${at}iuiuiuiu seconds nanoseconds captured length] != 4} { error "cut off" }
        incr at 16
        set time [expr {$seconds * 1000000000 + $nanoseconds}]
        if {$captured != $length || $length < 14 || $length > 1518 || $nanoseconds >= 1000000000 || $time < $last} {
            error "frame $count: $captured of $length bytes at $time after $last"
        }
        if {$count == 0} { set first $time }
        set last $time
        incr count
        incr bytes $length
    }
    if {$at != [string length $file]} { error "cut off" }
    puts "$count $bytes $first $last"
}

{*}$argv
