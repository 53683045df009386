# --name full, the default: a mangled name (3 us) is demangled and meets its twin (1 us); " .kd"
# goes.
ln -s "$TESTDATA" data
kstats top -f csv --name full data/rocprofv3/7.0/names
