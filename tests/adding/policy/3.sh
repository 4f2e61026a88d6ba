after docs/reference/page-mapping.md '| `numbering` |' <<'END'
| `toy` | a toy: every third bin |
END
