# Engineering: PAIRS pairs of two simulators at a time. One is Icarus Verilog with the design of a processor, which runs a
# program for ROUNDS rounds with COUNT numbers; the other simulates the memory system of 16 nodes for REFERENCES
# references of each. What is measured begins when all processors have run CYCLES cycles, and all memory systems EVENTS events.
umask 022
mkdir /sources
mount -t ext4 -o ro /dev/vdb /sources
source=/sources/engineering
cd /root
say "compiling a program for the processor, the processor, and the memory system"
gcc -O1 -DROUNDS="$ROUNDS" -DCOUNT="$COUNT" -march=mips1 -mfp32 -msoft-float -mno-abicalls -fno-pic -no-pie -static -G0 -ffreestanding \
    -fno-builtin -nostdlib -Wl,-N,-Ttext=0,-e,first,--build-id=none -o program $source/program.c
objcopy -O binary -j .text -j .data -j .rodata program program.bin
truncate -s 65536 program.bin
od -An -v -w4 -tx4 program.bin >program.hex
iverilog -g2005-sv -o processor $source/processor.v $source/memory_system.v $source/bench.v
gcc -O2 -std=gnu17 -o memsys $source/memsys.c
for pair in $(seq "$PAIRS"); do
    mkfifo "ready.v$pair" "ready.m$pair"
done
say "starting $PAIRS processors and $PAIRS memory systems"
processes=
for pair in $(seq "$PAIRS"); do
    vvp -n processor "+ready=ready.v$pair" "+after=$CYCLES" >"out.v$pair" &
    processes="$processes $!"
    ./memsys "$REFERENCES" "ready.m$pair" "$EVENTS" >"out.m$pair" &
    processes="$processes $!"
done
for pair in $(seq "$PAIRS"); do
    read -r line <"ready.v$pair"
    read -r line <"ready.m$pair"
done
[ "$line" = ready ]
say "all of them run, which is what is measured"
simos-mark start
for process in $processes; do
    wait "$process" || exit 1
done
simos-mark end
for pair in $(seq "$PAIRS"); do
    cat "out.v$pair" "out.m$pair"
done
