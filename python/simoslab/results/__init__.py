"""What reads results: the documents that simos writes, the frame of their statistics, the catalogue of measures, checks, traces."""
