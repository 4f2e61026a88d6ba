after docs/reference/annotations.md '| `packet` | ' <<'END'
| `toy` | `return`, `any` | a processor has returned from an exception |
END
