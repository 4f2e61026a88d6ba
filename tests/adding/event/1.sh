after annotations/tcl/event_types.def '.parse = packet_parse,' <<'END'
EVENT_TYPE(TOY, "toy", "return or any", "a processor has returned from an exception",
           .parse = toy_parse, .observes = true, .optional = true)
END
