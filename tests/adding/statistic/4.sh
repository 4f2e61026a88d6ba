after docs/reference/results.md '`control.marks`' <<'END'
| `control.toy_reads` | | reads of the control device's registers |
END
