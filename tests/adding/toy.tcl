annotation set toy return -tag toys { log "a toy event on CPU $CPU" }
annotation set simos exit { log "toys: [annotation events toys]" }
