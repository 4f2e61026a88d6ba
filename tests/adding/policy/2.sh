after cache/placement/page_mapping_policies.def 'POLICY(' <<'END'
POLICY(TOY, "toy", mapping_toy_bin, NULL, NULL)
END
