page statistics
page statistics-names
