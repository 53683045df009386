# A 7z archive.
ln -s "$TESTDATA" data
set -e
7z a -bd t.7z ./data/rocprofv3/7.0/run/app_kernel_trace.csv >/dev/null
kstats top -f csv --name base t.7z
