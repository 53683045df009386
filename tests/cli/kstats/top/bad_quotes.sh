# rocprofv3 does not escape quotes inside a name. log<"a"> is plain enough; split<","> (line 4)
# looks like the end of a field and is read by its ends. 1+2+3, 3 and 4 us of 13.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv3/7.0/hostile/quotes_kernel_trace.csv
