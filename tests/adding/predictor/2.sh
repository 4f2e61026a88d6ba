before cpu/predict/toy.c 'const struct predictor_type toy_predictor' <<'END'
static const struct saved_field taken_fields[] = {SAVED_NUMBER("taken", SAVED_BOOL, 1)};

static void saved(struct predictor *p, struct saved_array *arrays)
{
    struct toy *toy = (struct toy *)p;
    arrays[0] = (struct saved_array){SAVED_TABLE(taken_fields), toy->taken, sizeof *toy->taken, toy->count};
}

END
after cpu/predict/toy.c '.train = train' <<'END'
    .saved = saved,
END
