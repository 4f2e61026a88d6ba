after annotations/tcl/annotate_observe.c 'annotate_raise(opaque, EVENT_INST, 0, core);' <<'END'
    annotate_raise(opaque, EVENT_TOY, 0, core);
END
