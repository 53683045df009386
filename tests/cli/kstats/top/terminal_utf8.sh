# In a UTF-8 locale units and bars are as they should be; where the line is narrow (56) the bars
# go and names are shortened, with one character for what is left out.
ln -s "$TESTDATA" data
export LC_ALL=C.UTF-8
python3 "$ROOT/tests/cli/term.py" 80 dumb kstats top data/rocprofv3/7.0/run/app_kernel_trace.csv
python3 "$ROOT/tests/cli/term.py" 56 dumb kstats top data/rocprofv3/7.0/run/app_kernel_trace.csv
