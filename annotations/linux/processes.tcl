# Process events, raised at functions of the Linux kernel: `library processes`.
#
# process switch    context switch: $a0 is the task_struct of the outgoing process, $a1 that of the
#                   incoming one
# process create    a new process, whose task_struct is $a0, becomes runnable for the first time
# process exec      the current process has executed a new program: its name, at $a1, is about to be set
# process exit      the current process exits; $a0 is its status as returned by wait()
annotation type process enum {switch create exec exit}
annotation set pc resume { annotation exec process switch }
annotation set pc wake_up_new_task { annotation exec process create }
annotation set pc __set_task_comm { if {$a2} { annotation exec process exec } }
annotation set pc do_exit { annotation exec process exit }
