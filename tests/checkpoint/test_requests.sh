#!/bin/sh
# Checkpoints that the body of an annotation asks for: written behind the instruction that led to it, whatever the CPU
# model; the run goes on as without them, and the restored machine as the run (docs/how-to/checkpoints.md, Saving).
. "$(dirname "$0")/../guest/harness.sh"
cd "$work" || exit

# figures FILE: the statistics without what a CPU model says of its own work, and without what scripts say
figures()
{
    jq "del(.machine.models, .machine.model, .parameters.cpu.model, .annotations)" "$1"
}

cat >plain.tcl <<'END'
set calls 0
set reads 0
annotation set exc syscall -every 500 { if {[incr calls] == 2} { SAVE exc.ckpt; log "exc after [insns]" } }
annotation set pc vfs_read -every 15 { if {[incr reads] == 2} { SAVE pc.ckpt; log "pc after [insns]" } }
annotation set mark here { SAVE mark.ckpt; SAVE again.ckpt }
annotation set simos checkpoint { log "written at [insns]"; log [catch { checkpoint save never.ckpt } message]:$message }
annotation set simos exit { SAVE exit.ckpt }
END
sed '/never/!s/SAVE/checkpoint save/g' plain.tcl >saving.tcl
sed '/never/!s/SAVE/list/g' plain.tcl >looking.tcl
job='seq 3000 | sort | md5sum; simos-mark here; for i in 1 2 3; do ls -l /bin; done | md5sum; exit 3'
files="exc pc mark" # those that are restored
for model in embra mipsy; do
    set -- --cpu embra --switch "$model@boot" --cpus 2 --set cache.model=none --set machine.quantum=200 --quiet
    simos run "$@" --script looking.tcl --stats looking.json -- sh -c "$job"
    cp out looking.out
    simos run "$@" --script saving.tcl --stats saving.json -- sh -c "$job"
    cp err "$model.err"
    check_equal "$model: the run goes on" 3 "$status"
    check_same_file "$model: ... and says the same" looking.out out
    figures looking.json >looking.figures
    figures saving.json >saving.figures
    check_same_file "$model: ... with the same statistics" looking.figures saving.figures
    grep '^[a-z]* after [0-9]*$\|^written at' err | sort >"$model.log"
    check_equal "$model: none from within one" 4 "$(grep -c '^1:checkpoint: a checkpoint is being written' err)"
    check_same_file "$model: two at one instant are the same" mark.ckpt again.ckpt
    for file in $files; do
        rm -f rest.json
        simos restore $file.ckpt --quiet --stats rest.json
        figures rest.json >rest.figures
        check_equal "$model: $file: the restored one ends as the run" 3 "$status"
        check_same_file "$model: $file: ... with the same statistics" looking.figures rest.figures
    done
    files=pc
    simos info exit.ckpt
    check_match "$model: the file says what it is" ', at an annotation$' out
done
check_same_file "the same instants by either model" embra.log mipsy.log
check_match "behind an exception: at once" "^written at $(sed -n 's/^exc after //p' embra.log)\$" embra.log

echo 'annotation set simos boot { checkpoint save nowhere/a.ckpt }' >bad.tcl
simos run --cpu embra --set cache.model=none --quiet --script bad.tcl -- true
check_equal "no such folder: status" 125 "$status"
check_match "... and a line" '^simos: .*nowhere/a.ckpt.*: No such file or directory$' err
echo 'annotation set simos boot { checkpoint save a.ckpt boot }' >bad.tcl
simos run --cpu embra --set cache.model=none --quiet --script bad.tcl -- true
check_match "an event within a body" 'bad.tcl, line 1: .*not allowed in a.*, which must not change the machine' err

# In the shell, also while it goes step by step.
cat >session.tcl <<'END'
param cpu.model embra
param cache.model none
build -- sh -c {simos-mark here; echo hello; exit 4}
annotation set mark here { checkpoint save shell.ckpt }
puts [run -mark here]
annotation set inst eret -once { checkpoint save step.ckpt }
puts [step 50000]
puts [file exists step.ckpt]
puts [run]
discard
restore step.ckpt
puts [run]
discard
restore shell.ckpt
puts [run]
END
simos shell --quiet session.tcl
check_equal "shell: saved in a run and in a step" "mark step 1 hello exit hello exit hello exit" "$(xargs <out)"
finish
