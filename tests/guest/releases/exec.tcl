machine 1994
command ls /
row "exec: L1-D misses" misses -service execve -cache l1d -within 50
repetitions 2
