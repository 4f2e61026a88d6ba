# The clock is a multiple of what cpu.clock says.
after src/machine/machine.c 'uint64_t clock_hz = params_u64(machine->params, "cpu.clock");' <<'END'
    clock_hz *= params_u64(machine->params, "toy.timed");
END
