// Runs program.hex on the processor, and prints what it comes to. With +ready=FILE +after=N it writes a line there after N
// cycles.
`timescale 1ns / 1ns
module bench;
    reg clock = 0, reset = 1;
    wire halted;
    wire [31:0] result, instructions, i_misses, d_misses;
    integer cycles = 0, after = -1, file;
    reg [1023:0] ready;

    processor cpu (
        .clock(clock), .reset(reset), .halted(halted), .result(result), .instructions(instructions), .i_misses(i_misses),
        .d_misses(d_misses)
    );

    always #5 clock = !clock;

    initial begin
        $readmemh("program.hex", cpu.memory.words);
        if (!$value$plusargs("ready=%s", ready) || !$value$plusargs("after=%d", after))
            after = -1;
        repeat (4) @(posedge clock);
        reset <= 0;
    end

    always @(posedge clock) begin
        cycles <= cycles + 1;
        if (cycles == after) begin
            file = $fopen(ready, "w");
            $fdisplay(file, "ready");
            $fclose(file);
        end
        if (halted) begin
            $display("processor: checksum %h, %0d instructions, %0d cycles, %0d + %0d misses", result, instructions, cycles,
                     i_misses, d_misses);
            $finish(0);
        end
    end
endmodule
