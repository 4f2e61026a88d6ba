# Every cycle by mode, routine, cause, data structure and class of miss (docs/reference/annotation-services.md).
library services
service cycles begin
