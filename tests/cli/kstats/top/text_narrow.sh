# COLUMNS=80: columns that can be spared go, names are shortened in the middle; no line is longer
# than 60 where that is the width, nor what there is no room for.
ln -s "$TESTDATA" data
set -e
COLUMNS=80 kstats top data/rocprofv3/7.0/run/app_kernel_trace.csv
COLUMNS=60 kstats top data/rocprofv3/7.0/run/app_kernel_trace.csv >out
awk 'length($0) > 60 { print "too long: " length($0) }' out
