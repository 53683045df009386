# In text an escape sequence never reaches the terminal, and through a pipe nothing but ASCII
# does.
ln -s "$TESTDATA" data
COLUMNS=300 kstats top --columns name,total_ns data/rocprofv3/7.0/hostile/markup_kernel_trace.csv
