# --name class: a row for each class. other: 1+3+2+0.5 us.
ln -s "$TESTDATA" data
kstats top -f csv --name class data/rocprofv3/7.0/names
