# --name short: no return type, arguments, anonymous namespace, and Triton's _0 and _1 are one
# kernel: 4+5 us.
ln -s "$TESTDATA" data
kstats top -f csv --name short data/rocprofv3/7.0/names
