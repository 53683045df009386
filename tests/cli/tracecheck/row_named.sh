# Of three problems one is slower, at 10 / 20 = 0.5, and with it the total, at 20 / 30; one is on one side only.
# The row that fails most is named next to the number of those that do, not after why another has no value.
printf 'config,us\nfirst,10\nsecond,10\nthird,10\n' >base.csv
printf 'config,us\nfirst,20\nsecond,10\n' >new.csv
tracecheck -q --rule 'libperf.compare.speedup > 0.9' --rule 'libperf.compare[third].speedup > 0.9' \
	--rule 'libperf.best.margin_pct > 1' --baseline base.csv new.csv
