before docs/design/code-layout.md '| `cpu/mxs/` |' <<'END'
| `cpu/toy/` | a toy CPU model | `cpu/` |
END
