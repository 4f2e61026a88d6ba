# Checks a disassembly (objdump -d -M no-aliases, as release 2) of a program for MIPS I: no other instruction, and none in
# a load's delay slot that reads what is loaded. Prints each that is not so. What the kernel emulates, and the C library
# (ll, sc, sync) or thread-local variables (rdhwr of register 29) need, is counted: EMULATED=N printed at the end. A load
# in a branch's delay slot is passed over.
BEGIN {
    split("add addi addiu addu and andi beq bgez bgezal bgtz blez bltz bltzal bne break div divu j jal jalr jr lb lbu lh lhu " \
        "lui lw lwl lwr mfhi mflo mthi mtlo mult multu negu nor or ori sb sh sll sllv slt slti sltiu sltu sra srav srl srlv " \
        "sub subu sw swl swr syscall xor xori mfc1 mtc1 cfc1 ctc1 lwc1 swc1 bc1t bc1f " \
        "add.s add.d sub.s sub.d mul.s mul.d div.s div.d abs.s abs.d mov.s mov.d neg.s neg.d cvt.s.d cvt.s.w cvt.d.s " \
        "cvt.d.w cvt.w.s cvt.w.d", names, " ")
    for (i in names)
        known[names[i]] = 1
}
function registers(text) { # the general registers that the text names, each between blanks
    gsub(/[^a-z0-9]/, " ", text)
    return " " text " "
}
# The registers that the instruction reads: all that it names but the first, of those that write their first one.
function reads(name, operands) {
    if (name ~ /^(s[bhw]|sw[lr]|swc1|b.*|j.*|mult|multu|mtc1|ctc1|mthi|mtlo|syscall|break|c\..*)$/)
        return registers(operands)
    if (name ~ /^div/ && name !~ /\./)
        return registers(operands)
    sub(/^[^,]*,?/, "", operands)
    return registers(operands)
}
!/^ *[0-9a-f]+:\t/ {
    loaded = ""
    next
}
{
    split($0, field, "\t")
    name = field[3]
    operands = field[4]
    sub(/ *<.*/, "", operands)
    gsub(/\$/, "", operands)
    if (name == ".word" && operands ~ /^0xff/) # an offset to $gp, behind a bal in the start-up code
        next
    if (name == "ll" || name == "sc" || name == "sync" || (name == "rdhwr" && operands ~ /^[a-z0-9]+,29$/))
        emulated++
    else if (!(name in known) && name !~ /^c\.(f|un|eq|ueq|olt|ult|ole|ule|sf|ngle|seq|ngl|lt|nge|le|ngt)\.[sd]$/)
        print FILENAME ": not of MIPS I: " $0
    if (loaded != "") {
        read = reads(name, operands)
        if (name ~ /\.d$/)
            pair = substr(loaded, 2) % 2 ? "f" substr(loaded, 2) - 1 : loaded
        if (index(read, " " loaded " ") || (loaded ~ /^f[0-9]/ && name ~ /\.d$/ && index(read, " " pair " ")))
            print FILENAME ": reads " loaded " in its load delay slot: " $0
    }
    loaded = ""
    if (name ~ /^(l[bhw]|l[bh]u|lw[lr]|lwc1|mfc1|cfc1)$/ && !branch) {
        loaded = operands
        sub(/,.*/, "", loaded)
    } else if (name == "mtc1" && !branch) {
        loaded = operands
        sub(/.*,/, "", loaded)
    }
    if (loaded == "zero")
        loaded = ""
    # lwr behind lwl of the same register merges into what lwl loads.
    branch = name ~ /^(b[^r]|j)/
}
END { print "EMULATED=" emulated + 0 }
