page statistics
page measures
page statistics-names
