after tests/cli/options.sh 'measures measures OPT' <<'END'
toy toy OPT there
END
after tests/cli/options.sh 'quiet|--quiet||' <<'END'
times|--times 2||
loud|--loud||
END
