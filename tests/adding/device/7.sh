page statistics
