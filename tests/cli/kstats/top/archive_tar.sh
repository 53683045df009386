# A tar of a whole run: the kernel trace is found inside, the other tables are not in the way.
ln -s "$TESTDATA" data
set -e
tar -cf t.tar -C data/rocprofv3/7.0 run
kstats top -f csv --name base t.tar
