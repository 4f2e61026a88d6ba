# The same, and the misses by routine and data structure.
library services
library misses
annotation set mark end { exit 0 }
