after docs/reference/memory-system.md '| `firefly` | ' <<'END'
| `toy` | as `mesi`, but memory supplies clean lines |
END
