# rocpd convert doubles quotes inside a name; the csv mode doubles them again on the way out.
# 3, 4 and 1 us make 8 of 10 us; 2 x 1 us the rest.
ln -s "$TESTDATA" data
kstats top -f csv data/rocpd/7.1/quotes/out_kernel_trace.csv
