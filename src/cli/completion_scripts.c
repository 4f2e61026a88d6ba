#include "src/cli/completion_scripts.h"

#include <stddef.h>
#include <string.h>

/* readline divides the line at "=", ":" and "@" too: what stands before the last one of the word is no part of a
 * candidate, but "@" is. */
static const char bash[] =
    "# bash completion of simos: put in the folder bash-completion/completions, or eval it\n"
    "_simos()\n"
    "{\n"
    "    local line=${COMP_LINE:0:COMP_POINT} candidate breaks= before word open=yes\n"
    "    local -a words\n"
    "    read -a words <<<\"$line\"\n"
    "    [[ $line == *[[:blank:]] && $line != *\\\\[[:blank:]] ]] && words+=(\"\")\n"
    "    word=${words[${#words[@]}-1]}\n"
    "    for candidate in = : @; do\n"
    "        [[ $COMP_WORDBREAKS == *$candidate* ]] && breaks+=$candidate\n"
    "    done\n"
    "    [[ -n $breaks && $word == *[$breaks]* ]] && before=${word%\"${word##*[$breaks]}\"}\n"
    "    before=${before%@}\n"
    "    COMPREPLY=()\n"
    "    while IFS=$'\\t' read -r candidate _; do\n"
    "        [[ $candidate == *[/=:@,] ]] || open=\n"
    "        candidate=${candidate#\"$before\"}\n"
    "        [[ $candidate == *[!A-Za-z0-9_.,:/=@%+~^-]* ]] && printf -v candidate %q \"$candidate\"\n"
    "        COMPREPLY+=(\"$candidate\")\n"
    "    done < <(\"${words[0]/#\\~/$HOME}\" completion candidates \"${words[@]:1}\" 2>/dev/null)\n"
    "    if [[ -n $open ]]; then compopt -o nospace 2>/dev/null; fi\n"
    "    return 0\n"
    "}\n"
    "complete -F _simos simos\n";

static const char zsh[] =
    "#compdef simos\n"
    "# zsh completion of simos: put as _simos in a folder of $fpath, or eval it after compinit\n"
    "_simos()\n"
    "{\n"
    "    local line candidate\n"
    "    local -a closed closed_shown open open_shown asked\n"
    "    asked=(\"${(@Q)words[2,CURRENT-1]}\" \"${(Q)PREFIX}\")\n"
    "    for line in \"${(@f)$(\"${(Q)words[1]/#\\~/$HOME}\" completion candidates \"$asked[@]\" 2>/dev/null)}\"; do\n"
    "        candidate=${line%%$'\\t'*}\n"
    "        [[ -n $candidate ]] || continue\n"
    "        [[ $line == *$'\\t'* ]] && line=\"$candidate -- ${line#*$'\\t'}\"\n"
    "        if [[ $candidate == *[/=:@,] ]]; then\n"
    "            open+=(\"$candidate\") open_shown+=(\"$line\")\n"
    "        else\n"
    "            closed+=(\"$candidate\") closed_shown+=(\"$line\")\n"
    "        fi\n"
    "    done\n"
    "    (( $#closed )) && compadd -l -d closed_shown -a closed\n"
    "    (( $#open )) && compadd -S '' -l -d open_shown -a open\n"
    "    (( $#closed + $#open ))\n"
    "}\n"
    "if [[ $funcstack[1] = _simos ]]; then _simos \"$@\"; else compdef _simos simos; fi\n";

static const char fish[] = "# fish completion of simos: put in the folder fish/vendor_completions.d, or source it\n"
                           "function __simos_candidates\n"
                           "    set -l words (commandline -opc) (commandline -ct)\n"
                           "    set -l program (string replace -r '^~' $HOME $words[1])\n"
                           "    $program completion candidates $words[2..-1] 2>/dev/null\n"
                           "end\n"
                           "complete -c simos -f -k -a '(__simos_candidates)'\n";

const char *completion_script(const char *shell)
{
    static const struct {
        const char *name, *script;
    } scripts[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++)
        if (strcmp(scripts[i].name, shell) == 0)
            return scripts[i].script;
    return NULL;
}
