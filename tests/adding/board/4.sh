after docs/reference/boards.md '| `kn02` | DECstation 5000/200' <<'END'
| `toy` | a toy: two devices | any |
END
