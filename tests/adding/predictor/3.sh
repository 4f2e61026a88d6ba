after cpu/predict/predictors.def 'PREDICTOR(tage' <<'END'
PREDICTOR(toy, "what the branch did last")
END
