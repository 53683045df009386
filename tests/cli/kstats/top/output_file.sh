# -o writes the file and nothing to stdout, replaces one that is there, and leaves no other file
# behind; "-" is stdout.
ln -s "$TESTDATA" data
set -e
echo old >out.csv
kstats top -f csv --name base -o out.csv data/rocprofv3/7.0/run/app_kernel_trace.csv
ls
cat out.csv
kstats top -f csv --name base -n 1 -o - data/rocprofv3/7.0/run/app_kernel_trace.csv
