#!/bin/sh
# Prints the manual page simos(1), in mdoc: what `simos --help` says, and what surrounds it.
#
#     docs/man.sh SIMOS >simos.1        (`make install` puts it in place)
set -eu
cat <<'END'
.Dd November 22, 2026
.Dt SIMOS 1
.Os
.Sh NAME
.Nm simos
.Nd complete-machine simulator that boots an unmodified MIPS operating system
END
"$1" --help | awk '
    # Words that mdoc would take for a request or a macro.
    function text(s)
    {
        gsub(/\\/, "\\e", s)
        gsub(/-/, "\\-", s)
        gsub(/(^|[ (])[A-Z][a-z]( |$)/, "\\\\\\&&", s)
        return s ~ /^[.'\'']/ ? "\\&" s : s
    }
    # What a row says is taken with the last line of it.
    function end_row()
    {
        if (kind == "command") {
            synopsis = synopsis ".Nm\n" ".Cm " text(typed) "\n"
            commands = commands ".It Cm " text(typed) "\n" text(meaning) ".\n"
        } else if (kind == "option") {
            name = value = substr(typed, 3)
            sub(/[ [].*/, "", name)
            value = substr(value, length(name) + 1)
            sub(/^ /, "", value)
            options = options ".It Fl Fl " text(name) (value ? " Ar " text(value) : "") "\n" text(meaning) ".\n"
        } else if (kind == "event")
            event = meaning
        kind = ""
    }
    function begin_row(of, words, says)
    {
        end_row()
        kind = of
        typed = words
        meaning = says
    }
    function add(more)
    {
        sub(/^ +/, "", more)
        meaning = meaning (meaning == "" ? "" : " ") more
    }
    /^(usage:|      ) simos / {
        sub(/^.* simos /, "")
        begin_row("command", $0, "")
        next
    }
    /^  --/ {
        sub(/^ +/, "")
        at = match($0, /  +/)
        begin_row("option", at ? substr($0, 1, at - 1) : $0, at ? substr($0, at + RLENGTH) : "")
        next
    }
    /^[^ ].*:$/ {
        end_row()
        sub(/:$/, "")
        options = options (options ? ".El\n" : "") ".Ss " text($0) "\n.Bl -tag -width Ds\n"
        next
    }
    /^EVENT is/ { begin_row("event", "", $0); next }
    /^Exit status:/ { sub(/^Exit status: /, ""); begin_row("status", "", $0); next }
    /^$/ || /^`simos/ { end_row(); next }
    { add($0) }
    END {
        end_row()
        print ".Sh SYNOPSIS\n" synopsis ".Sh DESCRIPTION"
        print "Models the hardware of a MIPS computer (CPUs, TLB, caches, memory, disk, ethernet, console) in enough detail"
        print "to boot the stock Debian kernel and to run unmodified Debian programs on it, and says where every cycle went."
        print "Three CPU models share one interface: embra, a binary translator; mipsy, single issue with blocking caches;"
        print "mxs, out of order with caches that do not block."
        print ".Pp\nA COMMAND is the only job of the guest: its output goes to standard output, its exit status is that of"
        print ".Nm .\nDiagnostics and the account of the run go to standard error.\n.Pp\nThe commands:\n.Bl -tag -width Ds"
        printf "%s.El\n.Sh OPTIONS\n%s.El\n.Pp\n%s\n", commands, options, text(event)
        print ".Sh EXIT STATUS\nThat of the guest\\(aqs command; 124 if a limit ended the run, 125 if"
        print ".Nm\ncould not do it: bad input gets one line on standard error that names the culprit."
    }'
cat <<'END'
.Sh FILES
.Bl -tag -width Ds
.It Pa guest/vmlinux , Pa guest/initrd.cpio , Pa guest/kernel.sym
Beside the executable, or one directory up: the kernel, the initial RAM disk and the symbols that
.Fl Fl kernel
and
.Fl Fl initrd
replace.
.It Pa guest/vmlinux.gdb
The kernel with its symbols, for gdb.
.It Pa ~/.cache/simos
Packages, disk images, and what is known of files by their SHA-256; all of it may be deleted.
.El
.Sh EXAMPLES
.Bd -literal
simos run -- sh -c 'uname -r; nproc; exit 3'
simos run --cpu embra --checkpoint boot.ckpt@boot -- true
simos restore boot.ckpt --machine 1998 --stats 1998.json -- md5sum /bin/busybox
simos report 1994.json 1998.json
.Ed
.Sh SEE ALSO
The pages in
.Pa share/doc/simos ,
README.md first.
END
