create annotations/tcl/annotate_toy.c <<'END'
/* The type `toy`. */
#include "annotations/tcl/annotate_state.h"

#include <string.h>

bool toy_parse(struct annotate *annotate, struct annotation *annotation, const char *event, struct err *err)
{
    (void)annotate;
    annotation->key = strcmp(event, "return") == 0 ? 0 : ANY_KEY;
    return annotation->key == 0 || !*event || strcmp(event, "any") == 0 ||
           err_set(err, "an event of toy is return or any, not \"%.64s\"", event);
}
END
after annotations/tcl/annotate_state.h 'bool packet_parse(' <<'END'
/* annotate_toy.c */
bool toy_parse(struct annotate *annotate, struct annotation *annotation, const char *event, struct err *err);
END
