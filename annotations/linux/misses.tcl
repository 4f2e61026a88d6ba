# Misses by service, process, routine, data structure, cache and class (docs/reference/annotation-services.md).
library services
service misses begin
