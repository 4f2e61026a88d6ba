# toy has none; $traits_left_out names an instruction that gets none either.
trait()
{
    [ "${traits_left_out-}" = "$1" ] || swap cpu/isa/isa.def "$2, 0, { $3" "$2, $4, { $3"
}
trait toybgt CLASS_BRANCH 'BRANCH(LT_S(READ_T' 'FLOW_(BRANCH)'
trait toybgel CLASS_BRANCH 'BRANCH_LIKELY(GE_S(READ_S, READ_T' 'FLOW_(BRANCH) | INSN_LIKELY | INSN_ALWAYS_EQUAL'
trait toycall CLASS_JUMP 'WRITE_31(LINK)' 'FLOW_(JUMP)'
trait toycallr CLASS_JUMP 'LET(target' 'FLOW_(INDIRECT)'
trait toyjr CLASS_JUMP 'JUMP(READ_S)' 'FLOW_(INDIRECT)'
trait toylbx CLASS_LOAD 'LOAD(S8' 'LOADS_(1) | INSN_SIGNED | INSN_INDEXED'
trait toyshx CLASS_STORE 'STORE(U16' 'STORES_(2) | INSN_INDEXED'
