// A 32-bit processor of five stages that runs the integer instructions of MIPS I: fetch (F), decode (D), execute (E), memory
// (M), write back (W). Results are passed on from M and W to E; branches are decided in E, so that the instruction behind
// the delay slot is dropped when one is taken. Loads have their delay slot too. A miss of either cache stops all stages.
`timescale 1ns / 1ns
module processor (
    input clock,
    input reset,
    output reg halted,        // the program has stored to HALT
    output reg [31:0] result, // what it has stored there
    output reg [31:0] instructions,
    output [31:0] i_misses,
    output [31:0] d_misses
);
    localparam HALT = 32'h00100000;
    localparam NOP = 32'h00000000;

    // Fetch.
    reg [31:0] pc;
    wire [31:0] fetched;
    wire i_hit;

    // Decode.
    reg [31:0] d_instruction, d_pc;
    reg d_valid;
    reg [31:0] registers[0:31];

    // Execute.
    reg [31:0] e_instruction, e_pc, e_rs, e_rt;
    reg e_valid;
    reg [31:0] hi, lo;

    // Memory.
    reg [31:0] m_value, m_store;
    reg [4:0] m_target;
    reg [5:0] m_operation;
    reg m_load, m_write, m_valid;

    // Write back.
    reg [31:0] w_value;
    reg [4:0] w_target;
    reg w_valid;

    // What the memory stage asks for.
    reg [3:0] enables;
    reg [31:0] aligned;
    wire [31:0] loaded;
    wire d_hit, store_taken;
    wire advance = i_hit && (!m_load || d_hit) && (!m_write || store_taken);

    memory_system memory (
        .clock(clock), .reset(reset), .i_address(pc), .i_data(fetched), .i_hit(i_hit), .d_address(m_value),
        .d_read(m_load), .d_data(loaded), .d_hit(d_hit), .d_write(m_write && i_hit), .d_enables(enables),
        .d_store(aligned), .d_taken(store_taken), .i_misses(i_misses), .d_misses(d_misses)
    );

    // Stores of bytes and halves go to their lanes.
    always @(*) begin
        case (m_operation)
            6'h28: begin enables = 4'b0001 << m_value[1:0]; aligned = {4{m_store[7:0]}}; end
            6'h29: begin enables = m_value[1] ? 4'b1100 : 4'b0011; aligned = {2{m_store[15:0]}}; end
            default: begin enables = 4'b1111; aligned = m_store; end
        endcase
    end

    // Loads of bytes and halves come from theirs.
    reg [31:0] extended;
    wire [7:0] byte_lane = loaded >> {m_value[1:0], 3'b000};
    wire [15:0] half_lane = loaded >> {m_value[1], 4'b0000};
    always @(*) begin
        case (m_operation)
            6'h20: extended = {{24{byte_lane[7]}}, byte_lane};
            6'h24: extended = {24'b0, byte_lane};
            6'h21: extended = {{16{half_lane[15]}}, half_lane};
            6'h25: extended = {16'b0, half_lane};
            default: extended = loaded;
        endcase
    end

    // Fields of the instruction in E.
    wire [5:0] operation = e_instruction[31:26];
    wire [5:0] special = e_instruction[5:0];
    wire [4:0] rs = e_instruction[25:21];
    wire [4:0] rt = e_instruction[20:16];
    wire [4:0] rd = e_instruction[15:11];
    wire [4:0] amount = e_instruction[10:6];
    wire [31:0] signed_immediate = {{16{e_instruction[15]}}, e_instruction[15:0]};
    wire [31:0] immediate = {16'b0, e_instruction[15:0]};
    wire [31:0] branch_target = e_pc + 4 + (signed_immediate << 2);
    wire [31:0] jump_target = {e_pc[31:28], e_instruction[25:0], 2'b00};

    // The newest values of its operands.
    wire [31:0] a = rs == 0 ? 0 : (m_valid && m_target == rs && !m_load) ? m_value :
                    (w_valid && w_target == rs) ? w_value : e_rs;
    wire [31:0] b = rt == 0 ? 0 : (m_valid && m_target == rt && !m_load) ? m_value :
                    (w_valid && w_target == rt) ? w_value : e_rt;

    reg [31:0] value, target_pc;
    reg [4:0] target;
    reg taken, load, write;
    reg unknown; // an instruction that there is not
    reg [63:0] product;
    always @(*) begin
        value = 0;
        target = 0;
        taken = 0;
        target_pc = branch_target;
        load = 0;
        write = 0;
        unknown = 0;
        product = {hi, lo};
        case (operation)
            6'h00: begin
                target = rd;
                case (special)
                    6'h00: value = b << amount;
                    6'h02: value = b >> amount;
                    6'h03: value = $signed(b) >>> amount;
                    6'h04: value = b << a[4:0];
                    6'h06: value = b >> a[4:0];
                    6'h07: value = $signed(b) >>> a[4:0];
                    6'h08: begin taken = 1; target_pc = a; target = 0; end
                    6'h09: begin taken = 1; target_pc = a; value = e_pc + 8; end
                    6'h10: value = hi;
                    6'h11: begin product = {a, lo}; target = 0; end
                    6'h12: value = lo;
                    6'h13: begin product = {hi, a}; target = 0; end
                    6'h18: begin product = $signed({{32{a[31]}}, a}) * $signed({{32{b[31]}}, b}); target = 0; end
                    6'h19: begin product = {32'b0, a} * {32'b0, b}; target = 0; end
                    6'h1b: begin if (b != 0) product = {a % b, a / b}; target = 0; end
                    6'h20, 6'h21: value = a + b;
                    6'h22, 6'h23: value = a - b;
                    6'h24: value = a & b;
                    6'h25: value = a | b;
                    6'h26: value = a ^ b;
                    6'h27: value = ~(a | b);
                    6'h2a: value = {31'b0, $signed(a) < $signed(b)};
                    6'h2b: value = {31'b0, a < b};
                    default: unknown = e_valid;
                endcase
            end
            6'h01: taken = rt[0] ? !a[31] : a[31];
            6'h02: begin taken = 1; target_pc = jump_target; end
            6'h03: begin taken = 1; target_pc = jump_target; value = e_pc + 8; target = 31; end
            6'h04: taken = a == b;
            6'h05: taken = a != b;
            6'h06: taken = a[31] || a == 0;
            6'h07: taken = !a[31] && a != 0;
            6'h08, 6'h09: begin value = a + signed_immediate; target = rt; end
            6'h0a: begin value = {31'b0, $signed(a) < $signed(signed_immediate)}; target = rt; end
            6'h0b: begin value = {31'b0, a < signed_immediate}; target = rt; end
            6'h0c: begin value = a & immediate; target = rt; end
            6'h0d: begin value = a | immediate; target = rt; end
            6'h0e: begin value = a ^ immediate; target = rt; end
            6'h0f: begin value = {immediate[15:0], 16'b0}; target = rt; end
            6'h20, 6'h21, 6'h23, 6'h24, 6'h25: begin value = a + signed_immediate; target = rt; load = e_valid; end
            6'h28, 6'h29, 6'h2b: begin value = a + signed_immediate; write = e_valid; end
            default: unknown = e_valid;
        endcase
    end

    always @(posedge clock)
        if (unknown && advance && !reset && !halted) begin
            $display("processor: instruction %h at %h is unknown", e_instruction, e_pc);
            $finish(1);
        end

    integer i;
    always @(posedge clock) begin
        if (reset) begin
            pc <= 0;
            d_valid <= 0;
            e_valid <= 0;
            e_instruction <= NOP;
            m_valid <= 0;
            m_load <= 0;
            m_write <= 0;
            w_valid <= 0;
            halted <= 0;
            instructions <= 0;
            for (i = 0; i < 32; i = i + 1)
                registers[i] <= 0;
        end else if (advance && !halted) begin
            // F to D: nothing, if the branch in E is taken.
            pc <= e_valid && taken ? target_pc : pc + 4;
            d_instruction <= fetched;
            d_pc <= pc;
            d_valid <= !(e_valid && taken);

            // D to E: what is written back now is seen already.
            e_instruction <= d_valid ? d_instruction : NOP;
            e_pc <= d_pc;
            e_valid <= d_valid;
            e_rs <= w_valid && w_target == d_instruction[25:21] ? w_value : registers[d_instruction[25:21]];
            e_rt <= w_valid && w_target == d_instruction[20:16] ? w_value : registers[d_instruction[20:16]];

            // E to M.
            m_value <= value;
            m_store <= b;
            m_target <= target;
            m_operation <= operation;
            m_load <= load;
            m_write <= write && value != HALT;
            m_valid <= e_valid && target != 0;
            if (e_valid) begin
                {hi, lo} <= product;
                instructions <= instructions + 1;
            end
            if (write && value == HALT) begin
                halted <= 1;
                result <= b;
            end

            // M to W, and W to the registers.
            w_value <= m_load ? extended : m_value;
            w_target <= m_target;
            w_valid <= m_valid;
            if (w_valid)
                registers[w_target] <= w_value;
        end
    end
endmodule
