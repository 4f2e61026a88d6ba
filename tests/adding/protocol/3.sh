swap cache/params.c 'invalidate|mesi|firefly"' 'invalidate|mesi|firefly|toy"'
