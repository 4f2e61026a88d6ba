#!/bin/sh
# Bare programs of every format and from the boot ROM: where they go, how they start, the names of their functions. What
# QEMU's Malta board can load too prints the same there.
#
#     tests/cli/formats.sh SIMOS
set -u
simos=$1
case $simos in /*) ;; *) simos=$PWD/$simos ;; esac
limit=$(realpath "$(dirname "$0")/../limit.sh")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
# shellcheck source=tests/cli/bare.sh
. "$(dirname "$0")/bare.sh"
cd "$dir" || exit 1

# run ARGUMENTS...: what the guest and simos say, then the exit status
run()
{
    "$limit" 20 "$simos" run --initrd none --table none "$@" >out 2>err </dev/null
    status=$?
    said=$(tr -d '\r' <out; cat err; echo "status $status")
}

# on_malta OPTION FILE: what the program prints there. Its last store resets the board, which ends QEMU.
on_malta()
{
    "$limit" 20 qemu-system-mipsel -M malta -nic none -vga none -display none -monitor none -no-reboot -serial stdio -serial null -serial file:cbus \
        "$1" "$2" </dev/null >serial 2>qemu.err || cat qemu.err
    tr -d '\r\0' <serial
    tr -d '\r\0' <cbus
}

# assemble NAME OPTION...: NAME.S to NAME and, for Malta, to NAME.malta
assemble()
{
    name=$1
    shift
    for board in simos malta; do
        mipsel-linux-gnu-gcc -march=mips32r2 -mno-abicalls -fno-pic -G0 -nostdlib -static -Wl,--no-warn-rwx-segments -D$board "$@" \
            -o "$name.$board" -I. "$name.S" || exit 1
    done
    mv "$name.simos" "$name"
}

cat >board.h <<'END'
	.set noreorder
#ifdef malta
	.equ UART, 0xb80003f8
	.equ CBUS, 0xbf000900 /* is there without a set-up of the PCI bus */
	.equ EXIT, 0xbf000500
	.equ EXIT_VALUE, 0x42
#else
	.equ UART, 0xb8000000
	.equ CBUS, 0xb8000000
	.equ EXIT, 0xb8010014
	.equ EXIT_VALUE, 0
#endif
	.macro put c, at=UART
	li	$k0, \at
	li	$k1, \c
	sb	$k1, 0($k0)
	.endm
	.macro finish
	li	$k0, EXIT
	li	$k1, EXIT_VALUE
	sw	$k1, 0($k0)
9:	b	9b
	nop
	.endm
END

# The link address alone is given: GNU ld makes a segment of headers at 0x00400000.
cat >plain.S <<'END'
#include "board.h"
	.globl __start
__start:
	put	'K'
	finish
END
assemble plain -Wl,-Ttext=0x80100000
check "the linker has made a segment in kuseg" 1 "$(mipsel-linux-gnu-readelf -lW plain | grep -c 'LOAD .* 0x00400000 ')"
run --kernel plain
check "a segment of headers in kuseg" 'Kstatus 0' "$said"
check "the same on Malta" K "$(on_malta -kernel plain.malta)"

# Start-up code that copies .data from its load address to its run address, where nothing is yet; .bss is zero.
cat >copy.S <<'END'
#include "board.h"
	.globl __start
__start:
	la	$t0, load
	la	$t1, value
	lw	$t2, 0($t1)
	bnez	$t2, 9f # nothing is at the run address
	nop
	lw	$t2, 0($t0)
	sw	$t2, 0($t1)
	lw	$t2, value
	lw	$t3, zero
	addu	$t2, $t3
	li	$k0, UART
	sb	$t2, 0($k0)
	finish
	.data
value:	.word	'V'
	.bss
zero:	.word	0
END
cat >copy.ld <<'END'
ENTRY(__start)
PHDRS { rom PT_LOAD FLAGS(5); ram PT_LOAD FLAGS(6); zero PT_LOAD FLAGS(6); }
SECTIONS {
    .text 0x80100000 : { *(.text) } :rom
    load = ALIGN(16);
    .data 0x80200000 : AT(load) { *(.data) } :ram
    .bss 0x80210000 : AT(0x80210000) { *(.bss) } :zero
    /DISCARD/ : { *(*) }
}
END
assemble copy -Wl,-T,copy.ld -Wl,--build-id=none
run --kernel copy
check "a load address that is not the run address" 'Vstatus 0' "$said"
check "the same on Malta" V "$(on_malta -kernel copy.malta)"

# The same program in every format, and each compressed: one output, and the same statistics.
cat >each.S <<'END'
#include "board.h"
	.globl __start
__start:
	la	$t0, text
1:	lbu	$t1, 0($t0)
	beqz	$t1, 2f
	addiu	$t0, 1
	li	$k0, UART
	b	1b
	sb	$t1, 0($k0)
2:	finish
	.rdata
text:	.asciz "every format\n"
END
cat >each.ld <<'END'
ENTRY(__start)
SECTIONS {
    .text 0x80100000 : { *(.text) }
    .rodata 0x80180000 : { *(.rodata) *(.rdata) }
    /DISCARD/ : { *(*) }
}
END
assemble each -Wl,-T,each.ld -Wl,--build-id=none
mv each each.elf
mipsel-linux-gnu-objcopy -O srec each.elf each.srec
mipsel-linux-gnu-objcopy -O srec --srec-forceS3 --srec-len=8 each.elf each.s3
mipsel-linux-gnu-objcopy -O ihex each.elf each.hex
mipsel-linux-gnu-objcopy -O binary each.elf each.bin
for file in each.elf each.srec each.s3 each.hex each.bin; do
    gzip -nk9 $file
    for packed in $file $file.gz; do
        case $file in *.bin) kernel=$packed@0x80100000 ;; *) kernel=$packed ;; esac
        run --kernel "$kernel" --stats "$packed.json"
        check "$packed" 'every format
status 0' "$said"
        jq -c 'del(.simos, .parameters)' "$packed.json" >"$packed.stats"
        cmp -s each.elf.stats "$packed.stats" || check "the statistics of $packed" same different
    done
done
check "the same on Malta" 'every format' "$(on_malta -kernel each.malta)"

# One line for each mistake
refused()
{
    what=$1
    shift
    run "$@"
    check "$what: a line" 1 "$(wc -l <err)"
    case $said in *"$what"*"status 125") check "$what" said said ;; *) check "$what" said "$said" ;; esac
}
sed 's/^S3\(.*\)$/S4\1/; 2q' each.s3 >bad.s3
refused 'kernel bad.s3, line 2: S record: type S4' --kernel bad.s3
sed '2s/.\(.\)$/x\1/' each.hex >bad.hex
refused 'kernel bad.hex, line 2: Intel HEX record: not pairs of hexadecimal digits' --kernel bad.hex
head -c 60 each.elf.gz >bad.gz
refused 'kernel bad.gz: its gzip data are truncated' --kernel bad.gz
refused 'kernel each.bin: not an ELF file' --kernel each.bin
refused '"each.bin@80100000": the address is 0x0 to 0xffffffff, with 0x' --kernel each.bin@80100000
refused 'kernel each.elf: has its own addresses' --kernel each.elf@0x80100000
refused 'do not fit in RAM (machine.memory) or in the boot ROM' --kernel each.bin@0xb8000000
printf '\320\015\376\355' >fit
refused 'kernel fit: a FIT image' --kernel fit

# The boot ROM: state after reset, exception vectors of Status.BEV, stores without effect.
cat >rom.S <<'END'
#include "board.h"
	.macro put_rom c
	put	\c, CBUS
	.endm
	.globl __start
__start:
	b	begin
	nop
	.org	0x200 # TLB refill
	put_rom	'T'
	b	skip
	nop
	.org	0x380 # general exception
	put_rom	'G'
skip:	mfc0	$k0, $14
	addiu	$k0, 4
	mtc0	$k0, $14
	eret
	.org	0x400 # interrupt, with Cause.IV
	put_rom	'I'
	mtc0	$zero, $13
	eret
	.org	0x480
begin:	mfc0	$t0, $12
	li	$t1, 0x00400004 # BEV, ERL
	bne	$t0, $t1, bad
	nop
	mfc0	$t0, $15, 1 # EBase: the number of the processor
	andi	$t0, 0xff
	bnez	$t0, second
	nop
	mtc0	$zero, $13
	li	$t1, 0x00400000
	mtc0	$t1, $12
	ehb
	syscall
	lw	$t0, 0x2000($zero)
	sw	$t0, 0x2000($zero)
	li	$t1, 0x00400101 # BEV, IM0, IE
	mtc0	$t1, $12
	li	$t1, 0x00800100 # IV, IP0
	mtc0	$t1, $13
	ehb
	nop
	mtc0	$zero, $13
	li	$t1, 0x00400000
	mtc0	$t1, $12
	ehb
	# stores, through kseg1 and kseg0
	la	$t2, word
1:	lw	$t3, 0($t2)
	sw	$zero, 0($t2)
	sh	$zero, 0($t2)
	sb	$zero, 3($t2)
	swl	$zero, 2($t2)
	swr	$zero, 1($t2)
	lw	$t4, 0($t2)
	bne	$t3, $t4, bad
	lui	$t5, 0x2000
	and	$t6, $t2, $t5
	bnez	$t6, 1b
	subu	$t2, $t5
	addu	$t2, $t5
	lw	$t4, 0($t2)
	bne	$t3, $t4, bad
	nop
	# the same code, cached
	la	$t2, cached
	lui	$t5, 0x2000
	subu	$t2, $t5
	jr	$t2
	nop
cached:	put_rom	'C'
#ifdef TWO
	li	$t0, 0xbbde0000 # power controller: core 1, power up
	lui	$t1, 1
	sw	$t1, 0x2010($t0)
	li	$t1, 3
	sw	$t1, 0x4000($t0)
	li	$t0, 0xa0002000
1:	lw	$t1, 0($t0)
	beqz	$t1, 1b
	nop
#endif
	put_rom	'.'
	finish
second:	put_rom	'2'
	li	$t0, 0xa0002000
	sw	$t0, 0($t0)
1:	b	1b
	nop
bad:	put_rom	'B'
	finish
	.org	0x1ff8 # on the second page
word:	.word	0x12345678
	.word	0
END
assemble rom -Wl,-Ttext=0xbfc00000 -Wl,--build-id=none
mipsel-linux-gnu-objcopy -O binary -j .text rom rom.bin
mipsel-linux-gnu-objcopy -O binary -j .text --reverse-bytes=4 rom.malta malta.bin # QEMU swaps the words of a BIOS
head -c 4194304 /dev/zero >pad
cat malta.bin pad | head -c 4194304 >malta.rom
mipsel-linux-gnu-objcopy -O srec -j .text rom rom.srec
warning='simos: guest: CPU 0: store of 4 bytes at physical address 0x1fc01ff8 ignored: ROM'
for model in mipsy embra mxs; do
    for machine in 1994 1998 2015; do
        run --kernel rom --cpu $model --machine $machine
        check "a boot ROM on $model, $machine" "GTTIC.$warning
status 0" "$said"
    done
    run --kernel rom.bin@0x1fc00000 --cpu $model --set cache.model=none
    check "a raw boot ROM on $model without caches" "GTTIC.$warning
status 0" "$said"
done
check "the same on Malta" GTTIC. "$(on_malta -bios malta.rom)"
run --kernel rom.srec
check "a boot ROM of S-records" "GTTIC.$warning
status 0" "$said"
run --kernel rom.bin@0xbfc00004
check "a boot ROM without a reset vector" 'simos: kernel rom.bin: entry point 0xbfc00004 is in the boot ROM, but nothing is at the reset vector 0xbfc00000
status 125' "$said"
assemble rom -DTWO -Wl,-Ttext=0xbfc00000 -Wl,--build-id=none
for model in mipsy embra mxs; do
    run --kernel rom --cpu $model --cpus 2
    check "a boot ROM on two processors, $model" "GTTIC2.$warning
status 0" "$said"
done

# A checkpoint has the ROM; the shell reads it, and writes it only as a debugger; devices and CPUs do not.
run --kernel rom --cpus 2 --checkpoint half.ckpt@insns:40 --stats whole.json
"$limit" 20 "$simos" restore --table none --stats half.json half.ckpt >out 2>err
check "a boot ROM in a checkpoint" "0 .$warning" "$? $(tail -c 1 out)$(grep guest: err)"
jq -c 'del(.simos, .parameters)' whole.json >whole
jq -c 'del(.simos, .parameters)' half.json >half
cmp -s whole half || check "statistics from the middle of a boot ROM" same different
cat >look.tcl <<'END'
run -insns 1
puts [memory read 0xbfc01ff8]
puts [memory read 0x1fc01ff8 -physical]
puts [catch {memory write 0x1fc01ff8 7 -physical} message]
puts $message
memory write 0xbfc01ff8 7
puts [memory read 0x9fc01ff8]
END
"$limit" 20 "$simos" shell --initrd none --kernel rom look.tcl >out 2>err
check "memory of the boot ROM in the shell" '0x12345678 0x12345678 1 physical address 0x1fc01ff8 is not RAM 0x00000007' \
    "$(tr '\n' ' ' <out | sed 's/ $//; s/^GTTIC*\.*//')$(cat err)"

# Names from the program's own symbol table
cat >named.S <<'END'
#include "board.h"
	.globl	__start
	.ent	__start
__start:
	li	$s0, 3
1:	jal	work
	nop
	addiu	$s0, -1
	bnez	$s0, 1b
	nop
	finish
	.end	__start
	.ent	work
work:	move	$s1, $ra
	jal	leaf
	nop
	jr	$s1
	nop
	.end	work
	.ent	leaf
leaf:	lw	$t0, counter
	addiu	$t0, 1
	sw	$t0, counter
	jr	$ra
	nop
	.end	leaf
	.data
	.globl	counter
counter: .word	0
END
assemble named -Wl,-Ttext=0x80100000 -Wl,-Tdata=0x80200000
cat >named.tcl <<'END'
annotation set pc work -tag works {}
annotation set store counter -tag stores {}
annotation set simos exit { puts "works [annotation events works], stores [annotation events stores], [symbol __start]" }
END
run --kernel named --script named.tcl --profile named.json
check "annotations by name" 'works 3, stores 3, 0x80100000
status 0' "$said"
check "calls by name" '__start>work:3 work>leaf:3' "$(jq -r '.calls[] | "\(.from)>\(.to):\(.count)"' named.json | sort | tr '\n' ' ' | sed 's/ $//')"
run --kernel named --set execution.counts=profile --set guest.symbols=none --script named.tcl
case $said in *'there are no kernel symbols (guest.symbols)'*) check "no symbols" none none ;; *) check "no symbols" none "$said" ;; esac
gzip -nk named
run --kernel named.gz --script named.tcl
check "names of a compressed program" 'works 3, stores 3, 0x80100000
status 0' "$said"
printf '80100000 T other\n80100028 T work\n' >other.sym
run --kernel named --set guest.symbols=other.sym --script named.tcl
case $said in *'the kernel has no symbol "counter"'*) check "a symbol file comes first" first first ;; *) check "a symbol file comes first" first "$said" ;; esac

echo "formats: $passed passed, $failed failed"
[ "$failed" = 0 ]
