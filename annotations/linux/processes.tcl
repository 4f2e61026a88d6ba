# Events of processes, by the functions of Linux at which they happen: `library processes`.
#
# process switch    the processor goes from one process to another: $a0 is the task_struct that it leaves, $a1 the one
#                   that comes next
# process create    a new process, whose task_struct is $a0, could run for the first time
# process exec      the current process has become another program: its name, at $a1, is about to be set
# process exit      the current process ends, with the status $a0 of wait
annotation type process enum {switch create exec exit}
annotation set pc resume { annotation exec process switch }
annotation set pc wake_up_new_task { annotation exec process create }
annotation set pc __set_task_comm { if {$a2} { annotation exec process exec } }
annotation set pc do_exit { annotation exec process exit }
