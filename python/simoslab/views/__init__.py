"""What shows results: the frame with its questions and tables, and what a trace says of shared words."""
