after docs/reference/machines.md '| `1998` | [1] table 3.1' <<'END'
| `toy` | a toy | 1 at 400 MHz | 16K, 2, 16 | 16K, 2, 16 | 1M, 1, 128 | | 20, 200 |
END
