swap cache/hierarchy/params.c 'invalidate|mesi|firefly"' 'invalidate|mesi|firefly|toy"'
