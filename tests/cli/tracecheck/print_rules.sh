# What shapes a result does nothing where nothing is checked, and is refused.
for what in '--preset hpc --print-rules' --list-presets; do
	for o in '-f json' '-f text' '-n 3' '-s value' '--columns rule' '--report junit=x.xml'; do
		# shellcheck disable=SC2086 # several words
		tracecheck $what $o
		echo $?
	done
done
tracecheck --preset inference --print-rules -o x --color always --pager && tail -n 1 x
