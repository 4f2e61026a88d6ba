after annotations/tcl/annotate_observe.c 'annotate_raise(annotate, EVENT_INST, 0, core);' <<'END'
    annotate_raise(annotate, EVENT_TOY, 0, core);
END
