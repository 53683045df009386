# --rank-from: the first group of the expression is the rank; it beats "rank0" in the path.
mkdir -p rank0/node_31 rank0/node_32
cp "$TESTDATA"/rocprofv3/7.0/ranks/rank0/app_kernel_trace.csv rank0/node_31
cp "$TESTDATA"/rocprofv3/7.0/ranks/rank1/app_kernel_trace.csv rank0/node_32
kstats top -f csv --name base --per rank --columns rank,name,calls --rank-from 'node_([0-9]+)' rank0
