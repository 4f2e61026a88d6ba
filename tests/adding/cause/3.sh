page statistics
page measures
