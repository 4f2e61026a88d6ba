after cpu/models.def 'MODEL(mxs' <<'END'
MODEL(toy, "a toy, as mipsy")
END
