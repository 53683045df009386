# What can be asked without an input.
tracecat -V
tracecat --list-columns
tracecat info --list-columns | head -n 3
tracecat --list-formats | grep -c '^rocprofv3-csv '
tracecat --help >help && head -n 3 help
tracecat info --help >help && head -n 3 help
for s in bash zsh fish; do
	tracecat --completion $s >script && grep -c ndjson script
done
