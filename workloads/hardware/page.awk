# The page of machines against hardware, from the lines MACHINE TEST ARGUMENT VALUE and published.tsv.
BEGIN {
    FS = "\t"
    print "# Machines against hardware\n"
    print "    make hardware\n"
    print "Machines of simos beside real ones that somebody has measured. `make hardware` makes this page: a program for the guest"
    print "(`workloads/hardware/probe.c`) does what the tables' programs did, and times it by the guest's clock. *Fitted* are cells to which a"
    print "parameter of the machine was set, at most four a machine; all others are predicted. An error is simos's value less the hardware's,"
    print "relative to this.\n"
    source["ar9344"] = "MIPS 74Kc of an Atheros AR9344, 560 MHz, in a TP-Link WDR3600: the tables at 7-cpu.com/cpu/Mips74K.html. For pages of 16 KB the guest's kernel is built with them (`workloads/source-kernel.sh pages-16k`)."
    lmbench = "McVoy and Staelin, *lmbench: Portable Tools for Performance Analysis*, USENIX 1996, as in Debian's package `lmbench-doc`, which gives the time of a load less a cycle"
    source["hp-755"] = "HP 9000/755, a PA-RISC of 99 MHz: the row HP-UX 9000/755 of the tables of " lmbench ". The machine's parameters are fitted to another paper ([machines.md](machines.md)), none to these."
    source["indigo2-r4400"] = "SGI Indigo2 with an R4400SC of 200 MHz: the row IRIX5.3 IP22 of the tables of " lmbench ". What the kernel takes part in (null call, signals, context switches) is not compared: IRIX's kernel is not Linux's."
    source["challenge-r4400"] = "SGI Challenge with the same processor: the row IRIX5.3 IP19."
    what["chase"] = "a load that needs the one before it, %s KB"
    what["chase@16k"] = what["chase"] ", pages of 16 KB"
    what["random"] = "loads that do not need each other, %s KB"
    what["read"] = "loads, %s bytes apart, of 16 MB"
    what["chase_step"] = "loads that need each other, %s bytes apart, of 16 MB"
    what["write"] = "stores, %s bytes apart, to 16 MB"
    what["stride"] = "a load that needs the one before it, 128 bytes apart, %s KB"
    what["sum"] = "loads and additions, word by word, of %s KB"
    what["store"] = "stores, word by word, to %s KB"
    what["copy"] = "a copy, word by word, of %s KB"
    what["branch"] = "a misprediction"
    what["unaligned"] = "a load across lines, which the kernel completes"
}
/^#/ { next }
FNR == NR { simulated[$1, $2, $3] = $4; next }
!(($1, $2, $3) in simulated) { next }
$1 != machine {
    finish()
    machine = $1
    printf "## %s\n\n%s\n\n| | hardware | simos | error | |\n| --- | --- | --- | --- | --- |\n", machine, source[machine]
}
{
    value = simulated[$1, $2, $3]
    error = 100 * (value / $5 - 1)
    size = error < 0 ? -error : error
    remark = $6 == "-" ? ($8 == "-" ? "" : "[" ++reasons "]") : "fitted: `" $6 "`"
    if ($8 != "-") reason[reasons] = $8
    name = what[$2]; sub("%s", $3, name)
    printf "| %s | %s %s | %.1f %s | %+.1f %% | %s |\n", name, $5, $4, value, $4, error, remark
    if ($6 == "-") sizes[++count] = size
    else for (i = split($6, names, " "); i > 0; i--) fitted[names[i]]
    if (size > 25 && $8 == "-" && $6 == "-") unexplained = unexplained " " $2 " " $3
}
END { finish(); if (unexplained) { print "page.awk: above 25 % without a reason:" unexplained >"/dev/stderr"; exit 1 } }

function finish(    i, k, t, parameters)
{
    if (machine == "") return
    for (i = 2; i <= count; i++)
        for (k = i; k > 1 && sizes[k] < sizes[k - 1]; k--) { t = sizes[k]; sizes[k] = sizes[k - 1]; sizes[k - 1] = t }
    for (t in fitted) parameters++
    printf "\n%d predicted cells: median error %.1f %%, largest %.1f %%. %d fitted parameters.\n", count,
        (sizes[int((count + 1) / 2)] + sizes[int(count / 2) + 1]) / 2, sizes[count], parameters
    for (i = 1; i <= reasons; i++) printf "\n[%d] %s.\n", i, reason[i]
    print ""
    count = reasons = 0
    delete sizes; delete reason; delete fitted
}
