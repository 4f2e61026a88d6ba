page commands
