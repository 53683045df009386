# library_perf.csv by its header: the problem is in config, the time in time_us, the weights in calls.  Command
# lines and columns of results say the same problems.
cd "$TESTDATA" || exit 2
libperf compare -f csv --columns problem,status,calls,base_us,new_us,speedup,saved_us,significant \
	madengine/2.0/library/library_perf.csv hipblaslt/7.0/bench/tuned.txt
