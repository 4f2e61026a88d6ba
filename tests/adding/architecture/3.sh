after docs/design/architecture.md '| `r3000` | `cpu/privileged/r3000.c`' <<'END'
| `toy` | `cpu/privileged/toy.c` | a toy: the R3000 with another FPU and another general vector |
END
