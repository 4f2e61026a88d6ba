/*
 * Files of Tcl (src/tcl/tcl_file.h), for targets that are linked with --wrap=tcl_file_eval. An input is
 *
 *     the file        which is evaluated in a process of its own, as always
 *     0 commands      a list of the commands that such a process has given, each a list of words, the last word of a
 * block again a list of commands: what the reader does with them, without a process
 */
#ifndef SIMOS_TESTS_FUZZ_TCL_H
#define SIMOS_TESTS_FUZZ_TCL_H

#include "src/tcl/tcl_file.h"
#include "tests/fuzz/fuzz.h"

bool __real_tcl_file_eval(Tcl_Interp *interp, const char *what, const char *path, const char *text, struct err *err);
bool __wrap_tcl_file_eval(Tcl_Interp *interp, const char *what, const char *path, const char *text, struct err *err);

static bool fuzz_tcl_commands; /* of this input */

/* COMMANDS, a list, as lines of plain words behind what is in TEXT. Those named BLOCK have a block. */
static inline bool fuzz_tcl_put(Tcl_Obj *text, const char *commands, const char *block, unsigned depth)
{
    const char **command;
    Tcl_Size count;
    if (Tcl_SplitList(NULL, commands, &count, &command) != TCL_OK)
        return false;
    bool done = true;
    for (Tcl_Size i = 0; i < count && done; i++) {
        Tcl_Obj *line = Tcl_NewObj();
        const char **word;
        Tcl_Size words;
        Tcl_IncrRefCount(line);
        done = Tcl_SplitList(NULL, command[i], &words, &word) == TCL_OK;
        for (Tcl_Size k = 0; done && k < words; k++) {
            Tcl_Obj *value = Tcl_NewObj();
            Tcl_IncrRefCount(value);
            if (depth == 0 && k > 0 && k == words - 1 && block && strcmp(word[0], block) == 0)
                done = fuzz_tcl_put(value, word[k], NULL, 1);
            else
                Tcl_AppendToObj(value, word[k], -1);
            Tcl_ListObjAppendElement(NULL, line, value);
            Tcl_DecrRefCount(value);
        }
        if (done) {
            Tcl_Free((char *)word);
            Tcl_AppendObjToObj(text, line);
            Tcl_AppendToObj(text, "\n", 1);
        }
        Tcl_DecrRefCount(line);
    }
    Tcl_Free((char *)command);
    return done;
}

bool __wrap_tcl_file_eval(Tcl_Interp *interp, const char *what, const char *path, const char *text, struct err *err)
{
    return fuzz_tcl_commands ? tcl_file_eval_trusted(interp, what, path, text, err)
                             : __real_tcl_file_eval(interp, what, path, text, err);
}

/* INPUT as the text of a file, to be freed; NULL: it is none of those above. */
static inline char *fuzz_tcl_text(const uint8_t *input, size_t size, const char *block)
{
    Tcl_FindExecutable("fuzz"); /* Tcl's objects need it, and the first input may be before any interpreter */
    fuzz_tcl_commands = size > 0 && *input == 0;
    if (!fuzz_tcl_commands)
        return memchr(input, 0, size) ? NULL : fuzz_text(input, size);
    char *commands = fuzz_text(input + 1, size - 1), *result = NULL;
    Tcl_Obj *text = Tcl_NewObj();
    Tcl_IncrRefCount(text);
    if (fuzz_tcl_put(text, commands, block, 0))
        result = checked_memory(strdup(Tcl_GetString(text)));
    Tcl_DecrRefCount(text);
    free(commands);
    return result;
}

#endif
