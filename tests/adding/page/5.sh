take workloads/pages/pages.tsv
printf 'toy\ttoy\t-\t-\n' >>workloads/pages/pages.tsv
