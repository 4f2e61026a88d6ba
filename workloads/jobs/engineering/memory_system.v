// What the processor's addresses lead to: a cache of 2 KB for instructions, one of 2 KB for data, both direct-mapped with
// lines of 16 bytes, a buffer of four stores, and the memory behind them. Data is written through; a store that misses
// takes no line.
`timescale 1ns / 1ns
module cache (
    input clock,
    input reset,
    input [31:0] address,
    input fill,
    input [127:0] line,
    input write,
    input [3:0] enables,
    input [31:0] store,
    output hit,
    output [31:0] data
);
    reg [127:0] lines[0:127];
    reg [20:0] tags[0:127];
    reg valid[0:127];

    wire [6:0] index = address[10:4];
    wire [127:0] found = lines[index];
    assign hit = valid[index] && tags[index] == address[31:11];
    assign data = found >> {address[3:2], 5'b00000};

    wire [31:0] mask = {{8{enables[3]}}, {8{enables[2]}}, {8{enables[1]}}, {8{enables[0]}}};
    integer i;
    always @(posedge clock) begin
        if (reset)
            for (i = 0; i < 128; i = i + 1)
                valid[i] <= 0;
        else if (fill) begin
            lines[index] <= line;
            tags[index] <= address[31:11];
            valid[index] <= 1;
        end else if (write && hit)
            lines[index] <= (found & ~({96'b0, mask} << {address[3:2], 5'b00000})) |
                            ({96'b0, store & mask} << {address[3:2], 5'b00000});
    end
endmodule

module memory_system #(parameter LATENCY = 8) (
    input clock,
    input reset,
    input [31:0] i_address,
    output [31:0] i_data,
    output i_hit,
    input [31:0] d_address,
    input d_read,
    output [31:0] d_data,
    output d_hit,
    input d_write,
    input [3:0] d_enables,
    input [31:0] d_store,
    output d_taken,
    output reg [31:0] i_misses,
    output reg [31:0] d_misses
);
    reg [31:0] words[0:16383];

    // Stores on their way to the memory.
    reg [31:0] buffer_address[0:3], buffer_data[0:3];
    reg [3:0] buffer_enables[0:3];
    reg [1:0] head;
    reg [2:0] count;
    assign d_taken = count != 4;
    wire [1:0] tail = head + count[1:0];
    wire accepted = d_write && d_taken;

    // What the memory does: 0 nothing, 1 a line for instructions, 2 a line for data, 3 a store.
    reg [1:0] busy;
    reg [3:0] left;
    wire done = busy != 0 && left == 0;
    wire [31:0] wanted = busy == 1 ? i_address : d_address;
    wire [13:0] first = {wanted[15:4], 2'b00};
    wire [127:0] line = {words[first + 3], words[first + 2], words[first + 1], words[first]};

    cache instructions (
        .clock(clock), .reset(reset), .address(i_address), .fill(done && busy == 1), .line(line), .write(1'b0),
        .enables(4'b0000), .store(32'b0), .hit(i_hit), .data(i_data)
    );
    cache data (
        .clock(clock), .reset(reset), .address(d_address), .fill(done && busy == 2), .line(line), .write(accepted),
        .enables(d_enables), .store(d_store), .hit(d_hit), .data(d_data)
    );

    wire [31:0] mask = {{8{buffer_enables[head][3]}}, {8{buffer_enables[head][2]}}, {8{buffer_enables[head][1]}},
                        {8{buffer_enables[head][0]}}};
    wire [13:0] place = buffer_address[head][15:2];
    always @(posedge clock) begin
        if (reset) begin
            head <= 0;
            count <= 0;
            busy <= 0;
            i_misses <= 0;
            d_misses <= 0;
        end else begin
            if (accepted) begin
                buffer_address[tail] <= d_address;
                buffer_data[tail] <= d_store;
                buffer_enables[tail] <= d_enables;
            end
            count <= count + accepted - (done && busy == 3);
            if (busy != 0)
                left <= left - 1;
            if (done) begin
                busy <= 0;
                if (busy == 3) begin
                    words[place] <= (words[place] & ~mask) | (buffer_data[head] & mask);
                    head <= head + 1;
                end
            end else if (busy == 0) begin
                // Stores first: a line that is read must hold them.
                left <= LATENCY - 1;
                if (count != 0)
                    busy <= 3;
                else if (d_read && !d_hit) begin
                    busy <= 2;
                    d_misses <= d_misses + 1;
                end else if (!i_hit && !accepted) begin
                    busy <= 1;
                    i_misses <= i_misses + 1;
                end
            end
        end
    end
endmodule
