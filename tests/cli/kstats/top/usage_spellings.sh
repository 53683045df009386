# --option=value, -nVALUE, options behind operands, -- before a file name that begins with a dash.
ln -s "$TESTDATA" data
set -e
kstats top data/rocprofv3/7.0/run/app_kernel_trace.csv --format=csv -n1 --name=base
cp data/rocprofv3/7.0/run/app_kernel_trace.csv ./-f
kstats top -f csv --name base -n 1 -- -f
