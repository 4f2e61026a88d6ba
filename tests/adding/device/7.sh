after docs/reference/results.md '`control.marks`' <<'END'
| `toy.toy_writes` | | writes of the toy's number |
END
